/** What is kept of a release, packed: its program, and the data directories of two homes that it wrote. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const folder = join('test', 'histories');

/** Of devnet keys that were made for these files alone. */
export const passphrase = 'a throw-away passphrase of a test';
export const homes = ['alba', 'brig'] as const;

/** A person at each home, who has Tokens at both; `people.json` of the first home's directory has them. */
export type KeptPeople = { readonly [home in (typeof homes)[number]]: string };

/** Releases of which this is kept: data of all, the program of the newest one. */
export const releasesWith = (what: string): string[] =>
  readdirSync(folder).flatMap((file) => (file.endsWith(`.${what}.tar.br`) ? [file.slice(0, -`.${what}.tar.br`.length)] : []));

const fileOf = (release: string, what: string): string => join(folder, `${release}.${what}.tar.br`);

/** @returns bytes of the packed file */
export function pack(release: string, what: string, dir: string, paths: readonly string[]): number {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mtime=@0', '--exclude=*-shm'];
  const tar = execFileSync('tar', ['-c', ...owner, '-C', dir, ...paths], { maxBuffer: 2 ** 30 });
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: tar.length };
  const packed = brotliCompressSync(tar, { params });
  writeFileSync(fileOf(release, what), packed);
  return packed.length;
}

export function unpack(release: string, what: string, dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  execFileSync('tar', ['-x', '-C', dir], { input: brotliDecompressSync(readFileSync(fileOf(release, what))) });
}

/** The release's program with this checkout's packages. @returns the file that runs it */
export function unpackProgram(release: string, dir: string): string {
  unpack(release, 'program', dir);
  symlinkSync(resolve('node_modules'), join(dir, 'node_modules'));
  return join(dir, 'dist', 'program', 'main.js');
}
