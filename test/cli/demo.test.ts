import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { checkout } from './support/command.js';
import { startNode } from './support/node.js';

const run = promisify(execFile);

describe('The demo', () => {
  after(tidy);

  it('plays its story on a node, also where the journal has entries before it', async () => {
    const node = await startNode(scratch());
    for (const _ of ['first', 'second']) {
      const { stdout } = await run(process.execPath, [join(checkout, 'dist/scripts/demo/demo.js'), '--url', node.url]);
      expect(stdout).to.match(/All is as expected.*: \d+ checks\.\n/);
    }
    expect((await node.stop()).code).to.equal(0);
  });
});
