import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type KeyFile, KeyFolder, sealSeed } from '../../src/keys/keyfile.js';
import { bytes, makeDir, removeDirs, rfc8032 } from './fixtures.js';

const fileOf = (index: 0 | 1 | 2, createdAt: number = index): KeyFile =>
  sealSeed(bytes(rfc8032[index].seed), new Uint8Array(32), {
    v: 1,
    did: rfc8032[index].did,
    address: rfc8032[index].address,
    createdAt,
    kdf: { algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1, salt: 'ab'.repeat(32) },
    cipher: 'aes-256-gcm',
    nonce: '01'.repeat(12),
  });

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('key folder', () => {
  let dir: string;
  let folder: KeyFolder;
  let reasons: string[];

  beforeEach(async () => {
    dir = join(await makeDir(), 'data', 'keystore');
    reasons = [];
    folder = await KeyFolder.open(dir, (_path, reason) => reasons.push(reason));
  });

  afterEach(removeDirs);

  it('is made 0700, its files 0600 and named by address', async () => {
    await folder.write(fileOf(0));
    expect(await modeOf(dir)).to.equal(0o700);
    expect(await readdir(dir)).to.deep.equal([`${rfc8032[0].address}.json`]);
    expect(await modeOf(folder.pathOf(rfc8032[0].did))).to.equal(0o600);
  });

  it('is used as it is where it exists', async () => {
    await chmod(dir, 0o750);
    await KeyFolder.open(dir, () => {});
    expect(await modeOf(dir)).to.equal(0o750);
  });

  it('gives back what was written, and lists it oldest first', async () => {
    for (const file of [fileOf(1, 20), fileOf(0, 30), fileOf(2, 10)]) await folder.write(file);
    expect(await folder.read(rfc8032[1].did)).to.deep.equal(fileOf(1, 20));
    expect(await folder.list()).to.deep.equal([fileOf(2, 10), fileOf(1, 20), fileOf(0, 30)]);
    expect(reasons).to.deep.equal([]);
  });

  it('has only keys that were written', async () => {
    expect(await folder.has(rfc8032[0].did)).to.equal(false);
    expect(await folder.read(rfc8032[0].did)).to.equal(undefined);
    expect(await folder.list()).to.deep.equal([]);
    expect(reasons, 'a missing file is no bad file').to.deep.equal([]);
  });

  it('replaces a file by another one instead of writing into it', async () => {
    await folder.write(fileOf(0, 1));
    const path = folder.pathOf(rfc8032[0].did);
    const before = await stat(path);
    const reader = await readFile(path, 'utf8');
    await folder.write(fileOf(0, 2));
    expect((await stat(path)).ino).not.to.equal(before.ino);
    expect(JSON.parse(reader).createdAt).to.equal(1);
    expect((await folder.read(rfc8032[0].did))?.createdAt).to.equal(2);
  });

  it('leaves neither a half file nor a temporary one when the replacement fails', async () => {
    await mkdir(folder.pathOf(rfc8032[0].did));
    const failure = await folder.write(fileOf(0)).catch((error: NodeJS.ErrnoException) => error.code);
    expect(failure).to.equal('EISDIR');
    expect(await readdir(dir)).to.deep.equal([`${rfc8032[0].address}.json`]);
  });

  it('does not list what a crash left behind, nor other files', async () => {
    await folder.write(fileOf(0));
    await writeFile(join(dir, `.${rfc8032[1].address}.00.tmp`), JSON.stringify(fileOf(1)).slice(0, 100));
    await writeFile(join(dir, 'notes.json'), '{}');
    await writeFile(join(dir, `${rfc8032[1].address}.json.bak`), '{}');
    await writeFile(join(dir, `${rfc8032[0].address}.copy`), '{}');
    expect(await folder.list()).to.deep.equal([fileOf(0)]);
    expect(reasons).to.deep.equal([]);
  });

  it('reports and passes over what is no key file', async () => {
    const path = folder.pathOf(rfc8032[0].did);
    const bad: [content: string | Buffer, reason: string][] = [
      ['', 'no JSON'],
      [JSON.stringify(fileOf(0)).slice(0, -20), 'no JSON'],
      [Buffer.alloc(600), 'no JSON'],
      ['null', 'no key file'],
      [`${' '.repeat(20_000)}${JSON.stringify(fileOf(0))}`, 'too long'],
      [JSON.stringify(fileOf(1)), 'the file name is not the address'],
    ];
    for (const [content, reason] of bad) {
      await writeFile(path, content);
      reasons.length = 0;
      expect(await folder.read(rfc8032[0].did), reason).to.equal(undefined);
      expect(reasons).to.deep.equal([reason]);
      expect(await folder.list()).to.deep.equal([]);
      expect(await folder.has(rfc8032[0].did)).to.equal(true);
    }
  });

  it('does not wait for a FIFO, read a device or a folder', async () => {
    const [fifo, device, subfolder] = rfc8032.map(({ did }) => did);
    execFileSync('mkfifo', [folder.pathOf(fifo!)]);
    await symlink('/dev/zero', folder.pathOf(device!));
    await mkdir(folder.pathOf(subfolder!));
    expect(await folder.list()).to.deep.equal([]);
    expect(reasons).to.deep.equal(Array(3).fill('no regular file'));
  });

  it('reads through a symbolic link, as secrets are mounted', async () => {
    const elsewhere = join(await makeDir(), 'file');
    await writeFile(elsewhere, JSON.stringify(fileOf(0)));
    await symlink(elsewhere, folder.pathOf(rfc8032[0].did));
    expect(await folder.read(rfc8032[0].did)).to.deep.equal(fileOf(0));
  });
});
