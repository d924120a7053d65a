/** Wycheproof's signatures, valid and invalid ones (docs/reference/journal-format.md#signatures). */
import { expect } from 'chai';
import { signatureText, verify } from '../../src/core/codecs/signature-check.js';
import { vectorsIn } from '../support/vectors.js';

type Vector = readonly [
  id: number,
  tries: string,
  publicKey: string,
  message: string,
  signature: string,
  valid: boolean,
];

describe('Wycheproof: Ed25519', () => {
  it('takes each signature that is valid, and no other', () => {
    const vectors = vectorsIn<Vector>('ed25519.json');
    expect(vectors).to.have.length(151);
    for (const [id, tries, publicKey, message, signature, valid] of vectors) {
      const [key, text, bytes] = [publicKey, message, signature].map((hex) => Buffer.from(hex, 'hex')) as Buffer[];
      expect(verify(key!, text!, bytes), `${id}: ${tries}`).to.equal(valid);
      expect(verify(key!, text!, signatureText(bytes!)), `${id}, in base64url: ${tries}`).to.equal(valid);
    }
  });
});
