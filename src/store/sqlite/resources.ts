/**
 * The writer's snapshots, with what is indexed of them: labels, alarms, the census by state. What changed is written
 * once a transaction, however often it changed. Heads are kept as accounts.ts keeps its rows, and as safely.
 */
import { assert } from '../../machines/kernel/refusal.js';
import type { Version } from '../entry.js';
import { Bulk } from './bulk.js';
import type { Connection } from './connection.js';
import type { SnapshotJob } from './job.js';
import { type Leads, ways } from './leads.js';
import type { SearchIndex } from './search-index.js';

type Head = readonly [
  resource: number,
  version: number,
  lastHash: string,
  state: string,
  alarmAt: number | null,
  alarmAction: string | null,
];

/** Heads kept between transactions, about 0.4 KiB each: whoever writes a resource twice writes it soon again. */
const keptHeads = 4_000;

interface Changed {
  readonly resource: number;
  readonly job: SnapshotJob;
  readonly contextAt: number | null;
  readonly alarmAt: number | null;
  readonly alarmAction: string | null;
}

export class Resources {
  readonly #head;
  readonly #write;
  readonly #addLabel;
  readonly #dropLabel;
  readonly #count;
  readonly #leads: Leads;
  /** By kind and id, those changed last at the end: as they stand, undefined where there is none yet. */
  readonly #heads = new Map<string, Head | undefined>();
  readonly #changed = new Map<string, Changed>();
  readonly #counts = new Map<string, { readonly kind: string; readonly state: string; change: number }>();
  #nextResource: number;

  readonly #search: SearchIndex;

  constructor(connection: Connection, leads: Leads, search: SearchIndex) {
    this.#leads = leads;
    this.#search = search;
    this.#head = connection.row<Head>(
      'SELECT resource, version, last_hash, state, alarm_at, alarm_action FROM resources WHERE kind = ? AND id = ?',
    );
    this.#write = new Bulk(connection, {
      insert: `INSERT INTO resources (resource, kind, id, version, state, last_hash, machine, created_at, updated_at,
        alarm_at, alarm_action, context, context_at)`,
      columns: 13,
      // Not created_at: it never changes, and to set it would cost the index on it.
      ending: `ON CONFLICT (resource) DO UPDATE SET version = excluded.version, state = excluded.state,
        last_hash = excluded.last_hash, machine = excluded.machine, updated_at = excluded.updated_at,
        alarm_at = excluded.alarm_at, alarm_action = excluded.alarm_action, context = excluded.context,
        context_at = excluded.context_at`,
    });
    this.#addLabel = new Bulk(connection, { insert: 'INSERT OR IGNORE INTO labels', columns: 5 });
    this.#dropLabel = connection.change(
      'DELETE FROM labels WHERE kind = ? AND label = ? AND created_at = ? AND id = ?',
    );
    this.#count = connection.change(
      'INSERT INTO census VALUES (?,?,?) ON CONFLICT (kind, state) DO UPDATE SET count = count + excluded.count',
    );
    this.#nextResource = (connection.value('SELECT ifnull(max(resource), 0) FROM resources') as number) + 1;
  }

  /** Whether this is the next version of the resource as it stands. */
  isNext({ kind, id, version, prev }: Version): boolean {
    const head = this.#headOf(kind, id);
    return head ? version === head[1] + 1 && prev === head[2] : version === 1 && prev === null;
  }

  /** @param contextAt the entry that its context lies with (schema.ts, contextsInEntries) */
  keep(job: SnapshotJob, seq: number, contextAt: number | null): void {
    const { kind, id, version, state, lastHash, alarm, createdAt } = job;
    const head = this.#headOf(kind, id);
    const resource = head ? head[0] : this.#nextResource++;
    if (head?.[3] !== state) {
      if (head) this.#counted(kind, head[3], -1);
      this.#counted(kind, state, 1);
    }
    const alarmAt = alarm === undefined ? (head?.[4] ?? null) : (alarm?.at ?? null);
    const alarmAction = alarm === undefined ? (head?.[5] ?? null) : (alarm?.action ?? null);
    const ref = `${kind}/${id}`;
    // Set anew, it is the last of the map.
    this.#heads.delete(ref);
    this.#heads.set(ref, [resource, version, lastHash, state, alarmAt, alarmAction]);
    this.#changed.set(ref, { resource, job, contextAt, alarmAt, alarmAction });
    if (job.dropLabels.length > 0) this.#addLabel.flush();
    for (const label of job.dropLabels) this.#dropLabel([kind, label, createdAt, id]);
    for (const label of job.addLabels) this.#addLabel.add(kind, label, createdAt, id, resource);
    if (job.search) this.#search.keep(resource, job, job.search);
    this.#leads.add(ways.resource, resource, seq);
  }

  /** Writes what changed, and forgets the heads unused for longest. */
  flush(): void {
    for (const { resource, job, contextAt, alarmAt, alarmAction } of this.#changed.values()) {
      const { kind, id, version, state, lastHash, machine, createdAt, updatedAt, context } = job;
      this.#write.add(resource, kind, id, version, state, lastHash);
      const own = contextAt === null ? context : '';
      this.#write.add(machine, createdAt, updatedAt, alarmAt, alarmAction, own, contextAt);
    }
    this.#write.flush();
    this.#addLabel.flush();
    for (const { kind, state, change } of this.#counts.values()) if (change !== 0) this.#count([kind, state, change]);
    this.#changed.clear();
    this.#counts.clear();
    for (const ref of this.#heads.keys()) {
      if (this.#heads.size <= keptHeads) break;
      this.#heads.delete(ref);
    }
  }

  #headOf(kind: string, id: string): Head | undefined {
    const ref = `${kind}/${id}`;
    const known = this.#heads.get(ref);
    if (known || this.#heads.has(ref)) return known;
    const head = this.#head([kind, id]);
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

/** An entry names each resource once, and brings the snapshot of each. */
export function assertWhole(versions: readonly Version[], snapshots: readonly SnapshotJob[]): void {
  assert(versions.length === snapshots.length, 'an entry has one snapshot for each version');
  const isWhole = versions.every(({ kind, id, version }, index) => {
    const isFirst = versions.findIndex((other) => other.id === id && other.kind === kind) === index;
    return isFirst && snapshots.some((each) => each.id === id && each.kind === kind && each.version === version);
  });
  assert(isWhole, 'an entry has one snapshot for each version');
}
