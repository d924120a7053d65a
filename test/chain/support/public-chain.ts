/** A chain that is not the node's: an anvil with its history and the contracts. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContractAddresses } from '../../../src/chain/contracts/deployment.js';
import { contractInterface, roleOf } from '../../../src/chain/contracts/interfaces.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import type { OpenChain } from '../../../src/chain/evm/open-chain.js';
import { openRemote } from '../../../src/chain/evm/remote.js';
import type { PinnedBlock } from '../../../src/chain/settlement/chain-pin.js';
import { deployContracts } from '../../../src/chain/settlement/deploy.js';
import { Sender } from '../../../src/chain/settlement/sender.js';
import { Operator } from '../../../src/chain/settlement/transaction.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { scratch } from '../../support/scratch.js';
import { Anvil } from './anvil.js';

const chainId = 41_337;

export class PublicChain {
  readonly folder = scratch();
  readonly key = Buffer.from(world.random(32));
  readonly operator = new Operator(this.key);
  contracts!: ContractAddresses;
  /** The block of the last deployment. */
  madeIn!: PinnedBlock;

  private constructor(
    readonly anvil: Anvil,
    private readonly chain: OpenChain,
  ) {}

  static async start(args: readonly string[] = []): Promise<PublicChain> {
    const anvil = await Anvil.start(chainId, args);
    const chain = new PublicChain(anvil, await openRemote({ url: anvil.url, chainId, contracts: {}, world }));
    await anvil.give(chain.operator.address, 10n ** 24n);
    chain.contracts = await chain.deployAgain();
    return chain;
  }

  boot(args: readonly string[] = []): Promise<void> {
    return this.anvil.boot(args);
  }

  kill(): Promise<void> {
    return this.anvil.stop();
  }

  get url(): string {
    return this.anvil.url;
  }

  get evm() {
    return this.chain.evm;
  }

  /** The configuration of a node that settles here, through `url`. */
  variables(url = this.url, contracts: ContractAddresses = this.contracts): { readonly [name: string]: string } {
    const key = join(this.folder, 'operator.key');
    writeFileSync(key, `0x${this.key.toString('hex')}\n`, { mode: 0o600 });
    return {
      SVC_CHAIN: 'auto',
      SVC_RPC_URL: url,
      SVC_CHAIN_ID: String(chainId),
      SVC_CONTRACTS: JSON.stringify(contracts),
      SVC_OPERATOR_KEY_FILE: key,
    };
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its result
  rpc(method: string, ...params: unknown[]): Promise<any> {
    return this.anvil.rpc(method, ...params);
  }

  /** The same chain as another operator uses it, who is admin of the Token as well and has a vault of it. */
  async neighbour(): Promise<PublicChain> {
    const other = new PublicChain(this.anvil, this.chain);
    await this.anvil.give(other.operator.address, 10n ** 24n);
    const abi = await contractInterface('ServiceToken');
    const { token } = this.contracts;
    await this.#send(token, abi.encodeFunctionData('grantRole', [`0x${'0'.repeat(64)}`, other.operator.address]));
    other.contracts = await other.deployAgain(token);
    return other;
  }

  /** Deploys a second, unused set of contracts. @param token that it is for; default: a new one */
  async deployAgain(token?: string): Promise<ContractAddresses> {
    const { evm, operator } = this;
    const how = { evm, operator, network: 'devnet', world, ...(token === undefined ? {} : { token }) };
    const { contracts, block } = await deployContracts(how);
    this.madeIn = block;
    return contracts;
  }

  /**
   * Another chain at the same URL, with the same id, key and addresses. Its clock is a minute ahead, because two chains that
   * begin within the same second would have equal blocks.
   */
  async replace(): Promise<void> {
    await this.kill();
    await this.boot(['--timestamp', String(Math.floor(Date.now() / 1_000) + 60)]);
    await this.anvil.give(this.operator.address, 10n ** 24n);
    await this.deployAgain();
  }

  /** Revokes the operator's role to settle. The operator is also the admin here. */
  async revokeOperator(): Promise<void> {
    const abi = await contractInterface('Settlement');
    const role = await roleOf('OPERATOR_ROLE');
    await this.#send(this.contracts.settlement, abi.encodeFunctionData('revokeRole', [role, this.operator.address]));
  }

  async #send(to: string, data: string): Promise<void> {
    const sender = new Sender(this.evm, this.operator, world);
    const bytes = Buffer.from(data.slice(2), 'hex');
    await sender.send({ to: to as Hex, data: bytes, gasLimit: 200_000, keep: async () => {} });
  }

  async stop(): Promise<void> {
    await this.chain.close();
    await this.anvil.stop();
  }
}

export const asHex = (value: number | bigint): Hex => `0x${value.toString(16)}`;
