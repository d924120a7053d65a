/** Signed writes on 64 connections, durable before each reply, against a minimal server that does the same. */
import { Child } from './child.js';
import type { LoadQuestion, Measured, Site } from './load-process.js';
import type { Counters, NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, Founder, type Person, scratch } from './people.js';
import type { ReferenceQuestion } from './reference.js';
import {
  atLeast,
  atMost,
  count,
  type Figure,
  median,
  micros,
  millis,
  percent,
  perSecond,
  table,
  times,
} from './report.js';
import type { Plan } from './traffic.js';

const people = 64;

interface Contestant {
  readonly site: Site;
  readonly plan: Plan;
  readonly lines: number;
  readonly rounds: Measured[];
  /** Entries and fsyncs of all rounds. */
  entries: number;
  commits: number;
}

const contestant = (site: Site, plan: Plan, lines = 64): Contestant => ({
  site,
  plan,
  lines,
  rounds: [],
  entries: 0,
  commits: 0,
});

export async function spine(): Promise<void> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const payers = await founder.people(people, 1_000_000_000);
  await founder.close();

  const node = new Child<NodeQuestion>('node-process', { env: environmentOf(dir), execArgv: options.nodeFlags });
  const reference = new Child<ReferenceQuestion>('reference');
  const load = new Child<LoadQuestion>('load-process');
  const [{ url }, referenceUrl] = await Promise.all([
    node.ask<Started>({ ask: 'started' }),
    reference.ask<string>({ ask: 'write', dir: await scratch() }),
  ]);
  const contestants = contestantsOf({ url, pid: node.pid }, { url: referenceUrl, pid: reference.pid }, payers);

  // The first requests unlock their keys, which takes a KDF run each.
  for (const { site, plan, lines } of [contestants[1], ...contestants]) {
    await load.ask({ ask: 'load', site, plan, lines, seconds: options.warmUpSeconds });
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const each of contestants) {
      const before = await node.ask<Counters>({ ask: 'counters' });
      const { site, plan, lines } = each;
      each.rounds.push(await load.ask<Measured>({ ask: 'load', site, plan, lines, seconds: options.seconds }));
      const after = await node.ask<Counters>({ ask: 'counters' });
      each.entries += after.entries - before.entries;
      each.commits += after.commits - before.commits;
    }
  }
  await Promise.all([node.stop(), reference.stop(), load.stop()]);
  table('Signed writes, durable', figuresOf(contestants));
}

type Place = Omit<Site, 'people'>;

function contestantsOf(node: Place, reference: Place, people: readonly Person[]) {
  return [
    contestant({ ...reference, people }, { do: 'transfers' }),
    contestant({ ...node, people }, { do: 'transfers' }),
    contestant({ ...node, people }, { do: 'escrows' }),
    contestant({ ...node, people }, { do: 'one-account' }),
    contestant({ ...node, people }, { do: 'transfers' }, 1),
  ] as const;
}

const rateOf = ({ operations, seconds }: Measured): number => operations / seconds;
const microsOf = ({ serverMicros }: Measured): number => serverMicros;
const medianOf = ({ rounds }: Contestant, of: (measured: Measured) => number): number => median(rounds.map(of));

/** Compares rounds with their neighbours in time, because the machine's load changes. */
const ratio = (one: Contestant, other: Contestant, of: (measured: Measured) => number): number =>
  median(one.rounds.map((measured, round) => of(measured) / of(other.rounds[round]!)));

function figuresOf([reference, transfers, escrows, oneAccount, alone]: ReturnType<typeof contestantsOf>): Figure[] {
  const line = (what: string, each: Contestant): Figure[] => [
    { what: `${what}: CPU an operation`, measured: micros(medianOf(each, microsOf)) },
    { what: `${what}: half of the answers within`, measured: millis(medianOf(each, ({ latencyP50 }) => latencyP50)) },
    { what: `${what}: slowest of a hundred`, measured: millis(medianOf(each, ({ latencyP99 }) => latencyP99)) },
  ];
  return [
    { what: 'reference: rate', measured: perSecond(medianOf(reference, rateOf)) },
    ...line('reference', reference),
    { what: 'load generator: CPU an operation', measured: micros(medianOf(transfers, ({ ownMicros }) => ownMicros)) },
    atLeast('transfer: rate', medianOf(transfers, rateOf), 1_500, perSecond),
    atLeast('transfer: rate, of the reference', ratio(transfers, reference, rateOf), 0.3, percent),
    ...line('transfer', transfers),
    atMost('transfer: CPU, of the reference', ratio(transfers, reference, microsOf), 2.5, times),
    atLeast('transfer: entries an fsync', transfers.entries / transfers.commits, 20, count),
    atLeast('escrow create + fund, release: rate', medianOf(escrows, rateOf), 1_000, perSecond),
    ...line('escrow', escrows),
    { what: 'escrow: entries an fsync', measured: count(escrows.entries / escrows.commits) },
    atLeast('one account: rate, of many accounts', ratio(oneAccount, transfers, rateOf), 0.9, percent),
    { what: 'one account: rate', measured: perSecond(medianOf(oneAccount, rateOf)) },
    ...line('one account', oneAccount),
    { what: 'one account: entries an fsync', measured: count(oneAccount.entries / oneAccount.commits) },
    { what: 'one client alone: rate', measured: perSecond(medianOf(alone, rateOf)) },
    ...line('one client alone', alone),
  ];
}
