/** An action sent immediately after the request that creates its resource (docs/reference/accounts-and-nonces.md#nonces). */
import { expect } from 'chai';
import { type Refusal, refuse } from '../../src/core/refusal.js';
import { accepted, Bench, codeOf, type Stated } from '../world/bench.js';
import { didOf } from '../world/people.js';

const open = () => Bench.open({}, { ada: 1_000 });
const made = { beneficiary: didOf('ben'), amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };
const create = (bench: Bench, nonce: number, stated: Stated = {}, body = {}) =>
  bench.start('ada', 'escrow', 'esc-1', 'create', { ...made, ...body }, { nonce, ...stated });
const release = (bench: Bench, nonce: number, stated: Stated & { unlock?: () => Refusal } = {}) => {
  const { unlock, ...rest } = stated;
  const command = bench.command('ada', 'escrow', 'esc-1', 'release', { amount: 10 }, { nonce, ...rest });
  if (!('kind' in command)) return Promise.resolve(command);
  return bench.actors.execute(unlock ? { ...command, unlock } : command);
};

describe('an action right behind the create of its resource', () => {
  it('waits for it, in either order of arrival', async () => {
    for (const createFirst of [true, false]) {
      const bench = await open();
      const both = createFirst ? [create(bench, 1), release(bench, 2)] : [release(bench, 2), create(bench, 1)];
      const results = await bench.world.settle(Promise.all(both));
      expect(results.map(codeOf)).to.deep.equal(['accepted', 'accepted']);
      expect(await bench.balances('ben')).to.deep.equal([10, 0, 0]);
    }
  });

  it('waits while the signer’s key is being unlocked for the create', async () => {
    const bench = await open();
    const signer = bench.command('ada', 'escrow', 'esc-1', 'create', made, { nonce: 1 });
    if (!('kind' in signer)) return expect.fail('a command');
    const { unlock } = signer;
    const slow = async () => {
      await new Promise<void>((resolve) => bench.world.after(300, resolve));
      return unlock();
    };
    const creating = bench.actors.execute({ ...signer, unlock: slow });
    const acting = release(bench, 2);
    expect((await bench.world.settle(Promise.all([creating, acting]))).map(codeOf)).to.deep.equal([
      'accepted',
      'accepted',
    ]);
  });

  it('finds nothing where the create is refused', async () => {
    const bench = await open();
    const results = await bench.world.settle(Promise.all([create(bench, 1, {}, { amount: 5_000 }), release(bench, 2)]));
    expect(results.map(codeOf)).to.deep.equal(['INSUFFICIENT_BALANCE', 'ESCROW_NOT_FOUND']);
  });

  it('finds nothing after a second if the resource is not created', async () => {
    const bench = await open();
    const at = bench.world.now();
    expect(codeOf(await bench.world.settle(release(bench, 2)))).to.equal('ESCROW_NOT_FOUND');
    expect(bench.world.now() - at).to.equal(1_000);
    expect(bench.world.timers).to.equal(0);
  });

  it('finds nothing at once where its nonce is next, used, too far ahead, or not stated', async () => {
    const bench = await open();
    accepted(await bench.transfer('ada', 'ben', 1, { nonce: 1 }));
    const at = bench.world.now();
    for (const nonce of [1, 2, 67]) {
      expect(codeOf(await bench.world.settle(release(bench, nonce))), `${nonce}`).to.equal('ESCROW_NOT_FOUND');
    }
    expect(codeOf(await bench.ask('ada', 'escrow', 'esc-1', 'release', { amount: 10 }))).to.equal('ESCROW_NOT_FOUND');
    expect(bench.world.now()).to.equal(at);
  });

  it('reveals no more about the key to a stranger, and does not wait for one', async () => {
    const bench = await open();
    const at = bench.world.now();
    const locked = () => refuse('TRANSFER_NOT_ALLOWED', 'the passphrase does not unlock it');
    const result = await bench.world.settle(release(bench, 2, { unlock: locked }));
    expect(codeOf(result)).to.equal('ESCROW_NOT_FOUND');
    expect(bench.world.now()).to.equal(at);
  });
});
