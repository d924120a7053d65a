/**
 * Two homes that trade while they are killed again and again, with requests, answers, Tokens on their way home and requests
 * that are given up: each request has one answer, and the ledgers agree.
 */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { infoListing } from '../../../src/machines/listing/info.js';
import type { RemoteRequestContext } from '../../../src/machines/remote-request/machine.js';
import { askNode } from '../../../src/node/control/client.js';
import type { Snapshot, StoreReader } from '../../../src/store/store.js';
import { below } from '../../crash/support/random.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body, Reply } from '../../node/support/client.js';
import { onMongo } from '../../node/support/shared-store.js';
import { isLong, killCount } from '../../support/long.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { acquaintKilled, KilledHome } from '../nodes/killed-home.js';

const kills = onMongo ? killCount(2, 50) : killCount(5, 1_000);
const buyersEach = 2;
/** Claims of the faucet, 100 Tokens each. */
const claims = 4 + Math.ceil(kills / 5);
const passphrase = 'a passphrase of these tests';
/** The most requests that are given up while the other home is down. */
const mostGivenUp = 3;

/** Who writes, with the number of its writes: each has one nonce and one Idempotency-Key. */
interface Writing {
  readonly did: string;
  asked: number;
}

describe('Two homes that trade and are killed', () => {
  const homes: KilledHome[] = [];
  const buyers: Writing[] = [];
  let seller: Writing;
  let isOver = false;

  after(async () => {
    await tidy();
    for (const { options } of homes) await options.database?.dispose();
  });

  const claim = async ({ node }: KilledHome, did: string): Promise<void> => {
    for (let done = 0; done < claims; done++) expectStatus(await node.client.post('/api/v1/faucet', { did }));
  };

  /** Writes one after the other. What is in flight at a kill is sent again, as a client does it. */
  async function writes(home: KilledHome, writer: Writing, path: string, next: () => Body): Promise<void> {
    while (!isOver) {
      const nonce = writer.asked + 1;
      const body = { ...next(), did: writer.did, passphrase, nonce };
      const headers = { 'Idempotency-Key': `write-${nonce}` };
      for (let result = 'unknown'; result === 'unknown' || (result === 'refused' && !isOver); ) {
        result = resultOf(await home.node.client.post(path, body, headers).catch(() => undefined));
        if (result === 'written') writer.asked = nonce;
        else await pause(realEnvironment, 20);
      }
    }
  }

  function resultOf(reply: Reply | undefined): 'written' | 'refused' | 'unknown' {
    if (reply === undefined || reply.status >= 500) return 'unknown';
    return reply.status < 300 || reply.body?.committed === true ? 'written' : 'refused';
  }

  async function killed(home: KilledHome): Promise<void> {
    expect(await home.node.kill()).to.include({ signal: 'SIGKILL' });
  }

  /** Gives up requests of this home, and in every second case kills it meanwhile. @returns whether it was killed */
  async function givesUp(home: KilledHome): Promise<boolean> {
    const open = await home.node.client.get(`/api/v1/remote-requests?status=sent&limit=${mostGivenUp}`);
    const giving = (expectStatus(open).remoteRequests as Body[]).map(({ id }) =>
      askNode(home.dir, 'peers.give-up', { id, reason: 'its home is down' }).catch(() => {}),
    );
    const isKilled = below(2) === 0;
    if (isKilled) {
      await pause(realEnvironment, below(12));
      await killed(home);
    }
    await Promise.all(giving);
    return isKilled;
  }

  const all = async (journal: StoreReader, kind: string): Promise<readonly Snapshot[]> => {
    const found: Snapshot[] = [];
    let after: string | undefined;
    do {
      const page = await journal.find({ kind, page: { limit: 100, offset: 0, ...(after ? { after } : {}) } });
      found.push(...page.items);
      after = page.next ?? undefined;
    } while (after !== undefined);
    return found;
  };

  /** Compares each request of one journal with its answer in the other one. @returns the Tokens by what the requests came to */
  async function compared(asking: StoreReader, asked: StoreReader) {
    const sums = { accepted: 0, refused: 0, lost: 0 };
    const requests = await all(asking, 'remote-request');
    const answers = new Map((await all(asked, 'remote-answer')).map((each) => [each.id, each.state]));
    for (const { id, state, context } of requests) {
      const { answer, money, code } = context as unknown as RemoteRequestContext;
      if (state === 'given-up') continue;
      const { payload } = (await asked.entryByEvent(answer!))!;
      const came = code === null ? 'accepted' : 'refused';
      expect(answers.get(payload!.id), id).to.equal(came);
      answers.delete(payload!.id);
      if (state === 'answered-late') sums.lost += code === null ? money : 0;
      else {
        expect(state, id).to.equal(came);
        sums[came] += money;
      }
    }
    expect([...answers], 'answers to no request').to.deep.equal([]);
    const givenUp = requests.filter(({ state }) => state === 'given-up' || state === 'answered-late').length;
    return { ...sums, count: requests.length, givenUp };
  }

  it(`answer each request once, and agree to the Token, in ${kills} kills`, async function () {
    this.timeout(120_000 + kills * 10_000);
    while (homes.length < 2) homes.push(await KilledHome.withOwnStore({ homeward: 1 }));
    const [a, b] = homes as [KilledHome, KilledHome];
    await Promise.all(homes.map((home) => home.start()));
    await acquaintKilled(homes);
    const identity = async ({ node }: KilledHome): Promise<Writing> => {
      const { did } = expectStatus(await node.client.post('/api/v1/identities', { passphrase }), 201);
      return { did, asked: 0 };
    };
    seller = await identity(a);
    const offer = { ...infoListing.create.example, pricing: { price: 1 }, did: seller.did, passphrase, nonce: 1 };
    const { listingId } = expectStatus(await a.node.client.post('/api/v1/markets/info', offer), 201);
    seller.asked = 1;
    await claim(a, seller.did);
    while (buyers.length < buyersEach) {
      const buyer = await identity(b);
      buyers.push(buyer);
      await claim(b, buyer.did);
    }
    await claim(a, b.did);
    await claim(b, a.did);
    await b.sees(a);
    const path = `/api/v1/markets/info/${listingId}/actions/purchase`;
    const running = [
      ...buyers.map((buyer) => writes(b, buyer, path, () => ({}))),
      // What the first buyer gets at A goes home, unless it is used there before. The other one pays all from its own home.
      writes(a, seller, '/api/v1/transfers', () => ({ to: buyers[0]!.did, amount: 1, home: 'own' })),
    ];
    const began = performance.now();
    for (let kill = 0; kill < kills; kill++) {
      const victim = homes[below(homes.length)]!;
      await pause(realEnvironment, 100 + below(600));
      await killed(victim);
      const areBoth = victim === a && below(2) === 0 && (await givesUp(b));
      if (areBoth) kill++;
      // A start asks the peers for its own head, so both start at the same time.
      await Promise.all((areBoth ? homes : [victim]).map((home) => home.start()));
    }
    if (isLong) {
      const perMinute = Math.round((kills / (performance.now() - began)) * 60_000);
      process.stdout.write(`      ${perMinute} kills a minute\n`);
    }
    isOver = true;
    await Promise.all(running);
    for (const { node } of homes) {
      await until('no request is open', () => node.client.get('/api/v1/remote-requests?status=sent'), {
        is: ({ body }) => body.total === 0,
        longestMs: 60_000,
      });
    }
    for (const { did } of buyers) {
      await until('its Tokens are home', () => a.node.client.get(`/api/v1/wallets/${did}`), {
        is: ({ body }) => body.availableBalance === 0,
      });
    }
    for (const home of homes) for (const other of homes) if (other !== home) await other.sees(home);
    // Late answers are noted once they are read.
    let height = 0;
    await until('nothing is written', async () => {
      const [before, now] = [height, await b.height()];
      height = now;
      await pause(realEnvironment, 1_500);
      return before === now;
    });
    for (const { node } of homes) await node.stop();
    for (const home of homes) expect((await home.audit()).flaw).to.equal(undefined);
    await b.reads(b.did, async (journalOfB) => {
      await a.reads(a.did, async (journalOfA) => {
        const bought = await compared(journalOfB, journalOfA);
        const wentHome = await compared(journalOfA, journalOfB);
        expect(bought.count, 'each acknowledged purchase').to.equal(buyers.reduce((sum, { asked }) => sum + asked, 0));
        if (isLong) process.stdout.write(`      ${JSON.stringify({ bought, wentHome })}\n`);
        expect(bought.count, 'there was a trade').to.be.above(0);
        expect(wentHome.accepted, 'Tokens went home').to.be.above(0);
        const available = async (journal: StoreReader, did: string) => (await journal.account(did))?.available ?? 0;
        const netOfB = bought.accepted - wentHome.accepted;
        expect(await available(journalOfB, a.did), 'what A has at B').to.equal(claims * 100 + netOfB);
        expect(await available(journalOfA, b.did), 'what B has at A').to.equal(claims * 100 - netOfB - bought.lost);
        const atB = await Promise.all(buyers.map(({ did }) => available(journalOfB, did)));
        expect(atB[0]! + atB[1]!, 'what the buyers have').to.equal(buyersEach * claims * 100 - netOfB);
        const orders = await all(journalOfA, 'info-order');
        const usedThere = orders.length - bought.accepted - bought.lost;
        expect(seller.asked - 1, 'what the buyers were paid at A').to.equal(wentHome.accepted + usedThere);
      });
    });
  });
});
