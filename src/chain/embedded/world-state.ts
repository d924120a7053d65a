/**
 * Accounts, code and storage of the embedded chain: plain maps with a list of how to undo what was done since each
 * checkpoint. No trie: nobody asks this chain for proofs, and the library's simple state copies all of itself at every
 * checkpoint.
 */
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address } from '@ethereumjs/util';
import { keccak256 } from 'ethers/crypto';
import { assert } from '../../machines/kernel/refusal.js';

type Slots = Map<string, Uint8Array>;

/** What a snapshot of the state consists of; keys are hex without prefix. */
export interface StateImage {
  readonly accounts: ReadonlyMap<string, { nonce: bigint; balance: bigint; codeHash: Uint8Array }>;
  readonly code: ReadonlyMap<string, Uint8Array>;
  readonly storage: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;
}

const nothing = new Uint8Array(0);
const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
const nameOf = (address: Address): string => keyOf(address.bytes);

export class WorldState implements StateManagerInterface {
  readonly #accounts = new Map<string, Account>();
  readonly #code = new Map<string, Uint8Array>();
  readonly #storage = new Map<string, Slots>();
  /** Slots as they were when the transaction began: what SSTORE's price depends on. */
  readonly #originals = new Map<string, Uint8Array>();
  readonly #undo: (() => void)[] = [];
  readonly #checkpoints: number[] = [];

  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> => {
      const name = nameOf(address) + keyOf(key);
      let value = this.#originals.get(name);
      if (value === undefined) {
        value = this.#slot(address, key);
        this.#originals.set(name, value);
      }
      return value;
    },
    clear: (): void => this.#originals.clear(),
  };

  image(): StateImage {
    const accounts = [...this.#accounts].map(
      ([name, { nonce, balance, codeHash }]) => [name, { nonce, balance, codeHash }] as const,
    );
    return { accounts: new Map(accounts), code: this.#code, storage: this.#storage };
  }

  restore({ accounts, code, storage }: StateImage): void {
    for (const [name, { nonce, balance, codeHash }] of accounts) {
      this.#accounts.set(name, new Account(nonce, balance, undefined, codeHash));
    }
    for (const [name, bytes] of code) this.#code.set(name, bytes);
    for (const [name, slots] of storage) this.#storage.set(name, new Map(slots));
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const account = this.#accounts.get(nameOf(address));
    // The library changes what it is given before it puts it back.
    return account && new Account(account.nonce, account.balance, undefined, account.codeHash);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    const name = nameOf(address);
    if (!account) return this.#put(this.#accounts, name, undefined);
    this.#put(this.#accounts, name, new Account(account.nonce, account.balance, undefined, account.codeHash));
  }

  async deleteAccount(address: Address): Promise<void> {
    this.#put(this.#accounts, nameOf(address), undefined);
    this.#put(this.#code, nameOf(address), undefined);
    await this.clearStorage(address);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account();
    if (fields.nonce !== undefined) account.nonce = fields.nonce;
    if (fields.balance !== undefined) account.balance = fields.balance;
    if (fields.codeHash !== undefined) account.codeHash = fields.codeHash;
    await this.putAccount(address, account);
  }

  async putCode(address: Address, value: Uint8Array): Promise<void> {
    this.#put(this.#code, nameOf(address), value);
    await this.modifyAccountFields(address, { codeHash: Buffer.from(keccak256(value).slice(2), 'hex') });
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.#code.get(nameOf(address)) ?? nothing;
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return this.#slot(address, key);
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    let slots = this.#storage.get(nameOf(address));
    if (!slots) {
      slots = new Map();
      this.#storage.set(nameOf(address), slots);
    }
    // Zero is the absence of a value; the library hands values over without leading zeros.
    this.#put(slots, keyOf(key), value.every((byte) => byte === 0) ? undefined : Uint8Array.from(value));
  }

  async clearStorage(address: Address): Promise<void> {
    if (this.#storage.has(nameOf(address))) this.#put(this.#storage, nameOf(address), undefined);
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#undo.length);
  }

  async commit(): Promise<void> {
    assert(this.#checkpoints.length > 0, 'a commit follows a checkpoint');
    this.#checkpoints.pop();
    if (this.#checkpoints.length === 0) this.#undo.length = 0;
  }

  async revert(): Promise<void> {
    const mark = this.#checkpoints.pop();
    assert(mark !== undefined, 'a revert follows a checkpoint');
    while (this.#undo.length > mark) this.#undo.pop()!();
  }

  clearCaches(): void {}

  getStateRoot(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(32));
  }

  async setStateRoot(): Promise<void> {}

  async hasStateRoot(): Promise<boolean> {
    return false;
  }

  shallowCopy(): StateManagerInterface {
    const copy = new WorldState();
    copy.restore(this.image());
    return copy;
  }

  #slot(address: Address, key: Uint8Array): Uint8Array {
    return this.#storage.get(nameOf(address))?.get(keyOf(key)) ?? nothing;
  }

  #put<T>(map: Map<string, T>, name: string, value: T | undefined): void {
    if (this.#checkpoints.length > 0) {
      const before = map.get(name);
      this.#undo.push(() => (before === undefined ? map.delete(name) : map.set(name, before)));
    }
    if (value === undefined) map.delete(name);
    else map.set(name, value);
  }
}
