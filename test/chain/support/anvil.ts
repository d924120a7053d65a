/** An anvil for one test behind an RPC URL, like a chain run by someone else. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import { scratch } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from './anvil-binary.js';

class RpcFailed extends Error {
  override name = 'RpcFailed';
}

export class Anvil {
  #child!: ChildProcess;

  private constructor(
    readonly chainId: number,
    private readonly port: number,
  ) {}

  static async start(chainId: number, args: readonly string[] = []): Promise<Anvil> {
    const anvil = new Anvil(chainId, await freePort());
    await anvil.boot(args);
    return anvil;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Starts it again, with an empty chain, after a kill. */
  async boot(args: readonly string[] = []): Promise<void> {
    const words = ['--quiet', '--port', String(this.port), '--chain-id', String(this.chainId), '--accounts', '0'];
    const cache = ['--cache-path', join(scratch(), 'cache')];
    this.#child = spawn(anvilBinary()!, [...words, '--hardfork', 'cancun', ...cache, ...args], { stdio: 'ignore' });
    // What is asked while it starts may never be answered.
    const answers = () => this.#ask('eth_chainId', [], 1_000).catch(() => undefined);
    await until('anvil answers', async () => this.#child.exitCode !== null || (await answers()) !== undefined);
    if (this.#child.exitCode !== null) throw new RpcFailed(`anvil ended with ${this.#child.exitCode}`);
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of its result
  rpc(method: string, ...params: unknown[]): Promise<any> {
    return this.#ask(method, params, 60_000);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  async #ask(method: string, params: readonly unknown[], timeoutMs: number): Promise<any> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'Content-Type': 'application/json' };
    const signal = AbortSignal.timeout(timeoutMs);
    const { result, error } = await (await fetch(this.url, { method: 'POST', headers, body, signal })).json();
    if (error) throw new RpcFailed(`${method}: ${error.message}`);
    return result;
  }

  give(address: string, wei: bigint): Promise<void> {
    return this.rpc('anvil_setBalance', address, `0x${wei.toString(16)}`);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const over = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await over;
  }
}
