/** The example of a third party's test, run as its README says: in a separate project, against a node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { TestNode } from '../node/support/node.js';

const example = 'examples/escrow-client';

describe('examples/escrow-client', () => {
  let node: TestNode;
  let project: string;

  before(async () => {
    node = await TestNode.start();
    project = mkdtempSync(join(tmpdir(), 'svc-example-'));
    cpSync(example, project, { recursive: true, filter: (path) => !path.includes('node_modules') });
    // Laid out as npm installs a dependency on a folder.
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(resolve('.'), join(project, 'node_modules', 'svc-node'));
  });
  after(async () => {
    await node?.discard();
    rmSync(project, { recursive: true, force: true });
  });

  async function tested(): Promise<{ code: number | null; output: string }> {
    // Removes the marker of this test run, so that the example is a separate run.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: project,
      env: { ...env, SVC_URL: node.url },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const [code] = await once(child, 'close');
    return { code, output };
  }

  it('passes', async () => {
    const { code, output } = await tested();
    expect(code, output).to.equal(0);
    expect(Number(/^# pass (\d+)$/m.exec(output)?.[1]), output).to.be.above(5);
  });

  it('fails where the client is wrong', async () => {
    const file = join(project, 'escrow-client.mjs');
    const text = readFileSync(file, 'utf8');
    const wrong = text.replace("'cancel')", "'expire')");
    expect(wrong).not.to.equal(text);
    writeFileSync(file, wrong);
    const { code, output } = await tested();
    expect(code).to.equal(1);
    expect(output).to.match(/^not ok/m);
  });
});
