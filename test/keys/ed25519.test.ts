import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { OpensslKey, privateKeyOf } from '../../src/core/codecs/ed25519.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('An Ed25519 private key', () => {
  it('is libsodium’s here', () => {
    const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
    const isMusl = process.platform === 'linux' && !header.glibcVersionRuntime;
    expect(privateKeyOf(randomBytes(32)) instanceof OpensslKey).to.equal(isMusl);
  });

  it('signs as OpenSSL does, whatever the message', () => {
    for (let bytes = 0; bytes < 200; bytes++) {
      const seed = randomBytes(32);
      const [here, there] = [privateKeyOf(seed), new OpensslKey(seed)];
      const message = randomBytes(bytes);
      expect(hex(here.publicKey)).to.equal(hex(there.publicKey));
      expect(hex(here.sign(message))).to.equal(hex(there.sign(message)));
      expect(hex(here.copySeed())).to.equal(hex(seed)).and.to.equal(hex(there.copySeed()));
    }
  });

  it('takes the place of an erased one, and is not mixed up with others', () => {
    const message = Buffer.from('a message');
    const seeds = Array.from({ length: 300 }, () => randomBytes(32));
    const keys = seeds.map(privateKeyOf);
    for (const [index, key] of keys.entries()) {
      if (index % 3 === 0) {
        key.erase();
        seeds[index] = randomBytes(32);
        keys[index] = privateKeyOf(seeds[index]!);
      }
    }
    for (const [index, key] of keys.entries()) {
      expect(hex(key.sign(message)), String(index)).to.equal(hex(new OpensslKey(seeds[index]!).sign(message)));
    }
  });

  it('gives signatures and seeds that are the caller’s own', () => {
    const seed = randomBytes(32);
    const key = privateKeyOf(seed);
    const before = hex(key.sign(Buffer.from('x')));
    key.copySeed().fill(0);
    key.sign(Buffer.from('x')).fill(0);
    seed.fill(0);
    expect(hex(key.sign(Buffer.from('x')))).to.equal(before);
  });
});
