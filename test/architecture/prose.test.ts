/** Documents, comments and titles of tests are in plain English: without these words, which readers had to decode. */
import { expect } from 'chai';
import { filesIn, isGenerated, textOf } from './sources.js';

const decoded =
  /\b(?:whoever|whichever|nobody|anybody|everybody|of (?:its|their) own|comes of|come of|became of|becomes of|all the same|goes on|mends?|mended|told of|laws?)\b/gi;

/** Generated pages are written by programs. */
const pages = [...filesIn('docs', '.md'), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].filter(
  (page) => !page.startsWith('docs/generated/'),
);

const foundIn = (text: string): string[] =>
  text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`\n]*`/g, '')
    .split('\n')
    .flatMap((line) => [...line.matchAll(decoded)].map(([word]) => `${word}: ${line.trim()}`));

const folders = ['src', 'packages', 'console', 'scripts', 'test'];
const code = folders
  .flatMap((folder) => ['.ts', '.tsx', '.mjs'].flatMap((suffix) => filesIn(folder, suffix)))
  .filter((file) => !/\/(?:dist|node_modules)\//.test(file) && file !== 'test/architecture/prose.test.ts');

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const title = /\b(?:describe\w*|it|test)(?:\.\w+)?\(\s*(['"`])([\s\S]*?)\1/g;

/** What a file says to its readers. */
const proseOf = (file: string): string[] => {
  const text = textOf(file);
  const titles = file.startsWith('test/') ? [...text.matchAll(title)].map(([, , words]) => words!) : [];
  return [...[...text.matchAll(comment)].map(([words]) => words), ...titles];
};

describe('Documents', () => {
  it('use none of the words that need decoding', () => {
    expect(pages.flatMap((page) => foundIn(textOf(page)).map((found) => `${page}: ${found}`))).to.deep.equal([]);
  });

  it('are read by this test', () => {
    expect(pages.length).to.be.above(20);
    expect(foundIn('Nobody knows what\nbecomes of it, and `whoever` asks')).to.have.length(2);
  });
});

describe('Comments, and titles of tests,', () => {
  it('use none of these words either', () => {
    const found = code
      .filter((file) => !isGenerated(file))
      .flatMap((file) => proseOf(file).flatMap((words) => foundIn(words).map((each) => `${file}: ${each}`)));
    expect(found).to.deep.equal([]);
  });

  it('are read by this test', () => {
    expect(code.length).to.be.above(1_000);
    expect(proseOf('test/architecture/habits.test.ts').join('\n')).to.include('shows its pulse');
  });
});
