/** `audit --peers`: a network without lies passes, and each disagreement between two homes is named with its place. */
import { expect } from 'chai';
import { sentenceOf } from '../../../src/cli/audit.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { auditOwn } from '../../../src/peers/audit/own-audit.js';
import { agreementOf } from '../../../src/peers/audit/trade-agreement.js';
import type { GivenAnswer } from '../../../src/peers/audit/trade-facts.js';
import type { FeedEntry } from '../../../src/peers/replica/replica.js';
import { wholeLife } from '../../histories/whole-life.js';
import { Bench, network } from '../../world/bench.js';
import { didOf } from '../../world/people.js';
import { strangersFeed } from '../lies/feed.js';
import { auditOf, copyOf, everyEntry, price, TwoHomes } from './two-homes.js';

const factsOf = async ({ store }: Bench) => (await auditOwn(store, { network })).facts!;

const no: JsonObject = { code: 'LISTING_NOT_ACTIVE', detail: 'it is sold' };
const [asking, asked] = [didOf('brig'), didOf('alba')];

describe('An audit of a journal with the copies of other homes', () => {
  let homes: TwoHomes;
  beforeEach(async () => {
    homes = await TwoHomes.open();
  });

  it('passes, with what is under way, and counts the Tokens of both ends', async () => {
    await homes.trades();
    const refused = await homes.sends();
    await homes.closes(refused.id, await homes.answers(refused.hash, no), no);
    await homes.sends();
    await homes.answers((await homes.sends()).hash);
    const { peers, trade, uncompared: _, ...own } = await homes.audit();
    expect(own).to.include({ ok: true });
    expect(peers).to.have.length(1);
    expect(peers[0]).to.include({ ok: true, home: asked, withheld: 0, entries: (await homes.asked.store.head()).seq });
    const summary = { accepted: 1, refused: 1, open: 2, givenUp: 0, paid: price, inFlight: price, unseen: 0 };
    expect(trade).to.deep.equal([{ from: asking, to: asked, ...summary }]);
    const [[held], [gained]] = [await homes.asked.balances('brig'), await homes.asking.balances('alba')];
    expect(1_000 - held, 'paid at the asked home').to.equal(summary.paid + summary.inFlight);
    expect(gained, 'gained at the asking home').to.equal(summary.paid);
  });

  it('passes at a third home, from which payloads are withheld', async () => {
    await homes.trades();
    const third = await Bench.open({ node: 'cove' });
    const copies = [
      await copyOf(homes.asking, strangersFeed(homes.asking)),
      await copyOf(homes.asked, strangersFeed(homes.asked)),
    ];
    const { ok, trade } = await auditOf(third.store, copies);
    expect(ok).to.equal(true);
    expect(trade).to.have.length(1);
    expect(trade[0]).to.include({ from: asking, to: asked, accepted: 1, paid: price });
  });

  it('checks the states of what is withheld by the entries that made them', async () => {
    const life = await wholeLife();
    const copy = await copyOf(life, strangersFeed(life));
    const { peers, flaw } = await auditOf(homes.asking.store, [copy]);
    expect(flaw).to.equal(undefined);
    expect(peers[0]).to.include({ ok: true, entries: (await life.store.head()).seq });
    expect(peers[0]!.withheld).to.be.above(40);
  });

  it('counts what it cannot compare without a copy of the other home, at both ends', async () => {
    await homes.trades();
    const { hash } = await homes.sends();
    await homes.answers(hash);
    const asks = await auditOf(homes.asking.store, []);
    expect(asks).to.deep.include({ ok: true, trade: [] });
    expect(asks.uncompared).to.deep.equal([{ from: asking, to: asked, requests: 2, answers: 0 }]);
    const answers = await auditOf(homes.asked.store, []);
    expect(answers.uncompared).to.deep.equal([{ from: asking, to: asked, requests: 0, answers: 2 }]);
    expect((await homes.audit()).uncompared).to.deep.equal([]);
  });

  it('waits for what the copy does not have yet', async () => {
    const before = await everyEntry(homes.asked);
    const { trade, ok } = await homes.trades().then(() => homes.audit(before));
    expect(ok).to.equal(true);
    expect(trade[0]).to.include({ accepted: 0, unseen: 1 });
  });

  /** @param where the home of the journal with the disagreement; undefined: the own one */
  async function expectFlaw(where: string | undefined, says: RegExp, feed?: readonly FeedEntry[]): Promise<void> {
    const { ok, flaw } = await homes.audit(feed);
    expect(ok).to.equal(false);
    expect(flaw?.what).to.match(says);
    expect(flaw?.home).to.equal(where);
    if (flaw?.check !== 'trade') return;
    const bench = where === undefined ? homes.asking : homes.asked;
    expect((await bench.store.entryByEvent(flaw.eventHash!))?.seq, 'its place').to.equal(flaw.seq);
  }

  it('names a request that was closed with another outcome than its answer', async () => {
    const accepted = await homes.sends();
    await homes.closes(accepted.id, await homes.answers(accepted.hash), no);
    await expectFlaw(undefined, /closes rem-1, and says that it was refused, and it was accepted/);
  });

  it('names a request that was paid although it was refused', async () => {
    const refused = await homes.sends();
    await homes.closes(refused.id, await homes.answers(refused.hash, no));
    await expectFlaw(undefined, /says that it was accepted, and it was refused/);
  });

  it('names another code, and another answer', async () => {
    const refused = await homes.sends();
    const answer = await homes.answers(refused.hash, no);
    await homes.closes(refused.id, answer, { ...no, code: 'CONFLICT' });
    await expectFlaw(undefined, /gives the code CONFLICT, and the answer LISTING_NOT_ACTIVE/);
    homes = await TwoHomes.open();
    const other = await homes.sends();
    await homes.answers(other.hash);
    await homes.closes(other.id, 'f'.repeat(64));
    await expectFlaw(undefined, /names the answer f{64}, which is [0-9a-f]{64}/);
  });

  it('names a request that was closed by an answer that the other home never gave', async () => {
    const { id } = await homes.sends();
    await homes.closes(id, 'f'.repeat(64));
    expect((await homes.audit()).trade[0]).to.include({ unseen: 1 });
    await homes.asked.world.advance(3_600_000);
    await homes.asked.mint('cyd', 1);
    await expectFlaw(undefined, new RegExp(`closes rem-1, and ${asked} has not answered it`));
  });

  it('names an answer to a request that the asking home never sent', async () => {
    const { hash } = await homes.sends();
    await homes.answers(hash);
    // Another journal of Ada’s home, in which the same nonce sends another request.
    homes = TwoHomes.of((await TwoHomes.open()).asking, homes.asked);
    await homes.sends(price + 1);
    await expectFlaw(asked, new RegExp(`it answers ${hash}, which ${asking} has not sent to this home`));
  });

  it('names an answer with other Tokens, another signer or another subject than its request', async () => {
    await homes.trades();
    const [one, other] = [await factsOf(homes.asking), await factsOf(homes.asked)];
    const lies: readonly (readonly [(answer: GivenAnswer) => object, RegExp])[] = [
      [({ context }) => ({ context: { ...context, money: 7 } }), /it names 7 Tokens, and the request rem-1 30/],
      [() => ({ paid: 31 }), /it pays 31 Tokens to its signer, and 30 belong to the request rem-1/],
      [
        ({ context }) => ({ context: { ...context, signer: asked } }),
        /its signer is .*, and that of the request rem-1 is/,
      ],
      [
        ({ context }) => ({ context: { ...context, subject: { ...context.subject, id: 'lst-2' } } }),
        /it is about info-listing.create of lst-2, and the request rem-1 about/,
      ],
    ];
    for (const [lie, says] of lies) {
      const answers = [...other.answers()].map((answer) => ({ ...answer, ...lie(answer) }));
      const { home, asOf } = other;
      const lying = { home, asOf, nonceOf: () => 0, requests: () => other.requests(), answers: () => answers };
      const { disagreement } = agreementOf(one, lying);
      expect(disagreement?.what).to.match(says);
      expect(disagreement).to.include({ home: asked, seq: answers[0]!.seq, eventHash: answers[0]!.eventHash });
    }
  });

  it('names a changed account of a copy', async () => {
    await homes.trades();
    const copy = await copyOf(homes.asked);
    const store = (await copy.open()) as unknown as { tables: { accounts: Map<string, { available: number }> } };
    const account = store.tables.accounts.get(asking)!;
    store.tables.accounts.set(asking, { ...account, available: account.available + 1 });
    const { flaw } = await auditOf(homes.asking.store, [copy]);
    expect(flaw).to.include({ seq: 0, check: 'projection', home: asked });
    const says = `the audit of ${asked} failed: the account of ${asking} is not what the entries give`;
    expect(sentenceOf(flaw!)).to.equal(says);
  });
});
