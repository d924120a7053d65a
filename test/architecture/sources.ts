/** The repository's sources as the architecture tests read them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** A file below src/ without that prefix, or a package. */
  readonly to: string;
  readonly isPackage: boolean;
  readonly isTypeOnly: boolean;
}

/** Files below a folder of the repository, relative to its root. Tests run there. */
export function filesIn(folder: string, suffix = '.ts'): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Without comments, so that a word in one is no use of it. */
export const codeOf = (file: string): string =>
  textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1');

/** Whether a program writes the file, which its first line says then. */
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

/** The node's files below src/, without that prefix, and those of the packages below packages/. */
export const sources = (): string[] => [
  ...filesIn('src').map((file) => file.slice('src/'.length)),
  ...readdirSync('packages').flatMap((name) => filesIn(join('packages', name, 'src'))),
];

/** Where a file of `sources` is. */
export const fileOf = (source: string): string => (source.startsWith('packages/') ? source : `src/${source}`);
