/**
 * Inserts entries by one unordered insert, and determines the outcome of each. The server's errors are matched by
 * index, never counted. After a duplicate key or a lost reply the entry is read back by its `_id`: if it exists, it is
 * in the journal, by this attempt or an earlier one.
 */
import type { Collection } from 'mongodb';
import { type Environment, pause } from '../../core/environment.js';
import { assert } from '../../core/refusal.js';
import type { Commands } from './commands.js';
import type { EntryDocument } from './documents.js';
import type { AppendJob } from './job.js';
import type { Outage } from './outage.js';

export interface Loss {
  readonly taken: string;
  readonly owner: string;
}

export interface InsertionOptions {
  readonly entries: Collection<EntryDocument>;
  readonly commands: Commands;
  readonly outage: Outage;
  readonly world: Environment;
}

const pauseMs = 10;

/**
 * Resolves with the jobs that lost; the others are durable. Rejects with StoreClosed if the store closes before the
 * outcome is known.
 */
export async function insert(jobs: readonly AppendJob[], options: InsertionOptions): Promise<Map<AppendJob, Loss>> {
  const losses = new Map<AppendJob, Loss>();
  for (let open = jobs; ; ) {
    const doubtful = await attempt(open, options);
    open = doubtful.length === 0 ? [] : await sort(doubtful, losses, options);
    if (open.length === 0) return losses;
    await pause(options.world, pauseMs);
  }
}

/** @returns the jobs whose outcome is not known after this call */
async function attempt(
  jobs: readonly AppendJob[],
  { commands, outage }: InsertionOptions,
): Promise<readonly AppendJob[]> {
  const documents = jobs.map(({ document }) => document!);
  const refused = await outage.once(() => commands.insert('entries', documents, false));
  return refused?.map((index) => jobs[index]!) ?? jobs;
}

/** Records the jobs that lost. @returns those that were neither stored nor blocked by another entry */
async function sort(
  jobs: readonly AppendJob[],
  losses: Map<AppendJob, Loss>,
  { entries, outage }: InsertionOptions,
): Promise<AppendJob[]> {
  const ids = jobs.map(({ document }) => document!._id);
  const present = await outage.retry(() => entries.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray());
  const there = new Set(present.map(({ _id }) => _id));
  const absent = jobs.filter(({ document }) => !there.has(document!._id));
  if (absent.length === 0) return [];
  const keys = absent.flatMap((job) => job.keys);
  const query = { keys: { $in: keys } };
  const owners = await outage.retry(() => entries.find(query, { projection: { keys: 1 } }).toArray());
  const ownerOf = new Map(owners.flatMap(({ _id, keys: held }) => held.map((key) => [key, _id] as const)));
  return absent.filter((job) => {
    const taken = job.keys.find((key) => ownerOf.has(key));
    if (taken === undefined) return true;
    const owner = ownerOf.get(taken);
    assert(owner !== undefined && owner !== job.document!._id, 'an entry does not lose to itself');
    losses.set(job, { taken, owner });
    return false;
  });
}
