/** Names that look the same to who reads them (docs/reference/identities.md#names). */
import { expect } from 'chai';
import { looksOf, NamesAlike } from '../../packages/client/src/look-alike.js';

const isAlike = (one: string, other: string): boolean => {
  const found = [new NamesAlike([['a', one]]).other('b', other), new NamesAlike([['a', other]]).other('b', one)];
  expect(found[0], `${one} and ${other}, both ways`).to.equal(found[1]);
  return found[0] === 'a';
};

describe('names that look alike', () => {
  it('differ in letters of other alphabets, case, accents, blanks and marks without form', () => {
    for (const [one, ...others] of [
      [
        'Ada',
        'Ada',
        'ADA',
        'A da',
        'Àda',
        'А\u0434\u0430'.replace('\u0434', 'd'),
        '\uff21\uff44\uff41',
        'A\u200bda',
        'A-d.a',
      ],
      ['paypal', 'paypaI', 'paypa1', 'PAYPAL', 'раураl', 'p\u202eaypal'],
      ['Nina', 'ΝΙΝΑ', 'Nіna'],
      ['modern', 'modem'],
      ['Bob', 'B0b', 'Вοb'],
      ['Нина', 'нина'],
      ['🦊', '🦊'],
    ] as const)
      for (const other of others) expect(isAlike(one, other), `${one} and ${other}`).to.equal(true);
  });

  it('are none that a reader tells apart', () => {
    for (const [one, other] of [
      ['Ada', 'Adam'],
      ['Ian', 'Lan'],
      ['Ben', 'Beth'],
      ['Нина', 'Нана'],
      ['🦊', '🐻'],
      ['...', '..'],
    ] as const)
      expect(isAlike(one, other), `${one} and ${other}`).to.equal(false);
    expect(new NamesAlike([['a', 'Ada']]).other('a', 'Ada')).to.equal(undefined);
  });

  it('are told in a time that grows with the length', () => {
    const long = '\u0430'.repeat(100_000);
    expect(looksOf(long)).to.deep.equal(['a'.repeat(100_000), 'A'.repeat(100_000)]);
  });
});
