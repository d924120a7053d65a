/** Measures the CPU cost of a contract's steps (sign, submit, approve) against transfers in between. */
import { assert } from '../../src/core/refusal.js';
import { cpuMicros } from './support/child.js';
import { startNode } from './support/contest.js';
import { Line } from './support/line.js';
import { options } from './support/options.js';
import { founded, type Person } from './support/people.js';
import { atMost, median, micros, table, times } from './support/report.js';
import { Payers } from './support/traffic.js';

/** Contracts of each party in a round. */
const each = 12;
const milestones = ['one', 'two', 'three'].map((id) => ({ id, title: id, amount: 1, criteria: 'as agreed' }));

const limited = ['sign', 'submit', 'approve'] as const;
/** The measured steps. An approval includes a release, which is also measured separately. */
const steps = ['transfer', ...limited, 'release'] as const;
type Costs = { readonly [Step in (typeof steps)[number]]: number };

/** The path and the members of a request: of this party, for its contract of this turn. */
type Request = (party: number, turn: number) => readonly [path: string, members?: object];

/** All parties at the node; each has one request in flight at a time. */
class Parties {
  readonly #payers: Payers;

  constructor(
    private readonly pid: number,
    private readonly lines: readonly Line[],
    private readonly people: readonly Person[],
  ) {
    this.#payers = new Payers(people);
  }

  /** The other party of a contract. */
  partner = (party: number): number => (party + this.people.length / 2) % this.people.length;

  /** Makes as many requests for each party as it has contracts. @returns the node's CPU time per request, µs */
  async phase(request: Request): Promise<number> {
    const before = cpuMicros(this.pid);
    await Promise.all(
      this.lines.map(async (line, party) => {
        for (let turn = 0; turn < each; turn++) {
          const [path, members = {}] = request(party, turn);
          const { status, body } = await line.send(this.#payers.post(`/api/v1${path}`, party, members, line.host));
          assert(status < 300, `${path}: ${body}`);
        }
      }),
    );
    return (cpuMicros(this.pid) - before) / (this.lines.length * each);
  }

  /** One round: every contract from its draft to its first payment, with transfers before, in between and after. */
  async round(name: string): Promise<Costs> {
    const { partner } = this;
    const partnerDid = (party: number) => this.people[partner(party)]!.did;
    const contract = (party: number, turn: number) => `ctr-${name}-${party}-${turn}`;
    const escrow = (party: number, turn: number) => `esc-${name}-${party}-${turn}`;
    const of = (party: number, turn: number) => `/contracts/${contract(party, turn)}`;
    const transfers = () => this.phase((party) => ['/transfers', { to: partnerDid(party), amount: 1 }]);

    const first = await transfers();
    await this.phase((party, turn) => [
      '/contracts',
      {
        ...{ contractId: contract(party, turn), provider: partnerDid(party), milestones },
        ...{ terms: { scope: 'a benchmark' }, payment: { totalAmount: 3 } },
      },
    ]);
    const signed = await this.phase((party, turn) => [`${of(party, turn)}/actions/sign`]);
    const signedToo = await this.phase((party, turn) => [`${of(partner(party), turn)}/actions/sign`]);
    const second = await transfers();
    await this.phase((party, turn) => [`${of(party, turn)}/actions/activate`, { amount: 3 }]);
    const submit = await this.phase((party, turn) => [`${of(partner(party), turn)}/milestones/one/actions/submit`]);
    const approval = { rating: 5 };
    const approve = await this.phase((party, turn) => [`${of(party, turn)}/milestones/one/actions/approve`, approval]);
    await this.phase((party, turn) => [
      '/escrows',
      {
        ...{ escrowId: escrow(party, turn), beneficiary: partnerDid(party), amount: 2 },
        ...{ releaseRules: [{ type: 'manual' }], autoFund: true },
      },
    ]);
    const release = await this.phase((party, turn) => [
      `/escrows/${escrow(party, turn)}/actions/release`,
      { amount: 1 },
    ]);
    const transfer = (first + second + (await transfers())) / 3;
    return { transfer, sign: (signed + signedToo) / 2, submit, approve, release };
  }
}

export async function contracts(): Promise<void> {
  const { dir, people } = await founded();
  const { child, pid, url } = await startNode(dir);
  const lines = await Promise.all(people.map(() => Line.open(url)));
  const parties = new Parties(pid, lines, people);
  // Warms up: unlocks the keys, and lets V8 compile hot functions.
  for (const name of ['warm', 'warmer']) await parties.round(name);
  const rounds: Costs[] = [];
  for (let number = 0; number < options.rounds; number++) rounds.push(await parties.round(String(number)));
  for (const line of lines) line.close();
  await child.stop();
  const ratio = (step: keyof Costs): number => median(rounds.map((costs) => costs[step] / costs.transfer));
  table('Contracts of three milestones, transfers in between', [
    ...steps.map((step) => ({
      what: `${step}: CPU an operation`,
      measured: micros(median(rounds.map((costs) => costs[step]))),
    })),
    ...limited.map((step) => atMost(`${step}: CPU, of a transfer`, ratio(step), 1.3, times)),
    { what: 'release of an escrow alone: CPU, of a transfer', measured: times(ratio('release')) },
  ]);
}
