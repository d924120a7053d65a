/** Deliverable envelopes: how they are completed, signed, and verified offline. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import bs58 from 'bs58';
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { complete, type EnvelopeInput, flawOfWhole, isSoundFor } from '../../../src/machines/deliverable/envelope.js';
import { placeText } from '../../../src/machines/kernel/attest.js';
import { delivered, envelopeOf, place } from '../../world/envelope.js';
import { ada, ben, didOf } from '../../world/people.js';

const at = { contextId: 'ord-1', producer: ada, id: 'dlv-1', createdAt: 1_700_000_000_000 };
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const transport = (data: string, more: JsonObject = {}) => ({ transport: { method: 'inline', data, ...more } });
const inline: EnvelopeInput = { type: 'text', ...transport('rain') };

function completed(given: EnvelopeInput): JsonObject {
  const envelope = complete(given, at);
  return isRefusal(envelope) ? expect.fail(envelope.detail) : envelope;
}

describe('deliverable envelopes', () => {
  it('get what their producer has not said, and keep what it has', () => {
    const named = { ...inline, id: 'mine', name: 'rain.txt', language: 'en' } as EnvelopeInput;
    expect(completed(named)).to.deep.equal({
      ...named,
      ...{ contextId: 'ord-1', producer: ada, createdAt: at.createdAt, contentHash: sha('rain'), size: 4 },
    });
  });

  it('hash inline data as its encoding says', () => {
    const data = Buffer.from('rain').toString('base64');
    const envelope = completed({ type: 'data', ...transport(data, { encoding: 'base64' }) });
    expect(envelope).to.include({ contentHash: sha('rain'), size: 4 });
  });

  const external = { type: 'data', contentHash: sha('rain') } as const;
  const elsewhere: JsonObject = { method: 'external', uri: 'https://example.org/x' };
  for (const [name, given] of Object.entries<EnvelopeInput>({
    'without content and hash': { type: 'data', transport: elsewhere },
    'of another producer': { ...external, producer: ben },
    'for something else': { ...external, contextId: 'ord-2' },
    'with another hash than its data': { ...inline, contentHash: sha('sun') },
    'with another size than its data': { ...inline, size: 5 },
    'with no data': { type: 'text', ...transport('') },
    'with white space as data': { type: 'text', ...transport(' \u200b\n') },
    'with data that decodes to nothing': { type: 'data', ...transport(' ', { encoding: 'base64' }) },
    'with the hash of nothing': { ...external, contentHash: sha('') },
  })) {
    it(`${name} are UNPROCESSABLE`, () => {
      expect(complete(given, at)).to.have.property('code', 'UNPROCESSABLE');
    });
  }

  it('are verified with node:crypto alone', () => {
    const { signature, digest, ...unsigned } = envelopeOf('ada', 'ord-1', { given: external });
    const sorted = JSON.stringify(Object.fromEntries(Object.entries(unsigned).sort(([a], [b]) => (a < b ? -1 : 1))));
    expect(digest).to.equal(sha(sorted));
    const x = Buffer.from(bs58.decode(ada.slice('did:svc:z'.length)))
      .subarray(2)
      .toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const message = Buffer.from(`svc:deliverable:v2:devnet:${didOf('node')}:${digest}`);
    expect(verify(null, message, key, Buffer.from(String(signature), 'base64url'))).to.equal(true);
  });

  const by = { producer: ada, contextId: 'ord-1', place };
  const envelope = envelopeOf('ada', 'ord-1', { given: inline });

  it('hold for whom, for what and where they were made', () => {
    expect(flawOfWhole(envelope, by)).to.equal(undefined);
    expect(flawOfWhole(envelope, { ...by, producer: ben })).to.match(/somebody else/);
    expect(flawOfWhole(envelope, { ...by, contextId: 'ord-2' })).to.match(/something else/);
    for (const other of [placeText('devnet', ben), placeText('mainnet', didOf('node'))])
      expect(flawOfWhole(envelope, { ...by, place: other })).to.match(/signature/);
  });

  it('don’t hold once anything is changed', () => {
    for (const name of Object.keys(envelope))
      expect(flawOfWhole({ ...envelope, [name]: undefined }, by), name).to.be.a('string');
    expect(flawOfWhole({ ...envelope, more: 1 }, by)).to.match(/digest/);
    expect(flawOfWhole({ ...envelope, digest: sha('other') }, by)).to.match(/digest/);
    expect(flawOfWhole({ ...envelope, ...transport('sun') }, by)).to.match(/digest/);
    expect(flawOfWhole({}, by)).to.be.a('string');
  });

  it('hold without their texts, by the digest that was signed', () => {
    const { transport: _, ...structured } = delivered(envelope).envelope;
    const { envelopeDigest } = delivered(envelope);
    expect(isSoundFor(by, { envelope: structured, envelopeDigest })).to.equal(true);
    expect(isSoundFor(by, { envelope: structured })).to.equal(false);
    expect(isSoundFor(by, { envelope: { ...structured, digest: sha('other') }, envelopeDigest })).to.equal(false);
  });
});
