/** Each deposit is credited once, after its confirmations, whatever the chain does. The test controls the chain. */
import { expect } from 'chai';
import sinon from 'sinon';
import type { DepositMade, DepositSource } from '../../../src/chain/deposits/deposit-source.js';
import { DepositWatcher } from '../../../src/chain/deposits/deposit-watcher.js';
import { ChainAway, ChainRefused } from '../../../src/chain/evm/evm.js';
import { publicKeyOf } from '../../../src/core/codecs/did.js';
import { isRefusal, type Refusal, refuse } from '../../../src/core/refusal.js';
import { Bench } from '../../world/bench.js';
import { ada, ben, cyd } from '../../world/people.js';

type Made = Pick<DepositMade, 'ref' | 'account' | 'amount'>;

const keyOf = (did: string): string => Buffer.from(publicKeyOf(did)).toString('hex');

/** A chain of blocks with names as hashes. */
class Blocks implements DepositSource {
  readonly blocks: { hash: string; made: Made[] }[] = [{ hash: 'genesis', made: [] }];
  readonly asked: [from: number, to: number][] = [];
  /** The widest range that it answers. */
  widest = Number.POSITIVE_INFINITY;
  away = false;
  /** Called while a range is being read. */
  meanwhile: (() => void) | undefined;
  /** Numbers of deposits that the vault no longer has. */
  readonly taken = new Set<number>();
  #names = 0;

  mine(...made: Made[]): void {
    this.blocks.push({ hash: `block ${++this.#names}`, made });
  }

  mineEmpty(count: number): void {
    for (let n = 0; n < count; n++) this.mine();
  }

  /** Removes the newest blocks, as a reorganisation does. */
  turnBack(count: number): void {
    this.blocks.splice(-count);
  }

  async newestBlock() {
    if (this.away) throw new ChainAway('as the test asked');
    return this.blocks.length - 1;
  }

  async blockHash(number: number) {
    return this.blocks[number]?.hash;
  }

  async made(fromBlock: number, toBlock: number): Promise<DepositMade[]> {
    if (toBlock - fromBlock + 1 > this.widest) throw new ChainRefused('too many blocks', 'other');
    this.asked.push([fromBlock, toBlock]);
    const found = this.blocks
      .slice(fromBlock, toBlock + 1)
      .flatMap(({ made }, index) =>
        made.map((each) => ({ ...each, blockNumber: fromBlock + index, txHash: `0x${each.ref}` })),
      );
    this.meanwhile?.();
    this.meanwhile = undefined;
    return found;
  }

  async waiting(ref: number) {
    const found = this.blocks.flatMap(({ made }) => made).find((each) => each.ref === ref);
    return found && !this.taken.has(ref) ? { account: found.account, amount: found.amount } : undefined;
  }
}

class Scene {
  readonly chain = new Blocks();
  readonly logged: string[] = [];
  refusal: Refusal | undefined;
  watcher: DepositWatcher;

  private constructor(
    readonly bench: Bench,
    readonly confirmations: number,
  ) {
    this.watcher = this.#watch();
  }

  static async open(confirmations = 1): Promise<Scene> {
    return new Scene(await Bench.open(), confirmations);
  }

