/** Two homes that trade while one of them is killed again and again: each request has one answer, and the ledgers agree. */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { infoListing } from '../../../src/machines/listing/info.js';
import type { Snapshot, StoreReader } from '../../../src/store/store.js';
import { below } from '../../crash/support/random.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { onMongo } from '../../node/support/shared-store.js';
import { isLong } from '../../support/long.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { acquaintKilled, KilledHome } from '../nodes/killed-home.js';

const kills = isLong ? (onMongo ? 50 : 500) : 2;
const buyersEach = 2;
/** Claims of the faucet, 100 Tokens each. */
const claims = isLong ? 100 : 4;
const passphrase = 'a passphrase of these tests';

interface Buyer {
  readonly did: string;
  /** Numbers its purchases: each has one nonce and one Idempotency-Key. */
  asked: number;
}

describe('Two homes that trade and are killed', () => {
  const homes: KilledHome[] = [];
  const buyers: Buyer[] = [];

  after(async () => {
    await tidy();
    for (const { options } of homes) await options.database?.dispose();
  });

  const claim = async ({ node }: KilledHome, did: string): Promise<void> => {
    for (let done = 0; done < claims; done++) expectStatus(await node.client.post('/api/v1/faucet', { did }));
  };

  /** Buys until the test ends the round. What is in flight at a kill is sent again, as a client does it. */
  async function buys(home: KilledHome, buyer: Buyer, listingId: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const nonce = buyer.asked + 1;
      const body = { did: buyer.did, passphrase, nonce };
      const headers = { 'Idempotency-Key': `purchase ${nonce}`.replace(' ', '-') };
      const path = `/api/v1/markets/info/${listingId}/actions/purchase`;
      const reply = await home.node.client.post(path, body, headers).catch(() => undefined);
      const isSent = reply && (reply.status < 300 || reply.body?.committed === true);
      if (isSent) buyer.asked = nonce;
      else await pause(realEnvironment, 20);
    }
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

  it(`answer each request once, and agree to the Token, in ${kills} kills`, async function () {
    this.timeout(120_000 + kills * 10_000);
    while (homes.length < 2) homes.push(await KilledHome.withOwnStore());
    const [a, b] = homes as [KilledHome, KilledHome];
    for (const home of homes) await home.start();
    await acquaintKilled(homes);
    const seller: Body = expectStatus(await a.node.client.post('/api/v1/identities', { passphrase }), 201);
    const offer = { ...infoListing.create.example, pricing: { price: 1 }, did: seller.did, passphrase, nonce: 1 };
    const { listingId } = expectStatus(await a.node.client.post('/api/v1/markets/info', offer), 201);
    while (buyers.length < buyersEach) {
      const { did } = expectStatus(await b.node.client.post('/api/v1/identities', { passphrase }), 201);
      buyers.push({ did, asked: 0 });
      await claim(b, did);
    }
    await claim(a, b.did);
    await b.sees(a);
    for (let kill = 1; kill <= kills; kill++) {
      let isOver = false;
      const victim = homes[below(homes.length)]!;
      const buying = buyers.map((buyer) => buys(b, buyer, listingId, () => isOver));
      await pause(realEnvironment, 50 + below(400));
      expect(await victim.node.kill()).to.include({ signal: 'SIGKILL' });
      await victim.start();
      await pause(realEnvironment, 200);
      isOver = true;
      await Promise.all(buying);
    }
    await until('no request is open', () => b.node.client.get('/api/v1/remote-requests?status=sent'), {
      is: ({ body }) => body.total === 0,
      longestMs: 60_000,
    });
    for (const home of homes) for (const other of homes) if (other !== home) await other.sees(home);
    for (const { node } of homes) await node.stop();
    for (const home of homes) expect((await home.audit()).flaw).to.equal(undefined);
    await b.reads(b.did, async (journalOfB) => {
      await a.reads(a.did, async (journalOfA) => {
        const requests = await all(journalOfB, 'remote-request');
        const answers = new Map((await all(journalOfA, 'remote-answer')).map((each) => [each.id, each]));
        expect(requests, 'each acknowledged purchase').to.have.length(
          buyers.reduce((sum, { asked }) => sum + asked, 0),
        );
        expect(answers.size).to.equal(requests.length);
        let paid = 0;
        for (const { id, state, context } of requests) {
          const { answer, money } = context as { readonly answer: string; readonly money: number };
          const entry = (await journalOfA.entryByEvent(answer))!;
          expect(answers.get(entry.payload!.id)?.state, id).to.equal(state);
          if (state === 'accepted') paid += money;
        }
        expect(paid, 'there was a trade').to.be.above(0);
        expect((await journalOfB.account(a.did))?.available, 'what A has at B').to.equal(paid);
        expect((await journalOfA.account(b.did))?.available, 'what B has at A').to.equal(claims * 100 - paid);
        const orders = await all(journalOfA, 'info-order');
        expect(orders).to.have.length(requests.filter(({ state }) => state === 'accepted').length);
      });
    });
  });
});
