/** A node under attack in its own process, with keys, people who have Tokens, and a monitor. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { auditOf, NodeProcess, type Variables } from '../../crash/support/process.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Client } from '../../node/support/client.js';
import { Person } from '../../node/support/person.js';
import { scratch } from '../../support/scratch.js';
import { Monitor, type Observed } from './monitor.js';

const program = fileURLToPath(new URL('../../../../bin/svc-node.mjs', import.meta.url));
const run = promisify(execFile);

export interface Campaign {
  readonly name: string;
  readonly cases: number;
  /** Responses of 500 and above that the campaign did not expect. */
  readonly serverErrors: number;
}

export class Target {
  #people = 0;
  #monitor: Monitor | undefined;

  private constructor(
    readonly dir: string,
    readonly process: NodeProcess,
  ) {}

  static async start(variables: Variables = {}): Promise<Target> {
    const dir = scratch();
    return new Target(dir, await NodeProcess.start(dir, [], variables));
  }

  get client(): Client {
    return this.process.client;
  }

  get url(): string {
    return this.client.url;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async key(scope: 'read' | 'write' | 'admin', did?: string): Promise<string> {
    const words = ['api-key', 'create', '--data', this.dir, '--scope', scope, '--label', 'hostile', '--json'];
    const { stdout } = await run(process.execPath, [program, ...words, ...(did ? ['--did', did] : [])]);
    return (JSON.parse(stdout) as { key: string }).key;
  }

  /** An admin key with quotas that no campaign can exhaust. */
  async boundlessKey(): Promise<string> {
    const admin = this.client.keyed(await this.key('admin'));
    const limits = { reads: 1_000_000, writes: 1_000_000 };
    return expectStatus(await admin.post('/api/v1/admin/api-keys', { scope: 'admin', label: 'boundless', limits }), 201)
      .key;
  }

  /** A person with Tokens from the faucet. */
  async person(): Promise<Person> {
    const passphrase = `correct horse battery ${++this.#people}`;
    const { did, address } = expectStatus(await this.client.post('/api/v1/identities', { passphrase }), 201);
    expectStatus(await this.client.post('/api/v1/faucet', { did }));
    return new Person(this.client, did, address, passphrase, this.dir);
  }

  watch(): void {
    this.#monitor = new Monitor({ url: this.url, pid: this.process.pid });
  }

  /** Prints the figures of campaign and monitor. Fails on any unexpected 5xx, or if ordinary requests failed. */
  async report({ name, cases, serverErrors }: Campaign): Promise<Observed> {
    const seen = await this.#monitor!.stop();
    this.#monitor = undefined;
    const stalls = `/healthz p50 ${seen.p50Ms}, p99 ${seen.p99Ms}, max ${seen.maxMs} ms, ${seen.failures} of ${seen.probes} failed`;
    const memory = `memory ${seen.startMb} → ${seen.peakMb} MB`;
    process.stdout.write(`      ${name}: ${cases} cases, ${serverErrors} × 5xx; ${stalls}; ${memory}\n`);
    expect(serverErrors, '5xx').to.equal(0);
    expect(seen.failures, 'probes of /healthz that failed').to.equal(0);
    return seen;
  }

  /** Stops the node as an operator does. The journal must be sound, and no unexpected error may have been logged. */
  async stop(): Promise<void> {
    const { code, stderr } = await this.process.stop();
    expect(code, stderr.slice(-2_000)).to.equal(0);
    const alarming = stderr.split('\n').filter((line) => /"level":(50|60)\b/.test(line));
    expect(alarming.slice(0, 5), 'lines of the log at error level').to.deep.equal([]);
    const report = await auditOf(this.dir);
    expect(report.flaw?.what, 'the audit afterwards').to.equal(undefined);
  }
}
