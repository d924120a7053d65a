/** anvil in its own process. It mines only when the test says so, with the test's time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Call, gasLimit, type Log, type Mined, startsAt, type TestEvm } from './evm.js';

class RpcError extends Error {
  constructor(
    message: string,
    readonly data: unknown,
  ) {
    super(message);
  }
}

export class AnvilEvm implements TestEvm {
  now = startsAt;
  #id = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(binary: string): Promise<AnvilEvm> {
    const args = [
      '--port',
      '0',
      '--accounts',
      '0',
      '--no-cors',
      '--prune-history',
      '128',
      '--auto-impersonate',
      '--no-mining',
    ];
    const child = spawn(binary, [...args, '--base-fee', '0', '--gas-price', '0', '--timestamp', `${startsAt - 1}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout! })) {
      const listening = /Listening on (127\.0\.0\.1:\d+)/.exec(line);
      if (listening) {
        child.stdout!.resume();
        return new AnvilEvm(child, `http://${listening[1]}`);
      }
    }
    throw new RpcError('anvil ended before it listened', child.exitCode);
  }

  advance(seconds: number): void {
    this.now += seconds;
  }

  async send({ from, to, data, gas = gasLimit }: Call): Promise<Mined> {
    const call = { from, ...(to ? { to } : {}), data, gas: `0x${gas.toString(16)}`, gasPrice: '0x0' };
    const hash = await this.#rpc('eth_sendTransaction', [call]);
    await this.#rpc('evm_mine', [this.now]);
    const receipt = (await this.#rpc('eth_getTransactionReceipt', [hash])) as {
      status: string;
      gasUsed: string;
      logs: Log[];
    };
    this.now += 1;
    const reverted = receipt.status !== '0x1';
    return {
      reverted,
      revertData: reverted ? await this.#reasonOf(hash as string) : '0x',
      gasUsed: Number(receipt.gasUsed),
      logs: receipt.logs.map(({ address, topics, data: each }) => ({ address, topics, data: each })),
    };
  }

  async read({ from, to, data }: Call): Promise<string> {
    return (await this.#rpc('eth_call', [{ from, to, data }, 'latest'])) as string;
  }

  async close(): Promise<void> {
    this.child.kill();
    await once(this.child, 'exit');
  }

  async #reasonOf(hash: string): Promise<string> {
    const trace = (await this.#rpc('debug_traceTransaction', [hash, { disableStorage: true, disableStack: true }])) as {
      returnValue?: string;
    };
    const text = trace.returnValue ?? '';
    return text.startsWith('0x') ? text : `0x${text}`;
  }

  async #rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    this.#id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params });
    const response = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string; data?: unknown } };
    if (answer.error) throw new RpcError(`${method}: ${answer.error.message}`, answer.error.data);
    return answer.result;
  }
}
