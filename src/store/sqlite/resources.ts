/** The writer's snapshots, with what is indexed of them: labels, alarms, the census by state. */
import { assert } from '../../machines/kernel/refusal.js';
import type { Version } from '../entry.js';
import type { Connection } from './connection.js';
import type { SnapshotJob } from './job.js';

type Head = readonly [resource: number, version: number, lastHash: string, state: string];

export class Resources {
  readonly #head;
  readonly #insert;
  readonly #update;
  readonly #setAlarm;
  readonly #addLabel;
  readonly #dropLabel;
  readonly #count;
  readonly #touch;
  #nextResource: number;

  constructor(connection: Connection) {
    this.#head = connection.row<Head>(
      'SELECT resource, version, last_hash, state FROM resources WHERE kind = ? AND id = ?',
    );
    this.#insert = connection.change(
      `INSERT INTO resources (version, state, last_hash, machine, created_at, updated_at, context, resource, kind, id)
       VALUES (?,?,?,?,?,?,?,?,?,?)`,
    );
    this.#update = connection.change(
      `UPDATE resources SET version = ?, state = ?, last_hash = ?, machine = ?, created_at = ?, updated_at = ?,
       context = ? WHERE resource = ?`,
    );
    this.#setAlarm = connection.change('UPDATE resources SET alarm_at = ?, alarm_action = ? WHERE resource = ?');
    this.#addLabel = connection.change('INSERT OR IGNORE INTO labels VALUES (?,?,?,?,?)');
    this.#dropLabel = connection.change(
      'DELETE FROM labels WHERE kind = ? AND label = ? AND created_at = ? AND id = ?',
    );
    this.#count = connection.change(
      'INSERT INTO census VALUES (?,?,?) ON CONFLICT (kind, state) DO UPDATE SET count = count + excluded.count',
    );
    this.#touch = connection.change('INSERT INTO resource_entries VALUES (?,?)');
    this.#nextResource = (connection.value('SELECT ifnull(max(resource), 0) FROM resources') as number) + 1;
  }

  /** Whether this is the next version of the resource as it stands. */
  isNext({ kind, id, version, prev }: Version): boolean {
    const head = this.#head([kind, id]);
    return head ? version === head[1] + 1 && prev === head[2] : version === 1 && prev === null;
  }

  keep(job: SnapshotJob, seq: number): void {
    const { kind, id, state } = job;
    const values = [job.version, state, job.lastHash, job.machine, job.createdAt, job.updatedAt, job.context];
    const head = this.#head([kind, id]);
    const resource = head ? head[0] : this.#nextResource++;
    if (head) this.#update([...values, resource]);
    else this.#insert([...values, resource, kind, id]);
    if (head?.[3] !== state) {
      if (head) this.#count([kind, head[3], -1]);
      this.#count([kind, state, 1]);
    }
    if (job.alarm !== undefined) this.#setAlarm([job.alarm?.at ?? null, job.alarm?.action ?? null, resource]);
    for (const label of job.dropLabels) this.#dropLabel([kind, label, job.createdAt, id]);
    for (const label of job.addLabels) this.#addLabel([kind, label, job.createdAt, id, resource]);
    this.#touch([resource, seq]);
  }
}

/** An entry names each resource once, and brings the snapshot of each. */
export function assertWhole(versions: readonly Version[], snapshots: readonly SnapshotJob[]): void {
  assert(versions.length === snapshots.length, 'an entry has one snapshot for each version');
  if (versions.length === 0) return;
  const keys = new Set(versions.map(({ kind, id, version }) => `${kind}/${id}@${version}`));
  const whole = snapshots.every(({ kind, id, version }) => keys.delete(`${kind}/${id}@${version}`));
  assert(whole && keys.size === 0, 'an entry has one snapshot for each version');
}
