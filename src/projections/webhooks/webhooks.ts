/**
 * The webhooks of a database: local records, never in the journal. Their secrets are encrypted under a key of the
 * database, so they are readable to anyone with both.
 */

import type { JsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { assert, type Refusal, refuse } from '../../core/refusal.js';
import { decrypt, encrypt, hex, hexBytes } from '../../core/sealing.js';
import { BoundedTable } from '../../store/bounded-table.js';
import type { StoreReader, StoreWriter } from '../../store/store.js';
import { DeliveryLog, logTable } from './delivery-log.js';
import type { DeliveryProgress, Webhook, WebhookFilter } from './webhook.js';

const table = 'webhooks';
const progressTable = 'webhook-progress';
const secretBytes = 32;
const idBytes = 10;
/** Tries to write a webhook, which operators and the dispatcher may change at the same time. */
const attempts = 8;

export interface NewWebhook extends WebhookFilter {
  readonly url: string;
  readonly label: string;
  readonly secret?: string | undefined;
  readonly begins: number;
}

interface SealedSecret {
  readonly nonce: string;
  readonly ciphertext: string;
  readonly tag: string;
}

type StoredWebhook = Omit<Webhook, 'id'> & { readonly sealed: SealedSecret; readonly sealedBefore?: SealedSecret };

export interface WebhooksOptions {
  readonly store: StoreReader & StoreWriter;
  readonly world: Environment;
  /** The database's encryption key, 32 bytes. */
  readonly sealingKey: Uint8Array;
  readonly most: number;
  readonly logLines: number;
}

/** A webhook with the secrets that sign its deliveries. */
export interface Armed {
  readonly webhook: Webhook;
  readonly secret: string;
  /** The previous secret, which also signs until then (epoch ms). */
  readonly previous?: { readonly secret: string; readonly until: number };
}

export interface Rotation {
  readonly secret?: string | undefined;
  /** How long the previous secret also signs, ms; 0 for not at all. */
  readonly overlapMs: number;
}

export class WebhookRegistry {
  readonly log: DeliveryLog;
  readonly #table: BoundedTable;
  /** Called when a webhook was changed in this process. Other processes poll. */
  onChange: (id: string) => void = () => {};

  constructor(private readonly options: WebhooksOptions) {
    this.#table = new BoundedTable({ ...options, table });
    this.log = new DeliveryLog({ store: options.store, lines: options.logLines });
  }

  /** @returns CONFLICT where the maximum is reached */
  async create({ secret: given, ...wanted }: NewWebhook): Promise<(Armed & { readonly secret: string }) | Refusal> {
    const { world, most } = this.options;
    const secret = given ?? this.#newSecret();
    const id = `whk-${Buffer.from(world.random(idBytes)).toString('hex')}`;
    const now = world.now();
    const made = { status: 'active', reason: null, createdAt: now, updatedAt: now, generation: 1, begunAs: 1 } as const;
    const keyed = { previousSecretUntil: null, rotations: 0, sealed: this.#seal(secret) };
    const stored: StoredWebhook = { ...wanted, ...made, ...keyed };
    const full = await this.#table.add(id, stored, (others) =>
      others.length >= most ? refuse('CONFLICT', `there are ${most} webhooks; remove some first`) : undefined,
    );
    if (full) return full;
    this.onChange(id);
    return { webhook: viewOf(id, stored), secret };
  }

  async list(): Promise<readonly Webhook[]> {
    const records = await this.options.store.listLocal(table);
    return records.map(({ id, value }) => viewOf(id, value as unknown as StoredWebhook));
  }

  async active(): Promise<readonly Armed[]> {
    const records = await this.options.store.listLocal(table);
    return records.flatMap(({ id, value }) => {
      const stored = value as unknown as StoredWebhook;
      return stored.status === 'active' ? [this.#arm(id, stored)] : [];
    });
  }

  async get(id: string): Promise<Armed | undefined> {
    const record = await this.options.store.getLocal(table, id);
    return record && this.#arm(id, record.value as unknown as StoredWebhook);
  }

  /** @param begins the entry after which deliveries continue; null to continue where they stopped */
  enable(id: string, begins: number | null): Promise<Webhook | undefined> {
    return this.#change(id, (stored) => ({
      ...stored,
      status: 'active',
      reason: null,
      generation: stored.generation + 1,
      ...(begins === null ? {} : { begins, begunAs: stored.generation + 1 }),
    }));
  }

  /** @param generation disables only while the webhook has this generation */
  disable(id: string, reason: string, generation?: number): Promise<Webhook | undefined> {
    return this.#change(id, (stored) =>
      stored.status === 'disabled' || (generation !== undefined && stored.generation !== generation)
        ? undefined
        : { ...stored, status: 'disabled', reason },
    );
  }

  /** Replaces the secret. At most two secrets sign; the one before the previous is deleted. */
  async rotate(id: string, { secret: given, overlapMs }: Rotation): Promise<Armed | undefined> {
    const { world } = this.options;
    const secret = given ?? this.#newSecret();
    const webhook = await this.#change(id, ({ sealed, sealedBefore, ...stored }) => {
      const isRepeated = this.#unseal(id, sealed) === secret;
      const isOver = (stored.previousSecretUntil ?? 0) <= world.now();
      const before = isRepeated ? (isOver ? undefined : sealedBefore) : sealed;
      return {
        ...stored,
        rotations: (stored.rotations ?? 0) + 1,
        sealed: this.#seal(secret),
        ...(overlapMs > 0 && before
          ? { sealedBefore: before, previousSecretUntil: world.now() + overlapMs }
          : { previousSecretUntil: null }),
      };
    });
    return webhook && { webhook, secret };
  }

  async remove(id: string): Promise<boolean> {
    const { store } = this.options;
    const removed = await store.deleteLocal(table, id);
    if (!removed) return false;
    this.onChange(id);
    await store.deleteLocal(progressTable, id);
    await this.log.remove(id);
    return true;
  }

  /** Removes leftovers of deleted webhooks, which a killed process may leave. */
  async sweep(): Promise<void> {
    const { store } = this.options;
    const known = new Set((await store.listLocal(table)).map(({ id }) => id));
    for (const { id } of await store.listLocal(progressTable)) {
      if (!known.has(id)) await store.deleteLocal(progressTable, id);
    }
    const prefix = logTable('');
    for (const name of await store.localTables()) {
      const id = name.slice(prefix.length);
      if (name.startsWith(prefix) && !known.has(id)) await this.log.remove(id);
    }
  }

  async progress(id: string): Promise<{ readonly progress: DeliveryProgress; readonly revision: number } | undefined> {
    const record = await this.options.store.getLocal(progressTable, id);
    return record && { progress: record.value as unknown as DeliveryProgress, revision: record.revision };
  }

  async allProgress(): Promise<ReadonlyMap<string, DeliveryProgress>> {
    const records = await this.options.store.listLocal(progressTable);
    return new Map(records.map(({ id, value }) => [id, value as unknown as DeliveryProgress]));
  }

  /** Returns false where another process delivers by now. Durable when it resolves. */
  putProgress(id: string, progress: DeliveryProgress, revision: number): Promise<boolean> {
    return this.options.store.putLocal(progressTable, id, progress as unknown as JsonObject, revision);
  }

  async #change(
    id: string,
    change: (stored: StoredWebhook) => StoredWebhook | undefined,
  ): Promise<Webhook | undefined> {
    const { store, world } = this.options;
    for (let attempt = 0; ; attempt++) {
      assert(attempt < attempts, 'a webhook has few writers');
      const record = await store.getLocal(table, id);
      if (!record) return undefined;
      const stored = record.value as unknown as StoredWebhook;
      const changed = change(stored);
      if (!changed) return viewOf(id, stored);
      const next = { ...changed, updatedAt: world.now() };
      if (!(await store.putLocal(table, id, next as unknown as JsonObject, record.revision))) continue;
      this.onChange(id);
      return viewOf(id, next);
    }
  }

  #arm(id: string, stored: StoredWebhook): Armed {
    const { sealed, sealedBefore, previousSecretUntil: until } = stored;
    const secret = this.#unseal(id, sealed);
    const previous = sealedBefore && until ? { secret: this.#unseal(id, sealedBefore), until } : undefined;
    return { webhook: viewOf(id, stored), secret, ...(previous ? { previous } : {}) };
  }

  #newSecret(): string {
    return `whsec_${Buffer.from(this.options.world.random(secretBytes)).toString('base64url')}`;
  }

  #seal(secret: string): SealedSecret {
    const { world, sealingKey } = this.options;
    const { nonce, ciphertext, tag } = encrypt(sealingKey, Buffer.from(secret), (bytes) => world.random(bytes));
    return { nonce: hex(nonce), ciphertext: hex(ciphertext), tag: hex(tag) };
  }

  #unseal(id: string, { nonce, ciphertext, tag }: SealedSecret): string {
    const parts = { nonce: hexBytes(nonce), ciphertext: hexBytes(ciphertext), tag: hexBytes(tag) };
    const secret = decrypt(this.options.sealingKey, parts)?.toString();
    assert(secret !== undefined, `the secret of ${id} is sealed under another key`);
    return secret;
  }
}

const viewOf = (id: string, { sealed: _, sealedBefore: __, ...stored }: StoredWebhook): Webhook => ({ id, ...stored });
