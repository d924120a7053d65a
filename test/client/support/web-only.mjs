/**
 * Runs `svc-node/client` in a context with web APIs only: without require, process or Buffer, and with imports among the
 * client's own files only. Arguments: the client's entry file, the URL of a node. Prints the program's result as JSON.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import vm from 'node:vm';

const [entry, url] = process.argv.slice(2);
const web = [
  'AbortController',
  'AbortSignal',
  'DOMException',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'clearTimeout',
  'crypto',
  'fetch',
  'setTimeout',
];
const context = vm.createContext(Object.fromEntries(web.map((name) => [name, globalThis[name]])));
const modules = new Map();

function load(file) {
  const known = modules.get(file);
  if (known) return known;
  const module = new vm.SourceTextModule(readFileSync(fileURLToPath(file), 'utf8'), { identifier: file, context });
  modules.set(file, module);
  return module;
}

/** Only files in the client's folder: an import of a `node:` module or a package fails. */
function link(specifier, { identifier }) {
  if (!/^\.{1,2}\//.test(specifier)) throw new TypeError(`${identifier} imports ${specifier}`);
  return load(new URL(specifier, identifier).href);
}

const tour = new URL('tour.mjs', pathToFileURL(entry)).href;
const tourText = readFileSync(new URL('tour.mjs', import.meta.url), 'utf8');
modules.set(tour, new vm.SourceTextModule(tourText, { identifier: tour, context }));
const program = new vm.SourceTextModule(
  `import * as client from './index.js';
   import { tour } from './tour.mjs';
   const bare = typeof process + typeof require + typeof Buffer;
   export const found = { ...(await tour(client, { url: ${JSON.stringify(url)} })), bare };`,
  { identifier: new URL('program.js', pathToFileURL(entry)).href, context },
);
await program.link(link);
await program.evaluate();
process.stdout.write(JSON.stringify({ ...program.namespace.found, files: [...modules.keys()].length }));
process.exit(0);
