/**
 * What a node pays onward at another home, and gives back (docs/reference/other-homes.md#tokens-between-homes): once, whatever
 * gets lost, and no Token is made.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { UnreachableError } from '../../packages/client/src/errors.js';
import { MovableClock } from '../../packages/fake-node/src/movable-clock.js';
import { onwardBounds } from '../../src/core/bounds.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { addressOf } from '../../src/core/codecs/address.js';
import { createLog } from '../../src/core/log.js';
import { isRefusal, type Refusal, refuse } from '../../src/core/refusal.js';
import { Acts } from '../../src/http/context/acts.js';
import { OnwardPayer, type PayerOptions } from '../../src/http/context/onward.js';
import { type Signer, signerOf } from '../../src/keys/signing.js';
import type { ForeignViews, HomeView, SentFor } from '../../src/peers/views/foreign-views.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { seedIn } from '../node/support/kdf.js';
import { nodePassphrase, TestNode } from '../node/support/node.js';
import { replaced } from '../simulation/peers/replaced.js';
import { until } from '../support/until.js';

interface SentThere extends SentFor {
  readonly path: string;
}
/** Answers in the place of the other home, or from what it answers. */
type Wire = (sent: SentThere, there: () => Promise<HomeView>) => Promise<HomeView | Refusal>;

const away = refuse('SERVICE_UNAVAILABLE', 'the home has not answered');
const tables = ['onward', 'onward-read', 'acts', 'open-acts'];
const warned: JsonObject[] = [];
const log = replaced(createLog({ level: 'silent' }), { warn: (what: JsonObject) => void warned.push(what) });

