/** The data of a transaction that calls one of the contracts. */
import type { ContractAddresses } from '../../../src/chain/contracts/deployment.js';
import { type ContractName, contractInterface } from '../../../src/chain/contracts/interfaces.js';
import type { Hex } from '../../../src/chain/evm/evm.js';

const places: { readonly [name in ContractName]: keyof ContractAddresses } = {
  ServiceToken: 'token',
  IdentityRegistry: 'registry',
  LedgerVault: 'vault',
  Settlement: 'settlement',
};

export async function contractCall(
  contracts: ContractAddresses,
  contract: ContractName,
  method: string,
  args: readonly unknown[],
): Promise<[to: Hex, data: Hex]> {
  const data = (await contractInterface(contract)).encodeFunctionData(method, args);
  return [contracts[places[contract]] as Hex, data as Hex];
}
