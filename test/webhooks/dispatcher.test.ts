/** The dispatcher continues with every webhook, even if its records were overwritten or can't be written. */
import { expect } from 'chai';
import { RefusedError, refuse } from '../../src/core/refusal.js';
import { Dispatcher, type DispatcherOptions } from '../../src/projections/webhooks/dispatcher.js';
import { Leadership } from '../../src/projections/webhooks/leadership.js';
import type { DeliveryOutcome } from '../../src/projections/webhooks/post.js';
import { WebhookRegistry } from '../../src/projections/webhooks/webhooks.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { LocalRecord } from '../../src/store/store.js';
import { FakeWorld } from '../world/fake-world.js';

const bounds: DispatcherOptions['bounds'] = {
  ...{ window: 100, inFlight: 4, attempts: 10, firstRestMs: 5_000, longestRestMs: 3_600_000 },
  ...{ failingMs: 3 * 86_400_000, noteMs: 200, noteForeignMs: 10_000, stopMs: 1_500 },
  ...{ page: 100, gatherMs: 5, lookMs: 1_000, totalMs: 10_000, recentBytes: 1_000_000 },
};

/** A store that other processes share. It grants every lease to this one. */
class Shared extends MemoryStore {
  isAway = false;
  readonly shared = { holds: async () => 1 } as never;
  readonly journal: NumberedEntry[] = [];

  override async entries({ after }: { readonly after: number }): Promise<NumberedEntry[]> {
    return this.journal.slice(after);
  }

  override async getLocal(table: string, id: string): Promise<LocalRecord | undefined> {
    if (this.isAway) throw new RefusedError(refuse('SERVICE_UNAVAILABLE', 'away', { retryAfter: 1 }));
    return super.getLocal(table, id);
  }

  add(): void {
    const event = { type: 'escrow.released', issuer: 'did' };
    const seq = this.journal.length + 1;
    const core = { event, versions: [{ kind: 'escrow', id: `${seq}` }], accounts: [], postings: [], time: 0 };
    const entryHash = `${seq}`.padStart(32, '0').padEnd(64, '0');
    this.journal.push({ seq, entryHash, core, coreText: '', payload: null } as unknown as NumberedEntry);
  }
}

async function opened() {
  const [world, store] = [new FakeWorld(), new Shared()];
  const webhooks = new WebhookRegistry({ store, world, sealingKey: new Uint8Array(32), most: 4, logLines: 100 });
  const sent: number[] = [];
  const answer: { outcome: DeliveryOutcome } = {
    outcome: { status: 204, error: null, durationMs: 1, retryAfterMs: null },
  };
  const dispatcher = new Dispatcher({
    ...{ store, webhooks, world, bounds, network: 'devnet', bodyBytes: 1_000 },
    show: async () => ({}),
    poster: {
      post: async (_url, headers) => {
        sent.push(Number(headers['Svc-Webhook-Id']!.split('-').at(-1)));
        return answer.outcome;
      },
    },
    onOutcome: () => {},
    log: () => {},
  });
  const made = await webhooks.create({ url: 'http://hooks.invalid/', label: '', begins: 0 });
  if (!('webhook' in made)) expect.fail(made.detail);
  const { id } = made.webhook;
  dispatcher.start();
  await world.advance(100);
  const happens = async () => {
    store.add();
    dispatcher.saw(store.journal.length);
    await world.advance(3_000);
  };
  return { world, store, webhooks, dispatcher, sent, answer, id, happens };
}

describe('The dispatcher', () => {
  it('continues for a webhook whose progress was written by a slow process that had the lease before', async () => {
    const { webhooks, dispatcher, sent, id, happens, world } = await opened();
    const { progress, revision } = (await webhooks.progress(id))!;
    expect(await webhooks.putProgress(id, { ...progress, token: 0 }, revision)).to.equal(true);
    for (let entries = 0; entries < 3; entries++) await happens();
    expect([...new Set(sent)]).to.deep.equal([1, 2, 3]);
    await world.settle(dispatcher.stop());
    expect((await webhooks.progress(id))!.progress).to.include({ at: 3, token: 1 });
  });

  it('disables a webhook whose receiver is gone, also where the database was away at first', async () => {
    const { store, webhooks, dispatcher, answer, id, happens, world } = await opened();
    answer.outcome = { status: 410, error: 'status 410', durationMs: 1, retryAfterMs: null };
    store.isAway = true;
    await happens();
    store.isAway = false;
    expect((await webhooks.get(id))!.webhook.status).to.equal('active');
    await world.advance(30_000);
    expect((await webhooks.get(id))!.webhook.status).to.equal('disabled');
    await world.settle(dispatcher.stop());
  });
});

describe('A leadership', () => {
  it('that begins while the one before says that it is done is written down as begun', async () => {
    const [world, store] = [new FakeWorld(), new Shared()];
    const before = new Leadership({
      store: Object.assign(store.survivor(), { shared: store.shared }),
      world,
      totalMs: 1_000,
    });
    expect(await before.look()).to.equal(true);
    let isFirst = true;
    const racing = Object.assign(store.survivor(), { shared: { holds: async () => 2 } });
    const put = racing.putLocal.bind(racing);
    racing.putLocal = async (...record) => {
      if (isFirst) await before.leave();
      isFirst = false;
      return put(...record);
    };
    const leadership = new Leadership({ store: racing, world, totalMs: 1_000 });
    expect(await leadership.look()).to.equal(false);
    expect(leadership.holds).to.equal(false);
    expect(await leadership.look()).to.equal(true);
    expect((await store.getLocal('webhook-holder', 'webhooks'))?.value).to.deep.equal({ token: 2, isLeft: false });
    expect(leadership.mayDeliver).to.equal(true);
  });
});
