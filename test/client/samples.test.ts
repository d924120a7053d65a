/** The samples of the API page: the calls compile, and send the request of the operation that they stand for. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { commandWords } from '../../src/cli/api/names.js';
import { readOperations } from '../../src/cli/api/operations.js';
import { scratch, tidy } from '../support/scratch.js';

interface Sample {
  readonly typescript: string;
  readonly command: string;
}

const samples = JSON.parse(readFileSync(join('docs', 'generated', 'samples.json'), 'utf8')) as {
  readonly [operationId: string]: Sample;
};
const importLine = "import { Client } from '@svc-node/client';\n";

/** All samples in one module, each in a separate function. */
const moduleText = (): string =>
  [
    `import { Client } from '${resolve('packages/client/src/index.js')}';`,
    ...Object.entries(samples).map(([name, { typescript }]) => {
      expect(typescript, name).to.match(/^import \{ Client \} from '@svc-node\/client';\n/);
      const body = typescript.slice(importLine.length);
      return `export async function ${name}(): Promise<unknown> {\n${body}${body.includes('const reply') ? 'return reply;' : 'return undefined;'}\n}`;
    }),
  ].join('\n');

/** What the compiler says. */
function problemsOf(text: string): string {
  const folder = scratch();
  writeFileSync(join(folder, 'samples.ts'), text);
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.asynciterable',
  ];
  const module = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', ''];
  const compiler = resolve('node_modules', '.bin', 'tsc');
  return spawnSync(compiler, [...options, ...module, join(folder, 'samples.ts')], { encoding: 'utf8' }).stdout;
}

describe('client: samples of the API page', () => {
  after(tidy);
  const operations = readOperations().filter((operation) => commandWords(operation) !== undefined);

  it('are there for every operation that is no page', () => {
    expect(Object.keys(samples)).to.have.members(operations.map(({ operationId }) => operationId));
  });

  it('compile', () => {
    expect(problemsOf(moduleText())).to.equal('');
    // A wrong call is reported, so the compiler really checks the samples.
    expect(problemsOf(`${moduleText()}\nnew Client({ adress: 1 });`)).to.include('adress');
  });

  it('send the request of their operation', async () => {
    const done = { status: 200, body: {} };
    for (const { operationId, method, path } of operations) {
      const sent: string[] = [];
      const code = samples[operationId]!.typescript.slice(importLine.length);
      class Sent extends Client {
        constructor(options: ConstructorParameters<typeof Client>[0]) {
          super({
            ...(options as object as { url: string }),
            fetch: async (url, { method: asked = 'GET' }) => {
              const { pathname } = new URL(url);
              sent.push(`${asked} ${pathname}`);
              return pathname.endsWith('/stream')
                ? new Response('data: {"seq":1}\n\n')
                : Response.json({ nextNonce: 1, id: 'ord-1', listingId: 'lst-1', items: [done, done] });
            },
          });
        }
      }
      if (operationId === 'streamEvents') continue; // it has no end; client: streams tests it
      const run = new Function('Client', `return (async () => { ${code} })();`) as (made: typeof Sent) => Promise<void>;
      await run(Sent);
      const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`);
      expect(sent.at(-1), operationId).to.match(pattern);
      expect(sent.at(-1), operationId).not.to.match(/undefined|null/);
    }
  });
});
