/**
 * EVM addresses of DIDs: the address of a controller's key, and a derived address for a DID that is not registered. The
 * latter is the last 20 bytes of keccak256(utf8(`svc:did-address:` + DID)), checksummed
 * (docs/reference/identities.md#evm-addresses). It has no private key, so Tokens must never be sent to it.
 */
import { LRUCache } from 'lru-cache';
import { invalid, type Refusal, refuse } from '../../core/refusal.js';
import type { ContractAddresses } from './deployment.js';

const known = new LRUCache<string, string>({ max: 10_000 });

/** Loads ethers on first use, because its hundred files would slow the start. */
const load = () => Promise.all([import('ethers/address'), import('ethers/crypto')]);

export async function derivedController(did: string): Promise<string> {
  let address = known.get(did);
  if (address === undefined) {
    const [{ getAddress }, { keccak256 }] = await load();
    address = getAddress(`0x${keccak256(Buffer.from(`svc:did-address:${did}`, 'utf8')).slice(-40)}`);
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

/** The checksummed address; undefined for invalid text, or for a wrong checksum. */
export async function parseEvmAddress(text: string): Promise<string | undefined> {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const { getAddress } = await import('ethers/address');
  try {
    return getAddress(text);
  } catch {
    return undefined; // a checksum that doesn't fit
  }
}

/** The checksummed address that a withdrawal pays: any but the ledger's contracts, which the Tokens could never leave. */
export async function receiverGiven(to: string, contracts: ContractAddresses | undefined): Promise<string | Refusal> {
  const address = await parseEvmAddress(to);
  if (address === undefined) return invalid('to', 'must be an EVM address whose checksum fits');
  return Object.values(contracts ?? {}).some((contract) => contract.toLowerCase() === address.toLowerCase())
    ? refuse('UNPROCESSABLE', 'to: Tokens paid to a contract of the ledger itself are lost')
    : address;
}
