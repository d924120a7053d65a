/** Which public keys a secret can be agreed with: OpenSSL says so with any private key, slowly. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { agreement, isAgreeable, x25519Key } from '../../src/core/codecs/x25519.js';

const p = 2n ** 255n - 19n;

describe('a public key for agreements', () => {
  const key = x25519Key(randomBytes(32));
  const bytesOf = (u: bigint): Buffer => Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse();
  const answers = (bytes: Buffer) => [bytes.toString('hex'), isAgreeable(bytes)] as const;
  const expected = (bytes: Buffer) => [bytes.toString('hex'), agreement(key, bytes) !== undefined] as const;

  it('is refused where OpenSSL agrees on nothing, with its highest bit and without', () => {
    const orderOf8 = [
      325606250916557431795983626356110631294008115727848805560023387167927233504n,
      39382357235489614581723060781553021112529911719440698176882885853963445705823n,
    ];
    for (const u of [0n, 1n, ...orderOf8, p - 1n, p, p + 1n])
      for (const top of [0n, 2n ** 255n]) {
        const bytes = bytesOf(u + top);
        expect(answers(bytes)).to.deep.equal(expected(bytes));
        expect(isAgreeable(bytes)).to.equal(false);
      }
  });

  it('is taken where it does', () => {
    const others = [2n, 8n, 9n, p - 2n, p + 2n, p + 18n, 2n ** 254n].map(bytesOf);
    for (const bytes of [...others, ...Array.from({ length: 100 }, () => randomBytes(32))])
      expect(answers(bytes)).to.deep.equal(expected(bytes));
  });
});
