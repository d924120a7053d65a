/** More requests than can be served: how long those take that are accepted, how soon the rest is refused, and of whom. */
import { openJournal } from '../../src/node/store-choice.js';
import type { Arrivals, ArrivalsQuestion, Crowd } from './support/arrivals-process.js';
import { Child } from './support/child.js';
import { rateOf, startLoad, startNode } from './support/contest.js';
import { options } from './support/options.js';
import { configOf, environmentOf, founded } from './support/people.js';
import {
  atLeast,
  atMost,
  charts,
  count,
  type Figure,
  median,
  millis,
  percent,
  perSecond,
  table,
} from './support/report.js';
import type { Measured } from './support/tally.js';

const loopback = ['127.0.0.1'];
/** All arrivals in the run with a flooder, compared with the rate that can be served. */
const flooded = 1.5;
/** Callers besides the flooder, each with an address. */
const politeCallers = 100;

const addresses = (number: number): string[] =>
  Array.from({ length: number }, (_, n) => `127.1.${n >> 7}.${1 + (n & 127)}`);

export async function overload(): Promise<void> {
  const { dir, people } = await founded(800);
  const { child, pid, url } = await startNode(dir);
  const [arrivals, load] = [new Child<ArrivalsQuestion>('arrivals-process'), startLoad()];
  const many = people.slice(64);
  const half = many.length / 2;
  const runs: { readonly [name: string]: readonly Crowd[] } = {
    '1 ×': [{ people: many, rate: 1, addresses: loopback }],
    '2 ×': [{ people: many, rate: 2, addresses: loopback }],
    '3 ×': [{ people: many, rate: 3, addresses: loopback }],
    '3 ×, each of another address': [{ people: many, rate: 3, addresses: addresses(many.length) }],
    flooder: [
      { people: many.slice(0, half), rate: flooded / 2, addresses: addresses(politeCallers) },
      { people: many.slice(half), rate: flooded / 2, addresses: loopback },
    ],
  };
  const served: number[] = [];
  const outcomes: { [name: string]: Arrivals[][] } = {};
  const acknowledged = new Set<string>();
  for (let round = -1; round < options.rounds; round++) {
    const seconds = round < 0 ? options.warmUpSeconds : options.seconds;
    const site = { url, pid, people: people.slice(0, 64) };
    const rate = rateOf(await load.ask<Measured>({ ask: 'load', site, plan: { do: 'transfers' }, seconds }));
    if (round >= 0) served.push(rate);
    for (const [name, crowds] of Object.entries(runs)) {
      const scaled = crowds.map((crowd) => ({ ...crowd, rate: crowd.rate * rate }));
      const outcome = await arrivals.ask<Arrivals[]>({ ask: 'arrivals', url, crowds: scaled, seconds });
      for (const { hashes } of outcome) for (const hash of hashes) acknowledged.add(hash);
      if (round >= 0) outcomes[name] = [...(outcomes[name] ?? []), outcome];
    }
  }
  await Promise.all([child.stop('SIGKILL'), arrivals.stop(), load.stop()]);
  const of = (name: string, figure: (crowd: Arrivals) => number, crowd = 0) =>
    median(outcomes[name]!.map((outcome) => figure(outcome[crowd]!)));
  const figures = (name: string, crowd = 0, title = name): Figure[] => {
    const counts = [
      of(name, ({ offered }) => offered, crowd),
      of(name, ({ accepted }) => accepted, crowd),
      of(name, ({ refused }) => refused, crowd),
    ];
    return [
      { what: `${title}: arrivals; accepted; refused`, measured: counts.map(perSecond).join('; ') },
      { what: `${title}: accepted, half within`, measured: millis(of(name, ({ acceptedP50 }) => acceptedP50, crowd)) },
      atMost(
        `${title}: accepted, 99 of 100 within`,
        of(name, ({ acceptedP99 }) => acceptedP99, crowd),
        250,
        millis,
      ),
      ...(counts[2]! > 0
        ? [
            atMost(
              `${title}: refused, 99 of 100 within`,
              of(name, ({ refusedP99 }) => refusedP99, crowd),
              50,
              millis,
            ),
          ]
        : []),
      { what: `${title}: sent late, 99 of 100 within`, measured: millis(of(name, ({ lateP99 }) => lateP99, crowd)) },
    ];
  };
  const line = (name: string, figure: (crowd: Arrivals) => number) => ({
    name,
    values: ['1 ×', '2 ×', '3 ×'].map((run) => [of(run, (outcome) => outcome.offered), of(run, figure)] as const),
  });
  charts.push(
    {
      ...{ title: 'More than can be served', x: 'arrivals a second', y: 'ms' },
      lines: [
        line('accepted: half', ({ acceptedP50 }) => acceptedP50),
        line('accepted: 99 of 100', ({ acceptedP99 }) => acceptedP99),
        line('refused: 99 of 100', ({ refusedP99 }) => refusedP99),
      ],
    },
    {
      ...{ title: 'More than can be served', x: 'arrivals a second', y: 'answers a second' },
      lines: [line('accepted', (outcome) => outcome.accepted), line('refused', (outcome) => outcome.refused)],
    },
  );
  const accepted = (crowd: number) => of('flooder', (outcome) => outcome.accepted, crowd);
  const offered = of('flooder', (outcome) => outcome.offered);
  table('More than can be served', [
    { what: 'rate on 64 connections', measured: perSecond(median(served)) },
    ...Object.keys(runs).flatMap((name) => (name === 'flooder' ? [] : figures(name))),
    ...figures('flooder', 0, `${politeCallers} callers besides a flooder`),
    atLeast(`${politeCallers} callers besides a flooder: accepted`, accepted(0) / offered, 0.95, percent),
    atMost('the flooder: of what is accepted', accepted(1) / (accepted(0) + accepted(1)), 0.5, percent),
    atMost('acknowledged, and not in the journal', await lost(dir, acknowledged), 0, count),
  ]);
}

/** How many of these events are not in the journal of a node that was killed. */
async function lost(dir: string, hashes: ReadonlySet<string>): Promise<number> {
  const { journal } = await openJournal(configOf(environmentOf(dir)));
  const missing = new Set(hashes);
  for (let after = 0; ; ) {
    const page = await journal.entries({ after, limit: 1_000 });
    for (const { core } of page) missing.delete(core.event.hash);
    if (page.length === 0) break;
    after = page.at(-1)!.seq;
  }
  await journal.close();
  return missing.size;
}
