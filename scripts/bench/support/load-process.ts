/** The load generator: a separate process, so that its cost is not counted as the server's. */
import { Client } from '../../../packages/client/src/client.js';
import { ApiError } from '../../../packages/client/src/errors.js';
import { pause, realEnvironment as world } from '../../../src/core/environment.js';
import { assert } from '../../../src/core/refusal.js';
import { answerParent, cpuMicros } from './child.js';
import { asBusy, holdersTraffic } from './holders.js';
import { type Answer, Line } from './line.js';
import type { Person } from './people.js';
import { percentile } from './report.js';
import { Payers, type Plan } from './traffic.js';

/** Time at the start of a measurement that is not measured, because connections are still filling up. */
const settlingMs = 300;

export interface Site {
  readonly url: string;
  readonly pid: number;
  /** Other processes that serve the same API; each connection uses one of them. */
  readonly doors?: readonly { readonly url: string; readonly pid: number }[];
  /** Other processes whose CPU time is counted with the server's, such as a chain. */
  readonly others?: readonly number[];
  readonly people: readonly Person[];
}

export type LoadQuestion = {
  readonly ask: 'load';
  readonly site: Site;
  readonly plan: Plan;
  readonly seconds: number;
  /** Connections. @default 64 */
  readonly lines?: number;
};

export interface Measured {
  readonly operations: number;
  readonly seconds: number;
  /** CPU time for one operation, µs: of the server with the other counted processes, and of this process. */
  readonly serverMicros: number;
  readonly ownMicros: number;
  /** Latency of a reply, ms: median and 99th percentile. */
  readonly latencyP50: number;
  readonly latencyP99: number;
}

/** Payers by server, because the nonces continue over several measurements. */
const payers = new Map<string, Promise<Payers>>();

async function openPayers({ url, people }: Site): Promise<Payers> {
  return new Payers(people, await Promise.all(people.map(({ did }) => nonceOf(url, did))));
}

/** Nonce of the DID's last event; the reference server has no nonces. */
async function nonceOf(url: string, did: string): Promise<number> {
  try {
    return (await new Client({ url }).wallets.get(did)).nonce;
  } catch (error) {
    if (error instanceof ApiError) return 0;
    throw error;
  }
}

async function load({ site, plan, seconds, lines: number = 64 }: LoadQuestion): Promise<Measured> {
  const opening = payers.get(site.url) ?? openPayers(site);
  payers.set(site.url, opening);
  const planned =
    plan.do === 'submit' || plan.do === 'prepare-and-submit'
      ? await holdersTraffic(site, plan)
      : (await opening).traffic(plan);
  const traffic = plan.do === 'transfers' && plan.isBusy ? asBusy(planned) : planned;
  const doors = [site, ...(site.doors ?? [])];
  const lines = await Promise.all(
    Array.from({ length: number }, (_, index) => Line.open(doors[index % doors.length]!.url)),
  );
  let [done, isStopped, latencies] = [0, false, [] as number[]];
  const busy = lines.map(async (line, index) => {
    let answer: Answer | undefined;
    while (!isStopped) {
      const text = await traffic(index, line.host, answer);
      const sentAt = world.monotonic();
      answer = await line.send(text);
      assert(answer.status < 300, `the server answered ${answer.status} ${answer.body} to ${text}`);
      done++;
      latencies.push(world.monotonic() - sentAt);
    }
  });
  const cpuOfAll = () =>
    [...doors.map(({ pid }) => pid), ...(site.others ?? [])].reduce((sum, pid) => sum + cpuMicros(pid), 0);
  await pause(world, settlingMs);
  const before = { done, at: world.monotonic(), cpu: cpuOfAll(), own: process.cpuUsage() };
  latencies = [];
  await pause(world, seconds * 1_000);
  const operations = done - before.done;
  assert(operations > 0, 'the server has answered within the time');
  const own = process.cpuUsage(before.own);
  const measured = {
    operations,
    seconds: (world.monotonic() - before.at) / 1_000,
    serverMicros: (cpuOfAll() - before.cpu) / operations,
    ownMicros: (own.user + own.system) / operations,
  };
  // Requests still in flight do not count for this measurement.
  const taken = latencies;
  latencies = [];
  isStopped = true;
  await Promise.all(busy);
  for (const line of lines) line.close();
  return {
    ...measured,
    latencyP50: percentile(taken, 0.5),
    latencyP99: percentile(taken, 0.99),
  };
}

answerParent((question: LoadQuestion) => load(question));
process.once('SIGTERM', () => process.exit(0));
