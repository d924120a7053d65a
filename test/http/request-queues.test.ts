/** A caller's searches wait for each other, and not for those of other callers. */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { isRefusal } from '../../src/core/refusal.js';
import type { Caller } from '../../src/http/access/caller.js';
import { PerCallerQueue, RequestQueues } from '../../src/http/context/request-queues.js';
import { callerGone } from '../../src/http/server/request-context.js';
import type { Call } from '../../src/http/server/route.js';

const from = (origin: string, keyId?: string, { signal } = new AbortController()) => ({
  caller: { origin, loopback: false, ...(keyId === undefined ? {} : { keyId }) } satisfies Caller,
  signal,
});

/** Work that records when it began, and ends when the test says so. */
function held() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const works = { begun: false, end: () => end() };
  const work = async () => {
    works.begun = true;
    await ended;
    return 'found';
  };
  return { works, work };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('PerCallerQueue', () => {
  it('one of a caller at a time; another address, or key, does not wait', async () => {
    const turns = new PerCallerQueue(10);
    const [first, second, other, keyed] = [held(), held(), held(), held()];
    const replies = [
      turns.take(from('10.0.0.1'), first.work),
      turns.take(from('10.0.0.1'), second.work),
      turns.take(from('10.0.0.2'), other.work),
      turns.take(from('10.0.0.1', 'key-1'), keyed.work),
    ];
    await soon();
    expect([first, second, other, keyed].map(({ works }) => works.begun)).to.deep.equal([true, false, true, true]);
    first.works.end();
    await replies[0];
    await soon();
    expect(second.works.begun).to.equal(true);
    for (const { works } of [second, other, keyed]) works.end();
    expect(await Promise.all(replies)).to.deep.equal(['found', 'found', 'found', 'found']);
    expect(turns.callers).to.equal(0);
  });

  it('RATE_LIMITED once too many wait; a failure frees its place', async () => {
    const turns = new PerCallerQueue(2);
    const [running, last] = [held(), held()];
    const asked = turns.take(from('10.0.0.1'), running.work);
    const failing = turns.take(from('10.0.0.1'), () => Promise.reject(new TypeError('broken')));
    const waiting = turns.take(from('10.0.0.1'), last.work);
    const refused = await turns.take(from('10.0.0.1'), running.work);
    expect(isRefusal(refused) && refused).to.deep.include({ code: 'RATE_LIMITED' });
    running.works.end();
    expect(await asked).to.equal('found');
    expect(await failing.catch((error: Error) => error.message)).to.equal('broken');
    last.works.end();
    expect(await waiting).to.equal('found');
    expect(turns.callers).to.equal(0);
  });

  it('who gives up leaves the line at once, and its place is another’s', async () => {
    const turns = new PerCallerQueue(1);
    const [running, unheard, next] = [held(), held(), held()];
    const asked = turns.take(from('10.0.0.1'), running.work);
    const leaving = new AbortController();
    const left = turns.take(from('10.0.0.1', undefined, leaving), unheard.work);
    leaving.abort(callerGone);
    expect(await left).to.equal(callerGone);
    expect(await turns.take(from('10.0.0.1', undefined, leaving), unheard.work)).to.equal(callerGone);
    const waiting = turns.take(from('10.0.0.1'), next.work);
    running.works.end();
    next.works.end();
    expect(await Promise.all([asked, waiting])).to.deep.equal(['found', 'found']);
    expect(unheard.works.begun).to.equal(false);
    expect(turns.callers).to.equal(0);
  });

  it('work that has begun keeps its turn, although no caller waits for it any more', async () => {
    const turns = new PerCallerQueue(1);
    const [running, next] = [held(), held()];
    const leaving = new AbortController();
    const asked = turns.take(from('10.0.0.1', undefined, leaving), running.work);
    await soon();
    leaving.abort(callerGone);
    const waiting = turns.take(from('10.0.0.1'), next.work);
    await soon();
    expect(next.works.begun).to.equal(false);
    running.works.end();
    next.works.end();
    expect(await Promise.all([asked, waiting])).to.deep.equal(['found', 'found']);
  });

  it('a caller keeps its queue while anything of it runs', async () => {
    const turns = new PerCallerQueue(10);
    const all = [held(), held(), held()] as const;
    const replies = [turns.take(from('10.0.0.1'), all[0].work), turns.take(from('10.0.0.1'), all[1].work)];
    await soon();
    all[0].works.end();
    await replies[0];
    replies.push(turns.take(from('10.0.0.1'), all[2].work));
    await soon();
    expect(all.map(({ works }) => works.begun)).to.deep.equal([true, true, false]);
    for (const { works } of all) works.end();
    expect(await Promise.all(replies)).to.deep.equal(['found', 'found', 'found']);
    expect(turns.callers).to.equal(0);
  });

  it('bounds the running work of a caller and of all, and passes no one over', async () => {
    const turns = new PerCallerQueue(10, { each: 2, all: 3 });
    const all = Array.from({ length: 6 }, held);
    const addresses = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.2', '10.0.0.3'];
    const replies = all.map(({ work }, index) => turns.take(from(addresses[index]!), work));
    const begun = () => all.map(({ works }) => works.begun);
    await soon();
    // The third request of the first caller waits in its own queue, the others wait in the shared one.
    expect(begun()).to.deep.equal([true, true, false, true, false, false]);
    for (const index of [3, 0]) {
      all[index]!.works.end();
      await replies[index];
    }
    await soon();
    expect(begun()).to.deep.equal([true, true, false, true, true, true]);
    for (const { works } of all) works.end();
    expect(await Promise.all(replies)).to.deep.equal(Array(6).fill('found'));
  });

  it('who gives up leaves the queue of all as well', async () => {
    const turns = new PerCallerQueue(10, { all: 1 });
    const [running, unheard] = [held(), held()];
    const asked = turns.take(from('10.0.0.1'), running.work);
    const leaving = new AbortController();
    const left = turns.take(from('10.0.0.2', undefined, leaving), unheard.work);
    await soon();
    leaving.abort(callerGone);
    expect(await left).to.equal(callerGone);
    running.works.end();
    expect(await asked).to.equal('found');
    await soon();
    expect(unheard.works.begun).to.equal(false);
  });
});

