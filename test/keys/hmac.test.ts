import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { Hmac } from '../../src/keys/hmac.js';

describe('HMAC-SHA256 of a text', () => {
  it('is that of node:crypto, for keys and texts of every length', () => {
    const anyKey = fc.uint8Array({ maxLength: 64 });
    const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(anyKey, fc.array(anyText, { maxLength: 4 }), (key, texts) => {
        const hmac = new Hmac(key, 4_096);
        // One after the other: a longer text leaves nothing for a shorter one.
        for (const text of texts) {
          expect(hmac.of(text)).to.deep.equal(createHmac('sha256', key).update(text).digest());
        }
      }),
    );
  });

  it('takes a text as long as it was made for, and none that is longer', () => {
    const key = randomBytes(32);
    const hmac = new Hmac(key, 12);
    expect(hmac.of('ääääää')).to.deep.equal(createHmac('sha256', key).update('ääääää').digest());
    expect(() => hmac.of('äääääää')).to.throw('bound');
    expect(() => new Hmac(randomBytes(65), 12)).to.throw('hashed first');
  });
});
