/** The types of openapi-typescript with openapi-fetch, and the findings of Redocly's linter about the document. */
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
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
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

describe('clients by openapi-typescript', function () {
  this.timeout(300_000);
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
    // `…/leases/{leaseId}` and `…/{listingId}/leases` overlap only for a listing with the id `leases`, but ids begin with
    // `lst-`.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } });
    const problems = await lint({ ref: document, config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`),
    ).to.deep.equal([]);
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
