import { expect } from 'chai';
import { AssertionError } from '../../src/core/refusal.js';
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

describe('an unlocked key', () => {
  afterEach(removeDirs);

  it('is given at once, without KDF, until its time is over', async () => {
    const { keystore, kdf, world } = await openTestKeystore({ unlockSeconds: 300 });
    const { did } = accepted(await keystore.create(passphrase));
    const signer = await signerFrom(keystore, did, passphrase);
    const runs = await kdf.during(() => {
      world.advance(299_999);
      expect(keystore.unlock(did, passphrase, 'origin'), 'the same, and no promise').to.equal(signer);
    });
    expect(runs).to.equal(0);
    world.advance(1);
    expect(await kdf.during(() => signerFrom(keystore, did, passphrase)), 'use does not prolong it').to.equal(1);
  });

  it('is not given after its time, though the timer is late', async () => {
    const { keystore, kdf, world } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    await signerFrom(keystore, did, passphrase);
    world.passUnnoticed(300_000);
    expect(await kdf.during(() => signerFrom(keystore, did, passphrase))).to.equal(1);
  });

  it('is let go when its time is over, and leaves no timer', async () => {
    const { keystore, world } = await openTestKeystore({ unlockSeconds: 300 });
    const { did } = accepted(await keystore.create(passphrase));
    await signerFrom(keystore, did, passphrase);
    expect(world.timers).to.equal(1);
    world.advance(300_000);
    expect(world.timers).to.equal(0);
  });

  it('still signs for those who were given it before its time was over', async () => {
    const { keystore, world } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const signer = await signerFrom(keystore, did, passphrase);
    world.advance(301_000);
    expect(signer.sign('message')).to.be.a('string');
  });

  it('reports each time that its passphrase opens it, not when it does not', async () => {
    const { keystore, world } = await openTestKeystore({ unlockSeconds: 300 });
    const unlocked: string[] = [];
    keystore.listenUnlocked((signer) => unlocked.push(signer.did));
    const { did } = accepted(await keystore.create(passphrase));
    expect(await unlockCode(keystore, did, otherPassphrase)).to.equal('TRANSFER_NOT_ALLOWED');
    expect(unlocked).to.deep.equal([]);
    await signerFrom(keystore, did, passphrase);
    await signerFrom(keystore, did, passphrase);
    expect(unlocked).to.deep.equal([did]);
    world.advance(300_000);
    expect(await keystore.hold(did, passphrase, 'operator')).to.equal(undefined);
    expect(unlocked).to.deep.equal([did, did]);
  });

  it('is never kept with unlockSeconds 0', async () => {
    const { keystore, kdf, world } = await openTestKeystore({ unlockSeconds: 0 });
    const { did } = accepted(await keystore.create(passphrase));
    for (let i = 0; i < 3; i++) expect(await kdf.during(() => signerFrom(keystore, did, passphrase))).to.equal(1);
    expect(world.timers).to.equal(0);
  });

  it('is not given for another passphrase, nor for another DID', async () => {
    const { keystore } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const other = accepted(await keystore.create(otherPassphrase));
    await signerFrom(keystore, did, passphrase);
    expect(await unlockCode(keystore, did, otherPassphrase)).to.equal('TRANSFER_NOT_ALLOWED');
    expect(await unlockCode(keystore, did, `${passphrase} `)).to.equal('TRANSFER_NOT_ALLOWED');
    expect(await unlockCode(keystore, other.did, passphrase)).to.equal('TRANSFER_NOT_ALLOWED');
    expect(await unlockCode(keystore, rfc8032[0].did, passphrase)).to.equal('TRANSFER_NOT_ALLOWED');
    expect(await unlockCode(keystore, did, passphrase)).to.equal('accepted');
  });

  it('shares its one KDF run with all callers that ask meanwhile', async () => {
    const { keystore, kdf } = await openTestKeystore({ unlockSeconds: 0 });
    const { did } = accepted(await keystore.create(passphrase));
    const runs = await kdf.during(async () => {
      const asked = Array.from({ length: 100 }, (_, i) => keystore.unlock(did, passphrase, `origin ${i % 7}`));
      const signers = await Promise.all(asked);
      expect(new Set(signers).size).to.equal(1);
      expect(codeOf(signers[0])).to.equal('accepted');
    });
    expect(runs).to.equal(1);
    expect(await kdf.during(() => signerFrom(keystore, did, passphrase)), 'only meanwhile').to.equal(1);
  });

  it('shares no run between passphrases or DIDs', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const first = accepted(await keystore.create(passphrase));
    const second = accepted(await keystore.create(passphrase));
    const runs = await kdf.during(async () => {
      const codes = await Promise.all([
        unlockCode(keystore, first.did, passphrase),
        unlockCode(keystore, first.did, otherPassphrase),
        unlockCode(keystore, second.did, passphrase),
      ]);
      expect(codes).to.deep.equal(['accepted', 'TRANSFER_NOT_ALLOWED', 'accepted']);
    });
    expect(runs).to.equal(3);
  });

  it('makes room for later ones beyond a bound', async () => {
    const { keystore, kdf } = await openTestKeystore({ limits: { unlockedKeys: 2 } });
    const dids: string[] = [];
    for (let i = 0; i < 3; i++) dids.push(accepted(await keystore.create(passphrase)).did);
    for (const did of dids) await signerFrom(keystore, did, passphrase);
    expect(await kdf.during(() => signerFrom(keystore, dids[2]!, passphrase))).to.equal(0);
    expect(await kdf.during(() => signerFrom(keystore, dids[1]!, passphrase))).to.equal(0);
    expect(await kdf.during(() => signerFrom(keystore, dids[0]!, passphrase))).to.equal(1);
  });

  it('survives a KDF that fails: the next one asks again', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const derive = kdf.derive.bind(kdf);
    kdf.derive = () => Promise.reject(new RangeError('no memory'));
    for (let i = 0; i < 7; i++) {
      const failure = await Promise.resolve(keystore.unlock(did, passphrase, 'origin')).catch(
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(RangeError);
    }
    kdf.derive = derive;
    expect(await unlockCode(keystore, did, passphrase)).to.equal('accepted');
  });
});

