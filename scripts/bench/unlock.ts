/** Measures unlocking: KDF runs, and their effect on the event loop and memory. */
import { assert } from '../../src/core/refusal.js';
import { Child, forgetPeak, peakResidentBytes, residentBytes } from './child.js';
import { Line } from './line.js';
import type { Counters, NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, Founder, scratch } from './people.js';
import { atMost, count, type Figure, mebibytes, median, millis, table } from './report.js';
import { Payers, type Traffic } from './traffic.js';

const atOnce = 8;
const writes = 256;

export async function unlock(): Promise<void> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const [first, second, ...locked] = await founder.people(2 + atOnce * options.rounds, 1_000);
  await founder.close();
  const node = new Child<NodeQuestion>('node-process', { env: environmentOf(dir) });
  const { url } = await node.ask<Started>({ ask: 'started' });
  const counters = () => node.ask<Counters>({ ask: 'counters' });
  const { host, port } = new URL(url);

  const before = await counters();
  const one = new Payers(host, [first!, second!], [0, 0]).traffic({ do: 'one-account' });
  for (let done = 0; done < writes; done += atOnce) await sendAtOnce(Number(port), one, 0);
  const runs = (await counters()).kdfRuns - before.kdfRuns;

  const delays: number[] = [];
  const growths: number[] = [];
  const many = new Payers(
    host,
    locked,
    locked.map(() => 0),
  ).traffic({ do: 'transfers' });
  for (let round = 0; round < options.rounds; round++) {
    const resident = residentBytes(node.pid);
    forgetPeak(node.pid);
    await counters();
    await sendAtOnce(Number(port), many, round * atOnce);
    delays.push((await counters()).loopDelayP99);
    growths.push(peakResidentBytes(node.pid) - resident);
  }
  await node.stop();
  table('Unlocking', figuresOf(runs, delays, growths));
}

/** Sends each request on a separate connection. */
async function sendAtOnce(port: number, traffic: Traffic, firstLine: number): Promise<void> {
  const lines = await Promise.all(Array.from({ length: atOnce }, () => Line.open(port)));
  const sent = lines.map(
    (line, index) =>
      new Promise<void>((resolve) => {
        line.send(traffic(firstLine + index), ({ status, body }) => {
          assert(status === 200, `the node answered ${status} ${body}`);
          resolve();
        });
      }),
  );
  await Promise.all(sent);
  for (const line of lines) line.close();
}

const figuresOf = (runs: number, delays: readonly number[], growths: readonly number[]): Figure[] => [
  atMost(`KDF runs for ${writes} writes of one DID, the first ${atOnce} at once`, runs, 1, count),
  atMost(`event-loop delay p99 while ${atOnce} unlock at once`, median(delays), 20, millis),
  { what: 'the same, worst round', measured: millis(Math.max(...delays)) },
  atMost(`memory that ${atOnce} unlocks take at their peak`, Math.max(...growths), 100 * 2 ** 20, mebibytes),
];
