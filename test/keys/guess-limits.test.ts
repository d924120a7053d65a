import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { GuessLimits } from '../../src/keys/key-opener.js';
import { accepted, codeOf, rfc8032, TestWorld } from './fixtures.js';

const sizes = { failuresPerOrigin: 5, failuresPerDid: 60, trackedFailures: 1000 };
const { did } = rfc8032[0];
const otherDid = rfc8032[1].did;

function makeLimits(trackedFailures = sizes.trackedFailures) {
  const world = new TestWorld();
  return { world, limits: new GuessLimits(world, { ...sizes, trackedFailures }) };
}

describe('limits of wrong guesses', () => {
  it('let 5 a minute pass for one origin and DID, and say when to come back', () => {
    const { world, limits } = makeLimits();
    for (let i = 0; i < 5; i++) {
      accepted(limits.reserve('origin', did));
      world.advance(1000);
    }
    const refused = limits.reserve('origin', did);
    expect(isRefusal(refused) && refused.code).to.equal('RATE_LIMITED');
    expect(isRefusal(refused) && refused.extras.retryAfter).to.equal(55);
    expect(codeOf(limits.reserve('other origin', did))).to.equal('accepted');
    expect(codeOf(limits.reserve('origin', otherDid))).to.equal('accepted');
  });

  it('count any 60 seconds, not those of a calendar', () => {
    const { world, limits } = makeLimits();
    world.advance(59_000);
    for (let i = 0; i < 5; i++) accepted(limits.reserve('origin', did));
    world.advance(59_999);
    expect(codeOf(limits.reserve('origin', did))).to.equal('RATE_LIMITED');
    world.advance(1);
    for (let i = 0; i < 5; i++) accepted(limits.reserve('origin', did));
    expect(codeOf(limits.reserve('origin', did))).to.equal('RATE_LIMITED');
  });

  it('let 60 a minute pass for one DID from everywhere', () => {
    const { world, limits } = makeLimits();
    for (let i = 0; i < 60; i++) accepted(limits.reserve(`origin ${i}`, did));
    expect(codeOf(limits.reserve('a new origin', did))).to.equal('RATE_LIMITED');
    expect(codeOf(limits.reserve('a new origin', otherDid))).to.equal('accepted');
    world.advance(60_000);
    expect(codeOf(limits.reserve('a new origin', did))).to.equal('accepted');
  });

  it('do not count what is given back, nor what was refused', () => {
    const { limits } = makeLimits();
    for (let i = 0; i < 200; i++) accepted(limits.reserve('origin', did))();
    expect(limits.size).to.equal(0);
    for (let i = 0; i < 5; i++) accepted(limits.reserve('origin', did));
    for (let i = 0; i < 200; i++) expect(codeOf(limits.reserve('origin', did))).to.equal('RATE_LIMITED');
    for (let i = 0; i < 55; i++) accepted(limits.reserve(`origin ${i}`, did));
  });

  it('count a guess once, also when it is given back twice', () => {
    const { world, limits } = makeLimits();
    const giveBack = accepted(limits.reserve('origin', did));
    world.advance(1);
    for (let i = 0; i < 4; i++) accepted(limits.reserve('origin', did));
    giveBack();
    giveBack();
    accepted(limits.reserve('origin', did));
    expect(codeOf(limits.reserve('origin', did))).to.equal('RATE_LIMITED');
  });

  it('remember a bounded number of origins, and nothing older than a minute', () => {
    const { world, limits } = makeLimits(100);
    for (let i = 0; i < 1000; i++) {
      limits.reserve(`origin ${i}`, `did ${i}`);
      expect(limits.size).to.be.at.most(200);
    }
    world.advance(60_000);
    accepted(limits.reserve('origin', did));
    expect(limits.size).to.equal(2);
  });
});
