import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import { isRefusal, type Refusal } from '../../src/core/refusal.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { ada } from '../world/people.js';

const open = () => Bench.open({}, { ada: 1_000, ben: 1_000 });
const pay = (bench: Bench, nonce: number, amount = 1) => bench.startTransfer('ada', 'ben', amount, { nonce });
const next = (result: Accepted | Refusal) => (isRefusal(result) ? result.extras.nextNonce : 'accepted');

/** Nonces in journal order. */
async function journalled(bench: Bench): Promise<number[]> {
  const entries = await bench.store.entries({ after: 0, limit: 10_000, issuer: ada });
  return entries.map(({ core }) => core.event.nonce);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** Orders in which 64 requests may arrive. */
const orders: { readonly [name: string]: (nonces: number[]) => number[] } = {
  'in order': (nonces) => nonces,
  'in reverse': (nonces) => nonces.reverse(),
  'the first one last': ([first, ...rest]) => [...rest, first!],
  'even ones first': (nonces) => [...nonces.filter((n) => n % 2 === 0), ...nonces.filter((n) => n % 2 === 1)],
  'in pairs swapped': (nonces) => nonces.map((n) => (n % 2 === 0 ? n - 1 : n + 1)),
  shuffled: (nonces) => nonces.sort((a, b) => ((a * 37) % 64) - ((b * 37) % 64)),
};

describe('nonces', () => {
  it('start at 1 and increase without gaps', async () => {
    const bench = await open();
    for (const nonce of upTo(5)) accepted(await bench.transfer('ada', 'ben', 1, { nonce }));
    expect(await journalled(bench)).to.deep.equal(upTo(5));
    expect((await bench.account('ada')).nonce).to.equal(5);
  });

  it('are a stream of each signer’s own', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 1 }));
    accepted(await bench.transfer('ben', 'ada', 1, { nonce: 1 }));
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 2 }));
  });

  it('are assigned where none is stated', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 1));
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 2 }));
    accepted(await bench.transfer('ada', 'ben', 1));
    expect(await journalled(bench)).to.deep.equal([1, 2, 3]);
  });

  it('used once are refused at once, with the next nonce', async () => {
    const bench = await open();
    for (const nonce of [1, 2]) accepted(await bench.transfer('ada', 'ben', 1, { nonce }));
    const at = bench.world.now();
    for (const nonce of [1, 2]) {
      const result = await bench.transfer('ada', 'ben', 1, { nonce });
      expect(codeOf(result)).to.equal('CONFLICT');
      expect(next(result)).to.equal(3);
    }
    expect(bench.world.now(), 'no request waited').to.equal(at);
  });

  it('a refused request consumes none', async () => {
    const bench = await open();
    expect(codeOf(await bench.transfer('ada', 'ben', 5_000, { nonce: 1 }))).to.equal('INSUFFICIENT_BALANCE');
    expect(codeOf(await bench.transfer('ada', 'ada', 1, { nonce: 1 }))).to.equal('UNPROCESSABLE');
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 1 }));
  });

  it('of 64 requests with one nonce exactly one wins, and 63 are CONFLICT', async () => {
    const bench = await open();
    const results = await bench.world.settle(Promise.all(upTo(64).map((amount) => pay(bench, 1, amount))));
    const winners = results.filter((result) => !isRefusal(result));
    expect(winners).to.have.length(1);
    expect(results.filter((result) => codeOf(result) === 'CONFLICT' && next(result) === 2)).to.have.length(63);
    expect(await journalled(bench)).to.deep.equal([1]);
    expect(await bench.audit()).to.include({ ok: true });
  });

  for (const [name, order] of Object.entries(orders)) {
    it(`64 consecutive ones in flight all succeed, arriving ${name}`, async () => {
      const bench = await open();
      const at = bench.world.now();
      const results = await bench.world.settle(Promise.all(order(upTo(64)).map((nonce) => pay(bench, nonce))));
      expect(results.map(codeOf).filter((code) => code !== 'accepted')).to.deep.equal([]);
      expect(await journalled(bench)).to.deep.equal(upTo(64));
      expect(bench.world.now(), 'no request waited for a timer').to.equal(at);
    });
  }

  it('arriving one by one, each with all its predecessors missing, they go in order', async () => {
    const bench = await open();
    const started = [];
    for (const nonce of upTo(8).reverse()) {
      started.push(pay(bench, nonce));
      await bench.world.advance(10);
    }
    const results = await bench.world.settle(Promise.all(started));
    expect(results.map(codeOf).filter((code) => code !== 'accepted')).to.deep.equal([]);
    expect(await journalled(bench)).to.deep.equal(upTo(8));
  });
});

