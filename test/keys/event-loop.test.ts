import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { realEnvironment } from '../../src/core/environment.js';
import { Keystore } from '../../src/keys/keystore.js';
import { accepted, makeDir, otherPassphrase, passphrase, removeDirs, unlockCode } from './fixtures.js';

describe('unlocking', () => {
  afterEach(removeDirs);

  it('does not hold up the event loop', async () => {
    const keystore = await Keystore.open({
      dir: join(await makeDir(), 'keystore'),
      world: realEnvironment,
      unlockSeconds: 0,
    });
    const dids: string[] = [];
    for (let i = 0; i < 4; i++) dids.push(accepted(await keystore.create(passphrase)).did);
    let turns = 0;
    let unlocking = true;
    const counting = (async () => {
      while (unlocking) {
        await turn();
        turns++;
      }
    })();
    const codes = await Promise.all([
      ...dids.map((did) => unlockCode(keystore, did, passphrase)),
      ...dids.map((did) => unlockCode(keystore, did, otherPassphrase)),
    ]);
    unlocking = false;
    await counting;
    expect(codes.filter((code) => code === 'accepted')).to.have.lengthOf(4);
    // On the event loop, KDF runs would leave only a few turns; off it there are thousands. The benchmark measures the delay
    // itself, because here it would depend on the machine's load.
    expect(turns).to.be.above(200);
  });
});
