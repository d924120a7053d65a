/** Puts the contracts on a chain: by itself on one of the node's own, elsewhere when an operator asks for it. */
import type { World } from '../../world.js';
import { type Contracts, planDeployment } from '../deployment.js';
import type { Evm, Hex } from '../evm/evm.js';
import { Sender } from './sender.js';
import type { Operator } from './transaction.js';

export interface DeployOptions {
  readonly evm: Evm;
  readonly operator: Operator;
  readonly network: string;
  readonly world: World;
  /** Who grants and revokes roles. @default the operator */
  readonly admin?: string;
  readonly onStep?: (what: string, transactionHash: string) => void;
}

/** A step was mined and reverted. */
export class DeploymentFailed extends Error {
  override name = 'DeploymentFailed';
}

/** A deployment that breaks off is begun anew at the next nonce; what it has left on the chain is used by nobody. */
export async function deployContracts(options: DeployOptions): Promise<Contracts> {
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
  });
  for (const { what, to, data } of plan.steps) {
    const gasLimit = Math.ceil(
      (await evm.estimateGas({ from: address, ...(to ? { to: to as Hex } : {}), data: data as Hex })) * 1.2,
    );
    const bytes = Buffer.from(data.slice(2), 'hex');
    const receipt = await sender.send({ to: to as Hex | null, data: bytes, gasLimit, keep: async () => {} });
    if (!receipt.succeeded) throw new DeploymentFailed(`${what} was reverted in ${receipt.transactionHash}`);
    options.onStep?.(what, receipt.transactionHash);
  }
  return plan.contracts;
}
