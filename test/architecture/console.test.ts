/** The console is a separate program for browsers: it shares no code with the node and sends requests to no other host. */
import { expect } from 'chai';
import { eventTypes } from '../../scripts/generate/events/event-types.js';
import { codeOf, filesIn, importsOf } from './sources.js';

const folder = 'console';
const packages = [
  ...['preact', 'preact/hooks', '@preact/signals'],
  ...['@noble/ed25519', '@noble/hashes/sha2.js', 'bs58'],
];
/** Generated types of the API, which do not exist at run time. */
const wire = 'packages/client/src/wire.ts';
/** The parsers of event streams and of rules, which rule a step met, and names that look alike: they import nothing that exists at run time. */
const parsers = ['sse', 'rule-notation', 'rule-met', 'look-alike'].map((name) => `packages/client/src/${name}.ts`);
/** Signs with the client's code: what it sends goes to the page's own origin. Nothing loads it without a key. */
const keySigner = `${folder}/write/key-signer.ts`;
const files = ['.ts', '.tsx'].flatMap((suffix) => filesIn(folder, suffix));

describe('the console', () => {
  it('imports its own files, a few packages, the types of the API, parsers, and for keys of the browser the client', () => {
    const strange = files.flatMap((file) =>
      importsOf(file)
        .filter(({ to, isPackage, isTypeOnly }) =>
          isPackage
            ? !packages.includes(to)
            : !to.startsWith('console/') && !(isTypeOnly && to === wire) && !parsers.includes(to) && file !== keySigner,
        )
        .map(({ to }) => `${file} → ${to}`),
    );
    expect(strange).to.deep.equal([]);
    expect(files.length).to.be.above(15);
  });

  it('makes no markup of text, and speaks to its own node only', () => {
    const forbidden =
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|https?:\/\/(?!www\.w3\.org)/;
    expect(files.filter((file) => forbidden.test(codeOf(file)))).to.deep.equal([]);
  });

  it('keeps the names that its reader gave, the zone and the colours in the browser, and keys that it made there, and nothing else', () => {
    const storing = /localStorage|sessionStorage|indexedDB|document\.cookie|caches\./;
    expect(files.filter((file) => storing.test(codeOf(file)))).to.deep.equal([
      `${folder}/shell/local.ts`,
      `${folder}/write/browser-keys.ts`,
    ]);
    const remembering = /\bremember\(/;
    expect(files.filter((file) => remembering.test(codeOf(file))).sort()).to.deep.equal([
      `${folder}/format/zone.ts`,
      `${folder}/names/kept-names.ts`,
      `${folder}/shell/local.ts`,
      `${folder}/shell/themes.ts`,
    ]);
  });

  it('fetches in one place only, and writes nothing but what is tried on devnet: and with an admin key what operators do', () => {
    expect(files.filter((file) => /\bfetch\(|XMLHttpRequest|sendBeacon|WebSocket/.test(codeOf(file)))).to.deep.equal([
      `${folder}/api/read.ts`,
    ]);
    expect(files.filter((file) => /method:\s*'(POST|PUT|DELETE|PATCH)'/.test(codeOf(file)))).to.deep.equal([
      `${folder}/api/admin-write.ts`,
      `${folder}/write/people.ts`,
    ]);
  });

  it('has views that know nothing of each other', () => {
    const across = files.flatMap((file) => {
      const own = /\/views\/([^/]+)\//.exec(file)?.[1];
      return importsOf(file)
        .map(({ to }) => /\/views\/([^/]+)\//.exec(to)?.[1])
        .filter((view) => view !== undefined && view !== own)
        .map((view) => `${file} → ${view}`);
    });
    expect(across).to.deep.equal([]);
  });

  it('says each event in the past tense', () => {
    const [, table = ''] =
      /const verbs[^{]*\{[^{]*\{(.*?)^\};/ms.exec(codeOf(`${folder}/parts/entry-sentence.tsx`)) ?? [];
    const said = new Set([...table.matchAll(/^ *'?([\w.-]+)'?: '/gm)].map(([, name]) => name!));
    expect(said.size).to.be.above(5);
    const unsaid = eventTypes().filter(({ type }) => {
      const verb = type.slice(type.indexOf('.') + 1);
      return !said.has(type) && !said.has(verb) && !/^[a-z]+ed$/.test(verb);
    });
    // What is sent is said as a payment.
    expect(unsaid.map(({ type }) => type)).to.deep.equal(['tokens.withdrawn', 'transfer.sent']);
  });
});
