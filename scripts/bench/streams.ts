/**
 * Measures the cost of open event streams for writes: with none, with the most streams whose filter matches nothing,
 * and with the most streams that get every entry.
 */
import { bounds } from '../../src/core/bounds.js';
import { Child } from './child.js';
import type { LoadQuestion, Measured } from './load-process.js';
import type { NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, Founder, scratch } from './people.js';
import { atMost, type Figure, median, micros, percent, perSecond, table } from './report.js';
import type { StreamQuestion } from './stream-process.js';

const people = 64;

interface Consumers {
  readonly title: string;
  /** Query of the streams; undefined: there are no streams. */
  readonly query?: string;
  readonly rounds: Measured[];
}

export async function streams(): Promise<void> {
  const dir = await scratch();
  const founder = await Founder.open(dir);
  const payers = await founder.people(people, 1_000_000_000);
  await founder.close();
  const node = new Child<NodeQuestion>('node-process', { env: environmentOf(dir), execArgv: options.nodeFlags });
  const load = new Child<LoadQuestion>('load-process');
  const consumers = new Child<StreamQuestion>('stream-process');
  const { url } = await node.ask<Started>({ ask: 'started' });
  const site = { url, pid: node.pid, people: payers };
  const measured = (lines: number, seconds: number) =>
    load.ask<Measured>({ ask: 'load', site, plan: { do: 'transfers' }, lines, seconds });

  await measured(people, options.warmUpSeconds);
  for (const [title, writers] of [
    [`Writes of ${people} clients beside event streams`, people],
    ['Writes of one client beside event streams', 1],
  ] as const) {
    const none: Consumers = { title: 'without streams', rounds: [] };
    const some: readonly Consumers[] = [
      { title: `beside ${bounds.streams} whose filter nothing passes`, query: '?type=clock.corrected', rounds: [] },
      { title: `beside ${bounds.streams} that get everything`, query: '', rounds: [] },
    ];
    for (let round = 0; round < options.rounds; round++) {
      for (const { query, rounds } of [none, ...some]) {
        if (query === undefined) await consumers.ask({ ask: 'close' });
        else await consumers.ask({ ask: 'open', url, query, count: bounds.streams });
        rounds.push(await measured(writers, options.seconds));
      }
    }
    table(title, [...lines(none), ...some.flatMap((each) => [...lines(each), ...compared(each, none)])]);
  }
  await Promise.all([node.stop(), load.stop(), consumers.stop()]);
}

const rateOf = ({ operations, seconds }: Measured): number => operations / seconds;
const microsOf = ({ serverMicros }: Measured): number => serverMicros;

const lines = ({ title, rounds }: Consumers): Figure[] => [
  { what: `${title}: rate`, measured: perSecond(median(rounds.map(rateOf))) },
  { what: `${title}: CPU a write`, measured: micros(median(rounds.map(microsOf))) },
];

/**
 * Compares rounds with their neighbours in time. The consumers' own CPU time also reduces the rate if they share the
 * machine.
 */
function compared({ title, rounds }: Consumers, none: Consumers): Figure[] {
  const more = rounds.map((measured, round) => microsOf(measured) / microsOf(none.rounds[round]!) - 1);
  return [atMost(`${title}: more CPU a write`, median(more), 0.2, percent)];
}
