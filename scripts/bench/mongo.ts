/**
 * The same writes on the embedded store, on MongoDB with one node process, and with three on one database: CPU time of
 * the node processes. The CPU time of the MongoDB server is printed only for information.
 */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addressOf } from '../../src/core/codecs/address.js';
import { givenUrl, JavaServer, missing } from '../../test/mongo/support/server.js';
import type { AdapterCost, AdapterQuestion } from './adapter-process.js';
import { Child, cpuMicros } from './child.js';
import type { LoadQuestion, Measured, Site, Spread } from './load-process.js';
import type { Counters, NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, Founder, type Person, scratch } from './people.js';
import { atMost, count, type Figure, median, micros, millis, perSecond, say, table, times } from './report.js';
import type { StoreCounts } from './store-counts.js';

const people = 64;
const processes = 3;
/** Entries in one measurement of an adapter alone. */
const appended = 8_000;
/** Measurements at the beginning that are not counted. */
const warmUps = 3;

export async function mongo(): Promise<void> {
  if (missing !== undefined) return say(`mongo is left out: ${missing}`);
  const server = givenUrl === undefined ? new JavaServer(4) : undefined;
  await server?.start();
  const database = databasesOn(givenUrl ?? server!.url);
  try {
    await adapters(database);
    await nodes(database, server);
  } finally {
    await server?.dispose();
  }
}

