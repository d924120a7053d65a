/** A caller's searches wait for each other, and for nobody else's. */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { PerCallerQueue } from '../../src/http/context/request-queues.js';
import type { Caller } from '../../src/http/server/route.js';
import { callerGone } from '../../src/http/server/server-context.js';

const from = (origin: string, keyId?: string, { signal } = new AbortController()) => ({
  caller: { origin, loopback: false, ...(keyId === undefined ? {} : { keyId }) } satisfies Caller,
  signal,
});

/** Work that says when it began, and ends when it is told to. */
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

  it('RATE_LIMITED once too many wait; what fails lets the next one in', async () => {
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

  it('what has begun keeps its turn, although nobody waits for it any more', async () => {
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
});
