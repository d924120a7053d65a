/**
 * Writes snapshots with their labels, alarms and the census by state. Each changed resource is written once per
 * transaction. Heads are cached like the rows of accounts.ts.
 */
import { LRUCache } from 'lru-cache';
import { assert } from '../../core/refusal.js';
import type { Version } from '../entry.js';
import { Bulk } from './bulk.js';
import type { SqliteConnection } from './connection.js';
import type { SnapshotJob } from './job.js';
import type { SearchIndex } from './search-index.js';
import { type SecondaryIndex, ways } from './secondary-index.js';

interface CachedHead {
  readonly resource: number;
  /** 0 if the resource doesn't exist. */
  readonly version: number;
  readonly lastHash: string | null;
  readonly state: string | null;
  readonly alarmAt: number | null;
  readonly alarmAction: string | null;
}

const noHead: CachedHead = {
  resource: 0,
  version: 0,
  lastHash: null,
  state: null,
  alarmAt: null,
  alarmAction: null,
};

/** Cached heads, about 0.4 KiB each: resources are often written several times in a row. */
const keptHeads = 4_000;

interface ChangedResource {
  readonly head: CachedHead;
  readonly job: SnapshotJob;
  readonly contextAt: number | null;
}

export class Resources {
  readonly #write;
  readonly #addLabel;
  readonly #heads = new LRUCache<string, CachedHead>({ max: keptHeads });
  readonly #changed = new Map<string, ChangedResource>();
  readonly #counts = new Map<string, { readonly kind: string; readonly state: string; change: number }>();
  #nextResource: number;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly index: SecondaryIndex,
    private readonly search: SearchIndex,
  ) {
    this.#write = new Bulk(connection, {
      insert: `INSERT INTO resources (resource, kind, id, version, state, last_hash, machine, created_at, updated_at,
        alarm_at, alarm_action, context, context_at)`,
      columns: 13,
      // Leaves created_at out, because it never changes and setting it would update its index.
      ending: `ON CONFLICT (resource) DO UPDATE SET version = excluded.version, state = excluded.state,
        last_hash = excluded.last_hash, machine = excluded.machine, updated_at = excluded.updated_at,
        alarm_at = excluded.alarm_at, alarm_action = excluded.alarm_action, context = excluded.context,
        context_at = excluded.context_at`,
    });
    this.#addLabel = new Bulk(connection, { insert: 'INSERT OR IGNORE INTO labels', columns: 5 });
    this.#nextResource = (connection.value('SELECT ifnull(max(resource), 0) FROM resources') as number) + 1;
  }

  isNext({ kind, id, version, prev }: Version): boolean {
    const head = this.#headOf(kind, id);
    return version === head.version + 1 && prev === head.lastHash;
  }

  /**
   * @param seq number of its entry; 0 for a resource without entries
   * @param contextAt number of the entry with which the context is packed (schema.ts); null if the
   * row has the context
   */
  keep(job: SnapshotJob, seq: number, contextAt: number | null): void {
    const { kind, id, version, state, lastHash, alarm, createdAt } = job;
    const head = this.#headOf(kind, id);
    const resource = head.version > 0 ? head.resource : this.#nextResource++;
    if (head.state !== state) {
      if (head.state !== null) this.#counted(kind, head.state, -1);
      this.#counted(kind, state, 1);
    }
    const alarmAt = alarm === undefined ? head.alarmAt : (alarm?.at ?? null);
    const alarmAction = alarm === undefined ? head.alarmAction : (alarm?.action ?? null);
    const next = { resource, version, lastHash, state, alarmAt, alarmAction };
    this.#changed.set(`${kind}/${id}`, { head: next, job, contextAt });
    if (job.dropLabels.length > 0) this.#addLabel.flush();
    const drop = 'DELETE FROM labels WHERE kind = ? AND label = ? AND created_at = ? AND id = ?';
    for (const label of job.dropLabels) this.connection.change(drop, kind, label, createdAt, id);
    for (const label of job.addLabels) this.#addLabel.add(kind, label, createdAt, id, resource);
    if (job.search) this.search.keep(resource, job, job.search);
    if (seq > 0) this.index.add(ways.resource, resource, seq);
  }

  flush(): void {
    for (const [ref, { head, job, contextAt }] of this.#changed) {
      const { resource, alarmAt, alarmAction } = head;
      const { kind, id, version, state, lastHash, machine, createdAt, updatedAt, context } = job;
      this.#write.add(resource, kind, id, version, state, lastHash);
      const own = contextAt === null ? context : '';
      this.#heads.set(ref, head);
      this.#write.add(machine, createdAt, updatedAt, alarmAt, alarmAction, own, contextAt);
    }
    this.#write.flush();
    this.#addLabel.flush();
    const count =
      'INSERT INTO census VALUES (?,?,?) ON CONFLICT (kind, state) DO UPDATE SET count = count + excluded.count';
    for (const { kind, state, change } of this.#counts.values())
      if (change !== 0) this.connection.change(count, kind, state, change);
    this.#changed.clear();
    this.#counts.clear();
  }

  #headOf(kind: string, id: string): CachedHead {
    const ref = `${kind}/${id}`;
    const known = this.#changed.get(ref)?.head ?? this.#heads.get(ref);
    if (known) return known;
    const row = this.connection.row<[number, number, string, string, number | null, string | null]>(
      'SELECT resource, version, last_hash, state, alarm_at, alarm_action FROM resources WHERE kind = ? AND id = ?',
      kind,
      id,
    );
    if (!row) {
      this.#heads.set(ref, noHead);
      return noHead;
    }
    const [resource, version, lastHash, state, alarmAt, alarmAction] = row;
    const head = { resource, version, lastHash, state, alarmAt, alarmAction };
    this.#heads.set(ref, head);
    return head;
  }

  #counted(kind: string, state: string, change: number): void {
    const ref = `${kind}/${state}`;
    const count = this.#counts.get(ref) ?? { kind, state, change: 0 };
    count.change += change;
    this.#counts.set(ref, count);
  }
}

export function assertWhole(versions: readonly Version[], snapshots: readonly SnapshotJob[]): void {
  assert(versions.length === snapshots.length, 'an entry has one snapshot for each version');
  const isWhole = versions.every(({ kind, id, version }, index) => {
    const isFirst = versions.findIndex((other) => other.id === id && other.kind === kind) === index;
    return isFirst && snapshots.some((each) => each.id === id && each.kind === kind && each.version === version);
  });
  assert(isWhole, 'an entry has one snapshot for each version');
}
