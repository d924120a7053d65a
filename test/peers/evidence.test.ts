/** Which of several violations of a home is reported as the reason why it is no longer followed. */
import { expect } from 'chai';
import { proofOfEquivocation, signCheckpoint } from '../../src/peers/checkpoint.js';
import { evidenceOf } from '../../src/peers/peering/evidence.js';
import { signer } from '../world/people.js';

describe('The evidence against a home', () => {
  const home = signer('home');
  const checkpoint = (hash: string) =>
    signCheckpoint(home, { seq: 3, chainHash: hash.repeat(64) }, { network: 'devnet', time: 5 });
  const proof = proofOfEquivocation(checkpoint('a'), checkpoint('b'));
  const found = { proof, from: 'did:svc:peer', learntAt: 10 };
  const accepted = { ...found, accepted: { chainHash: 'a'.repeat(64), at: 20 } };
  const stop = { seq: 9, what: 'x', at: 30, line: '{}' } as const;
  const of = (...given: [Parameters<typeof evidenceOf>[1], Parameters<typeof evidenceOf>[2]]) =>
    evidenceOf(home.did, ...given);

  it('is the proof of two journals, also where its feed had stopped before', () => {
    const expected = {
      did: home.did,
      cause: 'equivocation',
      seq: 3,
      what: 'it has signed two journals',
      detectedAt: 10,
    };
    expect(of(found, undefined)).to.deep.equal({ ...expected, proof, from: 'did:svc:peer' });
    expect(of(found, stop)).to.include(expected);
  });

  it('is what came after the operator’s decision between the two', () => {
    expect(of(accepted, stop)).to.deep.equal({
      ...{ did: home.did, cause: 'bad-line', seq: 9, what: 'x', detectedAt: 30, line: '{}' },
    });
    expect(of(accepted, undefined)).to.deep.include({
      cause: 'equivocation',
      accepted: { chainHash: 'a'.repeat(64), acceptedAt: 20 },
    });
  });

  it('is nothing without either', () => {
    expect(of(undefined, undefined)).to.equal(undefined);
  });
});
