/** A type name is declared once, so that it has one meaning everywhere. */
import { expect } from 'chai';
import { declaredTwice, typesIn } from './declared-types.js';
import { codeOf, fileOf, filesIn, isGenerated, sources } from './sources.js';

/**
 * Types that several of these files declare. Types generated from openapi.json don't count: they have the names of its schemas.
 */
function duplicatesIn(files: readonly string[]): string[] {
  const written = files.filter((file) => !isGenerated(file));
  const found = declaredTwice(new Map(written.map((file) => [file, codeOf(file)])));
  return [...found].map(([name, declaring]) => `${name}: ${declaring.join(', ')}`);
}

describe('type names', () => {
  it('are declared once', () => {
    expect(duplicatesIn(sources().map(fileOf))).to.deep.equal([]);
  });

  it('are declared once in the console, a separate program', () => {
    const files = [...filesIn('console'), ...filesIn('console', '.tsx')];
    expect(files).to.have.length.above(100);
    expect(duplicatesIn(files)).to.deep.equal([]);
  });

  it('are seen by this test, exported or not', () => {
    const one = 'export interface Place {\n}\ntype Way<T> = T;\nconst enum Side { left }\nabstract class Base {}';
    const other = 'interface Place extends Base {}\nexport type Way = 1;\nimport type { Side } from "./one.js";';
    const found = declaredTwice(
      new Map([
        ['one.ts', one],
        ['other.ts', other],
      ]),
    );
    expect([...found.keys()]).to.deep.equal(['Place', 'Way']);
    expect(typesIn(one)).to.deep.equal(['Place', 'Way', 'Side', 'Base']);
    expect(sources().flatMap((file) => typesIn(codeOf(fileOf(file)))).length).to.be.above(500);
  });
});
