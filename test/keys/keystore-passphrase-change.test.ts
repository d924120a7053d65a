import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { realEnvironment } from '../../src/core/environment.js';
import { isRefusal } from '../../src/core/refusal.js';
import {
  accepted,
  codeOf,
  openTestKeystore,
  otherPassphrase,
  passphrase,
  removeDirs,
  rfc8032,
  signerFrom,
  unlockCode,
} from './fixtures.js';

describe('changing a passphrase', () => {
  afterEach(removeDirs);

  it('makes the new one work and the old one stop at once, cached or not', async () => {
    const { keystore, dir } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const signer = await signerFrom(keystore, did, passphrase);
    expect(await keystore.changePassphrase(did, passphrase, otherPassphrase)).to.equal(undefined);
    expect(await unlockCode(keystore, did, passphrase)).to.equal('TRANSFER_NOT_ALLOWED');
    expect((await signerFrom(keystore, did, otherPassphrase)).sign('message')).to.equal(signer.sign('message'));
    expect(await readdir(dir)).to.have.lengthOf(1);
  });

  it('keeps the time of creation and the network, and takes a fresh salt and nonce', async () => {
    const { keystore, world } = await openTestKeystore({ network: 'testnet' });
    const { did } = accepted(await keystore.create(passphrase));
    const before = accepted(await keystore.exportKey(did));
    world.advance(5000);
    await keystore.changePassphrase(did, passphrase, otherPassphrase);
    const after = accepted(await keystore.exportKey(did));
    expect(after.createdAt).to.equal(before.createdAt);
    expect(after.network).to.equal('testnet');
    expect(after.kdf.salt).not.to.equal(before.kdf.salt);
    expect(after.nonce).not.to.equal(before.nonce);
  });

  it('is refused with a wrong old one, as unlock refuses, and counted', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const refusal = await keystore.unlock(did, otherPassphrase, 'origin');
    for (const target of [did, did, did, did, did]) {
      const runs = await kdf.during(async () => {
        expect(await keystore.changePassphrase(target, otherPassphrase, otherPassphrase)).to.deep.equal(refusal);
      });
      expect(runs).to.equal(1);
    }
    expect(codeOf(await keystore.changePassphrase(did, passphrase, otherPassphrase))).to.equal('RATE_LIMITED');
    expect(await keystore.changePassphrase(rfc8032[0].did, passphrase, otherPassphrase)).to.deep.equal(refusal);
    expect(await unlockCode(keystore, did, passphrase), 'nothing changed').to.equal('accepted');
  });

  it('is refused with a weak new one, before any KDF run', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const runs = await kdf.during(async () => {
      const outcome = await keystore.changePassphrase(did, passphrase, 'elevenchars');
      expect(isRefusal(outcome) && outcome.extras.errors?.[0]?.field).to.equal('newPassphrase');
      expect(codeOf(await keystore.changePassphrase(did, 'x'.repeat(1025), otherPassphrase))).to.equal(
        'INVALID_REQUEST',
      );
    });
    expect(runs).to.equal(0);
  });

  it('does not let an unlock that began before it be remembered, or joined, after it', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    // The earlier unlock has read the old file and is in its KDF run when the change overtakes it.
    kdf.hold();
    const early = unlockCode(keystore, did, passphrase);
    await kdf.begun();
    kdf.passOthers();
    expect(await keystore.changePassphrase(did, passphrase, otherPassphrase)).to.equal(undefined);
    expect(await unlockCode(keystore, did, passphrase), 'not joined').to.equal('TRANSFER_NOT_ALLOWED');
    kdf.letGo();
    expect(await early).to.equal('accepted');
    expect(await unlockCode(keystore, did, passphrase), 'not remembered').to.equal('TRANSFER_NOT_ALLOWED');
  });

  it('succeeds once when two do it at once', async () => {
    const { keystore } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const outcomes = await Promise.all([
      keystore.changePassphrase(did, passphrase, 'the first new one'),
      keystore.changePassphrase(did, passphrase, 'the second new one'),
    ]);
    expect(outcomes.map(codeOf)).to.deep.equal(['accepted', 'TRANSFER_NOT_ALLOWED']);
    expect(await unlockCode(keystore, did, 'the first new one')).to.equal('accepted');
  });

  it('is refused where another process has changed it meanwhile', async () => {
    const here = await openTestKeystore();
    const there = await openTestKeystore({ dir: here.dir, world: realEnvironment });
    const { did } = accepted(await here.keystore.create(passphrase));
    here.kdf.hold();
    const change = here.keystore.changePassphrase(did, passphrase, 'what we wanted here');
    await here.kdf.begun();
    expect(await there.keystore.changePassphrase(did, passphrase, otherPassphrase)).to.equal(undefined);
    here.kdf.letGo();
    expect(codeOf(await change)).to.equal('CONFLICT');
    expect(await unlockCode(here.keystore, did, otherPassphrase)).to.equal('accepted');
  });

  it('by another process works here at once, and ends the old one here within unlockSeconds', async () => {
    const here = await openTestKeystore();
    const there = await openTestKeystore({ dir: here.dir, world: realEnvironment });
    const { did } = accepted(await here.keystore.create(passphrase));
    await signerFrom(here.keystore, did, passphrase);
    expect(await there.keystore.changePassphrase(did, passphrase, otherPassphrase)).to.equal(undefined);
    expect(await unlockCode(here.keystore, did, passphrase), 'still cached').to.equal('accepted');
    here.world.advance(300_000);
    expect(await unlockCode(here.keystore, did, passphrase)).to.equal('TRANSFER_NOT_ALLOWED');
    expect(await unlockCode(here.keystore, did, otherPassphrase)).to.equal('accepted');
  });
});
