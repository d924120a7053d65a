/**
 * Transfers that wait for their settlement, on the embedded chain and on an anvil behind its URL, against transfers
 * without a chain, and against the settler alone, which settles a journal that does not grow.
 */
import { cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PublicChain } from '../../test/chain/support/public-chain.js';
import { Child, cpuMicros } from './child.js';
import type { LoadQuestion, Measured, Site } from './load-process.js';
import type { NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, Founder, type Person, scratch } from './people.js';
import { atLeast, atMost, median, micros, millis, perSecond, say, table, times } from './report.js';
import type { Plan } from './traffic.js';

const people = 64;
const pollMs = 50;

interface NodeOn {
  readonly child: Child<NodeQuestion>;
  readonly dir: string;
  readonly site: Site;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function chainOf(url: string): Promise<{ lag: number; connected: boolean; blockNumber: number | null }> {
  return ((await (await fetch(`${url}/api/v1/node`)).json()) as { chain: Awaited<ReturnType<typeof chainOf>> }).chain;
}

async function start(
  dir: string,
  chain: 'none' | 'embedded' | PublicChain,
  payers: readonly Person[],
): Promise<NodeOn> {
  const variables = typeof chain === 'string' ? { SVC_CHAIN: chain } : chain.variables();
  const env = { ...environmentOf(dir), ...variables };
  const child = new Child<NodeQuestion>('node-process', { env, execArgv: options.nodeFlags });
  const { url } = await child.ask<Started>({ ask: 'started' });
  while (chain !== 'none' && !(await chainOf(url)).connected) await pause(pollMs);
  const others = typeof chain === 'string' ? [] : [chain.anvil.pid];
  return { child, dir, site: { url, pid: child.pid, others, people: payers } };
}

const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

export async function settlement(): Promise<void> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const payers = await founder.people(people, 1_000_000_000);
  await founder.close();
  const [inside, outside] = [join(await scratch(), 'data'), join(await scratch(), 'data')];
  for (const copy of [inside, outside]) cpSync(dir, copy, { recursive: true });

  const load = new Child<LoadQuestion>('load-process');
  const without = await start(dir, 'none', payers);
  const settling = await start(inside, 'embedded', payers);
  const chain = await PublicChain.start();
  const onAnvil = await start(outside, chain, payers);
  const measure = (node: NodeOn, plan: Plan, lines: number, seconds = options.seconds) =>
    load.ask<Measured>({ ask: 'load', site: node.site, plan, lines, seconds });

  const transfers: Plan = { do: 'transfers' };
  for (const node of [without, settling, onAnvil]) await measure(node, transfers, 64, options.warmUpSeconds);
  const rounds: { plain: Measured; whole: Measured; anvil: Measured; one: Measured; alone: Measured }[] = [];
  for (let round = 0; round < options.rounds; round++) {
    rounds.push({
      plain: await measure(without, transfers, 64),
      whole: await measure(settling, transfers, 64),
      anvil: await measure(onAnvil, transfers, 64),
      one: await measure(settling, { do: 'one-account' }, 64),
      alone: await measure(settling, transfers, 1),
    });
  }
  await Promise.all([without.child.stop(), settling.child.stop(), onAnvil.child.stop(), load.stop()]);
  await chain.stop();
  const settler = await settlerAlone(dir, payers);
  const of = (which: keyof (typeof rounds)[number], what: (measured: Measured) => number) =>
    median(rounds.map((round) => what(round[which])));
  const rate = ({ operations, seconds }: Measured): number => operations / seconds;
  const cpu = ({ serverMicros }: Measured): number => serverMicros;
  const latency = ({ latencyP50 }: Measured): number => latencyP50;
  const sum = of('plain', cpu) + settler.microsEach;
  table('Transfers, settled before the answer', [
    { what: 'without a chain: CPU', measured: micros(of('plain', cpu)) },
    { what: 'without a chain: rate', measured: perSecond(of('plain', rate)) },
    { what: 'settler alone: CPU', measured: micros(settler.microsEach) },
    { what: 'settler alone: rate', measured: perSecond(settler.rate) },
    { what: 'settled: CPU', measured: micros(of('whole', cpu)) },
    { what: 'settled on anvil: CPU (node and anvil)', measured: micros(of('anvil', cpu)) },
    { what: 'settled on anvil: rate', measured: perSecond(of('anvil', rate)) },
    atMost('settled: CPU, of the sum of both', of('whole', cpu) / sum, 1.15, times),
    atLeast('settled: rate', of('whole', rate), 500, perSecond),
    { what: 'settled: half of the answers within', measured: millis(of('whole', latency)) },
    atLeast('one DID: rate', of('one', rate), 500, perSecond),
    atMost('one client alone: half of the answers within', of('alone', latency), 40, millis),
  ]);
  say(`the chain’s folder: ${(settler.bytes / 2 ** 20).toFixed(1)} MiB after ${settler.operations} operations`);
}

interface Alone {
  readonly microsEach: number;
  readonly rate: number;
  readonly bytes: number;
  readonly operations: number;
}

/** Starts settlement on a journal that was written without a chain. */
async function settlerAlone(dir: string, payers: readonly Person[]): Promise<Alone> {
  const { child, site } = await start(dir, 'embedded', payers);
  const mark = async () => {
    const { lag } = await chainOf(site.url);
    return { lag, at: performance.now(), node: cpuMicros(site.pid) };
  };
  let first = await mark();
  let whole = first.lag;
  // Counting the journal and deploying are not part of settling; half of the journal is the warm-up.
  while (first.lag >= whole / 2) {
    await pause(pollMs);
    first = await mark();
    whole = Math.max(whole, first.lag);
  }
  let last = first;
  while (last.lag > 0) {
    await pause(pollMs);
    last = await mark();
  }
  const operations = first.lag;
  await child.stop();
  return {
    microsEach: (last.node - first.node) / operations,
    rate: operations / ((last.at - first.at) / 1_000),
    bytes: bytesIn(join(dir, 'chain')),
    operations: whole,
  };
}
