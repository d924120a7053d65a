import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { faucet, get, post, startHere, type TestNode } from './support/node.js';

interface Made {
  readonly did: string;
  readonly address: string;
}

const passphrase = 'correct horse battery staple';

function passphraseFile(text = passphrase): string {
  const file = join(scratch(), 'pass.txt');
  writeFileSync(file, `${text}\nsecond line\n`);
  return file;
}

async function create(dir: string): Promise<Made> {
  return json<Made>(
    await svcNode(['identity', 'create', '--data', dir, '--passphrase-file', passphraseFile(), '--json']),
  );
}

describe('svc-node identity', () => {
  after(tidy);

  it('makes a key, and the data directory where there is none', async () => {
    const dir = join(scratch(), 'new', 'data');
    const made = await create(dir);
    expect(Object.keys(made)).to.deep.equal(['did', 'address']);
    expect(made.did).to.match(/^did:svc:z6Mk/);
    const file = join(dir, 'keystore', `${made.address}.json`);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(statSync(dir).mode & 0o777).to.equal(0o700);
    expect(readFileSync(file, 'utf8')).not.to.include('horse');
  });

  it('takes the passphrase from standard input or the environment as well, but from no argument', async () => {
    const dir = scratch();
    const fromInput = await svcNode(['identity', 'create', '--data', dir, '--passphrase-file', '-'], {
      input: `${passphrase}\n`,
    });
    expect(fromInput.code).to.equal(0);
    const fromVariable = await svcNode(['identity', 'create', '--data', dir], { env: { SVC_PASSPHRASE: passphrase } });
    expect(fromVariable.code).to.equal(0);
    expect(fromVariable.stdout).to.match(/^DID +did:svc:z6Mk\w+\nAddress +svc1\w+\n$/);
    const none = await svcNode(['identity', 'create', '--data', dir]);
    expect(none).to.include({ code: 2, stdout: '' });
    expect(none.stderr).to.match(/--passphrase-file .*SVC_PASSPHRASE/);
  });

  it('refuses a short passphrase, a missing file and an empty line with 1 and a sentence', async () => {
    const dir = scratch();
    for (const [file, says] of [
      [passphraseFile('short'), 'passphrase: needs at least 12 characters'],
      [join(dir, 'missing'), `${join(dir, 'missing')}: there is no such file or directory`],
      [passphraseFile(''), 'its first line is empty'],
    ] as const) {
      const end = await svcNode(['identity', 'create', '--data', dir, '--passphrase-file', file]);
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr)
        .to.include(says)
        .and.match(/^svc-node: [^\n]+\n$/);
    }
  });

  it('lists keys, oldest first', async () => {
    const dir = scratch();
    const [first, second] = [await create(dir), await create(dir)];
    const listed = await svcNode(['identity', 'list', '--data', dir]);
    expect(listed.code).to.equal(0);
    const lines = listed.stdout.trim().split('\n');
    expect(lines[0]).to.match(/^DID\tADDRESS\tCREATED/);
    expect(lines[1]).to.include(first.did).and.include(first.address);
    expect(lines[2]).to.include(second.did);
    const { identities } = json<{ identities: Made[] }>(await svcNode(['identity', 'list', '--data', dir, '--json']));
    expect(identities.map(({ did }) => did)).to.deep.equal([first.did, second.did]);
    expect(identities[0]).to.include({ isNode: false, unlocked: false });
  });

  it('carries a key to another keystore, encrypted all the way', async () => {
    const [here, there] = [scratch(), scratch()];
    const { did, address } = await create(here);
    const out = join(scratch(), 'alice.json');
    expect((await svcNode(['identity', 'export', address, '--out', out, '--data', here])).code).to.equal(0);
    expect(statSync(out).mode & 0o777).to.equal(0o600);
    const printed = await svcNode(['identity', 'export', did, '--data', here]);
    expect(JSON.parse(printed.stdout)).to.deep.equal(JSON.parse(readFileSync(out, 'utf8')));

    const again = await svcNode(['identity', 'export', did, '--out', out, '--data', here]);
    expect(again.code).to.equal(1);
    expect(again.stderr).to.equal(`svc-node: ${out}: it exists already\n`);

    const take = ['identity', 'import', out, '--data', there, '--json', '--passphrase-file'];
    expect((await svcNode([...take, passphraseFile('not the passphrase')])).code).to.equal(1);
    expect(existsSync(join(there, 'keystore', `${address}.json`))).to.equal(false);
    expect(json(await svcNode([...take, passphraseFile()]))).to.deep.equal({ did, address });
    const twice = await svcNode([...take, passphraseFile()]);
    expect(twice.code).to.equal(1);
    expect(twice.stderr).to.include('has a key of this DID already');
  });

  it('refuses to import what is no key file', async () => {
    const file = join(scratch(), 'other.json');
    for (const content of ['no json', '{}', '[]']) {
      writeFileSync(file, content);
      const end = await svcNode([
        'identity',
        'import',
        file,
        '--data',
        scratch(),
        '--passphrase-file',
        passphraseFile(),
      ]);
      expect(end).to.include({ code: 1, stdout: '' });
      expect(end.stderr).to.match(/^svc-node: [^\n]+\n$/);
    }
  });

  it('changes a passphrase', async () => {
    const dir = scratch();
    const { did } = await create(dir);
    const change = (before: string, after: string) => {
      const files = ['--passphrase-file', passphraseFile(before), '--new-passphrase-file', passphraseFile(after)];
      return svcNode(['identity', 'passwd', did, '--data', dir, ...files]);
    };
    expect((await change('wrong passphrase', 'another passphrase')).code).to.equal(1);
    expect((await change(passphrase, 'another passphrase')).code).to.equal(0);
    const old = await change(passphrase, 'a third passphrase');
    expect(old.code).to.equal(1);
    expect(old.stderr).to.match(/^svc-node: the passphrase does not unlock/);
  });

  it('warns when the passphrase that was changed is the one that the node starts with', async () => {
    const node = await startHere();
    await node.stop();
    const end = await svcNode([
      ...['identity', 'passwd', node.did, '--data', node.dataDir],
      ...['--passphrase-file', node.passphraseFile!, '--new-passphrase-file', passphraseFile('another passphrase')],
    ]);
    expect(end.code).to.equal(0);
    expect(end.stderr).to.include('its next start needs the new passphrase').and.include(node.passphraseFile!);
  });

  it('names what is not there', async () => {
    const dir = scratch();
    const did = (await create(scratch())).did;
    for (const words of [['list'], ['export', did], ['passwd', did]]) {
      const end = await svcNode(['identity', ...words, '--data', dir], { env: { SVC_PASSPHRASE: passphrase } });
      expect(end).to.include({
        code: 1,
        stderr: `svc-node: there is no keystore in ${dir}: is it the right --data?\n`,
      });
    }
    await create(dir);
    const end = await svcNode(['identity', 'export', did, '--data', dir]);
    expect(end).to.include({ code: 1, stderr: 'svc-node: the keystore has no key of this DID\n' });
    for (const words of [
      ['unlock', did],
      ['lock', did],
    ]) {
      const without = await svcNode(['identity', ...words, '--data', dir], { env: { SVC_PASSPHRASE: passphrase } });
      expect(without).to.include({ code: 1, stderr: `svc-node: no node runs on ${dir}: svc-node start starts one\n` });
    }
  });
});