describe('RequestQueues', () => {
  /** How many of these pages begin, requested by one caller or by as many callers. */
  async function begins(queues: RequestQueues, count: number, ask: { counts: boolean; callers: 'one' | 'each' }) {
    const all = Array.from({ length: count }, held);
    const replies = all.map(({ work }, index) =>
      queues.page(from(ask.callers === 'one' ? '10.0.0.1' : `10.0.0.${index}`) as Call, work, ask.counts),
    );
    await soon();
    const begun = all.filter(({ works }) => works.begun).length;
    for (const { works } of all) works.end();
    await Promise.all(replies);
    return begun;
  }

  it('make few pages of one caller at once, and few of all', async () => {
    const { pagesPerCaller, pagesAtOnce } = bounds;
    expect(pagesPerCaller).to.be.within(2, pagesAtOnce - 1);
    for (const hasOneReader of [true, false]) {
      const queues = new RequestQueues(hasOneReader);
      const few = { counts: false, callers: 'one' } as const;
      expect(await begins(queues, pagesPerCaller + 1, few)).to.equal(pagesPerCaller);
      expect(await begins(queues, pagesAtOnce + 1, { ...few, callers: 'each' })).to.equal(pagesAtOnce);
    }
  });

  it('count one after another for a caller where one thread answers all', async () => {
    for (const [hasOneReader, callers, begun] of [
      [true, 'one', 1],
      [true, 'each', 2],
      [false, 'one', 2],
    ] as const) {
      expect(await begins(new RequestQueues(hasOneReader), 2, { counts: true, callers })).to.equal(begun);
    }
  });
});
