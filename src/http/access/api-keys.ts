/**
 * API keys (docs/reference/access.md#api-keys): local to the database, never in the journal.
 *
 * A key is `svck_` + base58 of 32 random bytes, shown once and kept as its SHA-256. Its id is made of the hash's
 * first half, so that a presented key is found by one read, and compared whole in constant time.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { encodeBase58 } from '../../core/codecs/base58.js';
import type { Environment } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import { assert, type Refusal, refuse } from '../../core/refusal.js';
import { BoundedTable } from '../../store/bounded-table.js';
import type { LocalRecord, Store } from '../../store/store.js';
import type { ApiKeyLookup, ValidKey } from './access.js';
import { AdminLog } from './admin-log.js';
import type { Scope } from './caller.js';
import type { KeyLimits } from './limits.js';

const table = 'api-keys';
const keyPattern = /^svck_[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const keyBytes = 32;

/** An API key as callers see it. Times are epoch ms. */
export interface ApiKey extends ValidKey {
  readonly label: string;
  /** The first characters, by which an operator recognises a key. */
  readonly prefix: string;
  readonly status: 'active' | 'revoked' | 'expired';
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** Whether it is active, and ends within `bounds.apiKeyExpiresSoonMs`. */
  readonly expiresSoon: boolean;
  /** Rounded to the minute. */
  readonly lastUsedAt: number | null;
}

export interface NewKey {
  readonly label: string;
  readonly scope: Scope;
  readonly did?: string;
  readonly expiresAt?: number | null;
  readonly limits?: KeyLimits | null;
  /** The most active keys that the DID may have. */
  readonly mostOfDid?: number;
}

/** A new key. This is the only time that the key itself is shown. */
interface CreatedKey {
  readonly key: string;
  readonly record: ApiKey;
}

interface StoredApiKey extends Omit<ApiKey, 'id' | 'status' | 'expiresSoon'> {
  readonly hash: string;
  readonly revoked: boolean;
}

interface Cached {
  readonly id: string;
  readonly stored: StoredApiKey;
  readonly hash: Buffer;
  readonly revision: number;
  readonly readAt: number;
}

export interface ApiKeysOptions {
  readonly store: Pick<Store, 'exclusive' | 'getLocal' | 'listLocal' | 'putLocal' | 'deleteLocal'>;
  readonly world: Environment;
  readonly log: Log;
}

export class ApiKeyRegistry implements ApiKeyLookup {
  readonly adminLog: AdminLog;
  readonly #options: ApiKeysOptions;
  readonly #cache = new LRUCache<string, Cached>({ max: bounds.apiKeyCache });
  readonly #table: BoundedTable;
  /** All keys by id, cached after the first list: reading 10,000 keys blocks this thread for a tenth of a second. */
  #all: { readonly keys: Map<string, StoredApiKey>; readonly readAt: number } | undefined;
  /** Counts changes, so that a read that began before a change does not put outdated keys into the cache. */
  #changes = 0;

  constructor(options: ApiKeysOptions) {
    this.#options = options;
    this.#table = new BoundedTable({ ...options, table });
    this.adminLog = new AdminLog(options.store, options.world, options.log);
  }