describe('nonces ahead', () => {
  it('wait up to a second, then CONFLICT with the next one', async () => {
    const bench = await open();
    const at = bench.world.now();
    const result = await bench.world.settle(pay(bench, 2));
    expect(codeOf(result)).to.equal('CONFLICT');
    expect(next(result)).to.equal(1);
    expect(bench.world.now() - at).to.equal(1_000);
  });

  it('are accepted if the predecessor comes within that second', async () => {
    const bench = await open();
    const second = pay(bench, 2);
    await bench.world.advance(999);
    accepted(await bench.world.settle(pay(bench, 1)));
    accepted(await bench.world.settle(second));
    expect(await journalled(bench)).to.deep.equal([1, 2]);
  });

  it('up to 64 wait; further ones are refused at once', async () => {
    const bench = await open();
    const at = bench.world.now();
    expect(codeOf(await bench.world.settle(pay(bench, 66)))).to.equal('CONFLICT');
    expect(bench.world.now(), '66 is 65 ahead of 1').to.equal(at);
    const farthest = pay(bench, 65);
    await bench.world.advance(500);
    const rest = await bench.world.settle(Promise.all(upTo(64).map((nonce) => pay(bench, nonce))));
    expect(rest.map(codeOf).filter((code) => code !== 'accepted')).to.deep.equal([]);
    accepted(await bench.world.settle(farthest));
  });

  it('delay no one else: the next one and other signers continue meanwhile', async () => {
    const bench = await open();
    const waiting = pay(bench, 3);
    await bench.world.advance(1);
    accepted(await bench.transfer('ben', 'ada', 1, { nonce: 1 }));
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 1 }));
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 2 }));
    accepted(await bench.world.settle(waiting));
  });

  it('a predecessor that is refused leaves them waiting, then CONFLICT', async () => {
    const bench = await open();
    const second = pay(bench, 2);
    const first = await bench.world.settle(pay(bench, 1, 5_000));
    expect(codeOf(first)).to.equal('INSUFFICIENT_BALANCE');
    const result = await bench.world.settle(second);
    expect(codeOf(result)).to.equal('CONFLICT');
    expect(next(result)).to.equal(1);
  });

  it('two that wait for one nonce: one wins, the other is refused at once', async () => {
    const bench = await open();
    const rivals = [pay(bench, 2, 1), pay(bench, 2, 2)];
    await bench.world.advance(100);
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 1 }));
    const at = bench.world.now();
    expect((await bench.world.settle(Promise.all(rivals))).map(codeOf).sort()).to.deep.equal(['CONFLICT', 'accepted']);
    expect(bench.world.now()).to.equal(at);
  });

  it('only so many may wait for one DID', async () => {
    const bench = await Bench.open({ bounds: { nonces: { ahead: 64, waitMs: 1_000, waiting: 3 } } }, { ada: 100 });
    const waiting = [2, 3, 4].map((nonce) => pay(bench, nonce));
    await bench.world.advance(1);
    const at = bench.world.now();
    expect(codeOf(await bench.world.settle(pay(bench, 5)))).to.equal('CONFLICT');
    expect(bench.world.now()).to.equal(at);
    accepted(await bench.world.settle(pay(bench, 1)));
    expect((await bench.world.settle(Promise.all(waiting))).map(codeOf)).to.deep.equal(Array(3).fill('accepted'));
  });

  it('leave no timer and no waiter behind', async () => {
    const bench = await open();
    const waiting = pay(bench, 2);
    await bench.world.advance(1);
    accepted(await bench.world.settle(pay(bench, 1)));
    accepted(await bench.world.settle(waiting));
    expect(bench.world.timers).to.equal(0);
  });
});
