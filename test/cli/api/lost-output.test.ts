/** What a command does when its output cannot be written: a closed pipe, a full device. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { Command } from 'commander';
import { addApi } from '../../../src/cli/api/commands.js';
import { readOperations } from '../../../src/cli/api/operations.js';
import { changesSomething } from '../../../src/cli/program.js';
import { nodeForSuite } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { scratch, tidy } from '../../support/scratch.js';
import { checkout, type Ended, ended, nowhere, track } from '../support/command.js';

describe('svc-node without a reader of its output', () => {
  const node = nodeForSuite();
  after(tidy);
  let ada: Person;
  let ben: Person;
  before(async () => {
    [ada, ben] = [await node().rich(100), await node().rich(1_000)];
  });

  /** Runs a line of the shell, in which `svc` is the command. */
  function shell(line: string): Promise<Ended> {
    const secret = join(scratch(), 'passphrase');
    writeFileSync(secret, ada.passphrase);
    const env = {
      PATH: process.env.PATH,
      SVC_NODE_PREFERENCES: nowhere,
      SVC_NODE_URL: node().url,
      SVC_NODE_DID: ada.did,
      SVC_PASSPHRASE_FILE: secret,
    };
    const svc = `svc() { exec "${process.execPath}" "${join(checkout, 'bin', 'svc-node.mjs')}" "$@" --data "${scratch()}"; }`;
    return ended(track(spawn('bash', ['--norc', '-c', `set -o pipefail; ${svc}; ${line}`], { env })));
  }

  const transfer = () => `transfer --to ${node().did} --amount 1`;
  const balance = async () => (await ada.wallet()).availableBalance;

  it('says that a write was accepted, and ends with 1, on a full device', async () => {
    const before = await balance();
    const { code, stderr } = await shell(`svc ${transfer()} > /dev/full`);
    expect(stderr).to.match(/^svc-node: transfer was accepted as event [0-9a-f]{64}, but .*ENOSPC.*\n$/);
    expect(code).to.equal(1);
    expect(await balance()).to.equal(before - 1);
    const made = await shell(`svc identity create --url ${node().url} --json > /dev/full`);
    expect(made.stderr).to.match(/^svc-node: identity create was carried out, but .*ENOSPC.*\n$/);
  });

  it('says it in a closed pipe as well', async () => {
    const before = await balance();
    const { code, stderr } = await shell(`svc ${transfer()} | exec 0<&-`);
    expect(stderr).to.match(/^svc-node: transfer was accepted as event [0-9a-f]{64}, but .*EPIPE.*\n$/);
    expect(code).to.equal(0);
    expect(await balance()).to.equal(before - 1);
  });

  it('ends what reads for ever when its pipe is closed, without a word', async () => {
    for (const line of ['event stream --after 0 | head -1', 'wallet get --watch 0.5 | head -1']) {
      const over = shell(`svc ${line}`);
      let isOver = false;
      void over.then(() => {
        isOver = true;
      });
      while (!isOver) {
        await ben.pays(ada.did, 1);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      const { code, stdout, stderr } = await over;
      expect({ code, stderr }, line).to.deep.equal({ code: 0, stderr: '' });
      expect(stdout.trimEnd().split('\n'), line).to.have.length(1);
    }
  });

  it('says on a full device that it could not print', async () => {
    const { code, stderr } = await shell('svc wallet get > /dev/full');
    expect(stderr).to.match(/^svc-node: the output could not be written: ENOSPC.*\n$/);
    expect(code).to.equal(1);
  });

  it('knows of every command of the API whether it changes something', () => {
    const program = new Command('svc-node');
    addApi(program);
    const leaves = program.commands.flatMap((each) => (each.commands.length > 0 ? each.commands : [each]));
    const byMethod = new Map(readOperations().map(({ summary, method }) => [summary, method]));
    for (const command of leaves) {
      const method = byMethod.get(command.description())!;
      expect(changesSomething(command), command.description()).to.equal(method !== 'GET');
    }
    expect(leaves.length).to.be.above(50);
  });
});
