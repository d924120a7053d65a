/** The example of a shop and an agent, run as its README says: in a separate project, against a node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { TestNode } from '../node/support/node.js';

describe('examples/weather', () => {
  let node: TestNode;
  let project: string;
  before(async () => {
    node = await TestNode.start();
    project = mkdtempSync(join(tmpdir(), 'svc-weather-'));
    cpSync('examples/weather', project, { recursive: true, filter: (path) => !path.includes('node_modules') });
    mkdirSync(join(project, 'node_modules'));
    symlinkSync(resolve('.'), join(project, 'node_modules', 'svc-node'));
    symlinkSync(resolve('node_modules/koa'), join(project, 'node_modules', 'koa'));
  });
  after(async () => {
    await node?.discard();
    rmSync(project, { recursive: true, force: true });
  });

  it('passes', async () => {
    // Removes the marker of this test run, so that the example is a separate run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const args = ['--test', '--test-reporter=tap'];
    const child = spawn(process.execPath, args, { cwd: project, env: { ...env, SVC_URL: node.url } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [code] = await once(child, 'close');
    expect(code, output).to.equal(0);
    expect(output).to.match(/^# pass 2$/m);
  });
});
