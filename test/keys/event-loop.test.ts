import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect } from 'chai';
import { Keystore } from '../../src/keys/keystore.js';
import { realWorld } from '../../src/world.js';
import { accepted, makeDir, otherPassphrase, passphrase, removeDirs, unlockCode } from './fixtures.js';

describe('unlocking', () => {
  afterEach(removeDirs);

  it('does not hold up the event loop', async function () {
    this.timeout(30_000);
    const keystore = await Keystore.open({
      dir: join(await makeDir(), 'keystore'),
      world: realWorld,
      unlockSeconds: 0,
    });
    const dids: string[] = [];
    for (let i = 0; i < 4; i++) dids.push(accepted(await keystore.create(passphrase)).did);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const codes = await Promise.all([
      ...dids.map((did) => unlockCode(keystore, did, passphrase)),
      ...dids.map((did) => unlockCode(keystore, did, otherPassphrase)),
    ]);
    delay.disable();
    expect(codes.filter((code) => code === 'accepted')).to.have.lengthOf(4);
    // A run takes 30 to 60 ms; 20 ms is what we want to see, 50 what a busy CI machine may add.
    expect(delay.percentile(99) / 1e6).to.be.below(50);
  });
});
