/** Nothing that a command prints is executed by a terminal, also text from others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { parse } from 'yaml';
import { printForPrograms } from '../../src/cli/api/output-format.js';
import { note, print, printable, printJson, printTable } from '../../src/cli/output.js';
import { yamlOf } from '../../src/cli/yaml.js';
import { vectorsIn } from '../support/vectors.js';

const codes = [
  ...Array.from({ length: 0xa0 }, (_, code) => code).filter((code) => code < 0x20 || code > 0x7e),
  ...[0xfffe, 0xffff, 0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
];
const isControl = (letter: string): boolean => codes.includes(letter.codePointAt(0)!) && !'\n\t'.includes(letter);
const text = codes.map((code) => `a${String.fromCharCode(code)}b`).join('');

/** What the function writes to either stream. */
function written(act: () => void): string {
  let said = '';
  const streams = [process.stdout, process.stderr];
  const before = streams.map(({ write }) => write);
  for (const stream of streams) {
    stream.write = ((piece: string) => {
      said += piece;
      return true;
    }) as typeof stream.write;
  }
  try {
    act();
  } finally {
    for (const [index, stream] of streams.entries()) stream.write = before[index]!;
  }
  return said;
}

describe('Control characters in the output of svc-node', () => {
  const outputs: { readonly [name: string]: () => void } = {
    print: () => print(text),
    note: () => note(text),
    'a table': () => printTable(['A'], [[text]]),
    'one line of JSON': () => printJson({ [text]: text }),
    JSON: () => void printForPrograms({ [text]: [text] }, { output: 'json' }),
    YAML: () => void printForPrograms({ [text]: [text] }, { output: 'yaml' }),
  };
  for (const [name, act] of Object.entries(outputs)) {
    it(`are escaped in ${name}`, () => {
      expect([...written(act)].filter(isControl)).to.deep.equal([]);
    });
  }

  it('are escaped in the Big List of Naughty Strings, which means the same in JSON and YAML', () => {
    const strings = vectorsIn<string>('naughty-strings.json');
    const table = written(() =>
      printTable(
        ['A'],
        strings.map((each) => [each]),
      ),
    );
    expect(table.trimEnd().split('\n')).to.have.length(strings.length + 1);
    const json = written(() => printJson(strings));
    expect(JSON.parse(json)).to.deep.equal(strings);
    const yaml = written(() => void printForPrograms({ strings }, { output: 'yaml' }));
    for (const version of ['1.1', '1.2'] as const) expect(parse(yaml, { version })).to.deep.equal({ strings });
    expect([...table, ...json, ...yaml].filter(isControl)).to.deep.equal([]);
  });

  it('mean the same in JSON, and in the quoted texts of YAML', () => {
    expect(JSON.parse(written(() => printJson({ text })))).to.deep.equal({ text });
    const yaml = written(() => void printForPrograms({ text }, { output: 'yaml' }));
    expect(JSON.parse(yaml.slice('text: '.length))).to.equal(text);
  });

  it('and all other characters come through YAML, in either version of it', () => {
    const printed = /^[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u;
    const letters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((each) =>
      each.isWellFormed(),
    );
    for (let from = 0; from < letters.length; from += 256) {
      const some = letters.slice(from, from + 256);
      const value = { [some.join('')]: [some.join('a'), ...some] };
      const yaml = yamlOf(value);
      expect(yaml).to.match(printed);
      for (const version of ['1.1', '1.2'] as const) expect(parse(yaml, { version })).to.deep.equal(value);
    }
  });

  it('leave only the colours of the node itself on a terminal', () => {
    const given = process.env.NO_COLOR;
    delete process.env.NO_COLOR;
    expect(printable('\u001b[33mx\u001b[39m\u001b[8my\u001b]0;z\u0007', { isTTY: true })).to.equal(
      process.env.TERM === 'dumb'
        ? '\\u001b[33mx\\u001b[39m\\u001b[8my\\u001b]0;z\\u0007'
        : '\u001b[33mx\u001b[39m\\u001b[8my\\u001b]0;z\\u0007',
    );
    if (given !== undefined) process.env.NO_COLOR = given;
  });

  it('have no other way out: whatever a command writes goes through here, or is a fixed text', () => {
    const files = readdirSync('src/cli', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const writes = files.flatMap((file) =>
      readFileSync(join('src/cli', file), 'utf8')
        .split('\n')
        .filter((line) => /(stdout|stderr|stream)\.write\(|console\.(log|error|info|warn)\(/.test(line))
        .filter((line) => !/printable\(|logText\(|\.write\('[^'$]*'\)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    // The bar has numbers, and labels of the program.
    expect(writes.filter((line) => !line.startsWith('progress.ts: '))).to.deep.equal([]);
  });
});
