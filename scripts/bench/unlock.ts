/** Measures unlocking: KDF runs, and their effect on the event loop and memory. */
import { assert } from '../../src/core/refusal.js';
import { forgetPeak, peakResidentBytes, residentBytes } from './support/child.js';
import { startNode } from './support/contest.js';
import { Line } from './support/line.js';
import type { Counters } from './support/node-process.js';
import { options } from './support/options.js';
import { founded } from './support/people.js';
import { atMost, count, mebibytes, median, millis, table } from './support/report.js';
import { Payers, type Traffic } from './support/traffic.js';

const atOnce = 8;
const writes = 256;

export async function unlock(): Promise<void> {
  const { dir, people } = await founded(2 + atOnce * options.rounds);
  const { child, pid, url } = await startNode(dir);
  const counters = () => child.ask<Counters>({ ask: 'counters' });

  const before = await counters();
  const one = new Payers(people.slice(0, 2)).traffic({ do: 'one-account' });
  for (let done = 0; done < writes; done += atOnce) await sendAtOnce(url, one, 0);
  const runs = (await counters()).kdfRuns - before.kdfRuns;

  const delays: number[] = [];
  const growths: number[] = [];
  const many = new Payers(people.slice(2)).traffic({ do: 'transfers' });
  for (let round = 0; round < options.rounds; round++) {
    const resident = residentBytes(pid);
    forgetPeak(pid);
    await counters();
    await sendAtOnce(url, many, round * atOnce);
    delays.push((await counters()).loopDelayP99);
    growths.push(peakResidentBytes(pid) - resident);
  }
  await child.stop();
  table('Unlocking', [
    atMost(`KDF runs for ${writes} writes of one DID, the first ${atOnce} at once`, runs, 1, count),
    atMost(`event-loop delay p99 while ${atOnce} unlock at once`, median(delays), 20, millis),
    { what: 'the same, worst round', measured: millis(Math.max(...delays)) },
    atMost(`memory that ${atOnce} unlocks take at their peak`, Math.max(...growths), 100 * 2 ** 20, mebibytes),
  ]);
}

/** Sends each request on a separate connection. */
async function sendAtOnce(url: string, traffic: Traffic, firstLine: number): Promise<void> {
  const lines = await Promise.all(Array.from({ length: atOnce }, () => Line.open(url)));
  const answers = await Promise.all(
    lines.map(async (line, index) => line.send(await traffic(firstLine + index, line.host))),
  );
  for (const { status, body } of answers) assert(status === 200, `the node answered ${status} ${body}`);
  for (const line of lines) line.close();
}
