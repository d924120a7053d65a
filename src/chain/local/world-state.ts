/**
 * Accounts, code and storage of the embedded chain: plain maps with an undo log since each checkpoint. There is no trie,
 * because no client asks for proofs. The library's simple state manager would copy the whole state at every checkpoint.
 */
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address } from '@ethereumjs/util';
import { keccak256 } from 'ethers/crypto';
import { assert } from '../../core/refusal.js';
import type { StateRow } from './chain-file.js';

type Slots = Map<string, Uint8Array>;

/** Row names: the kind, the address and, for a slot, its key, in hex. */
const [account, code, slot] = ['a', 'c', 's'];
const addressEnd = 1 + 40;

const nothing = new Uint8Array(0);
const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
const rowNameOf = (address: Address): string => keyOf(address.bytes);

export class WorldState implements StateManagerInterface {
  readonly #accounts = new Map<string, Account>();
  readonly #code = new Map<string, Uint8Array>();
  readonly #storage = new Map<string, Slots>();
  /** Slots at the start of the transaction; the gas of SSTORE depends on them. */
  readonly #originals = new Map<string, Uint8Array>();
  readonly #undo: (() => void)[] = [];
  readonly #touched = new Set<string>();
  readonly #checkpoints: number[] = [];

  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array): Promise<Uint8Array> => {
      const name = rowNameOf(address) + keyOf(key);
      let value = this.#originals.get(name);
      if (value === undefined) {
        value = this.#slot(address, key);
        this.#originals.set(name, value);
      }
      return value;
    },
    clear: (): void => this.#originals.clear(),
  };

  *changes(): Generator<StateRow> {
    for (const name of this.#touched) yield [name, this.#row(name)];
  }

  markSaved(): void {
    this.#touched.clear();
  }

  restore(rows: Iterable<readonly [name: string, value: Uint8Array]>): void {
    for (const [name, value] of rows) {
      const address = name.slice(1, addressEnd);
      if (name.startsWith(account)) this.#accounts.set(address, accountOf(value));
      else if (name.startsWith(code)) this.#code.set(address, value);
      else this.#slotsOf(address).set(name.slice(addressEnd), value);
    }
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const found = this.#accounts.get(rowNameOf(address));
    // Copied, because the library modifies accounts before it stores them.
    return found && new Account(found.nonce, found.balance, undefined, found.codeHash);
  }

  async putAccount(address: Address, given?: Account): Promise<void> {
    const name = rowNameOf(address);
    const kept = given && new Account(given.nonce, given.balance, undefined, given.codeHash);
    this.#put(this.#accounts, name, kept, account + name);
  }

  async deleteAccount(address: Address): Promise<void> {
    const name = rowNameOf(address);
    this.#put(this.#accounts, name, undefined, account + name);
    this.#put(this.#code, name, undefined, code + name);
    await this.clearStorage(address);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const changed = (await this.getAccount(address)) ?? new Account();
    if (fields.nonce !== undefined) changed.nonce = fields.nonce;
    if (fields.balance !== undefined) changed.balance = fields.balance;
    if (fields.codeHash !== undefined) changed.codeHash = fields.codeHash;
    await this.putAccount(address, changed);
  }

  async putCode(address: Address, value: Uint8Array): Promise<void> {
    this.#put(this.#code, rowNameOf(address), value, code + rowNameOf(address));
    await this.modifyAccountFields(address, { codeHash: Buffer.from(keccak256(value).slice(2), 'hex') });
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.#code.get(rowNameOf(address)) ?? nothing;
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return this.#slot(address, key);
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const [name, at] = [rowNameOf(address), keyOf(key)];
    // An empty value deletes the slot; the library passes values without leading zeros.
    const kept = value.every((byte) => byte === 0) ? undefined : Uint8Array.from(value);
    this.#put(this.#slotsOf(name), at, kept, slot + name + at);
  }

  async clearStorage(address: Address): Promise<void> {
    const name = rowNameOf(address);
    const slots = this.#storage.get(name);
    for (const at of slots?.keys() ?? []) this.#put(slots!, at, undefined, slot + name + at);
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
    assert(false, 'the state is never copied');
  }

  #slot(address: Address, key: Uint8Array): Uint8Array {
    return this.#storage.get(rowNameOf(address))?.get(keyOf(key)) ?? nothing;
  }

  #slotsOf(address: string): Slots {
    let slots = this.#storage.get(address);
    if (!slots) {
      slots = new Map();
      this.#storage.set(address, slots);
    }
    return slots;
  }

  /** @param row its name on disk */
  #put<T>(map: Map<string, T>, name: string, value: T | undefined, row: string): void {
    if (this.#checkpoints.length > 0) {
      const before = map.get(name);
      this.#undo.push(() => (before === undefined ? map.delete(name) : map.set(name, before)));
    }
    this.#touched.add(row);
    if (value === undefined) map.delete(name);
    else map.set(name, value);
  }

  #row(name: string): Uint8Array | undefined {
    const address = name.slice(1, addressEnd);
    if (name.startsWith(slot)) return this.#storage.get(address)?.get(name.slice(addressEnd));
    if (name.startsWith(code)) return this.#code.get(address);
    const found = this.#accounts.get(address);
    return found && rowOf(found);
  }
}

const rowOf = ({ nonce, balance, codeHash }: Account): Uint8Array =>
  Buffer.from(JSON.stringify([String(nonce), String(balance), keyOf(codeHash)]));

function accountOf(row: Uint8Array): Account {
  const [nonce, balance, codeHash] = JSON.parse(Buffer.from(row).toString()) as [string, string, string];
  return new Account(BigInt(nonce), BigInt(balance), undefined, Buffer.from(codeHash, 'hex'));
}