  #watch(): DepositWatcher {
    const { bench } = this;
    return new DepositWatcher({
      source: this.chain,
      store: bench.store,
      world: bench.world,
      confirmations: this.confirmations,
      credit: async ({ did, amount, ref }) => {
        if (this.refusal) return this.refusal;
        const result = await bench.system.execute({
          kind: 'account',
          id: did,
          action: 'deposit',
          input: { amount, ref },
        });
        return isRefusal(result) ? result : undefined;
      },
      log: (message, detail) => this.logged.push(`${message} ${JSON.stringify(detail)}`),
    });
  }

  /** Restarts the process on the same store. */
  async again(): Promise<void> {
    await this.bench.world.settle(this.watcher.stop());
    this.killed();
  }

  /** Kills the process: no further writes reach the store. */
  killed(): void {
    this.watcher = this.#watch();
  }

  /** Two processes look at the same time, each as if it were the only one. */
  async bothLook(): Promise<void> {
    await this.bench.world.settle(Promise.all([this.watcher.look(), this.#watch().look()]));
  }

  async cursor(): Promise<unknown> {
    return (await this.bench.store.getLocal('chain', 'deposits'))?.value;
  }

  look(): Promise<void> {
    return this.bench.world.settle(this.watcher.look());
  }

  async credited(): Promise<number[]> {
    const entries = await this.bench.store.entries({ after: 0, limit: 100, type: 'tokens.deposited' });
    return entries.map(({ core }) => (core.moves[0] as { ref: number }).ref);
  }
}

const to = (did: string, amount: number, ref: number): Made => ({ ref, account: keyOf(did), amount });

describe('deposits', () => {
  it('are credited to the account that they name, once, however often they are looked at', async () => {
    const scene = await Scene.open();
    scene.chain.mine(to(ada, 70, 1), to(ben, 5, 2));
    await scene.look();
    await scene.look();
    scene.chain.mine(to(ada, 1, 3));
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1, 2, 3]);
    expect(await scene.bench.balances('ada')).to.deep.equal([71, 0, 0]);
    expect(await scene.bench.balances('ben')).to.deep.equal([5, 0, 0]);
    await scene.again();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1, 2, 3]);
    expect((await scene.bench.audit()).ok).to.equal(true);
  });

  it('wait for their confirmations', async () => {
    const scene = await Scene.open(3);
    scene.chain.mine(to(ada, 70, 1));
    await scene.look();
    scene.chain.mine();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([]);
    scene.chain.mine();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1]);
  });

  it('that were never confirmed are never credited', async () => {
    const scene = await Scene.open(3);
    scene.chain.mine(to(ada, 70, 1));
    scene.chain.mine();
    await scene.look();
    scene.chain.turnBack(2);
    scene.chain.mine(to(ben, 5, 1));
    scene.chain.mineEmpty(5);
    await scene.look();
    expect(await scene.bench.balances('ada')).to.deep.equal([0, 0, 0]);
    expect(await scene.bench.balances('ben')).to.deep.equal([5, 0, 0]);
  });

  it('of blocks that were exchanged behind the cursor are found', async () => {
    const scene = await Scene.open();
    scene.chain.mine(to(ada, 70, 1));
    scene.chain.mineEmpty(10);
    await scene.look();
    scene.chain.turnBack(6);
    scene.chain.mine(to(ben, 5, 2));
    scene.chain.mineEmpty(8);
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1, 2]);
    expect(scene.logged.join()).to.include('reorganised');
  });

  it('of blocks that were exchanged while they were read are found', async () => {
    const scene = await Scene.open();
    scene.chain.mineEmpty(3);
    scene.chain.meanwhile = () => {
      scene.chain.turnBack(2);
      scene.chain.mine(to(ada, 70, 1));
      scene.chain.mine();
    };
    await scene.look();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1]);
  });

  it('of a chain that begins again are found, and what was credited before stays credited once', async () => {
    const scene = await Scene.open();
    scene.chain.mineEmpty(400);
    scene.chain.mine(to(ada, 70, 1));
    await scene.look();
    await scene.again();
    scene.chain.turnBack(401);
    scene.chain.mine(to(ada, 70, 1), to(ben, 5, 2));
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1, 2]);
  });

  it('leave a cursor from which the next process continues', async () => {
    const scene = await Scene.open();
    scene.chain.mineEmpty(10);
    scene.chain.mine(to(ada, 70, 1));
    await scene.look();
    expect(await scene.cursor()).to.deep.equal({ block: 11, hash: 'block 11' });
    scene.chain.mine(to(ben, 5, 2));
    scene.killed();
    scene.chain.asked.length = 0;
    await scene.look();
    expect(scene.chain.asked).to.deep.equal([[12, 12]]);
    expect(await scene.credited()).to.deep.equal([1, 2]);
  });

  it('that were credited by a process that was killed before its cursor was stored are not credited again', async () => {
    const scene = await Scene.open();
    scene.chain.mine(to(ada, 70, 1), to(ben, 5, 2));
    const putLocal = sinon.stub(scene.bench.store, 'putLocal').returns(new Promise(() => {}));
    void scene.watcher.look();
    await scene.bench.world.settle(Promise.resolve());
    for (let turn = 0; turn < 50 && (await scene.credited()).length < 2; turn++) await scene.bench.world.advance(1);
    expect(await scene.credited()).to.deep.equal([1, 2]);
    putLocal.restore();
    expect(await scene.cursor(), 'the case that is meant').to.equal(undefined);
    scene.killed();
    scene.chain.mine(to(ada, 1, 3));
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1, 2, 3]);
    expect(await scene.bench.balances('ada')).to.deep.equal([71, 0, 0]);
    expect(await scene.bench.balances('ben')).to.deep.equal([5, 0, 0]);
    expect((await scene.bench.audit()).ok).to.equal(true);
  });

  it('that two processes look at in the same moment are credited once', async () => {
    const scene = await Scene.open();
    scene.chain.mine(to(ada, 70, 1), to(ben, 5, 2));
    scene.chain.mine(to(ada, 1, 3));
    await scene.bothLook();
    expect(await scene.credited()).to.deep.equal([1, 2, 3]);
    expect(scene.logged.join(), 'that it was the other one is no trouble').to.not.include('deposits wait');
    expect(await scene.cursor()).to.deep.equal({ block: 2, hash: 'block 2' });
    expect(await scene.bench.balances('ada')).to.deep.equal([71, 0, 0]);
  });

  it('of a number that was passed over are looked for from the beginning', async () => {
    const scene = await Scene.open();
    scene.chain.mineEmpty(600);
    await scene.look();
    // The deposit is in a block deeper than the confirmations, so a read of the newest blocks does not show it.
    scene.chain.blocks[3] = { hash: 'exchanged', made: [to(ada, 70, 1)] };
    scene.chain.mine(to(ben, 5, 2));
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1, 2]);
  });

  it('are not credited on the word of a log that the vault does not bear out, nor anything behind it', async () => {
    const scene = await Scene.open();
    scene.chain.mine(to(ada, 70, 1), to(ben, 5, 2));
    scene.chain.taken.add(1);
    await scene.look();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([]);
    expect(scene.logged.filter((line) => line.includes('no such deposit'))).to.have.length(1);
    scene.chain.taken.clear();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1, 2]);
  });

  it('wait while the ledger takes none, and are credited then', async () => {
    const scene = await Scene.open();
    scene.chain.mine(to(ada, 70, 1));
    scene.refusal = refuse('SERVICE_UNAVAILABLE', 'settlement has halted');
    await scene.look();
    scene.chain.mine();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([]);
    scene.refusal = undefined;
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1]);
  });

  it('for something other than the key of a DID stay in the vault, and delay no others', async () => {
    const scene = await Scene.open();
    const small = `01${'0'.repeat(62)}`;
    scene.chain.mine(
      { ref: 1, account: small, amount: 7 },
      { ref: 2, account: 'ff'.repeat(32), amount: 7 },
      to(ada, 1, 3),
    );
    await scene.look();
    await scene.look();
    expect(await scene.credited()).to.deep.equal([3]);
    const stuck = await scene.bench.store.listLocal('stuck-deposits');
    expect(stuck.map(({ id }) => id)).to.deep.equal(['1', '2']);
    expect(stuck[0]!.value).to.include({ account: small, amount: 7 });
  });

  it('are asked for in ranges that the provider answers', async () => {
    const scene = await Scene.open();
    scene.chain.widest = 100;
    scene.chain.mineEmpty(500);
    scene.chain.mine(to(ada, 70, 1));
    scene.chain.mineEmpty(500);
    await scene.look();
    expect(await scene.credited()).to.deep.equal([1]);
    const asked = scene.chain.asked;
    expect(asked[0]![0]).to.equal(0);
    for (const [index, [from]] of asked.entries()) if (index > 0) expect(from).to.equal(asked[index - 1]![1] + 1);
    expect(asked.at(-1)![1]).to.equal(1_001);
  });

  it('are looked for repeatedly by one process only; an unreachable chain is reported once', async () => {
    const scene = await Scene.open();
    scene.watcher.start();
    scene.chain.away = true;
    await scene.bench.world.advance(20_000);
    expect(scene.logged).to.have.length(1);
    scene.chain.away = false;
    scene.chain.mine(to(cyd, 4, 1));
    await scene.bench.world.advance(5_000);
    expect(await scene.credited()).to.deep.equal([1]);
    await scene.again();
    scene.chain.mine(to(cyd, 4, 2));
    await scene.bench.world.advance(20_000);
    expect(await scene.credited(), 'stopped').to.deep.equal([1]);
  });
});
