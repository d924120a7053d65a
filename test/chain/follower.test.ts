/** Reads from the node's chain, and events on it that the node did not cause: on real contracts. */
import { expect } from 'chai';
import { accountKey } from '../../src/chain/contracts/contract-reader.js';
import { addressOfKey } from '../../src/chain/contracts/controller.js';
import type { Credit } from '../../src/chain/deposits/deposit-watcher.js';
import { ChainAway } from '../../src/chain/evm/evm.js';
import { ChainFollower } from '../../src/chain/follower/chain-follower.js';
import { Registrar } from '../../src/chain/follower/registrar.js';
import { RecentHashes } from '../../src/chain/settlement/recent-hashes.js';
import { realEnvironment as world } from '../../src/core/environment.js';
import { deriveControllerKey } from '../../src/keys/controller-key.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { EntryBuilder } from '../contract/entries.js';
import { tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { ada, ben, signer } from '../world/people.js';
import { Rig } from './support/rig.js';

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail('it answered'),
    (error: unknown) => error,
  );

describe('the chain behind a node', () => {
  const store = new MemoryStore();
  const credits: Credit[] = [];
  const logged: string[] = [];
  let rig: Rig;
  let follower: ChainFollower;

  before(async () => {
    rig = await Rig.open();
    follower = new ChainFollower({
      ...{ store, world, isOwn: true, credits: true, confirmations: 1 },
      log: (message) => logged.push(message),
      async credit(credit) {
        credits.push(credit);
        return undefined;
      },
    });
  });
  after(async () => {
    await follower?.stop();
    await rig?.close();
    await tidy();
  });

  it('is not there yet: questions are refused, views do without it, keys are remembered', async () => {
    expect(follower.contracts).to.equal(undefined);
    for (const question of [
      follower.registration(ada),
      follower.holdings(),
      follower.transactionCount(rig.operator.address),
    ]) {
      expect(await rejection(question)).to.be.instanceOf(ChainAway);
    }
    expect(await follower.controllerOf(ada)).to.equal(undefined);
    expect(await follower.anchorOf(1)).to.equal(undefined);
    follower.used(deriveControllerKey(signer('ada')));
  });

  it('comes up: whose key was used has a controller, deposits are credited, the journal is anchored', async () => {
    const builder = new EntryBuilder();
    await store.append(Array.from({ length: 1_000 }, () => builder.mint(ada, 1)));
    await rig.deposits(await rig.person(), accountKey(ben), 9);
    follower.attach({ evm: rig.evm, contracts: rig.reader.contracts, outOfBand: rig, recent: new RecentHashes() });
    const controller = await addressOfKey(deriveControllerKey(signer('ada')).key);
    await until('the controller is registered', () => follower.registration(ada), {
      is: (registered) => registered.controller === controller,
    });
    expect(await follower.controllerOf(ada)).to.equal(controller);
    await until('the deposit is credited', () => credits.length);
    expect(credits).to.deep.equal([{ did: ben, amount: 9, ref: 1 }]);
    await until('it is anchored', () => follower.anchorOf(1_000));
    const { anchor, contract, chainId } = (await follower.anchorOf(7))!;
    expect(anchor).to.include({ firstEntry: 1, lastEntry: 1_000 });
    expect([contract, chainId]).to.deep.equal([rig.reader.contracts.settlement, rig.evm.chainId]);
    expect(follower.problems()).to.deep.equal([]);
  });

  it('answers what requests ask', async () => {
    expect(await follower.holdings()).to.include({ holdings: 9, waiting: 9, owed: 0, lastSeq: 0, deposits: 1 });
    expect(await follower.transactionCount(rig.operator.address)).to.equal(rig.operator.nonce);
    expect(await follower.register(deriveControllerKey(signer('ben')))).to.include({ registered: true });
  });

  it('sees at once that a DID was registered by others', async () => {
    const cyd = deriveControllerKey(signer('cyd'));
    expect(await follower.controllerOf(cyd.did)).to.equal(undefined);
    const other = new Registrar({ reader: rig.reader, outOfBand: rig, world, log: () => {} });
    const { controller } = await other.register(cyd);
    expect(await follower.controllerOf(cyd.did)).to.equal(controller);
    await other.stop();
  });

  it('is left in peace once the node stops', async () => {
    await follower.stop();
    expect(await rejection(follower.holdings())).to.be.instanceOf(ChainAway);
  });
});
