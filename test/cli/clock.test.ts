/** `svc-node clock` without a running node; test/crash has it with one. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { svcNode } from './support/command.js';

describe('svc-node clock accept, while no node runs', () => {
  before(function () {
    if (!existsSync('/proc/sys/kernel/random/boot_id')) this.skip();
  });
  after(tidy);

  const accept = (dir: string) => svcNode(['clock', 'accept', '--data', dir]);

  it('is for a start that the clock has ended: the next one takes it as it is', async () => {
    const dir = scratch();
    writeFileSync(join(dir, 'node.json'), '{}');
    const { code, stdout, stderr } = await accept(dir);
    expect([code, stdout + stderr].join()).to.match(/^0,The clock is right: the next start takes it as it is now/);
    const state = JSON.parse(readFileSync(join(dir, 'clock.json'), 'utf8'));
    expect(state).to.include({ deadlinesWait: true, overruledMs: 0 });
  });

  it('writes nothing into a folder that is no node’s', async () => {
    const dir = scratch();
    const { code, stderr } = await accept(dir);
    expect([code, stderr].join()).to.match(/^1,.*no node runs on/s);
    expect(existsSync(join(dir, 'clock.json'))).to.equal(false);
  });
});
