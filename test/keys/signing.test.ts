import { expect } from 'chai';
import { publicKeyOf } from '../../src/core/codecs/did.js';
import { verify } from '../../src/core/codecs/signature-check.js';
import { AssertionError } from '../../src/core/refusal.js';
import { deriveSeed, deriveSigner, type Signer, signerOf, systemKeyInfo } from '../../src/keys/signing.js';
import { bytes, rfc8032 } from './fixtures.js';

describe('signer', () => {
  for (const vector of rfc8032) {
    it(`of seed ${vector.seed.slice(0, 8)} signs as RFC 8032 says`, () => {
      const signer = signerOf(bytes(vector.seed));
      expect(signer.did).to.equal(vector.did);
      expect(signer.sign(bytes(vector.message))).to.equal(vector.signature);
    });
  }

  it('signs a string as its UTF-8 bytes, and verify accepts it', () => {
    const signer = signerOf(bytes(rfc8032[0].seed));
    expect(signer.sign('grüße')).to.equal(signer.sign(Buffer.from('grüße', 'utf8')));
    expect(verify(publicKeyOf(signer.did), 'grüße', signer.sign('grüße'))).to.equal(true);
  });

  it('does not need the seed that it was made from any more', () => {
    const seed = bytes(rfc8032[1].seed);
    const signer = signerOf(seed);
    seed.fill(0);
    expect(signer.sign(bytes('72'))).to.equal(rfc8032[1].signature);
  });

  it('signs nothing once it is erased', () => {
    const signer = signerOf(bytes(rfc8032[0].seed));
    signer.erase();
    expect(() => signer.sign('')).to.throw(AssertionError);
    expect(() => signer.withSeed(() => 0)).to.throw(AssertionError);
    expect(() => deriveSigner(signer, 'info')).to.throw(AssertionError);
  });

  it('lends its seed and zeroises what it lent', () => {
    let lent: Uint8Array = new Uint8Array();
    const copied = signerOf(bytes(rfc8032[0].seed)).withSeed((seed) => {
      lent = seed;
      return Buffer.from(seed).toString('hex');
    });
    expect(copied).to.equal(rfc8032[0].seed);
    expect([...lent].every((byte) => byte === 0)).to.equal(true);
  });

  it('takes 32 bytes only', () => {
    expect(() => signerOf(new Uint8Array(31))).to.throw(AssertionError);
    expect(() => signerOf(new Uint8Array(64))).to.throw(AssertionError);
  });

  // HKDF of RFC 5869 with an empty salt, computed with Python's hmac.
  it('derives the system seed by HKDF-SHA256', () => {
    expect(Buffer.from(deriveSeed(bytes(rfc8032[0].seed), 'svc:system:v1')).toString('hex')).to.equal(
      'bf366e7fa95768dd745f6afaee5a04a80b8feea60ba3700d761cade3c841882a',
    );
  });

  it('derives the same system key each time, other keys for other infos and parents', () => {
    const parent = signerOf(bytes(rfc8032[0].seed));
    const system = deriveSigner(parent, systemKeyInfo);
    expect(system.did).to.equal(signerOf(deriveSeed(bytes(rfc8032[0].seed), systemKeyInfo)).did);
    expect(deriveSigner(parent, systemKeyInfo).did).to.equal(system.did);
    expect(system.did).not.to.equal(parent.did);
    expect(deriveSigner(parent, 'svc:system:v2').did).not.to.equal(system.did);
    expect(deriveSigner(signerOf(bytes(rfc8032[1].seed)), systemKeyInfo).did).not.to.equal(system.did);
    parent.erase();
    expect(verify(publicKeyOf(system.did), 'entry', system.sign('entry'))).to.equal(true);
  });

  it('derives from signers with a seed only', () => {
    const remote: Signer = { did: rfc8032[0].did, sign: () => '' };
    expect(() => deriveSigner(remote, systemKeyInfo)).to.throw(AssertionError);
  });
});
