/**
 * Transfers that wait for their settlement, on the embedded chain and on an anvil behind its URL, against transfers
 * without a chain, and against the settler alone, which settles a journal that does not grow.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { PublicChain } from '../../test/chain/support/public-chain.js';
import { cpuMicros } from './support/child.js';
import { contest, type Node, startNode } from './support/contest.js';
import { founded, scratch } from './support/people.js';
import { atLeast, atMost, micros, millis, perSecond, table, times } from './support/report.js';

const pollMs = 50;

async function chainOf(url: string): Promise<{ lag: number; connected: boolean }> {
  return ((await (await fetch(`${url}/api/v1/node`)).json()) as { chain: { lag: number; connected: boolean } }).chain;
}

async function start(dir: string, variables: { readonly [name: string]: string }): Promise<Node> {
  const node = await startNode(dir, variables);
  while (variables.SVC_CHAIN !== 'none' && !(await chainOf(node.url)).connected) await pause(world, pollMs);
  return node;
}

export async function settlement(): Promise<void> {
  const { dir, people } = await founded();
  const [inside, outside] = [join(await scratch(), 'data'), join(await scratch(), 'data')];
  for (const copy of [inside, outside]) cpSync(dir, copy, { recursive: true });
  const chain = await PublicChain.start();
  const nodes = [
    await start(dir, { SVC_CHAIN: 'none' }),
    await start(inside, { SVC_CHAIN: 'embedded' }),
    await start(outside, chain.variables()),
  ] as const;
  const [without, embedded, onAnvil] = nodes.map(({ url, pid }) => ({ url, pid, people }));
  const { plain, settled, anvil, one, alone } = await contest({
    plain: { site: without!, plan: { do: 'transfers' } },
    settled: { site: embedded!, plan: { do: 'transfers' } },
    anvil: { site: { ...onAnvil!, others: [chain.anvil.pid] }, plan: { do: 'transfers' } },
    one: { site: embedded!, plan: { do: 'one-account' } },
    alone: { site: embedded!, plan: { do: 'transfers' }, lines: 1 },
  });
  await Promise.all(nodes.map(({ child }) => child.stop()));
  await chain.stop();
  const settler = await settlerAlone(dir);
  table('Transfers, settled before the answer', [
    ...plain.figures('without a chain'),
    { what: 'settler alone: CPU', measured: micros(settler.micros) },
    { what: 'settler alone: rate', measured: perSecond(settler.rate) },
    ...settled.figures('settled'),
    ...anvil.figures('settled on anvil (CPU of node and anvil)'),
    atMost('settled: CPU, of the sum of both', settled.cpu / (plain.cpu + settler.micros), 1.15, times),
    atLeast('settled: rate', settled.rate, 500, perSecond),
    atLeast('one DID: rate', one.rate, 500, perSecond),
    atMost('one client alone: half of the answers within', alone.p50, 40, millis),
  ]);
}

/** Starts settlement on a journal that was written without a chain. @returns µs of CPU an operation, and the rate */
async function settlerAlone(dir: string): Promise<{ readonly micros: number; readonly rate: number }> {
  const { child, pid, url } = await start(dir, { SVC_CHAIN: 'embedded' });
  const mark = async () => ({ ...(await chainOf(url)), at: world.monotonic(), cpu: cpuMicros(pid) });
  let first = await mark();
  // Counting the journal and deploying are not part of settling; half of the journal is the warm-up.
  for (let whole = first.lag; first.lag >= whole / 2; whole = Math.max(whole, first.lag)) {
    await pause(world, pollMs);
    first = await mark();
  }
  let last = first;
  while (last.lag > 0) {
    await pause(world, pollMs);
    last = await mark();
  }
  await child.stop();
  return { micros: (last.cpu - first.cpu) / first.lag, rate: (first.lag * 1_000) / (last.at - first.at) };
}
