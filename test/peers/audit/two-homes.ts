/** Two homes in memory that ask each other, and the copies of their journals. */
import type { Accepted } from '../../../src/actors/command.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { lawOf } from '../../../src/machines/kernel/other-signer.js';
import { auditOwn } from '../../../src/peers/audit/own-audit.js';
import { type AuditedCopy, auditPeers, type PeersReport } from '../../../src/peers/audit/peers-audit.js';
import { type FeedEntry, Replica } from '../../../src/peers/replica/replica.js';
import type { StoreReader } from '../../../src/store/store.js';
import { MemoryReplicas } from '../../doubles/memory-replicas.js';
import { accepted, Bench, network } from '../../world/bench.js';
import { didOf } from '../../world/people.js';

/** What Ada asks for: to publish a listing with these Tokens. */
export const price = 30;

export class TwoHomes {
  #requests = 0;

  private constructor(
    /** Ada’s home, which asks. */
    readonly asking: Bench,
    readonly asked: Bench,
  ) {}

  static async open(): Promise<TwoHomes> {
    const asking = await Bench.open({ node: 'brig' }, { ada: 1_000 });
    const asked = await Bench.open({ node: 'alba' }, { brig: 1_000 });
    return TwoHomes.of(asking, asked);
  }

  static of(asking: Bench, asked: Bench): TwoHomes {
    return new TwoHomes(asking, asked);
  }

  /** Sends a request. @returns its id and the event that sent it */
  async sends(money = price): Promise<{ readonly id: string; readonly hash: string }> {
    const id = `rem-${++this.#requests}`;
    const input = { home: didOf('alba'), kind: 'info-listing', resource: `lst-${id}`, action: 'create', money };
    const more = { ids: { escrow: `esc-${id}` } };
    const sent = await this.asking.ask('ada', 'remote-request', id, 'create', { ...input, input: listing }, more);
    return { id, hash: accepted(sent).entry.core.event.hash };
  }

  /** Answers it. @param more a refusal, in place of acceptance */
  async answers(hash: string, more: JsonObject = { law: lawOf(catalogue, 'info-listing', 'create') }): Promise<string> {
    const entry = (await this.asking.store.entryByEvent(hash))!;
    const { payload, salt } = JSON.parse(entry.payloadText!);
    const input = { event: entry.core.event as unknown as JsonObject, salt, request: payload, ...more };
    return eventOf(await this.asked.operate('remote-answer', hash, 'create', input));
  }

  async closes(id: string, answer: string, refusal?: JsonObject): Promise<string> {
    const action = refusal ? 'return' : 'complete';
    return eventOf(await this.asking.operate('remote-request', id, action, { answer, ...refusal }));
  }

  /** One accepted request. */
  async trades(): Promise<{ readonly hash: string; readonly answer: string }> {
    const { id, hash } = await this.sends();
    const answer = await this.answers(hash);
    await this.closes(id, answer);
    return { hash, answer };
  }

  /** The asking home's audit. @param feed of the asked home; default: all of it */
  async audit(feed?: readonly FeedEntry[]): Promise<PeersReport> {
    return auditOf(this.asking.store, [await copyOf(this.asked, feed)]);
  }
}

const eventOf = (result: Parameters<typeof accepted>[0]): string =>
  (accepted(result) satisfies Accepted).entry.core.event.hash;

export const everyEntry = async ({ store }: Bench): Promise<FeedEntry[]> =>
  (await store.entries({ after: 0, limit: 1_000 })).map((entry) => ({ entry }));

/** A copy as a follower makes it. */
export async function copyOf(bench: Bench, feed?: readonly FeedEntry[]): Promise<AuditedCopy> {
  const home = didOf(bench.node);
  const replicas = new MemoryReplicas();
  const store = await replicas.open(home, 'write');
  const replica = await Replica.open({ store, home, network, catalogue });
  const { stop } = await replica.adopt(feed ?? (await everyEntry(bench)));
  if (stop) throw new RangeError(`entry ${stop.seq}: ${stop.what}`);
  return { home, open: async () => store };
}

export async function auditOf(own: StoreReader, copies: readonly AuditedCopy[]): Promise<PeersReport> {
  return auditPeers(await auditOwn(own, { network }), copies, { catalogue, network });
}

const listing: JsonObject = {
  ...{ title: 'Rain', description: 'Rain of a year', category: 'weather', infoType: 'dataset', pricing: { price: 4 } },
  ...{ content: { format: 'text/csv' }, accessMethod: { type: 'download' }, license: { type: 'CC-BY-4.0' } },
};
