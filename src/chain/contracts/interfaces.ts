import type { ErrorDescription, Interface } from 'ethers/abi';
import { publicKeyOf } from '../../core/codecs/did.js';
import type { contracts } from '../artifacts/contracts.js';

export type ContractName = keyof typeof contracts;

const known = new Map<ContractName, Interface>();

/** Encodes calls of a contract, decodes its results, events and custom errors. */
export async function contractInterface(name: ContractName): Promise<Interface> {
  let found = known.get(name);
  if (!found) {
    const [{ Interface }, artifact] = await Promise.all([import('ethers/abi'), import('../artifacts/contracts.js')]);
    found = new Interface(artifact.contracts[name].abi);
    known.set(name, found);
  }
  return found;
}

/** Characters of `0x` and a selector of four bytes. */
const selectorLength = 10;

/**
 * A contract's custom error; undefined if the data is none.
 * @param data data of the revert, `0x` and hex. It is empty for a bare revert, an invalid opcode, or when gas ran out.
 * ethers throws for data that is shorter than a selector.
 */
export const parsedError = (contract: Interface, data: string | undefined): ErrorDescription | undefined =>
  data === undefined || data.length < selectorLength ? undefined : (contract.parseError(data) ?? undefined);

export async function didHash(did: string): Promise<string> {
  const { keccak256 } = await import('ethers/crypto');
  return keccak256(publicKeyOf(did));
}

/** A role's id in the contracts: keccak256 of its name. */
export async function roleOf(
  name: 'MINTER_ROLE' | 'FREEZER_ROLE' | 'REGISTRAR_ROLE' | 'OPERATOR_ROLE',
): Promise<string> {
  const { keccak256 } = await import('ethers/crypto');
  return keccak256(Buffer.from(name, 'utf8'));
}
