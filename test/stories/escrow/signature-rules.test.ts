import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import sinon from 'sinon';
import type { JsonObject } from '../../../src/core/canonical.js';
import { network } from '../../world/bench.js';
import { EscrowStory } from '../../world/escrow-story.js';
import { ben, cyd, dan, didOf, signer } from '../../world/people.js';

/** An escrow that needs two signatures of Ben, Cyd and Dan. */
const withSigners = (more: JsonObject = {}): Promise<EscrowStory> =>
  EscrowStory.funded({ releaseRules: [{ type: 'signature', signers: [ben, cyd, dan], threshold: 2, ...more }] });

interface Signing {
  readonly amount?: number;
  readonly prev?: string;
  readonly id?: string;
  readonly net?: string;
  readonly home?: string;
  readonly verb?: string;
}

/** A signature of each named person, over the current state unless stated otherwise. */
function signed(story: EscrowStory, names: readonly string[], signing: Signing = {}): JsonObject {
  const {
    amount = 10,
    prev = story.prev,
    id = story.id,
    net = network,
    home = didOf('node'),
    verb = 'release',
  } = signing;
  const message = `svc:escrow-${verb}:v2:${net}:${home}:${id}:${prev}:${amount}`;
  return { signatures: names.map((name) => ({ did: didOf(name), signature: signer(name).sign(message) })) };
}

const release = (evidence: JsonObject, amount = 10): JsonObject => ({ amount, evidence });

describe('escrow: signature rules', () => {
  it('are met by as many signers as the threshold asks', async () => {
    const story = await withSigners();
    await story.accepts('ben', 'release', release(signed(story, ['ben', 'dan'])), { resourcePrev: story.prev });
    await story.has('ben', 10);
  });

  it('are met by more signatures, brought by either party', async () => {
    const story = await withSigners();
    for (const who of ['ada', 'ben', 'cyd']) {
      await story.accepts(who, 'release', release(signed(story, ['ben', 'cyd', 'dan'])), { resourcePrev: story.prev });
    }
  });

  it('without a threshold need all of them', async () => {
    const story = await withSigners({ threshold: undefined });
    const stated = { resourcePrev: story.prev };
    await story.refuses('ben', 'release', release(signed(story, ['ben', 'cyd'])), 'ESCROW_RULE_NOT_MET', stated);
    await story.accepts('ben', 'release', release(signed(story, ['dan', 'cyd', 'ben'])), stated);
  });

  it('are not met by one signer twice', async () => {
    const story = await withSigners();
    const evidence = signed(story, ['ben', 'ben', 'ben']);
    await story.refuses('ben', 'release', release(evidence), 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
  });

  it('do not count strangers', async () => {
    const story = await withSigners();
    const evidence = signed(story, ['ben', 'ada', 'eve']);
    await story.refuses('ben', 'release', release(evidence), 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
  });

  it('do not count a signature under another’s name', async () => {
    const story = await withSigners();
    const { signatures } = signed(story, ['ben', 'ben']) as { signatures: { did: string; signature: string }[] };
    const evidence = { signatures: [signatures[0]!, { did: dan, signature: signatures[0]!.signature }] };
    await story.refuses('ben', 'release', release(evidence), 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
  });

  it('need resourcePrev', async () => {
    const story = await withSigners();
    await story.refuses('ben', 'release', release(signed(story, ['ben', 'dan'])), 'ESCROW_RULE_NOT_MET');
  });

  describe('the signatures are bound to', () => {
    for (const [what, signing] of [
      ['the amount', { amount: 11 }],
      ['the escrow', { id: 'esc-other' }],
      ['the network', { net: 'mainnet' }],
      ['the home', { home: ben }],
      ['the state of the escrow', { prev: 'ab'.repeat(32) }],
      ['releasing', { verb: 'refund' }],
    ] as const) {
      it(what, async () => {
        const story = await withSigners();
        const evidence = signed(story, ['ben', 'dan'], signing);
        await story.refuses('ben', 'release', release(evidence), 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
      });
    }

    it('one release: they are worth nothing afterwards', async () => {
      const story = await withSigners();
      const before = story.prev;
      const evidence = signed(story, ['ben', 'dan']);
      await story.accepts('ben', 'release', release(evidence), { resourcePrev: before });
      await story.refuses('ben', 'release', release(evidence), 'CONFLICT', { resourcePrev: before });
      await story.refuses('ben', 'release', release(evidence), 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
    });

    it('what is current even if resourcePrev was not stated', async () => {
      const story = await withSigners();
      const evidence = signed(story, ['ben', 'dan']);
      const before = story.prev;
      await story.accepts('ben', 'release', release(evidence), { resourcePrev: before });
      // Only the input, which is signed and replayed, contains the outdated hash.
      const input = { ...release(evidence), resourcePrev: before };
      await story.refuses('ben', 'release', input, 'ESCROW_RULE_NOT_MET');
    });
  });

  for (const [what, evidence] of [
    ['no evidence', undefined],
    ['no signatures', { signatures: [] }],
    ['signatures that are no list', { signatures: { ben: 'x' } }],
    ['signatures of other shapes', { signatures: ['x', 7, null, [], {}] }],
    [
      'signatures that are no base58',
      {
        signatures: [
          { did: ben, signature: '0OIl' },
          { did: dan, signature: '' },
        ],
      },
    ],
    ['a signature under what is no text', { signatures: [{ did: { toString: 1 }, signature: 'x' }] }],
    ['signatures without a valid DID', { signatures: [{ signature: 'x' }, { did: 'did:svc:z1', signature: 'x' }] }],
  ] as const) {
    it(`are not met by ${what}`, async () => {
      const story = await withSigners();
      const body = { amount: 10, evidence };
      await story.refuses('ben', 'release', body, 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
    });
  }

  it('read sixteen signatures at most', async () => {
    const story = await withSigners();
    const evidence = signed(story, [...Array(15).fill('eve'), 'ben', 'dan']);
    await story.refuses('ben', 'release', release(evidence), 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
  });

  it('have each signature verified once, however many rules name its signer', async () => {
    const rule = { type: 'signature', signers: [ben, cyd, dan], threshold: 3 };
    const story = await EscrowStory.funded({ releaseRules: Array(16).fill(rule) });
    const evidence = signed(story, ['ben', 'cyd', 'dan'], { amount: 11 });
    const verify = sinon.spy(crypto, 'verify');
    syncBuiltinESMExports();
    try {
      await story.refuses('ben', 'release', release(evidence), 'ESCROW_RULE_NOT_MET', { resourcePrev: story.prev });
    } finally {
      verify.restore();
      syncBuiltinESMExports();
    }
    sinon.assert.calledThrice(verify);
  });

  it('let the depositor take back by signatures for a refund', async () => {
    const story = await EscrowStory.funded({ refundRules: [{ type: 'signature', signers: [ben, dan] }] });
    const wrong = signed(story, ['ben', 'dan']);
    await story.refuses('ada', 'refund', { amount: 10, evidence: wrong }, 'ESCROW_RULE_NOT_MET');
    const evidence = signed(story, ['ben', 'dan'], { verb: 'refund' });
    await story.accepts('ada', 'refund', { amount: 10, evidence });
    await story.has('ada', 910, 0, 90);
  });
});
