/** What a transaction carries that calls one of the contracts. */
import type { Contracts } from '../../../src/chain/deployment.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { type ContractName, interfaceOf } from '../../../src/chain/interfaces.js';

const places: { readonly [name in ContractName]: keyof Contracts } = {
  ServiceToken: 'token',
  IdentityRegistry: 'registry',
  LedgerVault: 'vault',
  Settlement: 'settlement',
};

export async function contractCall(
  contracts: Contracts,
  contract: ContractName,
  method: string,
  args: readonly unknown[],
): Promise<[to: Hex, data: Hex]> {
  const data = (await interfaceOf(contract)).encodeFunctionData(method, args);
  return [contracts[places[contract]] as Hex, data as Hex];
}
