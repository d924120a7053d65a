import { expect } from 'chai';
import { SigningError } from '../../packages/client/src/errors.js';
import { keys } from '../../packages/client/src/signing/key.js';
import type { Argon2id } from '../../packages/client/src/signing/key-file.js';
import { realEnvironment } from '../../src/core/environment.js';
import { argon2Kdf } from '../../src/keys/kdf.js';
import type { KeyFile } from '../../src/keys/keyfile.js';
import { newKey } from '../../src/keys/new-key.js';

const argon2id: Argon2id = (passphrase, { salt, ...cost }) =>
  argon2Kdf.derive(passphrase, salt, { algorithm: 'argon2id', ...cost });

describe('The client opens a key file', () => {
  const passphrase = 'ｃorrect horse ① staple'; // NFKC changes it
  let file: KeyFile;
  before(async () => {
    const made = await newKey(passphrase, { world: realEnvironment, network: 'devnet', derive: argon2Kdf.derive });
    file = made as KeyFile;
  });

  const failure = (value: unknown, text = passphrase): Promise<Error> =>
    keys.fromFile(value as KeyFile, text, argon2id).then(
      () => expect.fail('it was opened'),
      (error: Error) => error,
    );

  it('with its passphrase, however that is typed', async () => {
    for (const text of [passphrase, 'correct horse 1 staple']) {
      const key = await keys.fromFile(JSON.parse(JSON.stringify(file)), text, argon2id);
      expect(key.did).to.equal(file.did);
    }
  });

  it('and says so when the passphrase is wrong, or any member was changed', async () => {
    const { network: _, ...without } = file;
    const other = { ...file.kdf, salt: '00'.repeat(32) };
    const changes = [{ network: 'mainnet' }, { createdAt: 1 }, { kdf: other }, { tag: '00'.repeat(16) }, { more: 1 }];
    for (const each of [without, ...changes.map((change) => ({ ...file, ...change }))]) {
      const error = await failure(each);
      expect(error).to.be.instanceOf(SigningError);
      expect(error.message).to.include('does not open the key file');
    }
    expect((await failure(file, 'incorrect horse battery')).message).to.include('does not open the key file');
  });

  it('and spends no memory or time on what is none', async () => {
    const { kdf } = file;
    const kdfs = [
      { memoryKiB: 2 ** 30 },
      { memoryKiB: 8 },
      { passes: 1e9 },
      { lanes: 0 },
      { algorithm: 'none' },
      { salt: 1 },
    ];
    const members = [{ v: 2 }, { cipher: 'none' }, { nonce: '' }, { ciphertext: 'x' }, { tag: null }, { kdf: null }];
    const changes = [...members, ...kdfs.map((change) => ({ kdf: { ...kdf, ...change } }))];
    for (const each of [{}, [], null, 'x', ...changes.map((change) => ({ ...file, ...change }))]) {
      const error = await failure(each);
      expect(error, JSON.stringify(each)).to.be.instanceOf(SigningError);
      expect(error.message).to.include('no key file');
    }
  });
});
