/** Requests that arrive at a fixed rate, whether or not earlier ones are answered: in a separate process. */
import { pause, realEnvironment as world } from '../../../src/core/environment.js';
import { assert } from '../../../src/core/refusal.js';
import { answerParent } from './child.js';
import { Line } from './line.js';
import type { Person } from './people.js';
import { percentile } from './report.js';
import { posted } from './traffic.js';

const unlocksAtOnce = 16;

/** People who pay each other; each has a connection with one request at a time. */
export interface Crowd {
  readonly people: readonly Person[];
  /** Arrivals of all of them in a second. */
  readonly rate: number;
  /** The addresses of the connections, in turn. */
  readonly addresses: readonly string[];
}

export type ArrivalsQuestion = {
  readonly ask: 'arrivals';
  readonly url: string;
  readonly crowds: readonly Crowd[];
  readonly seconds: number;
};

/** Rates are per second. Times are in ms, from the scheduled arrival to the reply. */
export interface Arrivals {
  readonly offered: number;
  readonly accepted: number;
  readonly refused: number;
  readonly acceptedP50: number;
  readonly acceptedP99: number;
  readonly refusedP99: number;
  /** How much later than scheduled requests were sent, because this process or its connections were busy: p99, ms. */
  readonly lateP99: number;
  /** Hashes of the events that were acknowledged. */
  readonly hashes: readonly string[];
}

/** Last used nonces, by DID. */
const nonces = new Map<string, number>();

const transfer = ({ did, passphrase }: Person, to: string, host: string): string =>
  posted('/api/v1/transfers', host, { did, passphrase, nonce: nonces.get(did)! + 1, to, amount: 1 });

/** Unlocks each key with a first transfer. */
async function unlock(url: string, people: readonly Person[]): Promise<void> {
  const locked = people.filter(({ did }) => !nonces.has(did));
  const worker = async () => {
    const line = await Line.open(url);
    for (let person = locked.pop(); person; person = locked.pop()) {
      const { did } = person;
      nonces.set(did, 0);
      const { status, body } = await line.send(
        transfer(person, people.find((other) => other.did !== did)!.did, line.host),
      );
      assert(status === 200, `the first transfer is accepted: ${status} ${body}`);
      nonces.set(did, 1);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: unlocksAtOnce }, worker));
}

async function arrivalsOf({ people, rate, addresses }: Crowd, url: string, seconds: number): Promise<Arrivals> {
  const idle = await Promise.all(
    people.map(async (person, index) => ({
      person,
      to: people[(index + 1) % people.length]!.did,
      line: await Line.open(url, addresses[index % addresses.length]),
    })),
  );
  const lines = idle.map(({ line }) => line);
  const [accepted, refused, late, hashes]: [number[], number[], number[], string[]] = [[], [], [], []];
  const busy = new Set<Promise<void>>();
  const began = world.monotonic();
  const send = async (arrivedAt: number) => {
    const client = idle.shift()!;
    const { person, to, line } = client;
    late.push(world.monotonic() - arrivedAt);
    const { status, head, body } = await line.send(transfer(person, to, line.host));
    const took = world.monotonic() - arrivedAt;
    if (status === 200) {
      accepted.push(took);
      nonces.set(person.did, nonces.get(person.did)! + 1);
      hashes.push((JSON.parse(body) as { eventHash: string }).eventHash);
    } else {
      assert(
        status === 503 && /\r\nRetry-After: \d/i.test(head),
        `a refusal is a 503 that says when to come again: ${head}${body}`,
      );
      refused.push(took);
    }
    idle.push(client);
  };
  for (let arrived = 0; ; ) {
    const passed = world.monotonic() - began;
    if (passed > seconds * 1_000) break;
    for (; arrived < (passed * rate) / 1_000 && idle.length > 0; arrived++) {
      const sent = send(began + (arrived * 1_000) / rate);
      busy.add(sent);
      void sent.then(() => busy.delete(sent));
    }
    await pause(world, 1);
  }
  await Promise.all(busy);
  for (const line of lines) line.close();
  return {
    ...{ offered: rate, accepted: accepted.length / seconds, refused: refused.length / seconds },
    ...{ acceptedP50: percentile(accepted, 0.5), acceptedP99: percentile(accepted, 0.99) },
    ...{ refusedP99: percentile(refused, 0.99), lateP99: percentile(late, 0.99), hashes },
  };
}

answerParent(async ({ url, crowds, seconds }: ArrivalsQuestion): Promise<Arrivals[]> => {
  await unlock(
    url,
    crowds.flatMap(({ people }) => people),
  );
  return Promise.all(crowds.map((crowd) => arrivalsOf(crowd, url, seconds)));
});
process.once('SIGTERM', () => process.exit(0));
