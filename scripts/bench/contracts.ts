/** Measures the CPU cost of a contract's steps (sign, submit, approve) against transfers in between. */
import http from 'node:http';
import { AssertionError } from '../../src/core/refusal.js';
import { Child, cpuMicros } from './child.js';
import type { NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, Founder, type Person, scratch } from './people.js';
import { atMost, type Figure, median, micros, table, times } from './report.js';

const people = 64;
/** Contracts of each party in a round. */
const each = 12;
const milestones = ['one', 'two', 'three'].map((id) => ({
  id,
  title: `Stage ${id}`,
  amount: 1,
  criteria: 'as agreed',
}));

const limited = ['sign', 'submit', 'approve'] as const;
/** The measured steps. An approval includes a release, which is also measured separately. */
const steps = ['transfer', ...limited, 'release'] as const;
type Step = (typeof steps)[number];

/** All parties at the node; each has one request in flight at a time. */
class Parties {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: people });
  readonly #nonces: number[];

  constructor(
    private readonly site: { readonly url: string; readonly pid: number },
    private readonly all: readonly Person[],
  ) {
    this.#nonces = all.map(() => 0);
  }

  /** The other party of a contract. */
  partner(index: number): number {
    return (index + people / 2) % people;
  }

  didOf(index: number): string {
    return this.all[index]!.did;
  }

  /** Makes as many requests for each party as it has contracts. @returns the node's CPU time per request, µs */
  async phase(request: (index: number, turn: number) => readonly [path: string, members: object]): Promise<number> {
    const before = cpuMicros(this.site.pid);
    await Promise.all(
      this.all.map(async (_, index) => {
        for (let turn = 0; turn < each; turn++) await this.#post(index, ...request(index, turn));
      }),
    );
    return (cpuMicros(this.site.pid) - before) / (people * each);
  }

  #post(index: number, path: string, members: object): Promise<void> {
    const { did, passphrase } = this.all[index]!;
    this.#nonces[index]! += 1;
    const body = JSON.stringify({ did, passphrase, nonce: this.#nonces[index], ...members });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const target = `${this.site.url}/api/v1${path}`;
    return new Promise((resolve, reject) => {
      const sent = http.request(target, { method: 'POST', agent: this.#agent, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.on('end', () => {
          if ((answer.statusCode ?? 500) < 300) resolve();
          else reject(new AssertionError(`${path}: ${text}`));
        });
      });
      sent.on('error', reject).end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** One round: every contract from its draft to its first payment, with transfers before and after. */
async function round(parties: Parties, name: string): Promise<{ readonly [S in Step]: number }> {
  const idOf = (index: number, turn: number): string => `ctr-${name}-${index}-${turn}`;
  const own = (action: string, members: object = {}) =>
    parties.phase((index, turn) => [`/contracts/${idOf(index, turn)}/actions/${action}`, members]);
  const partners = (path: string) =>
    parties.phase((index, turn) => [`/contracts/${idOf(parties.partner(index), turn)}/${path}`, {}]);
  const transfers = () =>
    parties.phase((index) => [
      '/transfers',
      { to: parties.didOf(parties.partner(index)), amount: 1, memo: 'of a benchmark' },
    ]);

  const first = await transfers();
  await parties.phase((index, turn) => [
    '/contracts',
    {
      contractId: idOf(index, turn),
      provider: parties.didOf(parties.partner(index)),
      terms: { scope: 'a benchmark' },
      payment: { totalAmount: 3 },
      milestones,
    },
  ]);
  const sign = ((await own('sign')) + (await partners('actions/sign'))) / 2;
  const second = await transfers();
  await own('activate', { amount: 3 });
  const submit = await partners('milestones/one/actions/submit');
  const approve = await parties.phase((index, turn) => [
    `/contracts/${idOf(index, turn)}/milestones/one/actions/approve`,
    { rating: 5 },
  ]);
  // The escrow from which the approval pays.
  const escrowOf = (index: number, turn: number): string => `esc-${name}-${index}-${turn}`;
  await parties.phase((index, turn) => [
    '/escrows',
    {
      escrowId: escrowOf(index, turn),
      beneficiary: parties.didOf(parties.partner(index)),
      amount: 2,
      releaseRules: [{ type: 'manual' }],
      autoFund: true,
    },
  ]);
  const release = await parties.phase((index, turn) => [
    `/escrows/${escrowOf(index, turn)}/actions/release`,
    { amount: 1 },
  ]);
  const third = await transfers();
  return { transfer: (first + second + third) / 3, sign, submit, approve, release };
}

export async function contracts(): Promise<void> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const all = await founder.people(people, 1_000_000);
  await founder.close();
  const node = new Child<NodeQuestion>('node-process', { env: environmentOf(dir), execArgv: options.nodeFlags });
  const { url } = await node.ask<Started>({ ask: 'started' });
  const parties = new Parties({ url, pid: node.pid }, all);
  // Warms up: unlocks the keys, and lets V8 compile hot functions.
  for (const name of ['warm', 'warmer']) await round(parties, name);
  const rounds: Awaited<ReturnType<typeof round>>[] = [];
  for (let number = 0; number < options.rounds; number++) rounds.push(await round(parties, String(number)));
  parties.close();
  await node.stop();
  const of = (step: Step): number => median(rounds.map((measured) => measured[step]));
  const ratio = (step: Step): number => median(rounds.map((measured) => measured[step] / measured.transfer));
  const figures: Figure[] = [
    ...steps.map((step) => ({ what: `${step}: CPU an operation`, measured: micros(of(step)) })),
    ...limited.map((step) => atMost(`${step}: CPU, of a transfer`, ratio(step), 1.3, times)),
    { what: 'release of an escrow alone: CPU, of a transfer', measured: times(ratio('release')) },
  ];
  table('Contracts of three milestones, transfers in between', figures);
}