describe('A node that pays onward', () => {
  const world = new MovableClock();
  /** The other home, and the home of the node that pays. */
  let [a, b] = [] as unknown as [TestNode, TestNode];
  let key: Signer;
  let [acts, payer] = [] as unknown as [Acts, OnwardPayer];
  let wire: Wire;
  let isFollowed: boolean;
  let limit: number;
  let afterReading = async () => {};
  /** Of each home: all Tokens. */
  let made: readonly number[];
  /** With Tokens at both. */
  let ben: Signer;
  let [ofA, ofB] = [{}, {}] as [Body, Body];

  before(async () => {
    [a, b] = [await TestNode.start({ world }), await TestNode.start({ world })];
    key = signerOf(await seedIn(b.dir, addressOf(b.did), nodePassphrase));
  });
  after(async () => {
    for (const node of [a, b]) {
      expect((await node.audit()).flaw?.what).to.equal(undefined);
      await node.discard();
    }
  });
  beforeEach(async () => {
    [wire, isFollowed, limit] = [(_, there) => there(), true, 0];
    ben = signerOf(randomBytes(32));
    for (const node of [a, b]) {
      await node.fund(ben, 100);
      const held = await balance(node, b.did);
      if (held < 1_000) await node.fund(b, 1_000 - held);
    }
    made = await supplies();
    await forget();
    begin();
    // What was there before this test has been read.
    await settled();
    [ofA, ofB] = [await wallets(a), await wallets(b)];
  });
  afterEach(async () => {
    await end();
    expect(await supplies(), 'no Token is made').to.deep.equal(made);
  });

  const supplies = () => Promise.all([a, b].map(async ({ store }) => (await store.totals()).supply));
  const balance = async (node: TestNode, did: string): Promise<number> =>
    expectStatus(await node.client.get(`/api/v1/wallets/${did}`)).balance;
  const wallets = async (node: TestNode): Promise<Body> => ({
    ben: await balance(node, ben.did),
    node: await balance(node, b.did),
  });
  /** What the DIDs have got since the test began. */
  const gains = async (): Promise<Body> => {
    const [atA, atB] = [await wallets(a), await wallets(b)];
    return { a: [atA.ben - ofA.ben, atA.node - ofA.node], b: [atB.ben - ofB.ben, atB.node - ofB.node] };
  };

  /** As a process that starts, and then waits for acts of earlier ones. */
  const begin = (): void => {
    beginNow();
    world.skip(2 * onwardBounds.lifeMs);
  };
  const beginNow = (): void => {
    const views: ForeignViews = {
      ask: (_, path, signal, more = {}) => {
        const asked = { path, ...more };
        const ended = new Promise<Refusal>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
        return Promise.race([ended, wire(asked, () => answered(asked))]);
      },
      followed: () => undefined,
    };
    const { store } = b;
    acts = new Acts({ ...{ store, world, views, log }, network: 'devnet', nodeDid: b.did, networkArbiter: undefined });
    const { actors } = b.running;
    const history: typeof store.history = async (...page) => {
      const found = await store.history(...page);
      await afterReading();
      return found;
    };
    payer = new OnwardPayer({
      ...{ store: replaced(store, { history }), committed: actors.committed, world, log, signer: key, acts },
      execute: (command) => actors.execute(command),
      isFollowed: (home) => isFollowed && home === a.did,
      limits: () => new Map([[a.did, limit]]),
    });
    acts.start();
    payer.start();
    payer.look(a.did);
  };
  const end = async () => {
    await Promise.all([acts.close(), payer.close()]);
  };
  const restart = async () => {
    await end();
    begin();
  };
  const answered = async ({ path, reader, body }: SentThere): Promise<HomeView> => {
    const headers = reader ? { 'Svc-Reader': reader } : {};
    const reply = await (body
      ? a.client.post(`/api/v1${path}`, body, headers)
      : a.client.get(`/api/v1${path}`, headers));
    return { status: reply.status, body: reply.body };
  };
  /** A process that comes up from the journal alone has none of these. */
  const forget = async () => {
    for (const table of tables)
      for (const { id } of await b.store.listLocal(table)) await b.store.deleteLocal(table, id);
  };
  const open = () => b.store.listLocal('onward');
  /** Waits until nothing is open, as time passes. */
  const settled = async () => {
    const look = async () => {
      world.skip(onwardBounds.firstMs);
      payer.look(a.did);
      const read = (await b.store.getLocal('onward-read', 'all'))?.value.read as Body | undefined;
      const isRead = async (node: TestNode) => {
        const { transactions } = (await node.client.get(`/api/v1/wallets/${b.did}/transactions?limit=1`)).body;
        return (read?.[node.did] ?? 0) === (transactions[0]?.seq ?? 0);
      };
      return (await isRead(a)) && (await isRead(b)) && (await open()).length === 0;
    };
    await until('everything is paid or given back', look, { is: (isDone) => isDone });
  };
  const onwardTo = (home: TestNode, to = ben.did): JsonObject => ({ onward: { home: home.did, to } });
  /** @returns the hash of the event */
  const pays = async (node: TestNode, amount: number, more: JsonObject): Promise<string> => {
    const input = { to: b.did, amount, ...more };
    const payment = { kind: 'account', id: ben.did, action: 'transfer', input } as const;
    const accepted = await node.running.actors.execute({ ...payment, signer: ben.did, unlock: () => ben });
    if (isRefusal(accepted)) expect.fail(accepted.detail);
    return accepted.entry.core.event.hash;
  };
  /** Ben pays the node at b, for Tokens at a. */
  const topUp = (amount: number, more = onwardTo(a)) => pays(b, amount, more);
  /** Ben pays the node at a, for Tokens at b. */
  const cash = (amount: number, more = onwardTo(b)) => pays(a, amount, more);
  /** Tokens of the other home, beyond those paid out for this one's; all tests of this file have one sum. */
  const takenIn = async (): Promise<number> =>
    ((await b.store.getLocal('onward-read', 'all'))?.value.net as { [home: string]: number } | undefined)?.[a.did] ?? 0;
  const lastMemo = async (node: TestNode): Promise<string> => {
    const { transactions } = (await node.client.get(`/api/v1/wallets/${ben.did}/transactions?type=received`)).body;
    return transactions[0].memo;
  };

  it('pays at the other home what it was paid here, and back', async () => {
    const event = await topUp(30);
    await settled();
    expect(await gains()).to.deep.equal({ a: [30, -30], b: [-30, 30] });
    const { transactions } = (await a.client.get(`/api/v1/wallets/${ben.did}/transactions?type=received`)).body;
    expect(transactions[0].onwardOf).to.deep.equal({ home: b.did, event });
    // What it has given there it takes in again without a limit.
    await cash(30);
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
  });

  it('gives back what the other home refuses, and says why', async () => {
    await topUp(30, onwardTo(a, b.did));
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
    expect(await lastMemo(b)).to.contain('a transfer to oneself moves nothing');
    await a.operate('account', b.did, 'freeze', {});
    await topUp(30);
    await settled();
    await a.operate('account', b.did, 'unfreeze', {});
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
    expect(await lastMemo(b)).to.contain('frozen');
    // Who receives may be frozen: the Tokens come, and stay.
    await a.operate('account', ben.did, 'freeze', {});
    await topUp(30);
    await settled();
    expect(await gains()).to.deep.equal({ a: [30, -30], b: [-30, 30] });
  });

  it('gives back what it has not enough Tokens for there', async () => {
    await b.fund(ben, 2_000);
    [ofB, made] = [await wallets(b), await supplies()];
    await topUp(2_000);
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
    expect(await lastMemo(b)).to.contain('are available');
  });

  it('takes in no more of a home’s Tokens than its limit, and gives back what is more', async () => {
    limit = await takenIn();
    await cash(30);
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
    expect(await lastMemo(a)).to.contain('takes in 0 Tokens');
    limit = (await takenIn()) + 40;
    for (const amount of [30, 20, 10]) await cash(amount);
    await settled();
    expect(await gains(), 'the 20 are too many').to.deep.equal({ a: [-40, 40], b: [40, -40] });
    await topUp(15);
    await settled();
    await cash(16);
    await cash(15);
    await settled();
    expect(await gains(), 'those that it has paid out there').to.deep.equal({ a: [-40, 40], b: [40, -40] });
  });

  it('pays what it is sent while it reads', async () => {
    afterReading = async () => {
      afterReading = async () => {};
      await topUp(5);
      payer.look(a.did);
    };
    payer.look(a.did);
    const look = () => {
      world.skip(onwardBounds.longestMs);
      return gains();
    };
    await until('it is paid', look, { is: (got) => got.a[0] === 5 });
    await settled();
  });

  it('takes in nothing for a top-up that is not paid yet', async () => {
    limit = await takenIn();
    const busy = { status: 409, body: { code: 'CONFLICT', detail: 'not now' } };
    wire = async (sent, there) => ((sent.body?.onwardOf as Body | undefined)?.home === b.did ? busy : there());
    await topUp(15);
    await cash(10);
    const look = () => {
      payer.look(a.did);
      return gains();
    };
    await until('it is given back', look, { is: (got) => got.a[0] === 0 && got.b[0] === -15 });
    wire = (_, there) => there();
    await settled();
    expect(await gains()).to.deep.equal({ a: [15, -15], b: [-15, 15] });
  });

  it('gives back what is for a home that it follows no more, or that is not its own', async () => {
    isFollowed = false;
    await topUp(5);
    payer.look(a.did);
    await until('it is given back', gains, { is: (got) => got.b[0] === 0 });
    isFollowed = true;
    await cash(5, onwardTo(a));
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
  });

  it('looks at a home again when an act that had no answer is done there, also after a restart', async () => {
    limit = await takenIn();
    const send = async () => {
      const { nextNonce: nonce } = expectStatus(await a.client.get(`/api/v1/wallets/${ben.did}`));
      const options = { nonce, most: 5, until: world.now() + 5 * onwardBounds.lifeMs };
      const body = { to: b.did, amount: 5, ...onwardTo(b) };
      wire = async (sent, there) => (sent.body && !sent.body.prepare ? away : there());
      await acts.act({ home: a.did, signer: ben, path: '/transfers', body, options }).catch(() => {});
    };
    for (const isOver of [false, true]) {
      const before = await a.store.head();
      await send();
      if (isOver) await restart();
      await settled();
      expect(await a.store.head(), 'it has not come').to.deep.equal(before);
      wire = (_, there) => there();
      const look = async () => {
        world.skip(onwardBounds.longestMs);
        return (await a.store.head()).seq;
      };
      await until('it came, and is given back', look, { is: (seq) => seq === before.seq + 2 });
      expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
    }
  });

  for (const what of ['topped up', 'cashed', 'given back here', 'given back there']) {
    it(`does once what is ${what}, whatever is lost, over restarts`, async () => {
      const isHere = ['topped up', 'given back here'].includes(what);
      limit = (await takenIn()) + (what === 'cashed' ? 10 : 0);
      if (what === 'given back here') await topUp(10, onwardTo(a, b.did));
      else await (isHere ? topUp(10) : cash(10));
      // Each request is lost, then its reply; and after each the process ends.
      const lost = new Set<string>();
      wire = async (sent, there) => {
        const name = sent.body ? (sent.body.prepare ? 'prepare' : 'submit') : sent.path.split('?')[0]!;
        for (const when of ['request', 'reply']) {
          if (lost.has(`${name} ${when}`)) continue;
          lost.add(`${name} ${when}`);
          if (when === 'reply') await there();
          return away;
        }
        return there();
      };
      for (let count = 0; count < 8; count++) {
        await restart();
        await until(
          'something was lost, or nothing is open',
          async () => {
            world.skip(onwardBounds.firstMs);
            payer.look(a.did);
            return lost.size > count || (await open()).length === 0;
          },
          { is: (isSo) => isSo },
        );
      }
      await restart();
      await settled();
      const expected: { readonly [what: string]: Body } = {
        'topped up': { a: [10, -10], b: [-10, 10] },
        cashed: { a: [-10, 10], b: [10, -10] },
      };
      expect(await gains()).to.deep.equal(expected[what] ?? { a: [0, 0], b: [0, 0] });
    });
  }

  it('does nothing twice without its records', async () => {
    limit = (await takenIn()) + 10;
    await topUp(7);
    await topUp(3, onwardTo(a, b.did));
    await cash(10);
    await settled();
    limit = await takenIn();
    await cash(5);
    await settled();
    const done = await gains();
    const exposure = await takenIn();
    expect(done).to.deep.equal({ a: [-3, 3], b: [3, -3] });
    limit += 1_000;
    await end();
    await forget();
    begin();
    await settled();
    expect(await gains()).to.deep.equal(done);
    expect(await takenIn(), 'the journal says what was taken in').to.equal(exposure);
  });

  const ticked = <T>(look: () => T): T => {
    world.skip(onwardBounds.firstMs);
    payer.look(a.did);
    return look();
  };
  const isPayment = ({ body }: SentThere): boolean => (body?.onwardOf ?? body?.event) !== undefined;
  const noTokens = { status: 402, body: { code: 'INSUFFICIENT_BALANCE', detail: 'no Tokens' } };

  it('pays nothing that it has given back, after a process that ended before it noted that', async () => {
    const { deleteLocal } = b.store;
    b.store.deleteLocal = async (table, id) =>
      table === 'onward' ? Promise.reject(new Error('the process has ended')) : deleteLocal.call(b.store, table, id);
    wire = async (sent, there) => (isPayment(sent) ? noTokens : there());
    try {
      await topUp(30);
      await until('it is given back', () => ticked(gains), { is: (got) => got.b[0] === 0 });
      await end();
    } finally {
      b.store.deleteLocal = deleteLocal;
    }
    wire = (_, there) => there();
    begin();
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
  });

  it('gives back no more than its limit without its records, while the home hides what was paid', async () => {
    limit = await takenIn();
    for (const amount of [20, 20, 20]) {
      await topUp(amount);
      await settled();
      await cash(amount);
      await settled();
    }
    await end();
    await forget();
    const nothing = { status: 200, body: { transactions: [], pagination: { after: null } } };
    wire = async (sent, there) =>
      sent.path.includes('/transactions') ? nothing : isPayment(sent) ? noTokens : there();
    let refusals = 0;
    warned.length = 0;
    begin();
    const paymentsRefused = wire;
    wire = async (sent, there) => {
      if (isPayment(sent)) refusals += 1;
      return paymentsRefused(sent, there);
    };
    const tried = async () => refusals > 2 * (await open()).length && refusals > 6;
    await until('it has tried all of them again', () => ticked(tried));
    const events = (await open()).map(({ value }) => value.event);
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
    expect(warned.map(({ event }) => event)).to.have.members(events);
    expect(payer.problem).to.include(`${events.length} transfers of `);
    expect([...(await payer.waiting(ben.did))]).to.deep.equal([[b.did, 60]]);
    wire = (_, there) => there();
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
    expect(payer.problem).to.equal(undefined);
    expect([...(await payer.waiting(ben.did))]).to.deep.equal([]);
  });

  it('takes no word of a home for what is open with another one, nor pages that are none', async () => {
    const elsewhere = signerOf(randomBytes(32)).did;
    const { options } = payer as unknown as { options: PayerOptions };
    const { isFollowed: known } = options;
    Object.assign(options, { isFollowed: (home: string) => home === elsewhere || known(home) });
    const opensThere = acts.open.bind(acts);
    acts.open = (home, ...more) =>
      home === elsewhere ? Promise.reject(new UnreachableError('it', 'is away')) : opensThere(home, ...more);
    const event = await topUp(7, { onward: { home: elsewhere, to: ben.did } });
    const paid = { eventHash: 'ab'.repeat(32), op: 'transfer', from: b.did, to: ben.did, amount: 7 };
    const claim = { ...paid, seq: 1_000_000, onwardOf: { home: b.did, event } };
    const many = Array.from({ length: 101 }, () => claim);
    const bodies: readonly JsonObject[] = [
      { transactions: [claim], pagination: { after: null } },
      { transactions: many, pagination: { after: null } },
      { transactions: [], pagination: { after: 'more' } },
      { transactions: [{ ...claim, seq: 1 }, claim], pagination: { after: null } },
      { transactions: [null], pagination: { after: null } },
      { transactions: [claim] },
      {},
    ];
    for (const body of bodies) {
      let asked = 0;
      wire = async (sent, there) => {
        if (!sent.path.includes('/transactions')) return there();
        asked += 1;
        return { status: 200, body };
      };
      await until('it has read that', () => ticked(() => asked), { is: (count) => count > 1 });
      expect((await open()).map(({ id }) => id)).to.deep.equal([`${b.did} ${event}`]);
    }
    wire = (_, there) => there();
    await end();
    await forget();
    begin();
    await until('it is given back', () => ticked(gains), { is: (got) => got.b[0] === 0 });
  });

  it('pays nothing of which it has decided that it is given back', async () => {
    limit = await takenIn();
    let submitted = 0;
    wire = async (sent, there) => {
      if (!sent.body || sent.body.prepare) return there();
      submitted++;
      return away;
    };
    await cash(10);
    const look = async () => {
      payer.look(a.did);
      return submitted;
    };
    await until('it is given back', look, { is: (count) => count > 0 });
    limit += 100;
    await restart();
    submitted = 0;
    await until('it is tried again', look, { is: (count) => count > 1 });
    wire = (_, there) => there();
    await settled();
    expect(await gains()).to.deep.equal({ a: [0, 0], b: [0, 0] });
  });

  for (const isLong of [false, true]) {
    const how = isLong ? ', and reads again what it began to read before' : '';
    it(`waits, without its records, until no act of an earlier process can be written${how}`, () => waits(isLong));
  }
  /** @param isLong the other home shows its first page before such an act is written, and the rest later */
  async function waits(isLong: boolean): Promise<void> {
    let late: (() => Promise<HomeView>) | undefined;
    limit = await takenIn();
    wire = async (sent, there) => {
      if (!sent.body || sent.body.prepare) return there();
      late = there;
      return away;
    };
    // So that there is a second page.
    const more = isLong ? onwardBounds.page : 0;
    for (let count = 0; count < more; count++) await pays(a, 1, {});
    await cash(10);
    await until(
      'it is given back, and it is not known',
      async () => {
        payer.look(a.did);
        return late;
      },
      { is: (sent) => sent !== undefined },
    );
    await end();
    await forget();
    limit = 1_000_000;
    let refused = 0;
    wire = async (sent, there) => {
      if (!isLong || !sent.path.includes('after=')) return there();
      refused++;
      return away;
    };
    beginNow();
    if (isLong) await until('the rest is asked for', () => ticked(() => refused));
    else await until('it was read', open, { is: ({ length }) => length === 1 });
    payer.look(a.did);
    await late!();
    world.skip(2 * onwardBounds.lifeMs);
    wire = (_, there) => there();
    await settled();
    expect(await gains()).to.deep.equal({ a: [0 - more, more], b: [0, 0] });
  }

  it('loses to a home that lies no more than it has there', async () => {
    wire = async (sent, there) => {
      if (!sent.body || sent.body.prepare) return there();
      await there();
      return { status: 402, body: { code: 'INSUFFICIENT_BALANCE', detail: 'it is refused' } };
    };
    await topUp(30);
    await until(
      'it is given back',
      async () => {
        world.skip(onwardBounds.firstMs);
        payer.look(a.did);
        return gains();
      },
      { is: ({ b: [got] }) => got === 0 },
    );
    expect(await gains(), await lastMemo(b)).to.deep.equal({ a: [30, -30], b: [0, 0] });
  });

  /** The other home shows these pages of transfers before its own. @returns the number of its oldest one */
  const shows = async (
    pages: number,
    one: (seq: number) => JsonObject,
    asked: (page: number) => boolean = () => true,
  ) => {
    const { transactions } = (await a.client.get(`/api/v1/wallets/${b.did}/transactions?limit=1`)).body;
    const newest = transactions[0].seq + pages * onwardBounds.page;
    wire = async (sent, there) => {
      if (sent.body) return away;
      if (!sent.path.includes('/transactions')) return there();
      const after = /after=page-(\d+)/.exec(sent.path)?.[1];
      const page = Number(after ?? (sent.path.includes('after=') ? pages : 0));
      if (!asked(page)) return away;
      if (page >= pages) return answered({ path: sent.path.replace(/&after=page-\d+/, '') });
      const shown = Array.from({ length: onwardBounds.page }, (_, at) => one(newest - page * onwardBounds.page - at));
      return { status: 200, body: { transactions: shown, pagination: { after: `page-${page + 1}` } } };
    };
    return newest - pages * onwardBounds.page + 1;
  };
  const shown = (seq: number): JsonObject => {
    const eventHash = seq.toString(16).padStart(64, '0');
    return { eventHash, seq, op: 'transfer', amount: 1, from: ben.did, to: b.did };
  };

  it('resumes a long reading of a home where it was broken off', async () => {
    limit = (await takenIn()) + 10;
    await end();
    await cash(10);
    const asked: number[] = [];
    await shows(6, shown, (page) => {
      asked.push(page);
      return page !== 4 || asked.length > 20;
    });
    begin();
    await until('it is paid', () => ticked(gains), { is: (got) => got.b[0] === 10 });
    expect(asked.filter((page) => page < 4).slice(0, 4)).to.deep.equal([0, 1, 2, 3]);
    expect(asked.slice(0, asked.indexOf(5)).filter((page) => page < 4)).to.have.length(4);
    await end();
    await forget();
  });

  it('keeps the oldest of the many transfers that others send it, as many as it may have open', async () => {
    limit = await takenIn();
    await end();
    const onward = { home: b.did, to: ben.did };
    const oldest = await shows((4 * onwardBounds.open) / onwardBounds.page + 1, (seq) => ({ ...shown(seq), onward }));
    begin();
    const kept = await until('it has read them', () => ticked(open), {
      is: ({ length }) => length >= onwardBounds.open,
    });
    const seqs = kept.map(({ value }) => value.seq as number).toSorted((one, other) => one - other);
    expect([seqs.length, seqs[0], seqs.at(-1)]).to.deep.equal([
      onwardBounds.open,
      oldest,
      oldest + onwardBounds.open - 1,
    ]);
    await end();
    await forget();
  });

  it('pays for no Tokens that a home makes up, beyond its limit', async () => {
    const fake = (seq: number): JsonObject => ({
      ...{
        eventHash: seq.toString(16).padStart(64, '0'),
        seq,
        op: 'transfer',
        amount: 10,
        onward: { home: b.did, to: ben.did },
      },
      ...{ from: ben.did, to: b.did },
    });
    const { transactions } = (await a.client.get(`/api/v1/wallets/${b.did}/transactions?limit=1`)).body;
    let seq = transactions[0].seq;
    limit = (await takenIn()) + 35;
    let isLying = true;
    wire = async (sent, there) => {
      const view = await there();
      if (!isLying || !sent.path.includes('/transactions') || sent.path.includes('after=')) return view;
      const shown = view.body.transactions as JsonObject[];
      const lie = [fake(++seq), ...shown].slice(0, onwardBounds.page);
      return { ...view, body: { ...view.body, transactions: lie } };
    };
    await until(
      'it pays no more',
      async () => {
        world.skip(onwardBounds.firstMs);
        payer.look(a.did);
        return seq;
      },
      { is: (last) => last > transactions[0].seq + 10 },
    );
    expect((await gains()).b).to.deep.equal([30, -30]);
    isLying = false;
    await end();
    await forget();
  });
});
