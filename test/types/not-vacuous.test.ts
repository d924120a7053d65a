/** The build proves that `incomplete.ts` does not compile; this test proves that each line fails for the intended reason. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { lamp } from './toy.js';

interface Complaint {
  readonly line: number;
  readonly says: string;
}

/** Compiles one file with this text as the build does. @returns the compiler's messages about it */
function compile(text: string): Complaint[] {
  const cache = join('node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'svc-types-'));
  try {
    const here = (path: string) => resolve(path);
    writeFileSync(
      join(folder, 'probe.ts'),
      text.replaceAll("'../../src/", `'${here('src')}/`).replaceAll("'./toy.js'", `'${here('test/types/toy.js')}'`),
    );
    const options = { extends: here('tsconfig.json'), include: [], files: ['probe.ts'] };
    const compilerOptions = { noEmit: true, rootDir: '/', types: ['node'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...options, compilerOptions }));
    const { stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript/bin/tsc', '-p', folder, '--pretty', 'false'],
      {
        encoding: 'utf8',
      },
    );
    return complaintsIn(stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One for each error, with the indented lines that explain it. */
function complaintsIn(output: string): Complaint[] {
  const complaints: { line: number; says: string }[] = [];
  for (const line of output.split('\n')) {
    const start = /probe\.ts\((\d+),\d+\): error (.*)$/.exec(line);
    if (start) complaints.push({ line: Number(start[1]), says: start[2]! });
    else if (/^\s/.test(line) && complaints.length > 0) complaints.at(-1)!.says += line;
    else if (/error/.test(line)) complaints.push({ line: 0, says: line });
  }
  return complaints;
}

const text = readFileSync('test/types/incomplete.ts', 'utf8');
const marker = /^\s*\/\/ @ts-expect-error (\S+)$/;
const expected = text.split('\n').flatMap((line, index) => {
  const word = marker.exec(line)?.[1];
  return word ? [{ line: index + 2, word }] : [];
});

describe('an incomplete definition', () => {
  it('does not compile, for the reason that it is to show', () => {
    const unmarked = text.replaceAll('// @ts-expect-error', '// wants');
    const complaints = compile(unmarked);
    expect(
      complaints.map(({ line }) => line).filter((line) => !expected.some((each) => each.line === line)),
    ).to.deep.equal([]);
    for (const { line, word } of expected) {
      const said = complaints.filter((each) => each.line === line).map(({ says }) => says);
      expect(said.join('\n'), `line ${line}, ${text.split('\n')[line - 3]?.trim()}`).to.include(word);
    }
    expect(expected.length).to.be.at.least(20);
  });

  it('compiles where nothing is missing: it is the missing piece that the compiler complains about', () => {
    const complete = `import { defineResource } from '../../src/machines/kernel/definition.js';
      import { toy, light, quench, hasOil, isShort, pay } from './toy.js';
      export const one = defineResource({ ...toy, actions: { light, quench } });
      export const two = defineResource({ ...toy, guards: { hasOil, isShort } });
      export const three = defineResource({ ...toy, effects: { pay, note: pay } });`;
    expect(compile(complete)).to.deep.equal([]);
  });

  it('an error that is not there would be found: an unused expectation does not compile', () => {
    expect(compile('// @ts-expect-error nothing is wrong\nexport const one = 1;')[0]?.says).to.match(/Unused/);
  });
});

describe('what types cannot say', () => {
  for (const definition of [lamp, ...machinesOf(catalogue)]) {
    it(`the examples of ${definition.kind} pass their schemas`, () => {
      const bodies = [definition.create, ...Object.values(definition.actions)];
      for (const { input, example, event } of bodies) {
        const parsed = is.parse(input as is.Scalar<unknown>, example);
        expect(isRefusal(parsed) ? parsed.detail : 'fine', event).to.equal('fine');
      }
    });

    it(`events of ${definition.kind} are dotted, in the past tense, and differ`, () => {
      const events = [definition.create.event, ...Object.values(definition.actions).map(({ event }) => event)];
      for (const event of events) expect(event).to.match(/^[a-z-]+\.[a-z-]+$/);
      expect(new Set(events).size).to.equal(events.length);
    });
  }
});
