/** Failures of one webhook: pauses, giving up, disabling. The test controls the clock. */
import { expect } from 'chai';
import sinon from 'sinon';
import type { DeliveryLine } from '../../src/projections/webhooks/delivery-log.js';
import { DeliveryQueue, type DeliveryQueueBounds } from '../../src/projections/webhooks/delivery-queue.js';
import type { DeliveryOutcome } from '../../src/projections/webhooks/post.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { FakeWorld } from '../world/fake-world.js';
import { freshProgress } from './support/progress.js';

const bounds: DeliveryQueueBounds = {
  ...{ window: 100, inFlight: 4, attempts: 10, firstRestMs: 5_000, longestRestMs: 3_600_000 },
  ...{ failingMs: 3 * 86_400_000, noteMs: 200, noteForeignMs: 10_000, stopMs: 1_500 },
};
const arrived: DeliveryOutcome = { status: 204, error: null, durationMs: 1, retryAfterMs: null };
const failed: DeliveryOutcome = { status: 500, error: 'status 500', durationMs: 1, retryAfterMs: null };

const entry = (seq: number, id: string): NumberedEntry =>
  ({
    seq,
    core: {
      event: { type: 'escrow.released', issuer: 'did' },
      versions: [{ kind: 'escrow', id }],
      accounts: [],
      postings: [],
    },
    payload: null,
  }) as unknown as NumberedEntry;

class Stage {
  readonly world = new FakeWorld();
  readonly lines: DeliveryLine[] = [];
  readonly sent: { seq: number; at: number }[] = [];
  disabled: string | undefined;
  mayDeliver = true;
  written = 0;
  refusesNotes = false;
  isLogAway = false;
  answer: (seq: number) => DeliveryOutcome = () => arrived;
  readonly queue: DeliveryQueue;

  constructor() {
    const webhook = {
      id: 'whk-1',
      url: 'http://x/',
      generation: 1,
      begins: 0,
      begunAs: 1,
      status: 'active',
      rotations: 0,
    };
    this.queue = new DeliveryQueue(
      { webhook: webhook as never, secret: 's' },
      { progress: freshProgress(1, 0), revision: 1 },
      {
        world: this.world,
        webhooks: {
          disable: async (_: string, reason: string) => {
            this.disabled = reason;
            return undefined;
          },
          putProgress: async () => {
            this.written++;
            return !this.refusesNotes;
          },
          log: {
            add: async (_: string, lines: readonly DeliveryLine[]) => {
              if (this.isLogAway) throw new TypeError('the database is away');
              this.lines.push(...lines);
            },
          } as never,
        },
        poster: {
          post: async (_url, headers) => {
            const seq = Number(headers['Svc-Webhook-Id']!.split('-').at(-1));
            this.sent.push({ seq, at: this.world.monotonic() });
            return this.answer(seq);
          },
        },
        message: async (_, seq) => ({ id: `whk-1-${seq}`, type: 'escrow.released', seq, body: Buffer.from('{}') }),
        mayDeliver: () => this.mayDeliver,
        onRoom: () => {},
        onOutcome: () => {},
        log: () => {},
        bounds,
      },
    );
  }

  times(seq: number): number[] {
    return this.sent.filter((each) => each.seq === seq).map(({ at }) => at);
  }
}

