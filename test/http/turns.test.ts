/** A caller's searches wait for each other, and for nobody else's. */
import { expect } from 'chai';
import type { Caller } from '../../src/http/route.js';
import { Turns } from '../../src/http/turns.js';
import { isRefusal } from '../../src/machines/kernel/refusal.js';

const { signal } = new AbortController();
const from = (origin: string, keyId?: string) => ({
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

describe('Turns', () => {
  it('one of a caller at a time; another address, or key, does not wait', async () => {
    const turns = new Turns(10);
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

  it('RATE_LIMITED once too many wait; what fails, or was given up, lets the next one in', async () => {
    const turns = new Turns(2);
    const running = held();
    const asked = turns.take(from('10.0.0.1'), running.work);
    const failing = turns.take(from('10.0.0.1'), () => Promise.reject(new TypeError('broken')));
    const abort = new AbortController();
    abort.abort();
    const unheard = held();
    const left = turns.take({ ...from('10.0.0.1'), signal: abort.signal }, unheard.work);
    const refused = await turns.take(from('10.0.0.1'), running.work);
    expect(isRefusal(refused) && refused).to.deep.include({ code: 'RATE_LIMITED' });
    running.works.end();
    expect(await asked).to.equal('found');
    expect(await failing.catch((error: Error) => error.message)).to.equal('broken');
    expect(isRefusal(await left)).to.equal(true);
    expect(unheard.works.begun).to.equal(false);
    expect(turns.callers).to.equal(0);
  });
});
