/** The types of openapi-typescript, with openapi-fetch; and what Redocly's linter says of the document. */
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { TestNode } from '../node/support/node.js';
import { scratch, tidy } from '../support/scratch.js';
import { compile } from './support/compiling.js';
import { must, npmTools } from './support/tools.js';
import { expectTour } from './support/tour.js';

const document = resolve('docs/generated/openapi.json');

interface Linter {
  createConfig(config: object): Promise<object>;
  lint(options: { readonly ref: string; readonly config: object }): Promise<readonly LintProblem[]>;
}
interface LintProblem {
  readonly ruleId: string;
  readonly location: readonly { readonly pointer?: string }[];
}

/** What `redocly lint` leaves out in a checkout, each with its rule. */
function ignoredByRedocly(): string[] {
  const rules = parse(readFileSync('.redocly.lint-ignore.yaml', 'utf8'))['docs/generated/openapi.json'];
  return Object.entries(rules as { readonly [rule: string]: readonly string[] })
    .flatMap(([rule, pointers]) => pointers.map((pointer) => `${rule} at ${pointer}`))
    .sort();
}

describe('clients by openapi-typescript', () => {
  let modules: string;

  before(async function () {
    const found = await npmTools();
    if (found === undefined) return this.skip();
    modules = found;
  });
  after(tidy);

  it('the document passes the rules that Redocly recommends', async () => {
    const { createConfig, lint } = (await import(
      pathToFileURL(join(modules, '@redocly', 'openapi-core', 'lib', 'index.js')).href
    )) as Linter;
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lint({ ref: document, config });
    const found = problems.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`);
    expect(found.sort()).to.deep.equal(ignoredByRedocly());
  });

  it('compiles, and does what it should', async () => {
    const dir = scratch();
    symlinkSync(modules, join(dir, 'node_modules'));
    writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
    copyFileSync('test/generators/tours/openapi-fetch.ts', join(dir, 'tour.ts'));
    const cli = join(modules, 'openapi-typescript', 'bin', 'cli.js');
    const said = await must(process.execPath, [cli, document, '-o', 'schema.d.ts'], dir);
    expect(said).to.not.match(/warn/i);
    await compile(dir);
    const node = await TestNode.start();
    try {
      await expectTour(node, process.execPath, [join('out', 'tour.js')], dir);
    } finally {
      await node.stop();
    }
  });
});
