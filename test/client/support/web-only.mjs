/**
 * Runs `svc-node/client` where there is nothing but what the web has: a context without require, process or Buffer,
 * whose modules may import each other and nothing else. Arguments: the client's entry file, the URL of a node.
 * Prints what the program in there found, as JSON.
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

/** Only files beside each other: a `node:` module, or a package, ends it. */
function link(specifier, { identifier }) {
  if (!/^\.{1,2}\//.test(specifier)) throw new TypeError(`${identifier} imports ${specifier}`);
  return load(new URL(specifier, identifier).href);
}

const program = new vm.SourceTextModule(
  `import { Client } from './index.js';
   const passphrase = 'correct horse battery staple';
   const client = new Client({ url: ${JSON.stringify(url)} });
   const [ada, ben] = await Promise.all([1, 2].map(() => client.identities.create(passphrase)));
   await client.faucet.claim(ada.did);
   const signed = client.as({ did: ada.did, passphrase });
   const stop = new AbortController();
   const seen = [];
   const { head } = await client.events.list({ limit: 1 });
   const following = (async () => {
     for await (const { event } of client.events.stream({ after: head, issuer: ada.did }, { signal: stop.signal })) {
       seen.push(event.type);
       if (seen.length === 3) stop.abort();
     }
   })();
   await Promise.all([1, 2, 3].map((amount) => signed.wallets.transfer({ to: ben.did, amount })));
   await following;
   const refusal = await signed.wallets.transfer({ to: ben.did, amount: 1000 }).catch((error) => error.refusal);
   const { balance } = await client.wallets.get(ben.did);
   export const found = { seen, refusal, balance, bare: typeof process + typeof require + typeof Buffer };`,
  { identifier: new URL('program.js', pathToFileURL(entry)).href, context },
);
await program.link(link);
await program.evaluate();
process.stdout.write(JSON.stringify({ ...program.namespace.found, files: [...modules.keys()].length }));
process.exit(0);
