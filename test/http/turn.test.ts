/**
 * Which of several simultaneous requests starts first: addresses take turns, and an address without active requests does not
 * wait.
 */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { type Environment, realEnvironment } from '../../src/core/environment.js';
import { Turn } from '../../src/http/server/connections/intake.js';

/** A clock and an event loop that the test controls. */
class Loop {
  #now = 0;
  #later: (() => void)[] = [];

  readonly world: Environment = {
    ...realEnvironment,
    monotonic: () => this.#now,
    after: (ms, call) => {
      expect(ms).to.equal(0);
      this.#later.push(call);
      return { cancel: () => {} };
    },
  };

  passes(ms: number): void {
    this.#now += ms;
  }

  next(): void {
    for (const call of this.#later.splice(0)) call();
  }
}

describe('Turn', () => {
  let loop: Loop;
  let turn: Turn;
  /** Names of the requests in the order in which they began. */
  let begun: string[];
  /** How long each request blocks the event loop. */
  let costMs: number;

  beforeEach(() => {
    loop = new Loop();
    turn = new Turn(loop.world);
    begun = [];
    costMs = 0;
  });

  /** A connection with that many requests. */
  function connection(address: string, name: string, count = 1) {
    let left = count;
    const waiter = {
      address,
      resume() {
        while (left > 0 && turn.allows(waiter)) {
          left -= 1;
          begun.push(name);
          turn.began(waiter);
          loop.passes(costMs);
        }
      },
    };
    return waiter;
  }

  /** Gives each address an active request from an earlier turn. */
  function busy(...addresses: string[]): void {
    for (const address of addresses) turn.began({ address, resume: () => {} });
    loop.next();
    turn.allows({ address: addresses[0]!, resume: () => {} });
    loop.passes(bounds.turnMs + 1);
  }

  it('starts requests until a turn is over; the others begin in the next ones, as many as fit', () => {
    costMs = bounds.turnMs / 2;
    connection('a', 'a', 10).resume();
    expect(begun).to.have.length(3);
    loop.next();
    expect(begun).to.have.length(6);
    loop.next();
    expect(begun).to.have.length(9);
  });

  it('counts also the requests that have ended in it, so that an address of many connections waits', () => {
    costMs = bounds.turnMs / 2;
    for (let i = 0; i < 10; i++) {
      const waiter = connection('a', 'a');
      const before = begun.length;
      waiter.resume();
      if (begun.length > before) turn.ended(waiter);
    }
    expect(begun).to.have.length(3);
    expect(turn.waiting).to.equal(7);
  });

  it('lets what a request begins later wait once, however many wait besides', async () => {
    costMs = bounds.turnMs + 1;
    busy('a', 'greedy');
    for (let i = 0; i < 20; i++) connection('greedy', 'greedy').resume();
    let hasBegun = false;
    void turn.hasTime('a').then(() => {
      hasBegun = true;
    });
    for (let turns = 0; turns < 3; turns++) {
      loop.next();
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(hasBegun).to.equal(true);
    expect(turn.waiting).to.be.above(10);
  });

  it('knows of each address how many can have their turn before it', () => {
    busy('a', 'b', 'c');
    for (let i = 0; i < 50; i++) for (const each of ['a', 'b']) connection(each, each).resume();
    expect(turn.waiting).to.equal(100);
    expect(['a', 'c'].map((each) => turn.behind(each))).to.deep.equal([100, 3]);
  });

  it('serves the addresses one after the other, however many connections each has', () => {
    busy('greedy', 'a', 'b');
    for (let i = 0; i < 5; i++) connection('greedy', `greedy ${i}`).resume();
    for (const each of ['a', 'b']) for (let i = 0; i < 2; i++) connection(each, `${each} ${i}`).resume();
    expect(begun).to.deep.equal([]);
    loop.next();
    const inTurns = ['greedy 0', 'a 0', 'b 0', 'greedy 1', 'a 1', 'b 1', 'greedy 2', 'greedy 3', 'greedy 4'];
    expect(begun).to.deep.equal(inTurns);
  });

  it('does not make an address wait that has no active request, whatever else waits and however late it is', () => {
    busy('greedy');
    connection('greedy', 'greedy').resume();
    connection('honest', 'honest').resume();
    expect(begun).to.deep.equal(['honest']);
    connection('honest', 'its second').resume();
    expect(begun).to.deep.equal(['honest']);
  });

  it('an address with active requests does not pass those that wait, although there is time', () => {
    busy('greedy', 'a');
    connection('greedy', 'greedy', 3).resume();
    connection('a', 'a').resume();
    loop.next();
    expect(begun).to.deep.equal(['greedy', 'a', 'greedy', 'greedy']);
  });

  it('gives a turn to one connection, once, and only then', () => {
    busy('a');
    const taken: boolean[] = [];
    const silent = { address: 'a', resume: () => {} };
    const greedy = {
      address: 'a',
      resume: () => {
        loop.passes(bounds.turnMs + 1);
        taken.push(turn.allows(silent), turn.allows(greedy), turn.allows(greedy));
      },
    };
    expect([turn.allows(silent), turn.allows(greedy)]).to.deep.equal([false, false]);
    // An address without requests uses no time: nothing is left of its share when the other one's turn comes.
    loop.next();
    expect(taken).to.deep.equal([false, true, false]);
  });

  it('is not kept by a connection that did not use it', () => {
    busy('a');
    const silent = { address: 'a', resume: () => {} };
    expect(turn.allows(silent)).to.equal(false);
    loop.next();
    busy('a');
    expect(turn.allows(silent)).to.equal(false);
  });

  it('knows of each address how many of its requests are in work', () => {
    const [one, two, three] = ['1', '2', '3'].map((name) => connection('a', name));
    busy('a', 'a');
    turn.ended(one!);
    one!.resume();
    expect(begun).to.deep.equal([]);
    turn.ended(two!);
    three!.resume();
    expect(begun).to.deep.equal(['3']);
  });

  it('lets an address without active requests wait as well while many addresses have some', () => {
    for (let each = 1; each < bounds.addressesInWork; each++) turn.began({ address: `${each}`, resume: () => {} });
    busy('greedy');
    connection('honest', 'honest').resume();
    expect(begun).to.deep.equal([]);
    expect([turn.waiting, turn.inWork]).to.deep.equal([1, bounds.addressesInWork]);
    loop.next();
    expect(begun).to.deep.equal(['honest']);
    expect([turn.waiting, turn.inWork]).to.deep.equal([0, bounds.addressesInWork + 1]);
  });

  it('starts those that have waited, beyond the most that may wait, before a turn, for a bounded time', () => {
    busy('a');
    const more = 20;
    costMs = bounds.turnMs;
    for (let each = 0; each < bounds.requestsWaiting + more; each++) connection('a', `${each}`).resume();
    loop.next();
    const ofTurn = begun.splice(0).length;
    loop.passes(bounds.requestWaitMs);
    loop.next();
    const before = begun.length - ofTurn;
    expect(before * costMs).to.be.within(bounds.refusalsMs / 2, 2 * bounds.refusalsMs);
  });

  it('starts none before a turn once no more wait than may', () => {
    busy('a');
    costMs = bounds.turnMs;
    for (let each = 0; each < bounds.requestsWaiting; each++) connection('a', `${each}`).resume();
    loop.passes(bounds.requestWaitMs);
    loop.next();
    expect(begun.length * costMs).to.be.below(bounds.refusalsMs);
  });

  it('knows since when a request has waited', () => {
    busy('a');
    const began = loop.world.monotonic();
    const waits = { address: 'a', resume: () => expect(turn.began(waits)).to.equal(began) };
    turn.allows(waits);
    loop.passes(30);
    turn.allows(waits);
    loop.next();
    expect(turn.began(waits)).to.equal(loop.world.monotonic());
  });

  it('forgets a connection that is gone', () => {
    busy('a');
    const [gone, stays] = [connection('a', 'gone'), connection('a', 'stays')];
    gone.resume();
    stays.resume();
    turn.leave(gone);
    expect(turn.waiting).to.equal(1);
    loop.next();
    expect(begun).to.deep.equal(['stays']);
    expect(turn.waiting).to.equal(0);
  });
});
