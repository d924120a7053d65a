/** A type name is declared once in src, so that it means one thing wherever a reader meets it. */
import { expect } from 'chai';
import { declaredTwice, typesIn } from './declared-types.js';
import { sharedTypeNames } from './shared-type-names.js';
import { codeOf, fileOf, sources } from './sources.js';

/** Types of the API are generated under its own names, which mean what the node's do. */
const written = sources().filter((file) => !file.endsWith('/wire.ts'));

describe('type names', () => {
  const twice = declaredTwice(new Map(written.map((file) => [file, codeOf(fileOf(file))])));

  it('are declared in one file each', () => {
    const found = [...twice].filter(([name]) => !sharedTypeNames.includes(name));
    expect(found.map(([name, files]) => `${name}: ${files.join(', ')}`)).to.deep.equal([]);
  });

  it('leave the list of those that are not once they are', () => {
    expect(sharedTypeNames.filter((name) => !twice.has(name))).to.deep.equal([]);
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
