/**
 * The EVM address that stands for a DID which no registry knows: the last 20 bytes of
 * keccak256(utf8(`svc:did-address:` + DID)), checksummed (decisions.md, EVM address of a DID).
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
