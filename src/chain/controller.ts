/**
 * The EVM address that stands for a DID which no registry knows: the last 20 bytes of
 * keccak256(utf8(`svc:did-address:` + DID)), checksummed (decisions.md, EVM address of a DID).
 */
import { getAddress } from 'ethers/address';
import { keccak256 } from 'ethers/crypto';

const known = new Map<string, string>();
const bound = 10_000;

export function derivedController(did: string): string {
  let address = known.get(did);
  if (address === undefined) {
    address = getAddress(`0x${keccak256(Buffer.from(`svc:did-address:${did}`, 'utf8')).slice(-40)}`);
    if (known.size >= bound) known.clear();
    known.set(did, address);
  }
  return address;
}
