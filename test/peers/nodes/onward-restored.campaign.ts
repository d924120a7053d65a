/**
 * A home that is restored while transfers wait to be paid onward (docs/reference/other-homes.md#tokens-between-homes): from its
 * mirror alone, and from an older backup and its mirror.
 */
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import { onwardBounds } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { type Signer, signerOf } from '../../../src/keys/signing.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../../src/store/store.js';
import type { Body } from '../../node/support/client.js';
import { onMongo } from '../../node/support/shared-store.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from './network.js';

const limit = 20;

(onMongo ? describe.skip : describe)('A home that is restored while it pays onward', () => {
  let world: MovableClock;
  /** The home that is restored, and the other one, which is its mirror. */
  let [a, b] = [] as unknown as [Home, Home];
  let ben: Signer;
  /** Whether its database takes that something was paid, and that something is about to be. */
  let [takesEnds, takesBegins] = [true, true];
  let backup: string;

  const faulty = async (dir: string): Promise<Store> => {
    const store = await SqliteStore.open({ dir });
    const put = store.putLocal.bind(store);
    const drop = store.deleteLocal.bind(store);
    return Object.assign(store, {
      putLocal: async (...record: Parameters<Store['putLocal']>) => {
        const isBegun = record[0] === 'onward' && (record[2].isSent ?? record[2].back) !== undefined;
        if (isBegun && !takesBegins) throw new Error('as the test asked');
        return put(...record);
      },
      deleteLocal: async (...record: Parameters<Store['deleteLocal']>) => {
        if (record[0] !== 'onward' || takesEnds) await drop(...record);
      },
    });
  };

  beforeEach(async () => {
    world = new MovableClock();
    [takesEnds, takesBegins] = [true, true];
    [a, b] = [await Home.start({ world, store: faulty }), await Home.start({ world })];
    await acquaint([a, b]);
    await b.operator('peers.keep', { did: a.did, remove: false });
    await a.operator('peers.mirror', { did: b.did, remove: false });
    await a.operator('peers.limit', { did: b.did, tokens: limit });
    ben = signerOf(randomBytes(32));
    for (const home of [a, b]) for (const who of [ben, a]) await home.node.fund(who, 1_000);
    backup = await mkdtemp(join(tmpdir(), 'svc-backup-'));
  });
  afterEach(async () => {
    await discard([a, b]);
    await rm(backup, { recursive: true, force: true });
  });

  const pays = async (from: Home, amount: number, onward: JsonObject): Promise<void> => {
    const input = { to: a.did, amount, onward };
    const payment = { kind: 'account', id: ben.did, action: 'transfer', input } as const;
    const accepted = await from.node.running.actors.execute({ ...payment, signer: ben.did, unlock: () => ben });
    if (isRefusal(accepted)) expect.fail(accepted.detail);
  };
  const topsUp = (amount: number, to = ben.did) => pays(a, amount, { home: b.did, to });
  const cashes = (amount: number) => pays(b, amount, { home: a.did, to: ben.did });
  /** What Ben has got, or paid, at each home. */
  const gains = async (): Promise<readonly number[]> =>
    Promise.all([a, b].map(async (home) => (await home.get(`/wallets/${ben.did}`)).balance - 1_000));
  const isTimely = async (what: string, atA: number, atB: number) => {
    const look = () => {
      world.skip(onwardBounds.firstMs);
      return gains();
    };
    await until(what, look, { is: ([one, other]) => one === atA && other === atB });
  };
  /** Waits until the home has read all, and nothing is open. */
  const settled = async () => {
    const look = async () => {
      world.skip(onwardBounds.longestMs);
      const read = (await a.node.store.getLocal('onward-read', 'all'))?.value.read as Body | undefined;
      const isRead = async (home: Home) => {
        const { transactions } = await home.get(`/wallets/${a.did}/transactions?limit=1`);
        return read?.[home.did] === transactions[0].seq;
      };
      return (await isRead(a)) && (await isRead(b)) && (await a.node.store.listLocal('onward')).length === 0;
    };
    await until('everything is paid or given back', look);
  };
  /** All transfers to the node and from it, at both homes. */
  const transfers = async (): Promise<readonly Body[]> => {
    const path = `/wallets/${a.did}/transactions?limit=100`;
    const found = await Promise.all([a, b].map(async (home) => (await home.get(path)).transactions));
    return found.flat().filter(({ op }: Body) => op === 'transfer');
  };

  /** Leaves transfers at each step, then stops the home; more come while it is away. */
  async function stopsAmid(): Promise<void> {
    world.skip(2 * onwardBounds.lifeMs);
    await topsUp(10);
    await isTimely('a top-up is paid', -10, 10);
    await cashes(5);
    await isTimely('it comes back in part', -5, 5);
    await settled();
    await a.stop();
    await cp(a.node.dir, backup, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    a = await Home.start({ ...(await placeOfA()), store: faulty, world, dir: a.node.dir });
    world.skip(2 * onwardBounds.lifeMs);
    takesEnds = false;
    await topsUp(20);
    await isTimely('a top-up is paid', -25, 25);
    await topsUp(4, a.did);
    await until('one that is refused is given back', transfers, {
      is: (all) => all.filter(({ amount }) => amount === 4).length === 2,
    });
    await cashes(7);
    await isTimely('something is cashed', -18, 18);
    await cashes(500);
    await until(
      'what is above the limit is given back',
      () => {
        world.skip(onwardBounds.longestMs);
        return transfers();
      },
      { is: (all) => all.filter(({ amount }) => amount === 500).length === 2 },
    );
    takesBegins = false;
    await topsUp(30);
    await topsUp(6, a.did);
    const { seq } = await a.node.store.head();
    await until('the mirror has it', () => a.peer(b), { is: ({ mirrored }) => mirrored === seq });
    await a.stop();
    await cashes(8);
    await cashes(600);
    [takesEnds, takesBegins] = [true, true];
  }
  let listens: string;
  /** Where it listened before. */
  const placeOfA = async () => {
    listens ??= await b.addressOf(a);
    return { variables: { SVC_LISTEN: listens.replace(/\/p2p.*/, ''), SVC_PEERS_ALONE: '60' } };
  };
  beforeEach(() => {
    listens = undefined as unknown as string;
  });

  async function expectOnce(): Promise<void> {
    world.skip(2 * onwardBounds.lifeMs);
    await isTimely('all is paid or given back', -40, 40);
    await settled();
    expect(await gains()).to.deep.equal([-40, 40]);
    const all = await transfers();
    const asked = all.filter(({ onward }) => onward !== undefined).map(({ eventHash }) => eventHash as string);
    const given = all.filter(({ onwardOf }) => onwardOf !== undefined).map(({ onwardOf }) => onwardOf.event as string);
    expect(asked).to.have.length(10);
    expect(given.toSorted()).to.deep.equal(asked.toSorted());
    for (const { node } of [a, b]) expect((await node.audit()).flaw).to.equal(undefined);
  }

  it('from its mirror alone pays or gives back each, once', async () => {
    await stopsAmid();
    const { variables } = await placeOfA();
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm', 'peers'])
      await rm(join(a.node.dir, name), { recursive: true, force: true });
    const address = await b.address();
    a = await Home.start({ dir: a.node.dir, world, variables: { ...variables, SVC_PEERS: address } });
    expect((await a.peer(b)).limit).to.equal(0);
    await a.operator('peers.limit', { did: b.did, tokens: limit });
    await expectOnce();
  });

  it('from an older backup and its mirror pays or gives back each, once', async () => {
    await stopsAmid();
    await rm(a.node.dir, { recursive: true });
    await cp(backup, a.node.dir, { recursive: true });
    a = await Home.start({ ...(await placeOfA()), dir: a.node.dir, world });
    await expectOnce();
  });
});
