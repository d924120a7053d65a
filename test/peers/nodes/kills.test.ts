/**
 * Three homes that write and trade while they are killed again and again, in a start and in giving up requests as well:
 * what is acknowledged is at its home and in each copy, each request has one answer, and the ledgers agree to the Token.
 */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { infoListing } from '../../../src/machines/listing/info.js';
import { askNode } from '../../../src/node/control/client.js';
import type { TradeFacts } from '../../../src/peers/audit/trade-facts.js';
import type { StoreReader } from '../../../src/store/store.js';
import { below } from '../../crash/support/random.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { onMongo } from '../../node/support/shared-store.js';
import { isLong, killCount } from '../../support/long.js';
import { tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { type Kill, requestFigures, requestsBetween, tokensOf } from './kill-figures.js';
import { acquaintKilled, KilledHome } from './killed-home.js';
import { passphrase, RetryingWriter, type WriteForm } from './retrying-writer.js';

/** On MongoDB a start waits until the process that was killed has been silent for some seconds. */
const kills = onMongo ? killCount(2, 50) : killCount(50, 1_000);
/** After so many kills everything is compared, while no node runs. */
const killsPerComparison = 500;
const buyersEach = 2;
/** Claims of the faucet, 100 Tokens each: of a seller, which pays Tokens away all the while, and of all others. */
const sellerClaims = 4 + Math.ceil(kills / 5);
const claims = 4 + Math.ceil(kills / 20);
/** The most requests that are given up while the other home is down. */
const mostGivenUp = 3;

/** A home with one resident that sells and transfers, and others that buy at the other homes. */
interface Town {
  readonly home: KilledHome;
  readonly seller: RetryingWriter;
  readonly buyers: readonly RetryingWriter[];
  readonly listing: string;
}

const writersOf = ({ seller, buyers }: Town): readonly RetryingWriter[] => [seller, ...buyers];
const acknowledgedAt = (town: Town): number =>
  writersOf(town).reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!;

describe('Three homes that trade and are killed', () => {
  const homes: KilledHome[] = [];
  const killed: Kill[] = [];
  /** Kills in a start, and while requests are given up; replies that clients waited for at a kill. */
  const figures = { inStart: 0, inGivingUp: 0, repliesLost: 0 };
  let towns: readonly Town[] = [];
  let isOver = false;
  let running: Promise<unknown>;

  after(async () => {
    await tidy();
    for (const { options } of homes) await options.database?.dispose();
  });

  const others = (town: Town): readonly Town[] => towns.filter((each) => each !== town);

  async function settled(home: KilledHome): Promise<Town> {
    const resident = async (): Promise<RetryingWriter> => {
      const { did } = expectStatus(await home.node.client.post('/api/v1/identities', { passphrase }), 201);
      return new RetryingWriter(home, did);
    };
    const seller = await resident();
    const buyers = [];
    while (buyers.length < buyersEach) buyers.push(await resident());
    const offer = { ...infoListing.create.example, pricing: { price: 1 } };
    await seller.write({ path: '/api/v1/markets/info', body: offer });
    const { listings } = expectStatus(await home.node.client.get('/api/v1/markets/info?home=own'));
    return { home, seller, buyers, listing: listings[0].listingId };
  }

  async function claim({ home: { node }, seller, buyers }: Town): Promise<void> {
    const dids = [...buyers.map(({ did }) => did), ...homes.filter((each) => each.node !== node).map(({ did }) => did)];
    const times = [...dids.map((did) => ({ did, count: claims })), { did: seller.did, count: sellerClaims }];
    for (const { did, count } of times) {
      for (let done = 0; done < count; done++) expectStatus(await node.client.post('/api/v1/faucet', { did }));
    }
  }

  /** Purchases at other homes, and transfers whose Tokens remain or go home to another one. */
  function write(): void {
    isOver = false;
    const restMs = () => 100 + below(400);
    const buyers = towns.flatMap((each) => each.buyers);
    const transfer = (): WriteForm => ({
      path: '/api/v1/transfers',
      body: { to: oneOf(buyers).did, amount: 1, home: 'own' },
    });
    const purchase = (town: Town): WriteForm => ({
      path: `/api/v1/markets/info/${oneOf(others(town)).listing}/actions/purchase`,
      body: {},
    });
    running = Promise.all(
      towns.flatMap((town) => [
        town.seller.run(2, transfer, () => isOver, restMs),
        ...town.buyers.map((buyer) =>
          buyer.run(
            1,
            () => purchase(town),
            () => isOver,
            restMs,
          ),
        ),
      ]),
    );
  }

  async function kill(town: Town): Promise<void> {
    figures.repliesLost += writersOf(town).reduce((sum, { inFlight }) => sum + inFlight, 0);
    killed.push({ home: town.home.did, time: realEnvironment.now() });
    expect(await town.home.node.kill()).to.include({ signal: 'SIGKILL' });
  }

  /** Gives up requests to a home that is down, and in every second case kills and starts this one meanwhile. */
  async function giveUp(town: Town, down: Town): Promise<void> {
    await pause(realEnvironment, below(400));
    const { node, dir } = town.home;
    const open = expectStatus(await node.client.get('/api/v1/remote-requests?status=sent&limit=100'));
    const requests = (open.remoteRequests as Body[]).filter(({ to }) => to === down.home.did).slice(0, mostGivenUp);
    const giving = requests.map(({ id }) =>
      askNode(dir, 'peers.give-up', { id, reason: 'its home is down' }).catch(() => {}),
    );
    if (below(2) === 0) {
      await pause(realEnvironment, below(12));
      await kill(town);
      figures.inGivingUp++;
      await revive(town);
    }
    await Promise.all(giving);
  }

  /** Starts it again, and waits until it acknowledges a write. In every second case the first start is killed. */
  async function revive(town: Town): Promise<void> {
    const { home } = town;
    if (below(2) === 0) {
      const node = home.spawn();
      await pause(realEnvironment, below(1_000));
      killed.push({ home: home.did, time: realEnvironment.now() });
      expect(await node.kill()).to.include({ signal: 'SIGKILL' });
      figures.inStart++;
    }
    await home.start();
    for (const { did, nonce } of writersOf(town)) {
      const wallet = expectStatus(await home.node.client.get(`/api/v1/wallets/${did}`));
      expect(wallet.nonce, 'what it has acknowledged').to.be.at.least(nonce);
    }
    // The refusals are seen if it fails.
    const seen = () => ({ count: acknowledgedAt(town), refusals: writersOf(town).map(({ refusal }) => refusal) });
    const { count: before } = seen();
    await until(`${home.did} acknowledges a write`, seen, { is: ({ count }) => count > before });
  }

  async function round(): Promise<void> {
    await pause(realEnvironment, below(300));
    const victims = [oneOf(towns)];
    if (below(4) === 0) victims.push(oneOf(others(victims[0]!)));
    await Promise.all(victims.map(kill));
    const alive = oneOf(towns.filter((town) => !victims.includes(town)));
    // A start asks the peers for its own head, so all start at the same time.
    const reviving = victims.map(revive);
    if (victims.length === 1 && below(2) === 0) reviving.push(giveUp(alive, victims[0]!));
    await Promise.all(reviving);
  }

  /** Waits until no request is open, Tokens of other homes' residents are home, and each copy is complete. */
  async function quiet(): Promise<void> {
    isOver = true;
    await running;
    for (const { home, buyers } of towns) {
      await until('no request is open', () => home.node.client.get('/api/v1/remote-requests?status=sent'), {
        is: ({ body }) => body.total === 0,
        longestMs: 60_000,
      });
      for (const other of homes) {
        if (other === home) continue;
        for (const { did } of buyers) {
          await until('its Tokens are home', () => other.node.client.get(`/api/v1/wallets/${did}`), {
            is: ({ body }) => body.availableBalance === 0,
          });
        }
      }
    }
    // Late answers are noted once they are read.
    const heights = () => Promise.all(homes.map((home) => home.height()));
    await until('nothing is written', async () => {
      const before = await heights();
      for (const home of homes) for (const other of homes) if (other !== home) await other.sees(home);
      await pause(realEnvironment, 500);
      return String(before) === String(await heights());
    });
  }

  /** Each acknowledged entry is at its home and in the copies, which are equal to the journal. */
  async function compareCopies(): Promise<void> {
    for (const town of towns) {
      const { did } = town.home;
      const heads: unknown[] = [];
      for (const holder of homes) {
        await holder.reads(did, async (journal) => {
          heads.push(await journal.head());
          for (const hash of writersOf(town).flatMap(({ acknowledged }) => acknowledged)) {
            expect(await journal.entryByEvent(hash), `${hash} at ${holder.did}`).to.not.equal(undefined);
          }
        });
      }
      for (const head of heads) expect(head).to.deep.equal(heads[0]);
    }
  }

  /** Each request has one answer, and the ledgers of both homes agree. @returns what the journals say about requests */
  async function compareTrade(): Promise<readonly TradeFacts[]> {
    const journals: TradeFacts[] = [];
    for (const { home } of towns) {
      const { report, facts } = await home.audit();
      expect(report.flaw?.what, `the audit at ${home.did}`).to.equal(undefined);
      expect(report.supply, 'Tokens').to.equal((sellerClaims + claims * (buyersEach + homes.length - 1)) * 100);
      expect(report.peers).to.have.length(homes.length - 1);
      for (const each of report.trade) expect(each).to.include({ open: 0, inFlight: 0, unseen: 0 });
      journals.push(facts);
    }
    for (const [index, town] of towns.entries()) {
      const here = journals[index]!;
      await town.home.reads(town.home.did, async (journal) => {
        for (const there of journals) {
          if (there === here) continue;
          const [to, from] = [tokensOf(requestsBetween(here, there)), tokensOf(requestsBetween(there, here))];
          const expected = claims * 100 + to.paid - from.paid - from.lost;
          expect(await availableTo(there.home, journal), `what ${there.home} has at ${here.home}`).to.equal(expected);
        }
        const sold = [...here.answers()].filter(
          ({ state, context }) => state === 'accepted' && context.subject.kind !== 'account',
        );
        expect(await orders(journal), 'each accepted purchase').to.equal(sold.length);
        const { did, acknowledged } = town.seller;
        // What it has sold is held until it delivers.
        const expected = sellerClaims * 100 - (acknowledged.length - 1);
        expect(await availableTo(did, journal), 'what the seller has').to.equal(expected);
      });
      for (const { did, acknowledged } of town.buyers) {
        const sent = [...here.requests()].filter(({ context }) => context.signer === did);
        expect(sent.length, 'each acknowledged purchase').to.equal(acknowledged.length);
      }
    }
    return journals;
  }

  const availableTo = async (did: string, journal: StoreReader): Promise<number> =>
    (await journal.account(did))?.available ?? 0;

  async function orders(journal: StoreReader): Promise<number> {
    let count = 0;
    for (let after: string | undefined | null; after !== null; ) {
      const page = { limit: 100, offset: 0, ...(after ? { after } : {}) };
      const { items, next } = await journal.find({ kind: 'info-order', page });
      count += items.length;
      after = next ?? null;
    }
    return count;
  }

  it(`lose nothing acknowledged, answer each request once and agree to the Token, in ${kills} kills`, async function () {
    this.timeout(120_000 + kills * 10_000);
    while (homes.length < 3) homes.push(await KilledHome.withOwnStore({ homeward: 1, answerWaitMs: 300 }));
    await Promise.all(homes.map((home) => home.start()));
    await acquaintKilled(homes);
    towns = await Promise.all(homes.map(settled));
    await Promise.all(towns.map(claim));
    let killingMs = 0;
    for (let aim = 0; killed.length < kills; ) {
      for (const home of homes) for (const other of homes) if (other !== home) await other.sees(home);
      write();
      aim = Math.min(aim + killsPerComparison, kills);
      const began = performance.now();
      while (killed.length < aim) await round();
      killingMs += performance.now() - began;
      await quiet();
      for (const { code, stderr } of await Promise.all(homes.map(({ node }) => node.stop())))
        expect(code, stderr).to.equal(0);
      await compareCopies();
      const { all, hit } = requestFigures(await compareTrade(), killed);
      if (isLong) {
        const perMinute = Math.round((killed.length / killingMs) * 60_000);
        const writes = towns.reduce((sum, town) => sum + acknowledgedAt(town), 0);
        process.stdout.write(
          `      ${JSON.stringify({ kills: killed.length, perMinute, writes, ...figures, all, hit })}\n`,
        );
      }
      const counts = { ...figures, ...all, ...hit };
      // Few kills need not hit everything.
      const expected = killed.length < 200 ? ['purchases'] : Object.keys(counts);
      for (const [what, count] of Object.entries(counts))
        if (expected.includes(what)) expect(count, what).to.be.above(0);
      if (killed.length < kills) await Promise.all(homes.map((home) => home.start()));
    }
  });
});