/** Returns URLs of databases that are not in use. */
function databasesOn(url: string): (name: string) => string {
  const [, start, after = ''] = /^(mongodb(?:\+srv)?:\/\/[^/]+)(?:\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  return (name) => `${start}/svc-bench-${process.pid}-${name}${after}`;
}

async function adapters(database: (name: string) => string): Promise<void> {
  const embedded = new Child<AdapterQuestion>('adapter-process', { env: environmentOf(await scratch()) });
  const mongodb = new Child<AdapterQuestion>('adapter-process', {
    env: environmentOf(await scratch(), database('adapter')),
    execArgv: options.nodeFlags,
  });
  const rounds = { plain: [] as Costs[], idem: [] as Costs[] };
  for (let round = -warmUps; round < options.rounds; round++) {
    for (const sort of ['plain', 'idem'] as const) {
      const question = { ask: 'append', entries: appended, idem: sort === 'idem' } as const;
      const costs = {
        embedded: await embedded.ask<AdapterCost>(question),
        mongodb: await mongodb.ask<AdapterCost>(question),
      };
      if (round >= 0) rounds[sort].push(costs);
    }
  }
  await Promise.all([embedded.stop(), mongodb.stop()]);
  const figures = [...costFigures('a transfer', rounds.plain), ...costFigures('with an idempotency key', rounds.idem)];
  table('The adapters alone: CPU an append', figures);
}

interface Costs {
  readonly embedded: AdapterCost;
  readonly mongodb: AdapterCost;
}

function costFigures(what: string, rounds: readonly Costs[]): Figure[] {
  const of = (store: keyof Costs) => median(rounds.map((round) => round[store].micros));
  const ratios = rounds.map(({ embedded, mongodb }) => mongodb.micros / embedded.micros);
  return [
    { what: `${what}: embedded`, measured: micros(of('embedded')) },
    { what: `${what}: MongoDB`, measured: micros(of('mongodb')) },
    atMost(`${what}: of the embedded`, median(ratios), 1.5, times),
    { what: `${what}: entries an insertMany`, measured: count(perCommit(rounds.map(({ mongodb }) => mongodb))) },
  ];
}

interface Contestant {
  readonly nodes: readonly Child<NodeQuestion>[];
  /** The servers under load: one, or several that share the connections and nothing else. */
  readonly sites: readonly Site[];
  readonly rounds: Measured[];
  readonly counts: StoreCounts[];
  readonly serverMicros: number[];
}

async function nodes(database: (name: string) => string, server: JavaServer | undefined): Promise<void> {
  const loads = Array.from({ length: processes }, () => new Child<LoadQuestion>('load-process'));
  const embedded = await cluster('embedded', 1);
  const one = await cluster(database('one'), 1);
  const three = await cluster(database('three'), processes);
  const apart: Cluster[] = [];
  while (apart.length < processes) apart.push(await cluster(database(`apart-${apart.length}`), 1));
  const contestants = [
    contestant([embedded]),
    contestant([one]),
    contestant(apart),
    contestant([three]),
    contestant([three], 'random'),
  ] as const;
  for (const each of contestants) await run(each, loads, options.warmUpSeconds);
  for (let round = 0; round < options.rounds; round++) {
    for (const each of contestants) await measure(each, loads, server);
  }
  const all = [embedded, one, three, ...apart].flatMap((each) => each.nodes);
  await Promise.all([...all, ...loads].map((child) => child.stop()));
  table('Nodes: signed transfers, 64 connections, 64 DIDs', figuresOf(contestants));
}

interface Cluster {
  readonly nodes: readonly Child<NodeQuestion>[];
  readonly doors: readonly { readonly url: string; readonly pid: number }[];
  readonly people: readonly Person[];
}

/** Node processes on one store, each with the keys of all people. */
async function cluster(store: string, size: number): Promise<Cluster> {
  const dirs = await Promise.all(Array.from({ length: size }, scratch));
  const [first, ...others] = dirs as [string, ...string[]];
  const founder = await Founder.open(first, store);
  const payers = await founder.people(people, 1_000_000_000);
  await founder.close();
  for (const dir of others) await copyKeys(payers, first, dir);
  const nodes = dirs.map(
    (dir) => new Child<NodeQuestion>('node-process', { env: environmentOf(dir, store), execArgv: options.nodeFlags }),
  );
  const started = await Promise.all(nodes.map((node) => node.ask<Started>({ ask: 'started' })));
  return { nodes, doors: started.map(({ url }, index) => ({ url, pid: nodes[index]!.pid })), people: payers };
}

async function copyKeys(payers: readonly Person[], from: string, to: string): Promise<void> {
  await mkdir(join(to, 'keystore'), { mode: 0o700 });
  for (const { did } of payers) {
    const file = join('keystore', `${addressOf(did)}.json`);
    await copyFile(join(from, file), join(to, file));
  }
}

function contestant(clusters: readonly Cluster[], spread: Spread = 'sticky'): Contestant {
  const sites = clusters.map(({ doors: [first, ...others], people }) => ({ ...first!, doors: others, spread, people }));
  return { nodes: clusters.flatMap((each) => each.nodes), sites, rounds: [], counts: [], serverMicros: [] };
}

/** Loads all servers at once, each with its share of the connections. */
async function run({ sites }: Contestant, loads: readonly Child<LoadQuestion>[], seconds: number): Promise<Measured> {
  const parts = await Promise.all(
    sites.map((site, index) => {
      const lines = Math.floor((people + index) / sites.length);
      return loads[index]!.ask<Measured>({ ask: 'load', site, plan: { do: 'transfers' }, seconds, lines });
    }),
  );
  const operations = parts.reduce((sum, part) => sum + part.operations, 0);
  const mean = (of: (part: Measured) => number) =>
    parts.reduce((sum, part) => sum + of(part) * part.operations, 0) / operations;
  return {
    operations,
    seconds: mean((part) => part.seconds),
    serverMicros: mean((part) => part.serverMicros),
    ownMicros: mean((part) => part.ownMicros),
    latencyP50: mean((part) => part.latencyP50),
    latencyP99: mean((part) => part.latencyP99),
  };
}

async function measure(
  each: Contestant,
  loads: readonly Child<LoadQuestion>[],
  server: JavaServer | undefined,
): Promise<void> {
  const before = await countsOf(each);
  const cpu = server ? cpuMicros(server.pid) : 0;
  each.rounds.push(await run(each, loads, options.seconds));
  const after = await countsOf(each);
  const counts = {
    entries: after.entries - before.entries,
    commits: after.commits - before.commits,
    lost: after.lost - before.lost,
  };
  each.counts.push(counts);
  if (server) each.serverMicros.push((cpuMicros(server.pid) - cpu) / counts.entries);
}

async function countsOf({ nodes }: Contestant): Promise<StoreCounts> {
  const all = await Promise.all(nodes.map((node) => node.ask<Counters>({ ask: 'counters' })));
  const sum = (of: (counts: StoreCounts) => number) => all.reduce((total, each) => total + of(each), 0);
  return { entries: sum((each) => each.entries), commits: sum((each) => each.commits), lost: sum((each) => each.lost) };
}

const total = (counts: readonly StoreCounts[], of: (counts: StoreCounts) => number): number =>
  counts.reduce((sum, each) => sum + of(each), 0);
const perCommit = (counts: readonly StoreCounts[]): number =>
  total(counts, ({ entries }) => entries) / total(counts, ({ commits }) => commits);
const lostPerWrite = ({ counts }: Contestant): number =>
  total(counts, ({ lost }) => lost) / total(counts, ({ entries }) => entries);
const cpuOf = ({ rounds }: Contestant): number => median(rounds.map(({ serverMicros }) => serverMicros));
/** Compares rounds with their neighbours in time, because the machine's load changes. */
const ratio = (each: Contestant, other: Contestant): number =>
  median(each.rounds.map(({ serverMicros }, round) => serverMicros / other.rounds[round]!.serverMicros));

type Contestants = readonly [Contestant, Contestant, Contestant, Contestant, Contestant];

function figuresOf([embedded, one, apart, sticky, random]: Contestants): Figure[] {
  const line = (what: string, each: Contestant): Figure[] => [
    { what: `${what}: CPU an operation`, measured: micros(cpuOf(each)) },
    {
      what: `${what}: rate`,
      measured: perSecond(median(each.rounds.map((round) => round.operations / round.seconds))),
    },
    { what: `${what}: half of the answers within`, measured: millis(median(each.rounds.map((r) => r.latencyP50))) },
    { what: `${what}: slowest of a hundred`, measured: millis(median(each.rounds.map((r) => r.latencyP99))) },
    { what: `${what}: entries a commit or insertMany`, measured: count(perCommit(each.counts)) },
  ];
  const onServer = (each: Contestant): Figure[] =>
    each.serverMicros.length === 0
      ? []
      : [{ what: '  the server’s own CPU an operation', measured: micros(median(each.serverMicros)) }];
  const shared = (what: string, each: Contestant): Figure[] => [
    ...line(what, each),
    atMost(`${what}: CPU, of one process`, ratio(each, one), 1.3, times),
    { what: `${what}: CPU, of three that share nothing`, measured: times(ratio(each, apart)) },
    atMost(`${what}: conflict retries a write`, lostPerWrite(each), 0.2, (value) => value.toFixed(3)),
    ...onServer(each),
  ];
  return [
    ...line('embedded', embedded),
    ...line('MongoDB, one process', one),
    atMost('MongoDB, one process: CPU, of the embedded', ratio(one, embedded), 1.5, times),
    ...onServer(one),
    // The cost of running three unrelated processes on this machine.
    ...line('three, a database each', apart),
    { what: 'three, a database each: CPU, of one process', measured: times(ratio(apart, one)) },
    ...shared('three, each DID at its own', sticky),
    ...shared('three, each request at any', random),
  ];
}
