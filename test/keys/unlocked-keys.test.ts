import { expect } from 'chai';
import { signerOf } from '../../src/keys/signing.js';
import { UnlockedKeys } from '../../src/keys/unlocking.js';
import { bytes, rfc8032, TestWorld } from './fixtures.js';

const signers = rfc8032.map(({ seed }) => signerOf(bytes(seed)));

describe('unlocked keys', () => {
  it('leave in the order of their time, also when one of them was unlocked again', () => {
    const world = new TestWorld();
    const keys = new UnlockedKeys(world, 300_000, 10);
    const [first, second] = signers;
    const mac = keys.macOf('passphrase');
    keys.keep(first!.did, mac, first!);
    world.advance(100_000);
    keys.keep(second!.did, mac, second!);
    world.advance(100_000);
    keys.keep(first!.did, mac, first!);
    expect(keys.size).to.equal(2);
    world.advance(200_000);
    expect(keys.size).to.equal(1);
    expect(keys.find(first!.did, mac)).to.equal(first);
    expect(world.timers).to.equal(1);
    world.advance(100_000);
    expect(keys.size).to.equal(0);
    expect(world.timers).to.equal(0);
  });

  it('are bounded, the longest unlocked leaving first', () => {
    const keys = new UnlockedKeys(new TestWorld(), 300_000, 2);
    const mac = keys.macOf('passphrase');
    for (const signer of signers) keys.keep(signer.did, mac, signer);
    expect(keys.size).to.equal(2);
    expect(keys.find(signers[0]!.did, mac)).to.equal(undefined);
  });

  it('are not kept for a lifetime of nothing', () => {
    const world = new TestWorld();
    const keys = new UnlockedKeys(world, 0, 2);
    keys.keep(signers[0]!.did, keys.macOf('passphrase'), signers[0]!);
    expect(keys.size).to.equal(0);
    expect(world.timers).to.equal(0);
  });

  it('are found by a code that another process could not compute', () => {
    class OtherWorld extends TestWorld {
      override random(size: number): Uint8Array {
        return new Uint8Array(size).fill(1);
      }
    }
    const here = new UnlockedKeys(new TestWorld(), 300_000, 2);
    const there = new UnlockedKeys(new OtherWorld(), 300_000, 2);
    expect(here.macOf('passphrase')).to.have.lengthOf(32);
    expect(here.macOf('passphrase')).to.deep.equal(here.macOf('passphrase'));
    expect(here.macOf('passphrase')).not.to.deep.equal(there.macOf('passphrase'));
  });
});
