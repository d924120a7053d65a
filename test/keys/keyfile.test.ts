import { expect } from 'chai';
import { BadKeyFile, type KeyFile, openSeed, parseKeyFile, sealSeed } from '../../src/keys/keyfile.js';
import { bytes, rfc8032 } from './fixtures.js';

const [{ seed, did, address }, other] = rfc8032;
const key = new Uint8Array(32).fill(9);

const file: KeyFile = sealSeed(bytes(seed), key, {
  v: 1,
  did,
  address,
  network: 'devnet',
  createdAt: 1_800_000_000_000,
  kdf: { algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1, salt: 'ab'.repeat(32) },
  cipher: 'aes-256-gcm',
  nonce: '01'.repeat(12),
});

const reasonOf = (value: unknown): string | undefined => {
  const parsed = parseKeyFile(value);
  return parsed instanceof BadKeyFile ? parsed.reason : undefined;
};
const withKdf = (change: object): unknown => ({ ...file, kdf: { ...file.kdf, ...change } });

describe('key file', () => {
  it('comes back from JSON and opens with its key', () => {
    const parsed = parseKeyFile(JSON.parse(JSON.stringify(file)));
    expect(parsed).to.deep.equal(file);
    expect(openSeed(parsed as KeyFile, key)).to.deep.equal(bytes(seed));
  });

  it('may leave out the network', () => {
    const { network: _, ...header } = file;
    expect(reasonOf(header)).to.equal(undefined);
  });

  it('holds the seed under the key only', () => {
    expect(JSON.stringify(file)).not.to.contain(seed);
    expect(openSeed(file, new Uint8Array(32).fill(8))).to.equal(undefined);
  });

  it('opens no more when any member is changed', () => {
    const changes: Partial<KeyFile>[] = [
      { did: other.did },
      { address: other.address },
      { network: 'mainnet' },
      { createdAt: file.createdAt + 1 },
      { kdf: { ...file.kdf, memoryKiB: 19_457 } },
      { kdf: { ...file.kdf, passes: 3 } },
      { kdf: { ...file.kdf, lanes: 2 } },
      { kdf: { ...file.kdf, salt: 'ac'.repeat(32) } },
      { nonce: '02'.repeat(12) },
      { ciphertext: `${file.ciphertext.startsWith('0') ? '1' : '0'}${file.ciphertext.slice(1)}` },
      { tag: `${file.tag.startsWith('0') ? '1' : '0'}${file.tag.slice(1)}` },
    ];
    for (const change of changes)
      expect(openSeed({ ...file, ...change }, key), JSON.stringify(change)).to.equal(undefined);
    const { network: _, ...without } = file;
    expect(openSeed(without, key), 'network left out').to.equal(undefined);
  });

  it('is refused with parameters that are too weak, or that would take the node down', () => {
    for (const [name, values] of Object.entries({
      memoryKiB: [19_455, 262_145, 4_294_967_295, 0, -1, 20_000.5, '19456', null],
      passes: [1, 11, 4_294_967_295, 2.5, '2'],
      lanes: [0, 5, 255, 1.5, '1'],
      salt: ['ab'.repeat(15), 'ab'.repeat(65), 'AB'.repeat(16), 'abc', 'zz'.repeat(16), '', 7],
      algorithm: ['argon2i', 'argon2d', 'scrypt', 2],
    })) {
      for (const value of values) {
        expect(reasonOf(withKdf({ [name]: value })), `${name} ${value}`).to.equal(`bad member kdf.${name}`);
      }
    }
    for (const allowed of [
      { memoryKiB: 262_144, passes: 10, lanes: 4 },
      { salt: 'ab'.repeat(16) },
      { salt: 'ab'.repeat(64) },
    ]) {
      expect(reasonOf(withKdf(allowed)), JSON.stringify(allowed)).to.equal(undefined);
    }
  });

  it('is refused when a member is missing, of another kind, or unknown', () => {
    for (const name of Object.keys(file)) {
      if (name === 'network') continue;
      const { [name as keyof KeyFile]: _, ...rest } = file;
      expect(reasonOf(rest), name).to.equal(`bad member ${name}`);
    }
    expect(reasonOf({ ...file, v: 2 })).to.equal('bad member v');
    expect(reasonOf({ ...file, cipher: 'aes-128-gcm' })).to.equal('bad member cipher');
    expect(reasonOf({ ...file, nonce: '01'.repeat(11) })).to.equal('bad member nonce');
    expect(reasonOf({ ...file, tag: file.tag.slice(2) }), 'a short tag is a weak one').to.equal('bad member tag');
    expect(reasonOf({ ...file, ciphertext: file.ciphertext.slice(2) })).to.equal('bad member ciphertext');
    expect(reasonOf({ ...file, extra: 1 })).to.equal('bad member extra');
    expect(reasonOf(JSON.parse(`{"__proto__":{},${JSON.stringify(file).slice(1)}`))).to.equal('bad member __proto__');
    for (const value of [null, undefined, 1, 'text', [], {}]) expect(reasonOf(value)).to.be.a('string');
  });

  it('is refused when did and address are not one account, or the did is not normalised', () => {
    expect(reasonOf({ ...file, address: other.address })).to.equal('the address is not that of the did');
    expect(reasonOf({ ...file, did: rfc8032[0].bareDid })).to.equal('bad member did');
    expect(reasonOf({ ...file, did: 'did:svc:znonsense' })).to.equal('bad member did');
  });

  it('is refused with a reason that names members and repeats no value', () => {
    const secret = 'a seed that somebody pasted here';
    expect(reasonOf({ ...file, ciphertext: secret })).not.to.contain(secret);
    expect(reasonOf({ seed: secret })).not.to.contain(secret);
    expect(reasonOf(secret)).not.to.contain(secret);
  });
});
