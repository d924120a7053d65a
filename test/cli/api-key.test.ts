import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { lockDirectory } from '../../src/store/sqlite/lock.js';
import { scratch, tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { get, post, startHere, type TestNode } from './support/node.js';

interface Made {
  readonly id: string;
  readonly key: string;
  readonly expiresAt: number | null;
}

const apiKey = (dir: string, ...words: readonly string[]) => svcNode(['api-key', ...words, '--data', dir]);
const create = async (dir: string, ...words: readonly string[]): Promise<Made> =>
  json<Made>(await apiKey(dir, 'create', '--scope', 'admin', '--json', ...words));

describe('svc-node api-key', () => {
  after(tidy);

  for (const depth of ['', 'd'.repeat(60).concat('/').repeat(3)]) {
    describe(depth ? 'in a directory too deep for the address of a socket' : 'while a node runs', () => {
      let node: TestNode;
      before(async () => {
        const dir = join(scratch(), depth);
        mkdirSync(dir, { recursive: true });
        node = await startHere(dir);
      });

      it('makes a key that opens what an admin may do, until it is revoked', async () => {
        const { id, key } = await create(node.dataDir, '--label', 'me');
        expect(key).to.match(/^svck_[1-9A-HJ-NP-Za-km-z]{40,44}$/);
        const keys = `${node.url}/api/v1/admin/api-keys`;
        expect((await get(keys)).status).to.equal(403);
        const listed = await get(keys, key);
        expect(listed.status).to.equal(200);
        expect(listed.body.apiKeys[0]).to.include({ id, label: 'me', scope: 'admin', status: 'active' });

        expect(json(await apiKey(node.dataDir, 'revoke', id, '--json'))).to.include({ id, status: 'revoked' });
        expect((await get(keys, key)).status).to.equal(401);
      });
    });
  }

  it('shows a label that would steer the terminal as what it is', async () => {
    const dir = scratch();
    await create(dir, '--label', 'a\u001b[2J\u202eb');
    const { stdout } = await apiKey(dir, 'list');
    expect(stdout).to.include('a\ufffd[2J\ufffdb');
    expect(stdout).to.match(/^[\n\t -~\u2013\u2026\ufffd]*$/);
  });

  it('makes the first key before the first start, and the node knows it', async () => {
    const dir = join(scratch(), 'new');
    const { key } = await create(dir);
    const node = await startHere(dir);
    expect((await get(`${node.url}/api/v1/admin/api-keys`, key)).body.total).to.equal(1);
    const frozen = await post(`${node.url}/api/v1/admin/accounts/${node.did}/actions/freeze`, {}, key);
    expect(frozen.status).to.equal(200);
    await node.stop();
  });

  it('waits for a node that has the database, and cannot be asked yet', async () => {
    const dir = scratch();
    const starting = lockDirectory(dir);
    const made = create(dir);
    await pause(realEnvironment, 1_000);
    starting.release();
    expect((await made).key).to.match(/^svck_/);
  });

  it('shows the key once, and lists the others without it', async () => {
    const dir = scratch();
    const made = await apiKey(dir, 'create', '--scope', 'read', '--label', 'monitoring', '--expires', '90d');
    expect(made.code).to.equal(0);
    const [, key = ''] = /^Key +(svck_\w+)$/m.exec(made.stdout) ?? [];
    expect(made.stdout)
      .to.match(/^Scope +read$/m)
      .and.match(/^Expires +\d{4}-\d\d-\d\d /m);
    expect(made.stderr).to.include('it cannot be shown again');
    const listed = await apiKey(dir, 'list');
    expect(listed.stdout)
      .to.match(/^ID\tLABEL\tSCOPE\tSTATUS/)
      .and.match(/monitoring\tread\tactive/);
    expect(listed.stdout)
      .to.include(`${key.slice(0, 10)}…`)
      .and.not.include(key);
  });

  it('reads a span or a time as the end of a key, and refuses one that is over', async () => {
    const dir = scratch();
    const day = 86_400_000;
    expect((await create(dir, '--expires', '2d')).expiresAt).to.be.closeTo(realEnvironment.now() + 2 * day, 60_000);
    expect((await create(dir, '--expires', '2199-01-31T00:00Z')).expiresAt).to.equal(Date.UTC(2199, 0, 31));
    expect((await create(dir)).expiresAt).to.equal(null);
    const past = await apiKey(dir, 'create', '--scope', 'read', '--expires', '2001-01-01');
    expect(past).to.include({ code: 1, stderr: 'svc-node: expiresAt: must lie in the future\n' });
  });

  it('binds a key to a DID, spelled either way', async () => {
    const dir = scratch();
    const { did, address } = json<{ did: string; address: string }>(
      await svcNode(['identity', 'create', '--data', dir, '--json'], {
        env: { SVC_PASSPHRASE: 'correct horse battery' },
      }),
    );
    expect(await create(dir, '--did', address)).to.include({ did });
  });

  it('says what is not there, and makes no database for a question', async () => {
    const dir = scratch();
    for (const words of [['list'], ['revoke', 'key-1']]) {
      const end = await apiKey(dir, ...words);
      expect(end).to.include({
        code: 1,
        stderr: `svc-node: there is no database in ${dir}: is it the right --data?\n`,
      });
    }
    expect(existsSync(join(dir, 'journal.db'))).to.equal(false);
    await create(dir);
    expect(await apiKey(dir, 'revoke', 'key-1')).to.include({
      code: 1,
      stderr: 'svc-node: there is no API key key-1\n',
    });
  });
});
