/** Contestants under load, in turn, because the machine changes from one minute to the next. */
import { Child, type ChildOptions } from './child.js';
import type { LoadQuestion, Site } from './load-process.js';
import type { Counters, NodeQuestion, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, type Person } from './people.js';
import { count, type Figure, median, micros, millis, perSecond } from './report.js';
import type { Measured } from './tally.js';
import type { Plan } from './traffic.js';

export interface Node extends Started {
  readonly child: Child<NodeQuestion>;
  readonly pid: number;
}

/** Starts a node in a separate process. @param env in addition to `environmentOf(dir)` */
export async function startNode(dir: string, env: { readonly [name: string]: string } = {}): Promise<Node> {
  const child = new Child<NodeQuestion>('node-process', {
    env: { ...environmentOf(dir), ...env },
    execArgv: options.nodeFlags,
  });
  return { ...(await child.ask<Started>({ ask: 'started' })), child, pid: child.pid };
}

export const startLoad = (options?: ChildOptions): Child<LoadQuestion> =>
  new Child<LoadQuestion>('load-process', options);

export interface Contestant {
  readonly site: Omit<Site, 'people'> & { readonly people?: readonly Person[] };
  readonly plan: Plan;
  /** Connections. @default 64 */
  readonly lines?: number;
  /** Nodes whose entries and commits are counted. */
  readonly nodes?: readonly Child<NodeQuestion>[];
  /** Runs before each measurement. */
  readonly before?: () => Promise<unknown>;
}

export class Outcome {
  readonly rounds: Measured[] = [];
  entries = 0;
  commits = 0;

  readonly median = (of: (measured: Measured) => number): number => median(this.rounds.map(of));

  get cpu(): number {
    return this.median(cpuOf);
  }

  get rate(): number {
    return this.median(rateOf);
  }

  get p50(): number {
    return this.median(({ latencyP50 }) => latencyP50);
  }

  get p99(): number {
    return this.median(({ latencyP99 }) => latencyP99);
  }

  get entriesPerCommit(): number {
    return this.entries / this.commits;
  }

  /** Compares rounds with their neighbours in time. */
  ratio(other: Outcome, of: (measured: Measured) => number): number {
    return median(this.rounds.map((measured, round) => of(measured) / of(other.rounds[round]!)));
  }

  figures(what: string): Figure[] {
    return [
      { what: `${what}: rate`, measured: perSecond(this.rate) },
      { what: `${what}: CPU an operation`, measured: micros(this.cpu) },
      { what: `${what}: half of the answers within`, measured: millis(this.p50) },
      { what: `${what}: slowest of a hundred`, measured: millis(this.p99) },
      ...(this.commits === 0 ? [] : [{ what: `${what}: entries a commit`, measured: count(this.entriesPerCommit) }]),
    ];
  }
}

export const rateOf = ({ operations, seconds }: Measured): number => operations / seconds;
export const cpuOf = ({ serverMicros }: Measured): number => serverMicros;

/** Measures all contestants in each round, after each has run for the time of the warm-up. */
export async function contest<Name extends string>(
  contestants: { readonly [N in Name]: Contestant },
  { warmUpSeconds = options.warmUpSeconds } = {},
): Promise<{ readonly [N in Name]: Outcome }> {
  const load = startLoad();
  const all = Object.entries<Contestant>(contestants).map(
    ([name, contestant]) => [name, contestant, new Outcome()] as const,
  );
  for (let round = -1; round < options.rounds; round++) {
    for (const [, contestant, outcome] of all) {
      const { site, plan, lines = 64, nodes = [], before } = contestant;
      await before?.();
      const seconds = round < 0 ? warmUpSeconds : options.seconds;
      const counted = await countersOf(nodes);
      const measured = await load.ask<Measured>({
        ask: 'load',
        site: { people: [], ...site },
        ...{ plan, lines, seconds },
      });
      if (round < 0) continue;
      const after = await countersOf(nodes);
      outcome.rounds.push(measured);
      outcome.entries += after.entries - counted.entries;
      outcome.commits += after.commits - counted.commits;
    }
  }
  await load.stop();
  return Object.fromEntries(all.map(([name, , outcome]) => [name, outcome])) as { [N in Name]: Outcome };
}

async function countersOf(nodes: readonly Child<NodeQuestion>[]): Promise<Pick<Counters, 'entries' | 'commits'>> {
  const all = await Promise.all(nodes.map((node) => node.ask<Counters>({ ask: 'counters' })));
  const sum = (of: (counters: Counters) => number) => all.reduce((total, each) => total + of(each), 0);
  return { entries: sum(({ entries }) => entries), commits: sum(({ commits }) => commits) };
}
