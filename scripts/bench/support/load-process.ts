/** The load generator: a separate process, so that its cost is not counted as the server's. */
import { Client } from '../../../packages/client/src/client.js';
import { ApiError } from '../../../packages/client/src/errors.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { assert } from '../../../src/core/refusal.js';
import { answerParent, cpuMicros } from './child.js';
import { asBusy, holdersTraffic } from './holders.js';
import { type Answer, Line } from './line.js';
import type { Person } from './people.js';
import { type Measured, Tally } from './tally.js';
import { Payers, type Plan } from './traffic.js';

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
  const tally = new Tally();
  const busy = lines.map(async (line, index) => {
    let answer: Answer | undefined;
    while (!tally.isStopped) {
      const text = await traffic(index, line.host, answer);
      const sentAt = world.monotonic();
      answer = await line.send(text);
      assert(answer.status < 300, `the server answered ${answer.status} ${answer.body} to ${text}`);
      tally.add(sentAt);
    }
  });
  const pids = [...doors.map(({ pid }) => pid), ...(site.others ?? [])];
  const measured = await tally.measure(seconds, () => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0));
  await Promise.all(busy);
  for (const line of lines) line.close();
  return measured;
}

answerParent((question: LoadQuestion) => load(question));
process.once('SIGTERM', () => process.exit(0));
