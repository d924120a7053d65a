/** What is needed to speak to the contracts. ethers and their code are loaded with the first who asks. */
import type { Interface } from 'ethers/abi';
import { publicKeyOf } from '../keys/did.js';
import type { contracts } from './artifacts/contracts.js';

export type ContractName = keyof typeof contracts;

const known = new Map<ContractName, Interface>();

/** Encodes calls of a contract, decodes its results, events and custom errors. */
export async function interfaceOf(name: ContractName): Promise<Interface> {
  let found = known.get(name);
  if (!found) {
    const [{ Interface }, artifact] = await Promise.all([import('ethers/abi'), import('./artifacts/contracts.js')]);
    found = new Interface(artifact.contracts[name].abi);
    known.set(name, found);
  }
  return found;
}

/** How the registry names a DID: keccak256 of its public key, `0x` and hex. */
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
 * What the contracts said when they reverted, as `Name(arguments, …)`: for the log and for whoever repairs a stream.
 * @param data what a call or a trace gave back, `0x` and hex; empty where gas ran out
 */
export async function revertReason(data: string): Promise<string> {
  if (data.length < 10) return 'no reason, as for want of gas';
  for (const name of ['Settlement', 'LedgerVault', 'ServiceToken', 'IdentityRegistry'] as const) {
    const error = (await interfaceOf(name)).parseError(data);
    if (error) return `${error.name}(${error.args.map(String).join(', ')})`;
  }
  return `unknown: ${data}`;
}
