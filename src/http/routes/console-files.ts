/**
 * The console's built files, in memory, each with its compressed forms.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '../../core/canonical.js';
import { packageFile } from '../../core/version.js';

export interface ConsoleFile {
  readonly type: string;
  readonly plain: Uint8Array;
  /** By content coding, best first; empty if the file was not compressed. */
  readonly coded: readonly (readonly [coding: 'br' | 'gzip', bytes: Uint8Array])[];
  readonly etag: string;
}

/** By path below the console's folder: `index.html`, `assets/<name>-<hash>.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export const builtConsole = fileURLToPath(packageFile('dist/console/'));
export const builtGuide = fileURLToPath(packageFile('dist/guide/'));

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Empty if the console was not built. */
export async function readConsole(folder: string = builtConsole): Promise<ConsoleFiles> {
  const names = await readdir(folder, { recursive: true }).catch(() => [] as string[]); // not built: nothing to serve
  const paths = names.map((name) => name.replaceAll('\\', '/'));
  const served = paths.filter((path) => extname(path) in types);
  const read = async (path: string) => [path, await readOne(folder, path, paths)] as const;
  return new Map(await Promise.all(served.map(read)));
}

async function readOne(folder: string, path: string, all: readonly string[]): Promise<ConsoleFile> {
  const plain = await readFile(join(folder, path));
  const coded = codings
    .filter(([, ending]) => all.includes(path + ending))
    .map(async ([coding, ending]) => [coding, await readFile(join(folder, path + ending))] as const);
  return {
    type: types[extname(path)]!,
    plain,
    coded: await Promise.all(coded),
    etag: sha256Hex(plain).slice(0, 32),
  };
}

/** The form of a file to send for this Accept-Encoding: the first available coding that is not refused with q=0. */
export function codedFor(file: ConsoleFile, acceptEncoding = ''): { coding?: string; bytes: Uint8Array } {
  const accepted = new Set(
    acceptEncoding
      .split(',')
      .map((each) => each.trim().toLowerCase())
      .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
      .map((each) => each.split(';')[0]!.trim()),
  );
  const found = file.coded.find(([coding]) => accepted.has(coding));
  return found ? { coding: found[0], bytes: found[1] } : { bytes: file.plain };
}
