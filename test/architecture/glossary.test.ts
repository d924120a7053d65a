/** The glossary stays small and has each word once. */
import { expect } from 'chai';
import { textOf } from './sources.js';

describe('The glossary', () => {
  /** Words of the table, without its heading. */
  const words = [...textOf('docs/GLOSSARY.md').matchAll(/^\| ([a-z][a-z ]*) \|/gm)].map(([, word]) => word!).slice(1);

  it('has at most 30 words, in alphabetical order, each once', () => {
    expect(words.length).to.be.within(20, 30);
    expect(words).to.deep.equal([...new Set(words)].sort());
  });
});
