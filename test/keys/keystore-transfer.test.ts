import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { sealSeed } from '../../src/keys/keyfile.js';
import {
  accepted,
  bytes,
  codeOf,
  openTestKeystore,
  otherPassphrase,
  passphrase,
  removeDirs,
  rfc8032,
  signerFrom,
  TestKdf,
} from './fixtures.js';

/** A file whose header names one key and whose ciphertext contains another, made with the right passphrase. */
async function crossedFile() {
  const { did, address } = rfc8032[0];
  const kdf = { algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1 } as const;
  const salt = 'ab'.repeat(16);
  const key = await new TestKdf().derive(passphrase, bytes(salt), kdf);
  return sealSeed(bytes(rfc8032[1].seed), key, {
    v: 1,
    did,
    address,
    createdAt: 0,
    kdf: { ...kdf, salt },
    cipher: 'aes-256-gcm',
    nonce: '01'.repeat(12),
  });
}

describe('exporting and importing a key', () => {
  afterEach(removeDirs);

  it('carries it to another keystore under its passphrase', async () => {
    const from = await openTestKeystore();
    const to = await openTestKeystore();
    const name = accepted(await from.keystore.create(passphrase));
    const exported = JSON.parse(JSON.stringify(accepted(await from.keystore.exportKey(name.did))));
    expect(accepted(await to.keystore.importKey(exported, passphrase))).to.deep.equal(name);
    const signature = (await signerFrom(to.keystore, name.did, passphrase)).sign('message');
    expect(signature).to.equal((await signerFrom(from.keystore, name.did, passphrase)).sign('message'));
  });

  it('exports nothing that it has not, or cannot read', async () => {
    const { keystore, dir } = await openTestKeystore();
    expect(codeOf(await keystore.exportKey(rfc8032[0].did))).to.equal('DID_NOT_FOUND');
    await writeFile(join(dir, `${rfc8032[0].address}.json`), '{}');
    expect(codeOf(await keystore.exportKey(rfc8032[0].did))).to.equal('UNPROCESSABLE');
    await mkdir(join(dir, `${rfc8032[1].address}.json`));
    expect(codeOf(await keystore.exportKey(rfc8032[1].did))).to.equal('UNPROCESSABLE');
  });

  it('imports no key that is there already, not even twice at once', async () => {
    const from = await openTestKeystore();
    const to = await openTestKeystore();
    const { did } = accepted(await from.keystore.create(passphrase));
    const file = accepted(await from.keystore.exportKey(did));
    expect(codeOf(await from.keystore.importKey(file, passphrase))).to.equal('CONFLICT');
    const both = await Promise.all([to.keystore.importKey(file, passphrase), to.keystore.importKey(file, passphrase)]);
    expect(both.map(codeOf)).to.deep.equal(['accepted', 'CONFLICT']);
  });

  it('imports nothing that the passphrase does not open', async () => {
    const from = await openTestKeystore();
    const to = await openTestKeystore();
    const file = accepted(await from.keystore.exportKey(accepted(await from.keystore.create(passphrase)).did));
    expect(codeOf(await to.keystore.importKey(file, otherPassphrase))).to.equal('TRANSFER_NOT_ALLOWED');
    const short = await to.keystore.importKey(file, 'elevenchars');
    expect(isRefusal(short) && short.extras.errors?.[0]?.field).to.equal('passphrase');
    expect(await readdir(to.dir)).to.deep.equal([]);
  });

  it('imports no hostile file, and spends no KDF run on it', async () => {
    const { keystore, kdf, dir } = await openTestKeystore();
    const file = await crossedFile();
    for (const bad of [
      null,
      'text',
      {},
      { ...file, kdf: { ...file.kdf, memoryKiB: 4_000_000 } },
      { ...file, did: 'x' },
    ]) {
      const outcome = await keystore.importKey(bad, passphrase);
      expect(isRefusal(outcome) && outcome.extras.errors?.[0]?.field).to.equal('file');
    }
    expect(kdf.count).to.equal(0);
    expect(await readdir(dir)).to.deep.equal([]);
  });

  it('imports no key under the name of another', async () => {
    const { keystore, dir } = await openTestKeystore();
    const outcome = await keystore.importKey(await crossedFile(), passphrase);
    expect(codeOf(outcome)).to.equal('INVALID_REQUEST');
    expect(await readdir(dir)).to.deep.equal([]);
  });

  it('unlocks no key under the name of another', async () => {
    const { keystore, dir, badFiles } = await openTestKeystore();
    const { did, address } = rfc8032[0];
    await writeFile(join(dir, `${address}.json`), JSON.stringify(await crossedFile()));
    const refusal = await keystore.unlock(did, passphrase, 'origin');
    expect(refusal).to.deep.equal(await keystore.unlock(rfc8032[2].did, passphrase, 'origin'));
    expect(badFiles.map(({ reason }) => reason)).to.deep.equal(['the key is not that of the did']);
  });
});