describe('a held key', () => {
  afterEach(removeDirs);

  it('is there without passphrase from hold to release', async () => {
    const { keystore, world } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    expect(keystore.held(did)).to.equal(undefined);
    expect(await keystore.hold(did, passphrase, 'operator')).to.equal(undefined);
    world.advance(86_400_000);
    expect(keystore.held(did)?.did).to.equal(did);
    expect(keystore.held(did)?.sign('message')).to.be.a('string');
    expect(keystore.heldDids()).to.deep.equal([did]);
    expect(keystore.release(did)).to.equal(true);
    expect(keystore.release(did)).to.equal(false);
    expect(keystore.held(did)).to.equal(undefined);
    expect(keystore.heldDids()).to.deep.equal([]);
  });

  it('is not held by a wrong passphrase, which counts as any wrong guess', async () => {
    const { keystore } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    for (let i = 0; i < 5; i++) {
      expect(codeOf(await keystore.hold(did, `wrong passphrase ${i}`, 'operator'))).to.equal('TRANSFER_NOT_ALLOWED');
    }
    expect(codeOf(await keystore.hold(did, passphrase, 'operator'))).to.equal('RATE_LIMITED');
    expect(keystore.held(did)).to.equal(undefined);
  });

  it('is not given by unlock without its passphrase', async () => {
    const { keystore } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    await keystore.hold(did, passphrase, 'operator');
    expect(await unlockCode(keystore, did, otherPassphrase)).to.equal('TRANSFER_NOT_ALLOWED');
  });

  it('leaves the cache too when it is released', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    await keystore.hold(did, passphrase, 'operator');
    keystore.release(did);
    expect(await kdf.during(() => signerFrom(keystore, did, passphrase))).to.equal(1);
  });
});

describe('a closed keystore', () => {
  afterEach(removeDirs);

  it('has erased every key that it gave out or held', async () => {
    const { keystore, world } = await openTestKeystore();
    const cached = accepted(await keystore.create(passphrase));
    const bound = accepted(await keystore.create(passphrase));
    await keystore.hold(bound.did, passphrase, 'operator');
    world.advance(300_000);
    const signer = await signerFrom(keystore, cached.did, passphrase);
    const held = keystore.held(bound.did)!;
    keystore.close();
    expect(() => signer.sign('message')).to.throw(AssertionError);
    expect(() => held.sign('message')).to.throw(AssertionError);
    expect(keystore.heldDids()).to.deep.equal([]);
    expect(world.timers).to.equal(0);
  });

  it('unlocks and makes nothing any more, not even what was under way', async () => {
    const { keystore, kdf, world } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    kdf.hold();
    const unlocking = unlockCode(keystore, did, passphrase);
    const holding = keystore.hold(did, passphrase, 'operator');
    await kdf.begun();
    keystore.close();
    kdf.letGo();
    expect(await unlocking).to.equal('SERVICE_UNAVAILABLE');
    expect(codeOf(await holding)).to.equal('SERVICE_UNAVAILABLE');
    expect(await unlockCode(keystore, did, passphrase)).to.equal('SERVICE_UNAVAILABLE');
    expect(codeOf(await keystore.create(passphrase))).to.equal('SERVICE_UNAVAILABLE');
    expect(keystore.heldDids()).to.deep.equal([]);
    expect(world.timers).to.equal(0);
  });
});