describe('svc-node identity, next to a running node', () => {
  let node: TestNode;
  before(async () => {
    node = await startHere();
  });
  after(tidy);

  it('makes a key that HTTP can use at once: faucet, transfer', async () => {
    const { did } = await create(node.dataDir);
    expect((await faucet(node, did)).status).to.equal(200);
    const { body: wallet } = await get(`${node.url}/api/v1/wallets/${did}`);
    const signed = { did, passphrase, nonce: wallet.nextNonce };
    const sent = await post(`${node.url}/api/v1/transfers`, { ...signed, to: node.did, amount: 30 });
    expect(sent.status, JSON.stringify(sent.body)).to.be.oneOf([200, 201]);
    expect((await get(`${node.url}/api/v1/wallets/${did}`)).body.balance).to.equal(70);
  });

  it('unlocks a DID and locks it again', async () => {
    const { did } = await create(node.dataDir);
    const words = ['--data', node.dataDir, '--passphrase-file'];
    const isUnlocked = async () => {
      const end = await svcNode(['identity', 'list', '--data', node.dataDir, '--json']);
      const { identities } = json<{ identities: { did: string; unlocked: boolean }[] }>(end);
      return identities.find((each) => each.did === did)?.unlocked;
    };
    const wrong = await svcNode(['identity', 'unlock', did, ...words, passphraseFile('wrong passphrase')]);
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.match(/^svc-node: the passphrase does not unlock/);
    expect(await isUnlocked()).to.equal(false);

    expect((await svcNode(['identity', 'unlock', did, ...words, passphraseFile()])).code).to.equal(0);
    expect(await isUnlocked()).to.equal(true);
    const listed = await svcNode(['identity', 'list', '--data', node.dataDir]);
    expect(listed.stdout)
      .to.match(new RegExp(`^${did}\\t.*\\tunlocked$`, 'm'))
      .and.match(/the node’s own/);

    expect(json(await svcNode(['identity', 'lock', did, '--data', node.dataDir, '--json']))).to.deep.equal({
      did,
      unlocked: false,
    });
    expect(await isUnlocked()).to.equal(false);
  });

  it('refuses to lock the key of the node itself, which continues to use it', async () => {
    const end = await svcNode(['identity', 'lock', node.did, '--data', node.dataDir]);
    expect(end).to.include({ code: 1, stderr: 'svc-node: the node’s own key stays unlocked while it runs\n' });
    const { identities } = json<{ identities: { isNode: boolean; unlocked: boolean }[] }>(
      await svcNode(['identity', 'list', '--data', node.dataDir, '--json']),
    );
    expect(identities.find(({ isNode }) => isNode)?.unlocked).to.equal(true);
  });

  it('refuses to lock what it has no key of', async () => {
    const { did } = await create(scratch());
    const end = await svcNode(['identity', 'lock', did, '--data', node.dataDir]);
    expect(end).to.include({ code: 1, stderr: `svc-node: the keystore has no key of ${did}\n` });
  });
});
