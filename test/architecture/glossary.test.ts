/** The glossary stays small and has each word once. */
import { expect } from 'chai';
import { textOf } from './sources.js';

describe('The glossary', () => {
  /** Words of the table, without its heading. */
  const words = [...textOf('docs/GLOSSARY.md').matchAll(/^\| ([A-Za-z][A-Za-z -]*) \|/gm)]
    .map(([, word]) => word!)
    .slice(1);

  it('has at most 30 words, in alphabetical order, each once', () => {
    expect(words.length).to.be.within(20, 30);
    const inOrder = [...new Set(words)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    expect(words).to.deep.equal(inOrder);
  });

  it('has the words that a reader of the README meets first', () => {
    expect(words).to.include.members([
      'DID',
      'envelope',
      'escrow',
      'journal',
      'listing',
      'milestone',
      'nonce',
      'Token',
    ]);
  });
});