  known(key: string): ValidKey | 'stale' | undefined {
    if (!keyPattern.test(key)) return undefined;
    const hash = sha256(key);
    const cached = this.#cache.get(idOf(hash));
    if (!cached) return undefined;
    if (this.#options.world.monotonic() - cached.readAt > bounds.apiKeyFreshMs) return 'stale';
    return this.#valid(cached, hash);
  }

  async lookup(key: string): Promise<ValidKey | undefined> {
    if (!keyPattern.test(key)) return undefined;
    const hash = sha256(key);
    const cached = await this.#read(idOf(hash));
    const valid = cached && this.#valid(cached, hash);
    if (valid) this.#touch(cached);
    return valid;
  }

  /** @returns the key itself, which cannot be shown again; CONFLICT if there are too many keys */
  async create(options: NewKey): Promise<CreatedKey | Refusal> {
    const { world } = this.#options;
    const { label, scope, did, expiresAt = null, limits = null } = options;
    const key = `svck_${encodeBase58(world.random(keyBytes))}`;
    const hash = sha256(key);
    const stored: StoredApiKey = {
      hash: hash.toString('hex'),
      label,
      scope,
      ...(did === undefined ? {} : { did }),
      prefix: key.slice(0, 10),
      revoked: false,
      createdAt: world.now(),
      expiresAt,
      lastUsedAt: null,
      limits,
    };
    const full = await this.#table.add(idOf(hash), stored, (others) => this.#roomBeside(others, options));
    if (full) return full;
    this.#forget(idOf(hash));
    return { key, record: this.#view(idOf(hash), stored) };
  }

  #roomBeside(others: readonly LocalRecord[], { did, mostOfDid }: NewKey): Refusal | undefined {
    if (others.length >= bounds.apiKeys) {
      return refuse('CONFLICT', `there are ${bounds.apiKeys} keys; remove some first`);
    }
    if (mostOfDid === undefined) return undefined;
    const ofDid = others.map(({ value }) => value as unknown as StoredApiKey).filter((each) => each.did === did);
    if (ofDid.filter((each) => this.#statusOf(each) === 'active').length < mostOfDid) return undefined;
    return refuse('CONFLICT', `this DID has ${mostOfDid} keys; revoke some first`);
  }

  /** As `create`, with a line in the admin log. */
  createLogged(by: string, options: NewKey): Promise<CreatedKey | Refusal> {
    const { scope, did = null } = options;
    return this.adminLog.around(
      { act: 'api-key.create', by, details: { scope, did } },
      () => this.create(options),
      ({ record: { id } }) => ({ id }),
    );
  }

  /** Newest first. @param did only those that are bound to it */
  async list(did?: string): Promise<readonly ApiKey[]> {
    const all = [...(await this.#stored())];
    return (did === undefined ? all : all.filter(([, stored]) => stored.did === did))
      .map(([id, stored]) => this.#view(id, stored))
      .sort((a, b) => b.createdAt - a.createdAt || (a.id > b.id ? -1 : 1));
  }

  /** All keys. In a store that other processes write to, they may be a second old. */
  async #stored(): Promise<ReadonlyMap<string, StoredApiKey>> {
    const { store, world } = this.#options;
    const changes = this.#changes;
    const readAt = world.monotonic();
    if (this.#all && (store.exclusive || readAt - this.#all.readAt <= bounds.apiKeyFreshMs)) return this.#all.keys;
    const records = await store.listLocal(table);
    const keys = new Map(records.map(({ id, value }) => [id, value as unknown as StoredApiKey]));
    if (changes === this.#changes) this.#all = { keys, readAt };
    return keys;
  }

  async get(id: string): Promise<ApiKey | undefined> {
    const cached = await this.#read(id);
    return cached && this.#view(id, cached.stored);
  }

  /** Revokes the key at once; other processes on this database notice within a second. */
  async revoke(id: string): Promise<ApiKey | undefined> {
    for (let attempt = 0; ; attempt++) {
      assert(attempt < bounds.appendAttempts, 'a key is written once a minute at most');
      const cached = await this.#read(id);
      if (!cached) return undefined;
      const stored = { ...cached.stored, revoked: true };
      // False: another write was first, perhaps our own record of the last use. Read again.
      const written = await this.#options.store.putLocal(table, id, stored as unknown as JsonObject, cached.revision);
      this.#forget(id);
      if (written) return this.#view(id, stored);
    }
  }

  async remove(id: string): Promise<boolean> {
    const removed = await this.#options.store.deleteLocal(table, id);
    this.#forget(id);
    return removed;
  }

  async #read(id: string): Promise<Cached | undefined> {
    const changes = this.#changes;
    const readAt = this.#options.world.monotonic();
    const record = await this.#options.store.getLocal(table, id);
    if (!record) return undefined;
    const stored = record.value as unknown as StoredApiKey;
    const cached = { id, stored, hash: Buffer.from(stored.hash, 'hex'), revision: record.revision, readAt };
    if (changes === this.#changes) this.#cache.set(id, cached);
    return cached;
  }

  #forget(id: string): void {
    this.#changes += 1;
    this.#all = undefined;
    this.#cache.delete(id);
  }

  #valid({ id, stored, hash }: Cached, presented: Buffer): ValidKey | undefined {
    if (!timingSafeEqual(hash, presented) || this.#statusOf(stored) !== 'active') return undefined;
    const { scope, did, limits } = stored;
    return did === undefined ? { id, scope, limits } : { id, scope, did, limits };
  }

  #statusOf({ revoked, expiresAt }: StoredApiKey): ApiKey['status'] {
    if (revoked) return 'revoked';
    return expiresAt !== null && expiresAt <= this.#options.world.now() ? 'expired' : 'active';
  }

  #view(id: string, stored: StoredApiKey): ApiKey {
    const { label, scope, did, prefix, createdAt, expiresAt, lastUsedAt, limits } = stored;
    const bound = did === undefined ? {} : { did };
    const status = this.#statusOf(stored);
    const left = (expiresAt ?? Number.POSITIVE_INFINITY) - this.#options.world.now();
    const expiresSoon = status === 'active' && left <= bounds.apiKeyExpiresSoonMs;
    return { id, label, scope, ...bound, prefix, status, createdAt, expiresAt, expiresSoon, lastUsedAt, limits };
  }

  /** Runs in the background; a lost update is repeated a minute later. */
  #touch({ id, stored, revision }: Cached): void {
    const { store, world, log } = this.#options;
    const now = world.now();
    if (stored.lastUsedAt !== null && now - stored.lastUsedAt < bounds.apiKeyUsedEveryMs) return;
    const noted = { ...stored, lastUsedAt: now };
    const seen = this.#all?.keys;
    store.putLocal(table, id, noted as unknown as JsonObject, revision).then(
      (written) => written && seen?.set(id, noted),
      (error: unknown) => log.warn({ err: error, id }, 'the last use of an API key was not recorded'),
    );
  }
}

const sha256 = (key: string): Buffer => createHash('sha256').update(key).digest();

/** 128 of the hash's 256 bits: enough to find a key, not enough to make one. */
const idOf = (hash: Buffer): string => `key-${hash.toString('hex', 0, 16)}`;
