/** Deliverable envelopes: how they are completed, signed, and verified offline. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import bs58 from 'bs58';
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal } from '../../../src/core/refusal.js';
import {
  complete,
  digestOf,
  type EnvelopeInput,
  flawOf,
  signingText,
} from '../../../src/machines/deliverable/envelope.js';
import { ada, ben, signer } from '../../world/people.js';

const at = { contextId: 'ord-1', producer: ada, id: 'dlv-1', createdAt: 1_700_000_000_000 };
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const inline: EnvelopeInput = { type: 'text', transport: { method: 'inline', data: 'rain' } };

function completed(given: EnvelopeInput): JsonObject {
  const envelope = complete(given, at);
  return isRefusal(envelope) ? expect.fail(envelope.detail) : envelope;
}
const signed = (given: EnvelopeInput): JsonObject => {
  const envelope = completed(given);
  return { ...envelope, signature: signer('ada').sign(signingText(envelope)) };
};

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
    const envelope = completed({ type: 'data', transport: { method: 'inline', data, encoding: 'base64' } });
    expect(envelope).to.include({ contentHash: sha('rain'), size: 4 });
  });

  const external = { type: 'data', contentHash: sha('rain') } as const;
  for (const [name, given] of Object.entries<EnvelopeInput>({
    'without content and hash': { type: 'data', transport: { method: 'external', uri: 'https://example.org/x' } },
    'of another producer': { ...external, producer: ben },
    'for something else': { ...external, contextId: 'ord-2' },
    'with another hash than its data': { ...inline, contentHash: sha('sun') },
    'with another size than its data': { ...inline, size: 5 },
    'with no data': { type: 'text', transport: { method: 'inline', data: '' } },
    'with white space as data': { type: 'text', transport: { method: 'inline', data: ' \u200b\n' } },
    'with data that decodes to nothing': {
      type: 'data',
      transport: { method: 'inline', data: ' ', encoding: 'base64' },
    },
    'with the hash of nothing': { ...external, contentHash: sha('') },
  })) {
    it(`${name} are UNPROCESSABLE`, () => {
      expect(complete(given, at)).to.have.property('code', 'UNPROCESSABLE');
    });
  }

  it('are verified with node:crypto alone', () => {
    const { signature, ...unsigned } = signed(external) as JsonObject & { signature: string };
    const sorted = JSON.stringify(Object.fromEntries(Object.entries(unsigned).sort(([a], [b]) => (a < b ? -1 : 1))));
    const raw = Buffer.from(bs58.decode(ada.slice('did:svc:z'.length))).subarray(2);
    const x = raw.toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(verify(null, Buffer.from(`svc:deliverable:v1:${sorted}`), key, bs58.decode(signature))).to.equal(true);
    expect(digestOf({ ...unsigned, signature })).to.match(/^[0-9a-f]{64}$/);
  });

  it('hold, for whom and what they were made', () => {
    expect(flawOf(signed(inline), { producer: ada, contextId: 'ord-1' })).to.equal(undefined);
    expect(flawOf(signed(inline), { producer: ben })).to.match(/somebody else/);
    expect(flawOf(signed(inline), { contextId: 'ord-2' })).to.match(/something else/);
  });

  it('don’t hold once anything is changed', () => {
    const envelope = signed(inline);
    for (const name of Object.keys(envelope)) {
      expect(flawOf({ ...envelope, [name]: undefined }), name).to.be.a('string');
    }
    expect(flawOf({ ...envelope, more: 1 })).to.match(/signature/);
    expect(flawOf({ ...envelope, producer: ben })).to.match(/signature/);
    for (const nothing of [null, 'x', [], {}]) expect(flawOf(nothing)).to.be.a('string');
  });
});
