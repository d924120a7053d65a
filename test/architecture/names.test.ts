/** The name of a type, and of an exported function, is declared once, so that it has one meaning everywhere. */
import { expect } from 'chai';
import { declaredTwice, functionsIn, typesIn } from './declared-names.js';
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

/** Names of functions that several files still export. Delete a name from this list, never add one. */
const shared = [
  'chartOf',
  'confidential',
  'decided',
  'described',
  'erasable',
  'isWithin',
  'list',
  'object',
  'oneOf',
  'partiesOf',
  'termsOf',
  'updated',
];

describe('names of exported functions', () => {
  it('are declared once', () => {
    const files = sources().map(fileOf);
    const code = new Map(files.filter((file) => !isGenerated(file)).map((file) => [file, codeOf(file)]));
    const twice = declaredTwice(code, functionsIn);
    expect([...code.values()].flatMap(functionsIn)).to.have.length.above(700);
    expect([...twice.keys()].sort()).to.deep.equal([...shared].sort());
  });

  it('are seen by this test, however they are written', () => {
    const code = [
      'export function one(): void {}',
      'export async function* two() {}',
      'export const three = (a: number): number => a;',
      'export const four: (text: string) => string = (text) => text;',
      'export const five = async <T>(each: T) => each;',
      'export const six = text => text;',
      'export const seven = (\n  a: string,\n) => a;',
      'const local = () => 1;',
      'export const value = (1 + 2) * 3;',
    ];
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    expect(functionsIn(code.join('\n'))).to.deep.equal(names);
  });
});
