/** The Python client (clients/python): the wheel built from this checkout, installed by itself. Long form only. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { TestNode } from '../node/support/node.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { must, python } from './support/tools.js';
import { expectTour } from './support/tour.js';

/** The first block of the page in this language. */
function blockOf(page: string, language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readFileSync(page, 'utf8')) ?? [];
  return block ?? expect.fail(`no ${language} in ${page}`);
}

(isLong ? describe : () => {})('the Python client', function () {
  this.timeout(900_000);
  /** An environment with the wheel. */
  let installed: string;
  let node: TestNode;

  before(async function () {
    const interpreter = await python();
    if (interpreter === undefined) return this.skip();
    const dir = scratch();
    const built = await must(interpreter, [resolve('clients/python/build.py'), '--out', dir], dir);
    const wheel = built.trimEnd().split('\n').at(-1)!;
    await must('python3', ['-m', 'venv', 'environment'], dir);
    installed = join(dir, 'environment', 'bin', 'python');
    await must(installed, ['-m', 'pip', 'install', '-q', `${wheel}[keys]`], dir);
  });
  beforeEach(async () => {
    node = await TestNode.start();
  });
  afterEach(() => node?.stop());
  after(tidy);

  it('is built as a wheel, and does what it should', async () => {
    await expectTour(node, installed, [resolve('clients/python/tests/tour.py')], scratch());
  });

  it('sends with each sample of the API page the request of its operation', async () => {
    await must(installed, [resolve('clients/python/tests/samples.py'), resolve('docs/generated')], scratch());
  });

  it('follows the journal through every character, breaks and silence', async () => {
    await must(installed, [resolve('clients/python/tests/stream.py')], scratch());
  });

  it('hashes and signs as the vectors of the journal say', async () => {
    await must(installed, [resolve('clients/python/tests/hashes.py')], scratch());
  });

  it('signs with keys of its caller what they asked for, whatever the node says', async () => {
    await must(installed, [resolve('clients/python/tests/signing.py'), node.url], scratch());
    expect((await node.audit()).entries).to.be.above(20);
  });

  it('has several writes of a key in flight, and makes each once, through losses, lies and kills', async () => {
    await must(installed, [resolve('clients/python/tests/flights.py')], scratch());
    await must(installed, [resolve('clients/python/tests/kills.py'), node.url], scratch());
    expect((await node.audit()).flaw?.what).to.equal(undefined);
  });

  it('signs for other homes what they asked for there, whatever these say', async () => {
    const homes = [await Home.start(), await Home.start(), await Home.start()];
    try {
      await acquaint(homes);
      const urls = homes.map((home) => home.node.url);
      await must(installed, [resolve('clients/python/tests/homes.py'), ...urls], scratch());
      for (const home of homes) expect((await home.node.audit()).flaw?.what).to.equal(undefined);
    } finally {
      await discard(homes);
    }
  });

  for (const page of ['clients/python/README.md', 'docs/signing.md']) {
    it(`has an example in ${page} that runs as it stands, and prints what it says`, async () => {
      const dir = scratch();
      const program = blockOf(page, 'python').replace('http://127.0.0.1:9528', node.url);
      expect(program).to.include(node.url);
      writeFileSync(join(dir, 'example.py'), program);
      expect(await must(installed, ['example.py'], dir)).to.equal(blockOf(page, 'text'));
    });
  }
});
