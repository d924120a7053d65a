/** The example of a third party's test, run as its README says: in a separate project, against a node. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeForSuite } from '../node/support/node.js';
import { ExampleProject } from '../support/example-project.js';
import { tidy } from '../support/scratch.js';

const example = 'examples/escrow-client';

describe(example, () => {
  const node = nodeForSuite();
  let project: ExampleProject;

  before(() => {
    project = ExampleProject.of(example);
  });
  after(tidy);

  const tested = () => project.run(['--test', '--test-reporter=tap'], { SVC_URL: node().url });

  it('passes', async () => {
    const { code, output } = await tested();
    expect(code, output).to.equal(0);
    expect(Number(/^# pass (\d+)$/m.exec(output)?.[1]), output).to.be.above(5);
  });

  it('fails where the client is wrong', async () => {
    const file = join(project.dir, 'escrow-client.mjs');
    const text = readFileSync(file, 'utf8');
    const wrong = text.replace("'cancel')", "'expire')");
    expect(wrong).not.to.equal(text);
    writeFileSync(file, wrong);
    const { code, output } = await tested();
    expect(code).to.equal(1);
    expect(output).to.match(/^not ok/m);
  });
});
