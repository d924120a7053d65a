import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { addressOf } from '../../src/core/codecs/address.js';
import { publicKeyOf } from '../../src/core/codecs/did.js';
import { verify } from '../../src/core/codecs/signature-check.js';
import { realEnvironment } from '../../src/core/environment.js';
import { isRefusal } from '../../src/core/refusal.js';
import { argon2Kdf } from '../../src/keys/kdf.js';
import { Keystore } from '../../src/keys/keystore.js';
import {
  accepted,
  codeOf,
  makeDir,
  openTestKeystore,
  otherPassphrase,
  passphrase,
  removeDirs,
  rfc8032,
  signerFrom,
  unlockCode,
} from './fixtures.js';

const unknown = rfc8032[0].did;

describe('keystore', () => {
  afterEach(removeDirs);

  it('makes keys that sign as their DID', async () => {
    const { keystore } = await openTestKeystore();
    const { did, address } = accepted(await keystore.create(passphrase));
    expect(address).to.equal(addressOf(did));
    const signer = await signerFrom(keystore, did, passphrase);
    expect(signer.did).to.equal(did);
    expect(verify(publicKeyOf(did), 'message', signer.sign('message'))).to.equal(true);
  });

  it('works with argon2id and the real world', async () => {
    const keystore = await Keystore.open({
      dir: join(await makeDir(), 'keystore'),
      world: realEnvironment,
      kdf: argon2Kdf,
    });
    const { did } = accepted(await keystore.create(passphrase));
    expect(await unlockCode(keystore, did, otherPassphrase)).to.equal('TRANSFER_NOT_ALLOWED');
    expect((await signerFrom(keystore, did, passphrase)).did).to.equal(did);
    keystore.close();
  });

  it('never makes the same key, salt or nonce twice', async () => {
    const { keystore, dir } = await openTestKeystore();
    const files: Record<string, unknown>[] = [];
    for (let i = 0; i < 5; i++) {
      const { address } = accepted(await keystore.create(passphrase));
      files.push(JSON.parse(await readFile(join(dir, `${address}.json`), 'utf8')));
    }
    const distinct = (values: unknown[]) => new Set(values).size;
    expect(distinct(files.map(({ did }) => did))).to.equal(5);
    expect(distinct(files.map(({ nonce }) => nonce))).to.equal(5);
    expect(distinct(files.map(({ kdf }) => (kdf as { salt: string }).salt))).to.equal(5);
  });

  it('writes the documented file', async () => {
    const { keystore, dir, world } = await openTestKeystore({ network: 'testnet' });
    const { did, address } = accepted(await keystore.create(passphrase));
    const file = JSON.parse(await readFile(join(dir, `${address}.json`), 'utf8'));
    expect(file).to.include({ v: 1, did, address, network: 'testnet', createdAt: world.now(), cipher: 'aes-256-gcm' });
    expect(file.kdf).to.include({ algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1 });
  });

  it('refuses a short or a long passphrase at creation, for no KDF run and no file', async () => {
    const { keystore, kdf } = await openTestKeystore();
    for (const bad of ['', 'elevenchars', 'x'.repeat(1025)]) {
      const outcome = await keystore.create(bad);
      expect(codeOf(outcome)).to.equal('INVALID_REQUEST');
      expect(isRefusal(outcome) && outcome.extras.errors?.[0]?.field).to.equal('passphrase');
    }
    expect(kdf.count).to.equal(0);
    expect(await keystore.list()).to.deep.equal([]);
  });

  it('lists its keys and says which it has', async () => {
    const { keystore, world } = await openTestKeystore();
    const first = accepted(await keystore.create(passphrase));
    const createdAt = world.now();
    world.advance(1000);
    const second = accepted(await keystore.create(otherPassphrase));
    expect(await keystore.list()).to.deep.equal([
      { ...first, createdAt },
      { ...second, createdAt: createdAt + 1000 },
    ]);
    expect(await keystore.has(first.did)).to.equal(true);
    expect(await keystore.has(unknown)).to.equal(false);
  });

  it('sees keys that another process makes later', async () => {
    const here = await openTestKeystore();
    const there = await openTestKeystore({ dir: here.dir, world: realEnvironment });
    const { did } = accepted(await there.keystore.create(passphrase));
    expect(await here.keystore.has(did)).to.equal(true);
    expect((await here.keystore.list()).map((key) => key.did)).to.deep.equal([did]);
    expect((await signerFrom(here.keystore, did, passphrase)).did).to.equal(did);
  });

  it('unlocks with the passphrase in any Unicode spelling', async () => {
    const { keystore } = await openTestKeystore({ unlockSeconds: 0 });
    const { did } = accepted(await keystore.create('grüße aus köln'));
    expect(await unlockCode(keystore, did, 'gru\u0308ße aus ko\u0308ln')).to.equal('accepted');
  });

  it('refuses a passphrase that is too long for any key, whatever the DID, for no KDF run', async () => {
    const { keystore, kdf } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const runs = await kdf.during(async () => {
      for (const target of [did, unknown]) {
        expect(await unlockCode(keystore, target, 'x'.repeat(1025))).to.equal('INVALID_REQUEST');
      }
    });
    expect(runs).to.equal(0);
  });
});

