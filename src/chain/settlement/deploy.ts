/** Deploys the contracts: automatically on a local chain, elsewhere only by `svc-node chain deploy`. */
import type { Environment } from '../../core/environment.js';
import { type ContractAddresses, planDeployment } from '../contracts/deployment.js';
import type { Evm, Hex } from '../evm/evm.js';
import type { PinnedBlock } from './chain-pin.js';
import { Sender } from './sender.js';
import type { Operator } from './transaction.js';

export interface DeployOptions {
  readonly evm: Evm;
  readonly operator: Operator;
  readonly network: string;
  readonly world: Environment;
  /** Who grants and revokes roles. @default the operator */
  readonly admin?: string;
  /** A Token that exists, for a further vault of it. @default a new one */
  readonly token?: string;
  readonly onStep?: (what: string, transactionHash: string) => void;
}

export class DeploymentFailed extends Error {
  override name = 'DeploymentFailed';
}

export interface Deployed {
  readonly contracts: ContractAddresses;
  /** The block of the last transaction: a chain that has this block has the contracts. */
  readonly block: PinnedBlock;
}

/** Starts a new deployment at the next nonce. An interrupted one leaves unused contracts on the chain. */
export async function deployContracts(options: DeployOptions): Promise<Deployed> {
  const { evm, operator, network, world, admin = operator.address } = options;
  const sender = new Sender(evm, operator, world);
  const { address } = operator;
  const plan = await planDeployment({
    deployer: address,
    nonce: await sender.nextNonce(),
    network,
    mints: network !== 'mainnet',
    admin,
    operator: address,
    registrar: address,
    freezer: address,
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  let block: PinnedBlock = { number: 0, hash: '0x' };
  for (const { what, to, data } of plan.steps) {
    const gasLimit = Math.ceil(
      (await evm.estimateGas({ from: address, ...(to ? { to: to as Hex } : {}), data: data as Hex })) * 1.2,
    );
    const bytes = Buffer.from(data.slice(2), 'hex');
    const receipt = await sender.send({ to: to as Hex | null, data: bytes, gasLimit, keep: async () => {} });
    if (!receipt.succeeded) throw new DeploymentFailed(`${what} was reverted in ${receipt.transactionHash}`);
    options.onStep?.(what, receipt.transactionHash);
    block = { number: receipt.blockNumber, hash: receipt.blockHash };
  }
  return { contracts: plan.contracts, block };
}
