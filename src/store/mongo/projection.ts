/**
 * Writes what follows from numbered entries: snapshots by version, ledger rows by number, and last the house, which
 * says how far all of it has come. Each write is absolute and conditional on being newer, so it may be done twice, by
 * two processes, and after a crash in any place.
 */
import { type Db, type Document, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { type Away, duplicateKey } from './away.js';
import type { AccountDocument, HouseDocument, ResourceDocument } from './documents.js';

/** Documents in one command, below the server's 48 MB: a snapshot has a MiB at most. */
const largestBatch = { documents: 1_000, characters: 12_000_000 };

interface Stored {
  readonly _id: string;
  readonly body?: string;
}

interface WriteReply extends Document {
  readonly writeErrors?: readonly { readonly index: number; readonly code: number; readonly errmsg: string }[];
  readonly writeConcernError?: Document;
}

export class Projection {
  constructor(
    private readonly db: () => Db,
    private readonly away: Away,
  ) {}

  /** Resolves when all is durable. */
  async write(
    writes: Iterable<ResourceDocument>,
    rows: readonly AccountDocument[],
    house: HouseDocument,
  ): Promise<void> {
    for (const batch of batches([...newest(writes)])) await this.#replace('resources', 'version', batch);
    // The house speaks for the rows before it: it is the last of the last command.
    for (const batch of batches([...rows, house])) await this.#replace('accounts', 'seq', batch);
  }

  /** Where the stored one is as new or newer, nothing matches, and the insert that is then tried meets its `_id`. */
  async #replace<T extends Stored>(collection: string, by: keyof T, documents: readonly T[]): Promise<void> {
    let rest = documents.map((u) => ({ q: { _id: u._id, [by]: { $lt: u[by] } }, u, upsert: true }));
    while (rest.length > 0) {
      // A third of the CPU of bulkWrite, whose retries these writes don't need.
      const newer = await this.away.insist(() => this.#command({ update: collection, updates: rest }));
      // A server that goes on after an error has done the rest, and doing it again changes nothing.
      rest = rest.slice(Math.min(...newer) + 1);
    }
  }

  /** @returns the indexes of those that were newer in the database */
  async #command(command: Document): Promise<number[]> {
    const writeConcern = { w: 'majority', j: true };
    const reply: WriteReply = await this.db().command({ ...command, ordered: true, writeConcern });
    if (reply.writeConcernError) throw new MongoWriteConcernError(reply as never);
    const { writeErrors = [] } = reply;
    const failure = writeErrors.find(({ code }) => code !== duplicateKey);
    if (failure) throw new MongoServerError(failure);
    return writeErrors.map(({ index }) => index);
  }
}

/** Of several versions of a resource the last one. */
function newest(writes: Iterable<ResourceDocument>): Iterable<ResourceDocument> {
  const byId = new Map<string, ResourceDocument>();
  for (const write of writes) if ((byId.get(write._id)?.version ?? 0) < write.version) byId.set(write._id, write);
  return byId.values();
}

function* batches<T extends Stored>(documents: readonly T[]): Iterable<readonly T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const document of documents) {
    characters += document.body?.length ?? 0;
    if (batch.length >= largestBatch.documents || (characters > largestBatch.characters && batch.length > 0)) {
      yield batch;
      batch = [];
      characters = document.body?.length ?? 0;
    }
    batch.push(document);
  }
  if (batch.length > 0) yield batch;
}
