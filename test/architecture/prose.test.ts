/** Documents are in plain English: these words, which readers had to decode, do not appear in them. */
import { expect } from 'chai';
import { filesIn, textOf } from './sources.js';

const decoded =
  /\b(?:whoever|whichever|nobody|anybody|everybody|of (?:its|their) own|comes of|come of|became of|becomes of|all the same|goes on|mends?|mended|told of|laws?)\b/gi;

/** Decisions keep the words of their time, and generated pages are written by programs. */
const pages = [...filesIn('docs', '.md'), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].filter(
  (page) => !/^docs\/(?:decisions|generated)\//.test(page),
);

const foundIn = (text: string): string[] =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, '')
    .split('\n')
    .flatMap((line) => [...line.matchAll(decoded)].map(([word]) => `${word}: ${line.trim()}`));

describe('Documents', () => {
  it('use none of the words that need decoding', () => {
    expect(pages.flatMap((page) => foundIn(textOf(page)).map((found) => `${page}: ${found}`))).to.deep.equal([]);
  });

  it('are read by this test', () => {
    expect(pages.length).to.be.above(20);
    expect(foundIn('Nobody knows what\nbecomes of it, and `whoever` asks')).to.have.length(2);
  });
});
