/** What the client hashes is what the node rebuilds, for any JSON; what has no text is refused by both. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Client } from '../../packages/client/src/client.js';
import { canonicalText, type JsonValue } from '../../packages/client/src/signing/bytes.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import { canonical, type Json } from '../../src/core/canonical.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import { nodeForSuite } from '../node/support/node.js';
import { isLong } from '../support/long.js';

const rounds = isLong ? 2_000 : 60;
/** Text of any well-formed characters, with those that JSON and pointers escape. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('~', '/', '"', '\\', '\u0001', '\u2028', '💧', 'é'),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  ),
});
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'leaf', 'size', '', '*', '0'));
const number = fc.oneof(
  fc.integer(),
  fc.constantFrom(0, -0, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 9007199254740991, 0.1),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
  ),
}));

describe('The text that is signed', () => {
  const node = nodeForSuite();
  let client: Client;
  let key: HeldKey;

  before(async () => {
    key = await keys.generate();
    client = new Client({ url: node().url, signer: { key } });
    await node().fund(key, 100_000);
  });

  it('is the same for client and node, of any value', () => {
    fc.assert(
      fc.property(value, (each) => canonicalText(each as JsonValue) === canonical(each)),
      { numRuns: rounds * 20 },
    );
  });

  it('is accepted with any memo', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (memo) => {
        const { eventHash } = await client.wallets.transfer({ to: node().did, amount: 1, memo: memo || '-' });
        expect(eventHash).to.match(/^[0-9a-f]{64}$/);
      }),
      { numRuns: rounds },
    );
  });

  it('is accepted with any free members, however deep', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 5 }), async (metadata) => {
        const asked = { ...infoListing.create.example, content: { format: 'text/plain' }, metadata };
        // What a node refuses of any caller, it refuses here as well.
        const plain = await node().client.post('/api/v1/markets/info', { did: key.did, prepare: true, ...asked });
        if (plain.status >= 400) {
          expectProblem(plain, 'INVALID_REQUEST');
          return;
        }
        accepted += 1;
        const made = await client.markets.info.create(asked as never);
        const shown = expectStatus(await node().client.get(`/api/v1/markets/info/${made.listingId}`));
        expect(canonical(shown.metadata)).to.equal(canonical(metadata));
      }),
      { numRuns: rounds },
    );
    expect(accepted).to.be.greaterThan(rounds / 3);
  });

  it('does not exist with half a character, for client and node', async () => {
    for (const memo of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
      expect(() => canonicalText(memo)).to.throw(/half a character/);
      const body = { did: key.did, prepare: true, to: node().did, amount: 1, memo };
      expectProblem(await node().client.post('/api/v1/transfers', body), 'INVALID_REQUEST');
      const { head } = await node().state();
      const failed = await client.wallets.transfer({ to: node().did, amount: 1, memo }).catch((error) => error);
      expect(failed).to.be.instanceOf(Error);
      expect((await node().state()).head).to.deep.equal(head);
    }
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => canonicalText(none)).to.throw();
  });
});
