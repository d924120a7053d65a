/** Interfaces and names of the contracts. ethers and the artifacts are loaded on first use. */
import type { Interface } from 'ethers/abi';
import { publicKeyOf } from '../../core/codecs/did.js';
import type { contracts } from '../artifacts/contracts.js';

export type ContractName = keyof typeof contracts;

const known = new Map<ContractName, Interface>();

/** Encodes calls of a contract, decodes its results, events and custom errors. */
export async function interfaceOf(name: ContractName): Promise<Interface> {
  let found = known.get(name);
  if (!found) {
    const [{ Interface }, artifact] = await Promise.all([import('ethers/abi'), import('../artifacts/contracts.js')]);
    found = new Interface(artifact.contracts[name].abi);
    known.set(name, found);
  }
  return found;
}

/** The registry's key of a DID: keccak256 of its public key, `0x` and hex. */
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

/**
 * Decodes the custom error of a revert as `Name(arguments, …)`, for the log and for repairs.
 * @param data returned by a call or a trace, `0x` and hex; empty when gas ran out
 */
export async function revertReason(data: string): Promise<string> {
  if (data.length < 10) return 'no reason, as for want of gas';
  for (const name of ['Settlement', 'LedgerVault', 'ServiceToken', 'IdentityRegistry'] as const) {
    const error = (await interfaceOf(name)).parseError(data);
    if (error) return `${error.name}(${error.args.map(String).join(', ')})`;
  }
  return `unknown: ${data}`;
}
