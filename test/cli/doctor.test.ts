/** `doctor` names each problem of a set-up with its remedy, and changes nothing. */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import sinon from 'sinon';
import type { DoctorFinding } from '../../src/cli/doctor/finding.js';
import { isNewEnough } from '../../src/cli/doctor/machine.js';
import { realEnvironment } from '../../src/core/environment.js';
import { scratch, tidy } from '../support/scratch.js';
import { type Ended, json, type RunOptions, svcNode } from './support/command.js';
import { faucet, startHere } from './support/node.js';

interface Report {
  readonly ok: boolean;
  readonly problems: number;
  readonly warnings: number;
  readonly findings: readonly DoctorFinding[];
}

async function doctor(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<Report & { readonly end: Ended }> {
  const options: RunOptions = { env: { SVC_PORT: '0', ...env } };
  const end = await svcNode(['doctor', '--json', '--data', dataDir], options);
  const report = json<Report>(end);
  expect(end.code, end.stdout).to.equal(report.ok ? 0 : 1);
  expect(report.problems).to.equal(report.findings.filter(({ state }) => state === 'problem').length);
  for (const { state, says, mend } of report.findings) {
    expect(says).to.match(/[^.]$/);
    expect(mend === undefined, says).to.equal(state === 'ok');
  }
  return { ...report, end };
}

const said = ({ findings }: Report, about: string, state: DoctorFinding['state']): string =>
  findings
    .filter((each) => each.about === about && each.state === state)
    .map(({ says }) => says)
    .join('\n');

describe('svc-node doctor', () => {
  let made: string;

  /** A data directory that a node has used. */
  before(async () => {
    made = scratch();
    const node = await startHere(made);
    expect((await faucet(node, node.did)).status).to.equal(200);
    await node.stop();
  });
  after(tidy);
  afterEach(() => sinon.restore());

  it('says which variables are set, and by what, and the limits of one address', async () => {
    const report = await doctor(made, { SVC_CONNECTIONS_PER_ADDRESS: '300', SVC_PEER_HANDSHAKES_PER_ADDRESS: '9' });
    expect(said(report, 'variables', 'ok'))
      .to.include('SVC_DATA_DIR (flag)')
      .and.include('SVC_NETWORK (file)')
      .and.include('SVC_CONNECTIONS_PER_ADDRESS (environment)');
    expect(said(report, 'limits', 'ok'))
      .to.include('300 connections to the API')
      .and.include('9 handshakes');
  });

  it('finds nothing wrong before the first start, and makes nothing', async () => {
    const dir = join(scratch(), 'not-yet');
    const report = await doctor(dir);
    expect(report).to.include({ ok: true, problems: 0 });
    expect(said(report, 'data directory', 'ok')).to.include('the first start creates it');
    expect(existsSync(dir)).to.equal(false);
  });

  it('finds nothing wrong with what a node has left, and changes no file of it', async () => {
    const files = () => readdirSync(made).filter((name) => !/-(shm|wal)$/.test(name));
    const before = files();
    const pid = readFileSync(join(made, 'lock.pid'), 'utf8');
    const report = await doctor(made);
    expect(report).to.include({ ok: true, problems: 0, warnings: 0 });
    expect(said(report, 'keystore', 'ok')).to.match(/the passphrase unlocks the node’s key, did:svc:z6Mk/);
    expect(said(report, 'database', 'ok')).to.match(/is sound, schema version.*\n2 entries; the newest are consistent/);
    expect(files()).to.deep.equal(before);
    expect(readFileSync(join(made, 'lock.pid'), 'utf8')).to.equal(pid);
  });

  it('says what it has looked at to a person as well', async () => {
    const well = await svcNode(['doctor', '--data', made], { env: { SVC_PORT: '0' } });
    expect(well).to.include({ code: 0, stderr: '' });
    expect(well.stdout)
      .to.match(/^ok {7}Node\.js: \d+\.\d+\.\d+$/m)
      .and.match(/All is well\.\n$/);
    const ill = await svcNode(['doctor', '--data', made], { env: { SVC_PROT: '1', SVC_PORT: 'abc' } });
    expect(ill.code).to.equal(1);
    expect(ill.stdout).to.match(/^PROBLEM {2}variables: SVC_PROT is not a variable.*\n +→ /m);
    expect(ill.stdout).to.match(/^PROBLEM {2}variables: SVC_PORT must be/m);
    expect(ill.stderr).to.equal('svc-node: 2 problems, 0 warnings\n');
  });

  it('asks a node that runs, and disturbs it in nothing', async () => {
    const node = await startHere(made);
    const report = await doctor(made);
    expect(report).to.include({ ok: true, problems: 0 });
    expect(said(report, 'lock', 'ok')).to.equal(`process ${node.pid} runs on it and answers at ${node.url}`);
    expect(said(report, 'port', 'ok')).to.equal(`${node.url} answers, and is ready`);
    expect((await node.stop()).code).to.equal(0);
  });

  it('reports a node that runs and does not answer', async () => {
    const node = await startHere(made);
    rmSync(join(made, 'api.json'));
    const report = await doctor(made);
    expect(said(report, 'lock', 'problem')).to.match(new RegExp(`^process ${node.pid} locks it`));
    await node.stop();
  });

  it('names files that others may read', async () => {
    const dir = join(made, 'keystore');
    const file = join(dir, readdirSync(dir)[0]!);
    chmodSync(file, 0o644);
    const folder = join(made, 'segments');
    mkdirSync(folder, { mode: 0o750 });
    chmodSync(join(made, 'journal.db'), 0o640);
    const report = await doctor(made);
    expect(said(report, 'keystore', 'problem')).to.equal(`others may read ${file} (mode 644)`);
    expect(said(report, 'data directory', 'problem'))
      .to.include('journal.db (mode 640)')
      .and.include('segments (mode 750)');
    expect(report.findings.find(({ says }) => says.includes(file))?.mend).to.equal(`chmod 600 ${file}`);
    rmSync(folder, { recursive: true });
    chmodSync(file, 0o600);
    chmodSync(join(made, 'journal.db'), 0o600);
  });

  it('names files of segments that the database does not name', async () => {
    const folder = join(made, 'segments');
    mkdirSync(folder, { mode: 0o700 });
    const file = join(folder, `1000-${'0'.repeat(64)}.segment`);
    writeFileSync(file, '', { mode: 0o600 });
    expect(said(await doctor(made), 'database', 'warning')).to.equal(
      `the database does not name 1 of its segments’ files, such as ${file}`,
    );
    rmSync(folder, { recursive: true });
  });

  it('names a passphrase that does not unlock the node’s key, a key that is gone, a file that is none', async () => {
    const wrong = await doctor(made, { SVC_PASSPHRASE: 'another one than it was' });
    expect(said(wrong, 'keystore', 'problem')).to.match(/^the passphrase does not unlock the node’s key, did:svc:z6Mk/);
    const dir = join(made, 'keystore');
    const name = readdirSync(dir)[0]!;
    const content = readFileSync(join(dir, name));
    writeFileSync(join(dir, name), '{"v":1}');
    const bad = await doctor(made);
    expect(said(bad, 'keystore', 'problem')).to.match(/a key file cannot be used: .*bad member/);
    rmSync(join(dir, name));
    expect(said(await doctor(made), 'keystore', 'problem')).to.match(/^the key of the node itself \(did:svc:/);
    writeFileSync(join(dir, name), content, { mode: 0o600 });
  });

  it('warns of a passphrase in the environment that is not that of the node which runs, and names the one that is', async () => {
    const file = join(scratch(), 'other');
    writeFileSync(file, 'another one than it was\n', { mode: 0o600 });
    const env = { SVC_PASSPHRASE_FILE: file };
    const node = await startHere(made);
    const report = await doctor(made, env);
    expect(report).to.include({ ok: true, problems: 0 });
    expect(said(report, 'keystore', 'warning')).to.match(
      /does not unlock the node’s key, .*; the running node has the key in memory/,
    );
    await node.stop();
    const stopped = await doctor(made, env);
    expect(said(stopped, 'keystore', 'problem')).to.match(/^the passphrase does not unlock the node’s key/);
    const mends = stopped.findings.map(({ mend }) => mend).join();
    expect(mends).to.include(`the one in ${join(made, 'passphrase')} does: unset SVC_PASSPHRASE`);
  });

  it('names the passphrase that testnet needs', async () => {
    const report = await doctor(scratch(), { SVC_NETWORK: 'testnet' });
    expect(said(report, 'keystore', 'problem')).to.equal('there is no passphrase for the node’s key');
  });

  it('names a port that another program has', async () => {
    const other: Server = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const { port } = other.address() as { port: number };
    const report = await doctor(scratch(), { SVC_PORT: String(port) });
    expect(said(report, 'port', 'problem')).to.match(/another program uses it/);
    await new Promise((closed) => other.close(closed));
  });

  it('names a database that is damaged, newer than the program, or another program’s', async () => {
    const dir = scratch();
    await (await startHere(dir)).stop();
    const file = join(dir, 'journal.db');
    const whole = readFileSync(file);
    const set = (sql: string) => {
      const database = new Database(file);
      database.exec(sql);
      database.close();
    };
    set('PRAGMA user_version = 99');
    expect(said(await doctor(dir), 'database', 'problem')).to.match(/schema version 99.*newer svc-node/);
    set('PRAGMA user_version = 2; PRAGMA application_id = 7');
    expect(said(await doctor(dir), 'database', 'problem')).to.match(/another program/);
    const torn = Buffer.from(whole);
    torn.fill(0xff, torn.length - 3 * 4_096);
    writeFileSync(file, torn);
    for (const name of ['journal.db-wal', 'journal.db-shm']) rmSync(join(dir, name), { force: true });
    expect(said(await doctor(dir), 'database', 'problem')).to.not.equal('');
  });

  it('names an entry that does not follow from the one before it', async () => {
    const dir = scratch();
    const node = await startHere(dir);
    await faucet(node, node.did);
    await node.stop();
    const set = (sql: string) => {
      const database = new Database(join(dir, 'journal.db'));
      database.exec(sql);
      database.close();
    };
    set('UPDATE journal SET seq = seq + 1 WHERE seq = 2');
    expect(said(await doctor(dir), 'database', 'problem')).to.match(/^entry 3 does not follow from the one before it/m);
    set('UPDATE journal SET seq = seq - 1 WHERE seq = 3');
    expect(said(await doctor(dir), 'database', 'problem')).to.equal('');
    set(`UPDATE journal SET chain_hash = '${'0'.repeat(64)}' WHERE seq = 2`);
    expect(said(await doctor(dir), 'database', 'problem')).to.match(/^entry 2 does not follow from the one before it/m);
  });

  it('names what was changed of the newest entries, and of what they made', async () => {
    const dir = scratch();
    const node = await startHere(dir);
    await faucet(node, node.did);
    await faucet(node, node.did);
    await node.stop();
    for (const [sql, found] of [
      [
        `UPDATE journal SET core = replace(core, '"amount":100', '"amount":900') WHERE seq = 2`,
        /^entry 2 was changed/m,
      ],
      [`UPDATE journal SET core = substr(core, 2) WHERE seq = 2`, /^entry 2 was changed/m],
      [
        `UPDATE journal SET payload = replace(payload, '100', '900') WHERE seq = 2`,
        /^entry 2 was changed: payloadHash/m,
      ],
      [`UPDATE resources SET context = '{}'`, /the snapshot of node\/did:svc:\S+ is not what entry 1 made of it/m],
      [
        'UPDATE accounts SET available = available + 1 WHERE available > 0',
        /^balances and fees sum to 201, the supply is 200/m,
      ],
      ['DELETE FROM journal WHERE seq = 3', /^its journal is damaged: its last entry is 2, .* leads to entry 3$/m],
      ['UPDATE accounts SET nonce = 7 WHERE nonce = 1', /the account of did:svc:\S+ is not where entry \d left it/m],
    ] as const) {
      const copy = join(scratch(), 'copy');
      cpSync(dir, copy, { recursive: true });
      const database = new Database(join(copy, 'journal.db'));
      database.exec(sql);
      database.close();
      expect(said(await doctor(copy), 'database', 'problem'), sql).to.match(found);
    }
    expect(said(await doctor(dir), 'database', 'problem')).to.equal('');
  });

  it('names a certificate without its key, and a directory of another network', async () => {
    const report = await doctor(made, { SVC_TLS_CERT: join(made, 'node.json') });
    expect(said(report, 'variables', 'problem')).to.match(/SVC_TLS_CERT and SVC_TLS_KEY are given together/);
    const other = await doctor(made, { SVC_NETWORK: 'testnet' });
    expect(said(other, 'variables', 'problem')).to.match(/belongs to devnet/);
  });

  it('names a disk that is full', async () => {
    // A file system without free space.
    const report = await doctor('/proc/svc-node');
    expect(said(report, 'free space', 'problem')).to.match(/^0 MiB are free under \/proc: below 256 MiB writes are/);
    const old = await doctor(scratch(), { SVC_SEGMENTS_DIR: '/proc/segments' });
    expect(said(old, 'free space', 'problem')).to.match(
      /^0 MiB are free under \/proc: without room old entries stay in/,
    );
  });

  it('names a server of MongoDB that does not answer, without its password', async () => {
    const url = 'mongodb://ops:s3cret-w0rd@127.0.0.1:1/x?serverSelectionTimeoutMS=300';
    const report = await doctor(scratch(), { SVC_STORE: url });
    expect(said(report, 'database', 'problem')).to.match(
      /^the database at mongodb:\/\/127\.0\.0\.1:1\/x \(SVC_STORE\) can't be opened/,
    );
    expect(report.end.stdout).to.not.include('s3cret');
  });

  it('names a clock that cannot be right', async () => {
    sinon.stub(realEnvironment, 'now').returns(0);
    expect(said(await doctor(scratch()), 'clock', 'problem')).to.equal('it is 1970-01-01T00:00:00.000Z');
  });

  it('names a data directory that is a file', async () => {
    const file = join(scratch(), 'file');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
    expect(said(await doctor(file), 'data directory', 'problem')).to.equal(`${file} is not a directory`);
  });

  it('compares versions by number', () => {
    for (const [running, range, expected] of [
      ['20.19.0', '>=20.19', true],
      ['20.18.9', '>=20.19', false],
      ['22.0.0', '>=20.19', true],
      ['18.20.0', '>=20.19', false],
      ['20.19.1', '>=20.19.2', false],
    ] as const) {
      expect(isNewEnough(running, range), `${running} ${range}`).to.equal(expected);
    }
  });
});
