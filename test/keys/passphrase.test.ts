import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { normaliseNewPassphrase, normalisePassphrase } from '../../src/keys/kdf.js';
import { elapsed, expectWithin } from '../support/within.js';

const fieldsOf = (outcome: unknown): unknown =>
  isRefusal(outcome) ? [outcome.code, outcome.extras.errors?.map(({ field }) => field)] : outcome;
const refused = ['INVALID_REQUEST', ['passphrase']];

describe('passphrase', () => {
  it('is the same in composed, decomposed and full-width spelling', () => {
    expect(normalisePassphrase('pa\u0308sswo\u0308rd')).to.equal('p\u00e4ssw\u00f6rd');
    expect(normalisePassphrase('ｓｅｃｒｅｔ')).to.equal('secret');
    expect(normalisePassphrase('plain')).to.equal('plain');
  });

  it('has at least 12 code points where a key is locked with it', () => {
    expect(fieldsOf(normaliseNewPassphrase('elevenchars'))).to.deep.equal(refused);
    expect(normaliseNewPassphrase('twelve chars')).to.equal('twelve chars');
    expect(fieldsOf(normaliseNewPassphrase('🔑'.repeat(11)))).to.deep.equal(refused);
    expect(normaliseNewPassphrase('🔑'.repeat(12))).to.equal('🔑'.repeat(12));
    expect(fieldsOf(normaliseNewPassphrase('a\u0308'.repeat(11))), 'counted when normalised').to.deep.equal(refused);
  });

  it('has at most 1024 bytes', () => {
    expect(normalisePassphrase('x'.repeat(1024))).to.equal('x'.repeat(1024));
    expect(fieldsOf(normalisePassphrase('x'.repeat(1025)))).to.deep.equal(refused);
    expect(fieldsOf(normaliseNewPassphrase('é'.repeat(513)))).to.deep.equal(refused);
    expect(fieldsOf(normalisePassphrase('ﷺ'.repeat(100))), 'counted when normalised').to.deep.equal(refused);
  });

  it('is refused unread when it is very long', async () => {
    await expectWithin(500, () =>
      elapsed(() => expect(fieldsOf(normalisePassphrase('a\u0308'.repeat(50_000_000)))).to.deep.equal(refused)),
    );
  });

  it('is well-formed Unicode, since lone surrogates would all be one', () => {
    expect(fieldsOf(normalisePassphrase('twelve chars \ud800'))).to.deep.equal(refused);
  });

  it('is never repeated in the refusal', () => {
    expect(JSON.stringify(normaliseNewPassphrase('elevenchars'))).not.to.contain('elevenchars');
  });
});
