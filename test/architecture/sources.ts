/** Reads the repository's source files for the architecture tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** A file below src/, without that prefix, or a package. */
  readonly to: string;
  readonly isPackage: boolean;
  readonly isTypeOnly: boolean;
}

/** Files in a folder of the repository, relative to its root, which is the tests' working directory. */
export function filesIn(folder: string, suffix = '.ts'): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** The code without comments, so that a name in a comment does not count as a use. */
export const codeOf = (file: string): string =>
  textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1');

/** Whether the file is generated, which its first line then says. */
export const isGenerated = (file: string): boolean =>
  /^\/[/*]+ (?:Generated from|Written by) .*npm run generate/.test(textOf(file));

/** Lines that are neither blank nor comment. */
export const codeLines = (file: string): number =>
  codeOf(file)
    .split('\n')
    .filter((line) => line.trim() !== '').length;

const statement = /^\s*(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm;
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g;

export function importsOf(file: string): Import[] {
  const code = codeOf(file);
  const found: { spec: string; isTypeOnly: boolean }[] = [];
  for (const [, type, spec] of code.matchAll(statement)) found.push({ spec: spec!, isTypeOnly: type !== undefined });
  for (const [, spec] of code.matchAll(dynamic)) found.push({ spec: spec!, isTypeOnly: false });
  return found.map(({ spec, isTypeOnly }) => {
    const isPackage = !spec.startsWith('.');
    const path = normalize(join(dirname(file), spec)).replace(/\.js$/, '.ts');
    return { to: isPackage ? spec : path.replace(/^src\//, ''), isPackage, isTypeOnly };
  });
}

/** The node's files, relative to src/, and those of the packages, relative to the root. */
export const sources = (): string[] => [
  ...filesIn('src').map((file) => file.slice('src/'.length)),
  ...readdirSync('packages').flatMap((name) => filesIn(join('packages', name, 'src'))),
];

/** The path of a file that `sources` returned. */
export const fileOf = (source: string): string => (source.startsWith('packages/') ? source : `src/${source}`);
