import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { argon2Kdf, defaultKdfParams, KdfGate } from '../../src/keys/kdf.js';
import { codeOf, TestKdf } from './fixtures.js';

const salt = new Uint8Array(32).fill(7);
const limits = { kdfRuns: 2, kdfWaiting: 64 };

describe('argon2id', () => {
  it('gives 32 bytes that depend on passphrase, salt and every parameter', async () => {
    const variants = [
      argon2Kdf.derive('passphrase', salt, defaultKdfParams),
      argon2Kdf.derive('Passphrase', salt, defaultKdfParams),
      argon2Kdf.derive('passphrase', new Uint8Array(32), defaultKdfParams),
      argon2Kdf.derive('passphrase', salt, { ...defaultKdfParams, memoryKiB: 20_000 }),
      argon2Kdf.derive('passphrase', salt, { ...defaultKdfParams, passes: 3 }),
      argon2Kdf.derive('passphrase', salt, { ...defaultKdfParams, lanes: 2 }),
    ];
    const keys = (await Promise.all(variants)).map((key) => Buffer.from(key).toString('hex'));
    expect(new Set(keys).size).to.equal(variants.length);
    expect(keys[0]).to.have.lengthOf(64);
    expect(Buffer.from(await argon2Kdf.derive('passphrase', salt, defaultKdfParams)).toString('hex')).to.equal(keys[0]);
  });

  // Computed with argon2-cffi: hash_secret_raw(b'passphrase', b'\x07' * 32, 2, 19456, 1, 32, Type.ID).
  it('is argon2id as others compute it', async () => {
    const key = await argon2Kdf.derive('passphrase', salt, defaultKdfParams);
    expect(Buffer.from(key).toString('hex')).to.equal(
      '88de4156eda21657fa1dd727952bf512497e1abcfa13c4de8d4a277c819d66d5',
    );
  });
});

describe('KDF gate', () => {
  it('runs two at once and queues 64; the next is refused with a time to come back', async () => {
    const kdf = new TestKdf();
    const gate = new KdfGate(kdf, limits);
    kdf.hold();
    const runs = Array.from({ length: 66 }, () => gate.derive('passphrase', salt, defaultKdfParams, 'ada'));
    const refused = await gate.derive('passphrase', salt, defaultKdfParams, 'ada');
    expect(isRefusal(refused) && refused.code).to.equal('SERVICE_UNAVAILABLE');
    expect(isRefusal(refused) && refused.extras.retryAfter).to.be.greaterThan(0);
    expect(kdf.running).to.equal(2);
    kdf.letGo();
    const outcomes = await Promise.all(runs);
    expect(outcomes.map(codeOf)).to.deep.equal(Array(66).fill('accepted'));
    expect(kdf.mostRunning).to.equal(2);
    expect(kdf.count).to.equal(66);
  });

  it('serves callers in turn, and gives what one of them fills to who waits for less', async () => {
    const kdf = new TestKdf();
    const gate = new KdfGate(kdf, { kdfRuns: 2, kdfWaiting: 8 });
    const derive = (passphrase: string, caller: string) => gate.derive(passphrase, salt, defaultKdfParams, caller);
    kdf.hold();
    const greedy = Array.from({ length: 10 }, (_, i) => derive(`greedy ${i}`, 'greedy'));
    const others = ['ada', 'ben', 'ada'].map((caller) => derive(caller, caller));
    expect(codeOf(await derive('one more', 'greedy'))).to.equal('SERVICE_UNAVAILABLE');
    kdf.letGo();
    expect((await Promise.all(others)).map(codeOf)).to.deep.equal(Array(3).fill('accepted'));
    const outcomes = (await Promise.all(greedy)).map(codeOf);
    // The newest ones were refused.
    expect(outcomes).to.deep.equal([...Array(7).fill('accepted'), ...Array(3).fill('SERVICE_UNAVAILABLE')]);
    const order = kdf.runs.map(({ passphrase }) => passphrase);
    expect(order.indexOf('ada'), order.join()).to.be.at.most(4);
    expect(order.indexOf('ben'), order.join()).to.be.at.most(5);
  });

  it('displaces no one for a caller who would then wait as long', async () => {
    const kdf = new TestKdf();
    const gate = new KdfGate(kdf, { kdfRuns: 1, kdfWaiting: 3 });
    const derive = (caller: string) => gate.derive(caller, salt, defaultKdfParams, caller);
    kdf.hold();
    const waiting = ['under way', 'ada', 'ada', 'ben'].map(derive);
    expect(codeOf(await derive('ben'))).to.equal('SERVICE_UNAVAILABLE');
    kdf.letGo();
    expect((await Promise.all(waiting)).map(codeOf)).to.deep.equal(Array(4).fill('accepted'));
  });

  it('has all of its room again, after runs were served and displaced', async () => {
    const kdf = new TestKdf();
    const gate = new KdfGate(kdf, { kdfRuns: 1, kdfWaiting: 4 });
    const derive = (caller: string) => gate.derive(caller, salt, defaultKdfParams, caller);
    for (let round = 0; round < 3; round++) {
      kdf.hold();
      const runs = ['ada', 'ada', 'ada', 'ada', 'ada', 'ben', 'ben'].map(derive);
      kdf.letGo();
      const outcomes = (await Promise.all(runs)).map(codeOf);
      const [displaced, accepted] = ['SERVICE_UNAVAILABLE', 'accepted'];
      // Ben's two displace the newest two of Ada's.
      const expected = [accepted, accepted, accepted, displaced, displaced, accepted, accepted];
      expect(outcomes, `round ${round}`).to.deep.equal(expected);
    }
  });

  it('has room again once the line has moved on', async () => {
    const kdf = new TestKdf();
    const gate = new KdfGate(kdf, { kdfRuns: 1, kdfWaiting: 0 });
    for (let i = 0; i < 3; i++) {
      const first = gate.derive('passphrase', salt, defaultKdfParams, 'ada');
      expect(codeOf(await gate.derive('passphrase', salt, defaultKdfParams, 'ada'))).to.equal('SERVICE_UNAVAILABLE');
      expect(codeOf(await first)).to.equal('accepted');
    }
  });

  it('continues after a run that failed', async () => {
    const failing = { derive: () => Promise.reject(new RangeError('no memory')) };
    const gate = new KdfGate(failing, { kdfRuns: 1, kdfWaiting: 8 });
    for (let i = 0; i < 3; i++) {
      const failure = await gate.derive('passphrase', salt, defaultKdfParams, 'ada').catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(RangeError);
    }
  });

  it('gives nothing out once it is closed, not even what was being derived', async () => {
    const kdf = new TestKdf();
    const gate = new KdfGate(kdf, limits);
    kdf.hold();
    const underWay = gate.derive('passphrase', salt, defaultKdfParams, 'ada');
    gate.close();
    kdf.letGo();
    expect(codeOf(await underWay)).to.equal('SERVICE_UNAVAILABLE');
    expect(codeOf(await gate.derive('passphrase', salt, defaultKdfParams, 'ada'))).to.equal('SERVICE_UNAVAILABLE');
    expect(kdf.count).to.equal(1);
  });
});
