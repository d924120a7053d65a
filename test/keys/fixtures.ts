/** An environment whose clock the test moves, a KDF that costs nothing and counts its runs, and the keys of RFC 8032. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonical } from '../../src/core/canonical.js';
import type { Environment, Timer } from '../../src/core/environment.js';
import { AssertionError, isRefusal, type Refusal } from '../../src/core/refusal.js';
import type { Kdf, KdfParams } from '../../src/keys/kdf.js';
import { Keystore, type KeystoreOptions } from '../../src/keys/keystore.js';
import type { Signer } from '../../src/keys/signing.js';

export const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

/**
 * RFC 8032, 7.1, TEST 1 to 3. DIDs, addresses and base64url signatures were computed by a Python script with its own big-integer
 * base58, without any code of this repository.
 */
export const rfc8032 = [
  {
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature: '5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw',
    did: 'did:svc:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
    bareDid: 'did:svc:zFVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z',
    address: 'svc12dqvheyJXzEYpywfm8g7TshzLbaXWTwHKQPkh4rYX3DayYbTMp',
  },
  {
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature: 'kqAJqfDUyrhyDoILX2QlQKKye1QWUD-Ps3YiI-vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA',
    did: 'did:svc:z6MkiaMbhXHNA4eJVCCj8dbzKzTgYDKf6crKgHVHid1F1WCT',
    bareDid: 'did:svc:z586Z7H2vpX9qNhN2T4e9Utugie3ogjbxzGaMtM3E6HR5',
    address: 'svc1TyZP9LK3ftqc2NYL61WBe6mcw65xsiBcYxJoxsgV84fazeSiB',
  },
  {
    seed: 'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature: 'YpHWV97sJAJIJ-acOr4BowzlSKKEdDpEXjaA19taw6wY_5tTjRbykK5n92CYTcZZSnwV6XFu0o3AJ77O6h7ECg',
    did: 'did:svc:z6MkwSD8dBdqcXQzKJZQFPy2hh2izzxskndKCjdmC2dBpfME',
    bareDid: 'did:svc:zHyx62wPQGyvXCoihZq1BrbUjBRh2LuNxWiiqMkfAuSZr',
    address: 'svc12v8AWwPs1M3annKUMGhsKUXCcLKyPzA1GZoRFaCKPo8hEtq5Xu',
  },
] as const;

/** Every 32-byte text that some library decodes as a point of order 1, 2, 4 or 8, canonical or not. */
export const smallOrderKeys = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
] as const;

export class TestWorld implements Environment {
  #timeMs = 1_800_000_000_000;
  #draws = 0;
  #timers = new Set<{ atMs: number; call: () => void }>();

  now(): number {
    return this.#timeMs;
  }

  monotonic(): number {
    return this.#timeMs - 1_799_999_000_000;
  }

  uptime(): number {
    return this.monotonic();
  }

  random(size: number): Uint8Array {
    const seed = createHash('sha512')
      .update(`draw ${this.#draws++}`)
      .digest();
    return new Uint8Array(seed.subarray(0, size));
  }

  after(delayMs: number, call: () => void): Timer {
    const timer = { atMs: this.#timeMs + delayMs, call };
    this.#timers.add(timer);
    return { cancel: () => this.#timers.delete(timer) };
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Time passes while the event loop is blocked: no timer has fired yet. */
  passUnnoticed(ms: number): void {
    this.#timeMs += ms;
  }

  advance(ms: number): void {
    this.passUnnoticed(ms);
    for (const timer of this.#timers) {
      if (timer.atMs > this.#timeMs) continue;
      this.#timers.delete(timer);
      timer.call();
    }
  }
}

/** SHA-256 instead of argon2id. Runs that start between `hold` and `passOthers` wait for `letGo`. */
export class TestKdf implements Kdf {
  readonly runs: { passphrase: string; salt: string; params: KdfParams }[] = [];
  running = 0;
  mostRunning = 0;
  #gate: Promise<void> | undefined;
  #open = () => {};

  get count(): number {
    return this.runs.length;
  }

  hold(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  passOthers(): void {
    this.#gate = undefined;
  }

  letGo(): void {
    this.passOthers();
    this.#open();
  }

  async derive(passphrase: string, salt: Uint8Array, params: KdfParams): Promise<Uint8Array> {
    this.runs.push({ passphrase, salt: Buffer.from(salt).toString('hex'), params });
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    await this.#gate;
    this.running--;
    return createHash('sha256').update(passphrase).update(salt).update(canonical(params)).digest();
  }

  /** Resolves when a held run has begun. */
  async begun(): Promise<void> {
    while (this.running === 0) await new Promise(setImmediate);
  }

  /** The number of KDF runs that `act` causes. */
  async during(act: () => unknown): Promise<number> {
    const before = this.count;
    await act();
    return this.count - before;
  }
}

const made: string[] = [];

export async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-keys-'));
  made.push(dir);
  return dir;
}

export async function removeDirs(): Promise<void> {
  for (const dir of made.splice(0)) await rm(dir, { recursive: true, force: true });
}

export interface TestKeystore {
  readonly keystore: Keystore;
  readonly world: TestWorld;
  readonly kdf: TestKdf;
  readonly dir: string;
  readonly badFiles: { path: string; reason: string }[];
}

export async function openTestKeystore(options: Partial<KeystoreOptions> = {}): Promise<TestKeystore> {
  const world = new TestWorld();
  const kdf = new TestKdf();
  const dir = options.dir ?? join(await makeDir(), 'keystore');
  const badFiles: TestKeystore['badFiles'] = [];
  const onBadFile = (path: string, reason: string) => badFiles.push({ path, reason });
  const keystore = await Keystore.open({ world, kdf, onBadFile, ...options, dir });
  return { keystore, world, kdf, dir, badFiles };
}

/** The value; fails the test if it is a refusal. */
export function accepted<T>(outcome: T | Refusal): T {
  if (isRefusal(outcome)) throw new AssertionError(`refused: ${outcome.code} ${outcome.detail}`);
  return outcome;
}

/** The code of a refusal, or 'accepted'. */
export const codeOf = (outcome: unknown): string => (isRefusal(outcome) ? outcome.code : 'accepted');

/** Unlocks a key and returns 'accepted' or the refusal's code. */
export const unlockCode = async (
  keystore: Keystore,
  ...guess: [did: string, passphrase: string, origin?: string]
): Promise<string> => codeOf(await keystore.unlock(guess[0], guess[1], guess[2] ?? 'origin'));

export const signerFrom = async (keystore: Keystore, did: string, passphrase: string): Promise<Signer> =>
  accepted(await keystore.unlock(did, passphrase, 'origin'));

export const passphrase = 'correct horse battery staple';
export const otherPassphrase = 'another horse, another battery';