describe('a keystore that refuses', () => {
  afterEach(removeDirs);

  it('gives one refusal, for one KDF run, whether passphrase, file or DID is at fault', async () => {
    const { keystore, kdf, dir } = await openTestKeystore();
    const { did } = accepted(await keystore.create(passphrase));
    const corrupt = rfc8032[1];
    await writeFile(join(dir, `${corrupt.address}.json`), '{"v":1}');
    const folder = rfc8032[2];
    await mkdir(join(dir, `${folder.address}.json`));

    const refusals: unknown[] = [];
    for (const [target, guess] of [
      [did, otherPassphrase],
      [did, 'short'],
      [did, ''],
      [unknown, passphrase],
      [corrupt.did, passphrase],
      [folder.did, passphrase],
    ] as const) {
      const runs = await kdf.during(async () => refusals.push(await keystore.unlock(target, guess, 'origin')));
      expect(runs, `${target} ${guess}`).to.equal(1);
    }
    for (const refusal of refusals) expect(refusal).to.deep.equal(refusals[0]);
    expect(codeOf(refusals[0])).to.equal('TRANSFER_NOT_ALLOWED');
  });

  it('spends a standard run, with its own salt, where there is no file', async () => {
    const { keystore, kdf } = await openTestKeystore();
    await keystore.unlock(unknown, passphrase, 'origin');
    await keystore.unlock(rfc8032[1].did, passphrase, 'origin');
    expect(kdf.runs.map(({ params }) => params)).to.deep.equal(
      Array(2).fill({ algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1 }),
    );
    expect(kdf.runs[0]!.salt).to.match(/^[0-9a-f]{64}$/);
  });

  it('does not run the KDF with the parameters of a hostile file, and reports it', async () => {
    const { keystore, kdf, dir, badFiles } = await openTestKeystore();
    const { did, address } = accepted(await keystore.create(passphrase));
    const path = join(dir, `${address}.json`);
    const file = JSON.parse(await readFile(path, 'utf8'));
    for (const change of [
      { memoryKiB: 4_194_304 },
      { memoryKiB: 8 },
      { passes: 1_000_000 },
      { lanes: 200 },
      { salt: '00' },
    ]) {
      await writeFile(path, JSON.stringify({ ...file, kdf: { ...file.kdf, ...change } }));
      expect(await unlockCode(keystore, did, passphrase, JSON.stringify(change))).to.equal('TRANSFER_NOT_ALLOWED');
      const { params } = kdf.runs.at(-1)!;
      expect(params).to.deep.equal({ algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1 });
      expect(badFiles.at(-1)).to.deep.equal({ path, reason: `bad member kdf.${Object.keys(change)[0]}` });
    }
    expect(kdf.count).to.equal(6);
  });

  it('pays what a stronger file asks', async () => {
    const { keystore, kdf, dir } = await openTestKeystore();
    const { did, address } = accepted(await keystore.create(passphrase));
    const path = join(dir, `${address}.json`);
    const file = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...file, kdf: { ...file.kdf, memoryKiB: 65_536, passes: 3 } }));
    await keystore.unlock(did, passphrase, 'origin');
    expect(kdf.runs.at(-1)!.params).to.include({ memoryKiB: 65_536, passes: 3 });
  });

  it('answers 503 while too many wait, and does not count that as a wrong guess', async () => {
    const { keystore, kdf } = await openTestKeystore({ limits: { kdfRuns: 1, kdfWaiting: 0 } });
    const { did } = accepted(await keystore.create(passphrase));
    kdf.hold();
    const first = unlockCode(keystore, did, passphrase);
    await kdf.begun();
    for (let i = 0; i < 8; i++) {
      const outcome = await keystore.unlock(did, `wrong passphrase ${i}`, 'origin');
      expect(codeOf(outcome)).to.equal('SERVICE_UNAVAILABLE');
      expect(isRefusal(outcome) && outcome.extras.retryAfter).to.be.greaterThan(0);
    }
    expect(codeOf(await keystore.create(passphrase))).to.equal('SERVICE_UNAVAILABLE');
    kdf.letGo();
    expect(await first).to.equal('accepted');
    expect(await unlockCode(keystore, did, otherPassphrase)).to.equal('TRANSFER_NOT_ALLOWED');
  });
});
