/**
 * Clients that openapi-generator makes in Python, TypeScript and Go, and Spectral's findings about the document. Long form
 * only.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { TestNode } from '../node/support/node.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { compile } from './support/compiling.js';
import { isThere, must, openapiGenerator, python, run, spectral } from './support/tools.js';
import { expectTour } from './support/tour.js';

const document = resolve('docs/generated/openapi.json');
const tour = (file: string): string => resolve('test/generators/tours', file);

/** Messages that appear for every document: about OpenAPI 3.1, about documents with one operation, about reserved words. */
const saidAlways = /support is still in beta|Failed to get the schema name: null|Renamed to/;

async function generated(jar: string, generator: string, ...options: readonly string[]): Promise<string> {
  const dir = scratch();
  const { code, stdout, stderr } = await run(
    'java',
    ['-jar', jar, 'generate', '-i', document, '-g', generator, '-o', dir, ...options],
    dir,
  );
  const said = `${stdout}${stderr}`
    .split('\n')
    .filter((line) => /\b(WARN|ERROR)\b/.test(line) && !saidAlways.test(line));
  expect(said).to.deep.equal([]);
  expect(code, stderr).to.equal(0);
  return dir;
}

async function toured(command: string, args: readonly string[], dir: string): Promise<void> {
  const node = await TestNode.start();
  try {
    await expectTour(node, command, args, dir);
  } finally {
    await node.stop();
  }
}

(isLong ? describe : () => {})('clients by openapi-generator', function () {
  this.timeout(1_800_000);
  let jar: string;

  before(async function () {
    const found = await openapiGenerator();
    if (found === undefined) return this.skip();
    jar = found;
  });
  after(tidy);

  it('typescript-fetch compiles, and does what it should', async () => {
    const [from, dir] = [await generated(jar, 'typescript-fetch'), scratch()];
    cpSync(from, join(dir, 'generated'), { recursive: true });
    copyFileSync(tour('typescript-fetch.ts'), join(dir, 'tour.ts'));
    writeFileSync(join(dir, 'package.json'), '{ "type": "commonjs" }');
    await compile(dir);
    await toured(process.execPath, [join('out', 'tour.js')], dir);
  });

  it('python imports, and does what it should', async function () {
    const interpreter = await python();
    if (interpreter === undefined) return this.skip();
    const dir = await generated(jar, 'python');
    copyFileSync(tour('openapi_generator.py'), join(dir, 'tour.py'));
    await must(interpreter, ['-W', 'error', '-m', 'compileall', '-q', 'openapi_client'], dir);
    await toured(interpreter, ['tour.py'], dir);
  });

  it('go compiles, and does what it should', async function () {
    if (!isThere('go', 'version')) return this.skip();
    const [from, dir] = [
      await generated(jar, 'go', '--additional-properties', 'useOneOfDiscriminatorLookup=true'),
      scratch(),
    ];
    for (const folder of ['client', 'tour']) mkdirSync(join(dir, folder));
    for (const file of readdirSync(from).filter((name) => name.endsWith('.go'))) {
      copyFileSync(join(from, file), join(dir, 'client', file));
    }
    copyFileSync(tour('tour.go'), join(dir, 'tour', 'main.go'));
    writeFileSync(join(dir, 'go.mod'), 'module svc-node\n\ngo 1.23\n\nrequire gopkg.in/validator.v2 v2.0.1\n');
    await must('go', ['mod', 'tidy'], dir);
    await must('go', ['vet', './client', './tour'], dir);
    await must('go', ['build', '-o', 'program', './tour'], dir);
    await toured(join(dir, 'program'), [], dir);
  });
});

(isLong ? describe : () => {})('the description of the API', () => {
  after(tidy);

  it('passes the OpenAPI rules of Spectral', async function () {
    const program = await spectral();
    if (program === undefined) return this.skip();
    const dir = scratch();
    writeFileSync(join(dir, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    await must(program, ['lint', document, '--fail-severity', 'hint'], dir);
  });
});
