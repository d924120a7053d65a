import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { addressOf } from '../../../src/core/codecs/address.js';
import { EscrowStory, manual } from '../../world/escrow-story.js';
import { ada, ben, cyd, dan, didOf } from '../../world/people.js';

const hash = 'ab'.repeat(32);

describe('escrow: create', () => {
  it('reserves the amount for an unfunded escrow', async () => {
    const story = await EscrowStory.created();
    story.is('created.open', { depositor: ada, beneficiary: ben, arbiter: cyd, amount: 100, funded: 0 });
    story.is('created.open', { released: 0, refunded: 0, purpose: null, revocable: true, expiresAt: null });
    await story.has('ada', 900, 100);
    await story.has('ben', 0);
  });

  it('takes the beneficiary as an account address, too', async () => {
    const story = await EscrowStory.created({ beneficiary: addressOf(ben) });
    story.is('created.open', { beneficiary: ben });
  });

  it('may go without an arbiter', async () => {
    const story = await EscrowStory.open();
    await story.accepts('ada', 'create', { arbiter: undefined });
    story.is('created.open', { arbiter: null });
  });

  it('may be for someone who never acted', async () => {
    const story = await EscrowStory.created({ beneficiary: didOf('nobody yet') });
    await story.has('ada', 900, 100);
  });

  it('takes the whole available balance', async () => {
    const story = await EscrowStory.created({ amount: 1_000 });
    await story.has('ada', 0, 1_000);
  });

  it('is refused beyond the available balance', async () => {
    const story = await EscrowStory.open();
    await story.refuses('ada', 'create', { amount: 1_001 }, 'INSUFFICIENT_BALANCE');
  });

  it('counts what other escrows reserve as not available', async () => {
    const story = await EscrowStory.created({ amount: 950 });
    const { bench } = story;
    const second = await bench.ask('ada', 'escrow', 'esc-2', 'create', {
      beneficiary: ben,
      amount: 51,
      releaseRules: manual,
    });
    expect(second).to.have.property('code', 'INSUFFICIENT_BALANCE');
  });

  it('is refused to a frozen depositor', async () => {
    const story = await EscrowStory.open();
    await story.bench.operate('account', ada, 'freeze');
    await story.refuses('ada', 'create', {}, 'TRANSFER_NOT_ALLOWED');
  });

  it('is refused under an id that is taken', async () => {
    const story = await EscrowStory.created();
    await story.refuses('ada', 'create', {}, 'CONFLICT');
    await story.refuses('ada', 'create', {}, 'CONFLICT', { resourcePrev: null });
  });

  it('takes null as resourcePrev, and nothing else', async () => {
    const story = await EscrowStory.open();
    await story.refuses('ada', 'create', {}, 'CONFLICT', { resourcePrev: hash });
    await story.accepts('ada', 'create', {}, { resourcePrev: null });
  });

  describe('three distinct parties', () => {
    for (const [who, parties] of [
      ['the depositor is the beneficiary', { beneficiary: ada }],
      ['the depositor is the arbiter', { arbiter: ada }],
      ['the beneficiary is the arbiter', { arbiter: ben }],
      ['the beneficiary’s address is the arbiter’s DID', { beneficiary: addressOf(cyd) }],
    ] as const) {
      it(`UNPROCESSABLE where ${who}`, async () => {
        const story = await EscrowStory.open();
        await story.refuses('ada', 'create', parties, 'UNPROCESSABLE');
      });
    }
  });

  describe('autoFund', () => {
    it('creates and funds in one event', async () => {
      const story = await EscrowStory.open();
      const { entry } = await story.accepts('ada', 'create', { autoFund: true });
      expect(entry.core.event.type).to.equal('escrow.created');
      expect(entry.core.versions).to.have.length(1);
      expect(entry.core.versions[0]).to.deep.include({ version: 1, path: ['created.open', 'funded'], prev: null });
      expect(entry.core.moves.map(({ op }) => op)).to.deep.equal(['reserve', 'lock']);
      story.is('funded', { funded: 100 });
      await story.has('ada', 900, 0, 100);
    });

    it('false leaves it unfunded', async () => {
      const story = await EscrowStory.created({ autoFund: false });
      story.is('created.open');
    });

    it('changes nothing where the Tokens are missing', async () => {
      const story = await EscrowStory.open();
      await story.refuses('ada', 'create', { autoFund: true, amount: 1_001 }, 'INSUFFICIENT_BALANCE');
    });
  });

  describe('input', () => {
    for (const [what, body, code] of [
      ['no beneficiary', { beneficiary: undefined }, 'INVALID_REQUEST'],
      ['a beneficiary that is no account', { beneficiary: 'ben' }, 'INVALID_REQUEST'],
      ['no amount', { amount: undefined }, 'INVALID_REQUEST'],
      ['amount 0', { amount: 0 }, 'INVALID_REQUEST'],
      ['a negative amount', { amount: -1 }, 'INVALID_REQUEST'],
      ['a fraction', { amount: 1.5 }, 'INVALID_REQUEST'],
      ['an amount as text', { amount: '100' }, 'INVALID_REQUEST'],
      ['an amount beyond 2^53-1', { amount: 2 ** 53 }, 'INVALID_REQUEST'],
      ['no release rules', { releaseRules: undefined }, 'INVALID_REQUEST'],
      ['an empty list of release rules', { releaseRules: [] }, 'INVALID_REQUEST'],
      ['release rules that are no list', { releaseRules: { type: 'manual' } }, 'INVALID_REQUEST'],
      ['more rules than sixteen', { releaseRules: Array(17).fill({ type: 'manual' }) }, 'INVALID_REQUEST'],
      ['an arbiter that is no DID', { arbiter: 'did:svc:zNope' }, 'DID_INVALID'],
      ['a time that is none', { expiresAt: 'tomorrow' }, 'INVALID_REQUEST'],
      ['autoFund that is no boolean', { autoFund: 'yes' }, 'INVALID_REQUEST'],
    ] as const) {
      it(`${code} on ${what}`, async () => {
        const story = await EscrowStory.open();
        await story.refuses('ada', 'create', body, code);
      });
    }

    it('ignores a purpose that a caller made up', async () => {
      const story = await EscrowStory.created({ purpose: { kind: 'lease', id: 'lease-1' } });
      story.is('created.open', { purpose: null });
      await story.accepts('ada', 'fund', { amount: 100 });
    });
  });

  describe('expiresAt', () => {
    it('in the past is refused', async () => {
      const story = await EscrowStory.open();
      await story.refuses('ada', 'create', { expiresAt: story.now }, 'UNPROCESSABLE');
      await story.refuses('ada', 'create', { expiresAt: story.now - dayMs }, 'UNPROCESSABLE');
    });

    it('is taken as ISO 8601 or epoch milliseconds, and kept as milliseconds', async () => {
      const story = await EscrowStory.open();
      const at = story.now + dayMs;
      await story.accepts('ada', 'create', { expiresAt: new Date(at).toISOString() });
      story.is('created.open', { expiresAt: at, lapsesAt: at });
    });

    it('without one, an unfunded escrow has 30 days', async () => {
      const story = await EscrowStory.created();
      story.is('created.open', { expiresAt: null, lapsesAt: story.now + 30 * dayMs });
    });
  });

  it('may be asked by any signer with the Tokens', async () => {
    const story = await EscrowStory.open();
    await story.bench.mint('dan', 100);
    await story.accepts('dan', 'create');
    story.is('created.open', { depositor: dan });
  });
});
