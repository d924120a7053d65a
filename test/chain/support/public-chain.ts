/** A chain that is not the node's: an anvil of the test's own with all its history, and the contracts on it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Contracts } from '../../../src/chain/deployment.js';
import { anvilBinary } from '../../../src/chain/devnet/anvil-binary.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { openRemote } from '../../../src/chain/evm/remote.js';
import type { OpenChain } from '../../../src/chain/open-chain.js';
import { deployContracts } from '../../../src/chain/settlement/deploy.js';
import { Operator } from '../../../src/chain/settlement/transaction.js';
import { realWorld as world } from '../../../src/world.js';
import { scratch } from './scratch.js';

const chainId = 41_337;

export class PublicChain {
  readonly folder = scratch();
  readonly key = Buffer.from(world.random(32));
  readonly operator = new Operator(this.key);
  contracts!: Contracts;
  #child: ChildProcess | undefined;
  #chain!: OpenChain;
  #port = 0;

  static async start(args: readonly string[] = []): Promise<PublicChain> {
    const chain = new PublicChain();
    chain.#port = await freePort();
    await chain.boot(args);
    chain.#chain = await openRemote({ url: chain.url, chainId, contracts: {}, world });
    await chain.rpc('anvil_setBalance', chain.operator.address, `0x${(10n ** 24n).toString(16)}`);
    chain.contracts = await deployContracts({ evm: chain.evm, operator: chain.operator, network: 'devnet', world });
    return chain;
  }

  async boot(args: readonly string[] = []): Promise<void> {
    const words = ['--quiet', '--port', String(this.#port), '--chain-id', String(chainId), '--accounts', '0'];
    const cache = ['--cache-path', join(this.folder, 'cache')];
    this.#child = spawn(anvilBinary()!, [...words, '--hardfork', 'cancun', ...cache, ...args], { stdio: 'ignore' });
    for (;;) {
      const answer = await this.rpc('eth_chainId').catch(() => undefined);
      if (answer !== undefined) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(): Promise<void> {
    const child = this.#child!;
    const over = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await over;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get evm() {
    return this.#chain.evm;
  }

  /** The configuration of a node that settles here, through `url`. */
  variables(url = this.url, contracts: Contracts = this.contracts): { readonly [name: string]: string } {
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

  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
  async rpc(method: string, ...params: unknown[]): Promise<any> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'Content-Type': 'application/json' };
    const { result, error } = await (await fetch(this.url, { method: 'POST', headers, body })).json();
    if (error) throw new RpcFailed(`${method}: ${error.message}`);
    return result;
  }

  /** A second set of contracts, with nothing on it. */
  deployAgain(): Promise<Contracts> {
    return deployContracts({ evm: this.evm, operator: this.operator, network: 'devnet', world });
  }

  async stop(): Promise<void> {
    await this.#chain?.close();
    if (this.#child?.exitCode === null && this.#child.signalCode === null) await this.kill();
  }
}

class RpcFailed extends Error {
  override name = 'RpcFailed';
}

export const asHex = (value: number | bigint): Hex => `0x${value.toString(16)}`;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
