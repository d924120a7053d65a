import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { runHere } from './support/here.js';
import { faucet, get, startHere, startNode } from './support/node.js';

interface Held {
  readonly entries: number;
  readonly head: string;
}

const run = async (...words: string[]): Promise<Held> => {
  const end = await svcNode([...words, '--json']);
  expect(end.code, end.stderr).to.equal(0);
  return json<Held>(end);
};

describe('svc-node backup and restore', () => {
  let made: { readonly did: string; readonly dataDir: string };
  /** The data directory of a node that was started once and stopped. */
  const used = (): string => {
    const dir = join(scratch(), 'used');
    cpSync(made.dataDir, dir, { recursive: true });
    return dir;
  };
  before(async () => {
    const node = await startHere();
    await node.stop();
    made = node;
  });
  after(tidy);

  it('copies a database in use, from which another node continues', async () => {
    const node = await startHere();
    await faucet(node, node.did);
    const file = join(scratch(), 'ledger.db');
    const held = await run('backup', file, '--data', node.dataDir);
    expect(held).to.include({ file, entries: 2 });
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    await faucet(node, node.did);
    await node.stop();

    const dir = join(scratch(), 'new');
    expect(await run('restore', file, '--data', dir)).to.include({ dataDir: dir, entries: 2, head: held.head });
    expect(await run('audit', '--data', dir)).to.include({ ok: true, entries: 2, supply: 100, head: held.head });
    const without = await runHere(['start', '--port', '0', '--data', dir], { SVC_CHAIN: 'none' });
    expect(without.code).to.equal(1);
    expect(without.stderr)
      .to.include(`was written by node ${node.did}, whose key is not in ${join(dir, 'keystore')}`)
      .and.include('--new-identity');
    expect(existsSync(join(dir, 'node.json')), 'nothing was made').to.equal(false);
    expect(existsSync(join(dir, 'passphrase'))).to.equal(false);

    for (const name of ['keystore', 'passphrase']) {
      cpSync(join(node.dataDir, name), join(dir, name), { recursive: true });
    }
    const same = await startHere(dir);
    expect(same).to.include({ did: node.did, isNew: false });
    expect((await get(`${same.url}/api/v1/wallets/${node.did}`)).body.balance).to.equal(100);
    await same.stop();
    expect(JSON.parse(readFileSync(join(dir, 'node.json'), 'utf8'))).to.include({ did: node.did });
  });

  it('takes the key files along on request, and replaces none', async () => {
    const file = join(scratch(), 'ledger.db');
    expect(await run('backup', file, '--keystore', '--data', used())).to.include({ keys: 1 });
    const [kept, from] = [join(dirname(file), 'keystore'), join(made.dataDir, 'keystore')];
    const [name] = readdirSync(from) as [string];
    expect(readdirSync(kept)).to.deep.equal([name]);
    expect([statSync(kept).mode, statSync(join(kept, name)).mode].map((mode) => mode & 0o777)).to.deep.equal([
      0o700, 0o600,
    ]);
    const keyIn = (folder: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    expect(keyIn(kept)).to.deep.equal(keyIn(from));

    const dir = join(scratch(), 'new');
    expect(await run('restore', file, '--keystore', '--data', dir)).to.include({ keys: 1 });
    cpSync(join(made.dataDir, 'passphrase'), join(dir, 'passphrase'));
    const same = await startHere(dir);
    expect(same).to.include({ did: made.did, isNew: false });
    await same.stop();

    const key = keyIn(from);
    const other = join(scratch(), 'other');
    mkdirSync(join(other, 'keystore'), { recursive: true, mode: 0o700 });
    const changed = JSON.stringify({ ...key, nonce: '0'.repeat(key.nonce.length) });
    writeFileSync(join(other, 'keystore', name), changed, { mode: 0o600 });
    const end = await svcNode(['restore', file, '--keystore', '--data', other]);
    expect(end.code).to.equal(1);
    expect(end.stderr).to.include(`${join(other, 'keystore', name)} is another key file of this DID`);
    expect(readFileSync(join(other, 'keystore', name), 'utf8')).to.equal(changed);
    expect(existsSync(join(other, 'journal.db')), 'nothing was restored').to.equal(false);
  });

  it('a node whose key is lost continues under a new DID on request', async () => {
    const file = join(scratch(), 'ledger.db');
    await run('backup', file, '--data', used());
    const dir = join(scratch(), 'new');
    await run('restore', file, '--data', dir);
    const other = await startNode(dir, ['--new-identity']);
    expect(other.isNew).to.equal(true);
    expect(other.did).not.to.equal(made.did);
    await other.stop();
    const again = await startHere(dir);
    expect(again).to.include({ did: other.did, isNew: false });
    // The home is known before this process writes anything, because signatures collected elsewhere have to name it.
    expect((await get(`${again.url}/api/v1/node`)).body).to.include({ did: other.did, home: made.did });
    await again.stop();
    expect(await run('audit', '--data', dir)).to.include({ ok: true });
  });

  it('a database of another node is not taken over by the one whose directory it came into', async () => {
    const second = await startHere();
    const file = join(scratch(), 'ledger.db');
    await run('backup', file, '--data', used());
    await second.stop();
    await run('restore', file, '--data', second.dataDir, '--force');
    const end = await runHere(['start', '--port', '0', '--data', second.dataDir], { SVC_CHAIN: 'none' });
    expect(end.code).to.equal(1);
    expect(end.stderr).to.include(made.did);
    const started = await startNode(second.dataDir, ['--new-identity']);
    expect(started).to.include({ did: second.did, isNew: false });
    await started.stop();
  });

  it('copies the database of a stopped node, and says where the keys are', async () => {
    const dir = used();
    const file = join(scratch(), 'ledger.db');
    const segments = join(dirname(file), 'segments');
    mkdirSync(segments);
    const end = await svcNode(['backup', file, '--data', dir]);
    expect(end.code).to.equal(0);
    expect(end.stdout).to.match(new RegExp(`^${file} holds 1 entries, up to [0-9a-f]{64}\\.\n$`));
    expect(end.stderr).to.include(`${dir}/keystore`);
    expect(end.stderr).to.include(`in the files of ${segments}`);
  });

  it('writes over nothing, and reads from nothing', async () => {
    const node = await startHere();
    const file = join(scratch(), 'ledger.db');
    writeFileSync(file, 'precious');
    for (const isRunning of [true, false]) {
      if (!isRunning) await node.stop();
      const end = await svcNode(['backup', file, '--data', node.dataDir]);
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr).to.equal(`svc-node: ${file} exists already: choose another name or remove it\n`);
    }
    const dir = scratch();
    const end = await svcNode(['backup', join(dir, 'ledger.db'), '--data', dir]);
    expect(end).to.include({ code: 1, stderr: `svc-node: there is no database in ${dir}\n` });
  });

  it('restores neither under a running node, nor unasked over data, nor what is damaged', async () => {
    const node = await startHere();
    const { dataDir } = node;
    const file = join(scratch(), 'ledger.db');
    const { head } = await run('backup', file, '--data', dataDir);
    await faucet(node, node.did);

    const running = await svcNode(['restore', file, '--data', dataDir, '--force']);
    expect(running.code).to.equal(1);
    expect(running.stderr).to.include(`in use by process ${node.pid}`);
    await node.stop();

    const unasked = await svcNode(['restore', file, '--data', dataDir]);
    expect(unasked.code).to.equal(1);
    expect(unasked.stderr).to.include('has a database already');
    expect(await run('restore', file, '--data', dataDir, '--force')).to.include({ entries: 1, head });

    truncateSync(file, 20_000);
    const dir = join(scratch(), 'new');
    const damaged = await svcNode(['restore', file, '--data', dir]);
    expect(damaged.code).to.equal(1);
    expect(damaged.stderr).to.match(/^svc-node: [^\n]+\n$/);
    expect(existsSync(join(dir, 'journal.db'))).to.equal(false);
  });
});
