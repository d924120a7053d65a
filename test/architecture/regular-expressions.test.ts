/**
 * Every regular expression takes time linear in its input. The library recheck proves it with automata. An expression that it
 * can't prove (lookbehind of several characters, back references, large counts) must be written in another way.
 */
import { expect } from 'chai';
import { check } from 'recheck';
import { parseAst } from 'rolldown/parseAst';
import { filesIn, textOf } from './sources.js';

interface Found {
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

const files = ['.ts', '.tsx', '.mjs']
  .flatMap((suffix) => ['src', 'packages', 'console', 'bin'].flatMap((folder) => filesIn(folder, suffix)))
  .filter((file) => !/\/dist\/|\.d\.ts$/.test(file));

/** Regular expression literals, and calls of RegExp, whose pattern can't be checked. */
function expressionsIn(file: string, text: string): Found[] {
  const found: Found[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex, callee } = node as {
      type?: string;
      regex?: { pattern: string; flags: string };
      callee?: { name?: string };
    };
    if (type === 'Literal' && regex) return void found.push({ file, ...regex });
    if (callee?.name === 'RegExp') found.push({ file, pattern: 'RegExp(…)', flags: 'no literal' });
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }));
  return found;
}

/** @returns undefined if it is linear */
async function flawOf({ file, pattern, flags }: Found): Promise<string | undefined> {
  if (flags === 'no literal') return `${file}: ${pattern} is made at run time`;
  const verdict = await check(pattern, flags, { checker: 'automaton', timeout: 20_000 });
  if (verdict.status === 'safe') return undefined;
  const cost = verdict.status === 'vulnerable' ? verdict.complexity.summary : 'of unknown cost';
  return `${file}: /${pattern}/${flags} is ${cost}`;
}

async function flawsOf(all: readonly Found[]): Promise<string[]> {
  const distinct = new Map(all.map((each) => [`/${each.pattern}/${each.flags}`, each]));
  const flaws: string[] = [];
  for (const each of distinct.values()) flaws.push((await flawOf(each)) ?? '');
  return flaws.filter((flaw) => flaw !== '');
}

describe('regular expressions', () => {
  it('of the node, the console, the client and the command line are linear', async () => {
    const all = files.flatMap((file) => expressionsIn(file, textOf(file)));
    expect(all.length).to.be.greaterThan(100);
    expect(await flawsOf(all)).to.deep.equal([]);
  });

  it('that are not are found', async () => {
    const planted = [
      '/^application\\/json\\s*(?:;\\s*charset\\s*=\\s*(?:utf-?8|"utf-?8")\\s*)?;?\\s*$/i',
      '/^(a+)+$/',
      '/^(a|a)*$/',
      '/\\s+$/',
      '/(.*)\\1/',
      'new RegExp(pattern)',
    ];
    const flaws = await flawsOf(planted.flatMap((text) => expressionsIn('planted.ts', `const it = ${text};`)));
    expect(flaws.map((flaw) => flaw.split(' is ').at(-1))).to.deep.equal([
      '2nd degree polynomial',
      'exponential',
      'exponential',
      '2nd degree polynomial',
      'of unknown cost',
      'made at run time',
    ]);
  });
});
