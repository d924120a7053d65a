/** Keys and node.json outlive a database that no release reads (docs/upgrades.md#databases-from-before-010). */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { realEnvironment as world } from '../../src/core/environment.js';
import { createLog } from '../../src/core/log.js';
import { argon2Kdf } from '../../src/keys/kdf.js';
import { Keystore } from '../../src/keys/keystore.js';
import { type Config, loadConfig } from '../../src/node/config/config.js';
import { openNode } from '../../src/node/node.js';
import { openWriting } from '../../src/store/sqlite/durable.js';
import { StoreRefused } from '../../src/store/store.js';
import { codeOf } from '../keys/fixtures.js';

/** Made by a program from before 0.1.0, with throw-away passphrases. */
const made = 'test/histories/keys';
const passphrase = 'a throw-away passphrase of a test';
const wallet = {
  did: 'did:svc:z6Mkmvw76YkMYZ8Wnnsx2yD29Y7JvYKK3z4A2rvENViY5KSD',
  passphrase: 'another passphrase of a test',
};

describe('Keys from before 0.1.0', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-test-keys-'));
    await cp(made, dir, { recursive: true });
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const start = () => {
    const variables = { SVC_PORT: '0', SVC_CHAIN: 'none', SVC_DATA_DIR: dir, SVC_PASSPHRASE: passphrase };
    const config = loadConfig({}, variables) as Config;
    return openNode({
      config,
      world,
      log: createLog(),
      kdf: argon2Kdf,
      onFault: (fault) => expect.fail(String(fault)),
    });
  };

  it('are refused with the database that lies beside them, and nothing is changed', async () => {
    const earlier = openWriting(dir);
    earlier.exec('CREATE TABLE journal (seq INTEGER PRIMARY KEY); PRAGMA application_id = 0x7376636e');
    earlier.exec('PRAGMA user_version = 10');
    earlier.close();
    const files = ['journal.db', 'node.json'];
    const contents = () => Promise.all(files.map((file) => readFile(join(dir, file), 'hex')));
    const before = await contents();
    const refused = await start().catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(StoreRefused);
    expect((refused as Error).message).to.contain(
      `${join(dir, 'journal.db')} was written by an svc-node from before 0.1.0`,
    );
    expect(await contents()).to.deep.equal(before);
  });

  it('begin a new journal: the node is the same, and its wallets unlock', async () => {
    const node = await start();
    try {
      expect(node.did).to.equal(JSON.parse(await readFile(join(made, 'node.json'), 'utf8')).did);
      const keystore = await Keystore.open({ dir: join(dir, 'keystore'), world, kdf: argon2Kdf });
      expect(codeOf(await keystore.unlock(wallet.did, passphrase, 'here'))).to.equal('TRANSFER_NOT_ALLOWED');
      expect(await keystore.unlock(wallet.did, wallet.passphrase, 'here')).to.include({ did: wallet.did });
      keystore.close();
    } finally {
      await node.close();
    }
  });
});