describe('Deliveries of one webhook', () => {
  it('that fail are tried again, each time after about twice as long, until they arrive', async () => {
    const stage = new Stage();
    stage.answer = sinon.stub().returns(failed).onCall(4).returns(arrived);
    stage.queue.offer([entry(1, 'a')]);
    await stage.world.advance(300_000);
    const times = stage.times(1);
    expect(times).to.have.length(5);
    for (const [index, at] of times.slice(1).entries()) {
      const rest = at - times[index]!;
      const whole = bounds.firstRestMs * 2 ** index;
      expect(rest).to.be.within(whole * 0.5, whole * 1.01);
    }
    expect(stage.lines.map(({ outcome, attempt }) => `${attempt} ${outcome}`)).to.deep.equal([
      ...['1 failed', '2 failed', '3 failed', '4 failed', '5 delivered'],
    ]);
    expect(stage.queue.at).to.equal(1);
  });

  it('of one resource wait for one that fails; others continue', async () => {
    const stage = new Stage();
    stage.answer = (seq) => (seq === 1 ? failed : arrived);
    stage.queue.offer([entry(1, 'a'), entry(2, 'a'), entry(3, 'b')]);
    await stage.world.advance(60_000);
    expect(stage.times(2)).to.deep.equal([]);
    expect(stage.times(3)).to.have.length(1);
    stage.answer = () => arrived;
    await stage.world.advance(3_600_000);
    expect(stage.times(2)).to.have.length(1);
    expect(stage.queue.at).to.equal(3);
  });

  it('one event that a living receiver never takes is given up, and the next of its resource goes', async () => {
    const stage = new Stage();
    stage.answer = (seq) => (seq === 1 ? failed : arrived);
    stage.queue.offer([entry(1, 'a'), entry(2, 'a')]);
    for (let seq = 3; seq < 30; seq++) {
      stage.queue.offer([entry(seq, `b${seq}`)]);
      await stage.world.advance(600_000);
    }
    expect(stage.times(1)).to.have.length(bounds.attempts);
    expect(stage.lines.filter(({ outcome }) => outcome === 'given-up').map(({ seq }) => seq)).to.deep.equal([1]);
    const order = stage.sent.map(({ seq }) => seq);
    expect(order.indexOf(2)).to.be.above(order.lastIndexOf(1));
    expect(stage.disabled).to.equal(undefined);
    expect(stage.queue.at).to.equal(29);
  });

  it('a receiver that is dead for three days is disabled; until then it is asked at most about once an hour', async () => {
    const stage = new Stage();
    stage.answer = () => ({
      status: null,
      error: 'the connection failed: ECONNREFUSED',
      durationMs: 1,
      retryAfterMs: null,
    });
    stage.queue.offer(Array.from({ length: 50 }, (_, index) => entry(index + 1, `r${index}`)));
    await stage.world.advance(2.9 * 86_400_000);
    expect(stage.disabled).to.equal(undefined);
    expect(stage.sent.length, 'attempts in nearly three days').to.be.below(250);
    await stage.world.advance(0.2 * 86_400_000);
    expect(stage.disabled).to.include('nothing has arrived for 3 days').and.include('ECONNREFUSED');
    const count = stage.sent.length;
    await stage.world.advance(86_400_000);
    expect(stage.sent, 'it is left in peace').to.have.length(count);
    expect(stage.queue.at, 'nothing was given up: it waits until the webhook is enabled').to.equal(0);
  });

  it('410 disables at once', async () => {
    const stage = new Stage();
    stage.answer = () => ({ ...failed, status: 410, error: 'status 410' });
    stage.queue.offer([entry(1, 'a'), entry(2, 'b')]);
    await stage.world.advance(1_000);
    expect(stage.disabled).to.include('410');
  });

  it('a busy receiver is left alone for as long as it asks, and for an hour at most', async () => {
    const stage = new Stage();
    stage.answer = () => ({ ...failed, status: 429, error: 'status 429', retryAfterMs: 100_000 });
    stage.queue.offer([entry(1, 'a'), entry(2, 'b')]);
    await stage.world.advance(99_000);
    const first = stage.sent.length;
    expect(first).to.be.at.most(2);
    stage.answer = () => ({ ...failed, status: 429, error: 'status 429', retryAfterMs: 1e9 });
    await stage.world.advance(2_000);
    expect(stage.sent.length).to.be.above(first);
    const before = stage.sent.length;
    stage.answer = () => arrived;
    await stage.world.advance(3_601_000);
    expect(stage.sent.length).to.be.above(before);
  });

  it('without the lease nothing goes out', async () => {
    const stage = new Stage();
    stage.mayDeliver = false;
    stage.queue.offer([entry(1, 'a')]);
    await stage.world.advance(10_000);
    expect(stage.sent).to.deep.equal([]);
    stage.mayDeliver = true;
    stage.queue.resume();
    await stage.world.advance(10);
    expect(stage.sent).to.have.length(1);
  });

  it('are in the log, in order, also where the database was away as they were to be noted', async () => {
    const stage = new Stage();
    stage.isLogAway = true;
    stage.queue.offer([entry(1, 'a')]);
    await stage.world.advance(300);
    stage.queue.offer([entry(2, 'b')]);
    await stage.world.advance(300);
    stage.isLogAway = false;
    expect(stage.lines).to.deep.equal([]);
    await stage.world.advance(bounds.noteForeignMs);
    expect(stage.lines.map(({ seq, outcome }) => `${seq} ${outcome}`)).to.deep.equal(['1 delivered', '2 delivered']);
  });

  it('if another process has recorded progress, this one ends', async () => {
    const stage = new Stage();
    stage.refusesNotes = true;
    stage.queue.offer([entry(1, 'a')]);
    await stage.world.advance(300);
    stage.queue.offer([entry(2, 'b')]);
    await stage.world.advance(10_000);
    expect(stage.sent).to.have.length(1);
    expect(stage.lines).to.deep.equal([]);
  });
});
