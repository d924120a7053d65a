/**
 * EVM addresses of DIDs: that of a controller's key, and the one that stands for a DID which no registry knows. The
 * latter is the last 20 bytes of keccak256(utf8(`svc:did-address:` + DID)), checksummed (decisions.md, EVM address of a
 * DID). Nobody has its key: nothing may ever be paid to it.
 */

const known = new Map<string, string>();
const bound = 10_000;

/** A start doesn't wait for a hundred files of ethers; the first reader of an identity does. */
const load = () => Promise.all([import('ethers/address'), import('ethers/crypto')]);

export async function derivedController(did: string): Promise<string> {
  let address = known.get(did);
  if (address === undefined) {
    const [{ getAddress }, { keccak256 }] = await load();
    address = getAddress(`0x${keccak256(Buffer.from(`svc:did-address:${did}`, 'utf8')).slice(-40)}`);
    if (known.size >= bound) known.clear();
    known.set(did, address);
  }
  return address;
}

/** The checksummed address of a secp256k1 private key. */
export async function addressOfKey(key: Uint8Array): Promise<string> {
  const [{ SigningKey }, { computeAddress }] = await Promise.all([
    import('ethers/crypto'),
    import('ethers/transaction'),
  ]);
  return computeAddress(new SigningKey(key));
}

/** The address in its checksummed spelling; undefined for a text that is none, or whose capitals don't fit. */
export async function parseAddress(text: string): Promise<string | undefined> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const { getAddress } = await import('ethers/address');
  try {
    return getAddress(text);
  } catch {
    return undefined; // a checksum that doesn't fit
  }
}
