import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import {
  accepted,
  codeOf,
  openTestKeystore,
  passphrase,
  removeDirs,
  rfc8032,
  signerFrom,
  unlockCode,
} from './fixtures.js';

const wrong = (i: number): string => `wrong passphrase ${i}`;
const unknown = rfc8032[0].did;

describe('wrong passphrases', () => {
  afterEach(removeDirs);

  it('are limited per origin and DID, alike for known and unknown DIDs, without a KDF run', async () => {
    const { keystore, kdf, world } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    for (const target of [did, unknown]) {
      for (let i = 0; i < 5; i++) expect(await unlockCode(keystore, target, wrong(i))).to.equal('TRANSFER_NOT_ALLOWED');
      const runs = await kdf.during(async () => {
        const refused = await keystore.unlock(target, wrong(6), 'origin');
        expect(codeOf(refused)).to.equal('RATE_LIMITED');
        expect(isRefusal(refused) && refused.extras.retryAfter).to.equal(60);
      });
      expect(runs).to.equal(0);
      expect(await unlockCode(keystore, target, wrong(7), 'elsewhere')).to.equal('TRANSFER_NOT_ALLOWED');
    }
    expect(await unlockCode(keystore, did, passphrase), 'also for the right one, not cached').to.equal('RATE_LIMITED');
    world.advance(60_000);
    expect(await unlockCode(keystore, did, passphrase)).to.equal('accepted');
  });

  it('are limited per DID over all origins', async () => {
    const { keystore } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    for (let i = 0; i < 60; i++) {
      expect(await unlockCode(keystore, did, wrong(i), `origin ${i}`)).to.equal('TRANSFER_NOT_ALLOWED');
    }
    expect(await unlockCode(keystore, did, wrong(60), 'a new origin')).to.equal('RATE_LIMITED');
    expect(await unlockCode(keystore, unknown, wrong(60), 'a new origin')).to.equal('TRANSFER_NOT_ALLOWED');
  });

  it('do not lock out the one whose passphrase is cached', async () => {
    const { keystore } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const signer = await signerFrom(keystore, did, passphrase);
    for (let i = 0; i < 70; i++) await keystore.unlock(did, wrong(i), i % 2 ? 'origin' : `origin ${i}`);
    expect(await unlockCode(keystore, did, wrong(99))).to.equal('RATE_LIMITED');
    for (let i = 0; i < 100; i++) expect(keystore.unlock(did, passphrase, 'origin')).to.equal(signer);
  });

  it('cannot pass the limit by coming all at once', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const runs = await kdf.during(async () => {
      const codes = await Promise.all(Array.from({ length: 40 }, (_, i) => unlockCode(keystore, did, wrong(i))));
      expect(codes.filter((code) => code === 'TRANSFER_NOT_ALLOWED')).to.have.lengthOf(5);
      expect(codes.filter((code) => code === 'RATE_LIMITED')).to.have.lengthOf(35);
    });
    expect(runs).to.equal(5);
  });

  it('are what is counted: right ones are not', async () => {
    const { keystore } = await openTestKeystore({ unlockSeconds: 0 });
    const { did } = accepted(await keystore.create(passphrase));
    for (let i = 0; i < 100; i++) expect(await unlockCode(keystore, did, passphrase)).to.equal('accepted');
  });

  it('that are one guess count once, however many ask it at the same time', async () => {
    const { keystore } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const codes = await Promise.all(Array.from({ length: 20 }, () => unlockCode(keystore, did, wrong(0))));
    expect(new Set(codes)).to.deep.equal(new Set(['TRANSFER_NOT_ALLOWED']));
    expect(await unlockCode(keystore, did, passphrase)).to.equal('accepted');
  });
});
