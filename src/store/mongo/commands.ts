/**
 * Runs MongoDB commands directly. That takes a third of the CPU of the driver's bulk writes and cursors; the driver's
 * retries aren't needed, because callers retry (outage.ts) and read unknown outcomes back.
 */
import { type Db, type Document, MongoServerError, MongoWriteConcernError, type ReadConcernLevel } from 'mongodb';
import { duplicateKey } from './outage.js';

/** Bounds of one command. Stays below the server's 48 MB even at four bytes per character. */
const largestBatch = { documents: 1_000, characters: 12_000_000 };

interface WriteReply extends Document {
  readonly writeErrors?: readonly { readonly index: number; readonly code: number; readonly errmsg: string }[];
  readonly writeConcernError?: Document;
}

export interface Find {
  readonly filter: Document;
  readonly sort?: Document;
  readonly limit?: number;
}

export class Commands {
  constructor(
    private readonly db: () => Db,
    private readonly readConcern: () => ReadConcernLevel,
  ) {}

  /**
   * Reads as many documents as fit into one reply of 16 MB, and at least one.
   * @param level the read concern, if it differs from the database's
   */
  async find<T>(collection: string, { filter, sort, limit = 0 }: Find, level = this.readConcern()): Promise<T[]> {
    const order = sort ? { sort } : {};
    const command = { find: collection, filter, ...order, limit, batchSize: limit || 1_000, singleBatch: true };
    const reply = await this.db().command({ ...command, readConcern: { level } });
    return reply.cursor.firstBatch as T[];
  }

  /**
   * Inserts durably.
   * @returns the indexes of documents that violated a unique key. In an ordered insert it is the first one, and later
   * documents were not inserted
   */
  async insert(collection: string, documents: readonly Document[], ordered: boolean): Promise<number[]> {
    const refused: number[] = [];
    let from = 0;
    for (const batch of batches(documents)) {
      for (const index of await this.write({ insert: collection, documents: batch, ordered }))
        refused.push(from + index);
      if (ordered && refused.length > 0) break;
      from += batch.length;
    }
    return refused;
  }

  /** Writes durably. @returns the indexes of the writes that violated a unique key */
  async write(command: Document): Promise<number[]> {
    const writeConcern = { w: 'majority', j: true };
    const reply: WriteReply = await this.db().command({ ...command, writeConcern });
    if (reply.writeConcernError) throw new MongoWriteConcernError(reply as never);
    const { writeErrors = [] } = reply;
    const failure = writeErrors.find(({ code }) => code !== duplicateKey);
    if (failure) throw new MongoServerError(failure);
    return writeErrors.map(({ index }) => index);
  }
}

/** Splits documents into batches of the largest size, in order. */
export function* batches<T extends Document>(documents: readonly T[]): Iterable<readonly T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const document of documents) {
    const weight = weightOf(document);
    if (batch.length >= largestBatch.documents || (characters + weight > largestBatch.characters && batch.length > 0)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    characters += weight;
    batch.push(document);
  }
  if (batch.length > 0) yield batch;
}

/** Approximate number of characters in a document's texts, including nested ones. */
function weightOf(document: Document): number {
  let weight = 0;
  for (const name in document) {
    const value: unknown = document[name];
    if (typeof value === 'string') weight += value.length + name.length;
    else weight += typeof value === 'object' && value !== null ? 16 + weightOf(value) : 16;
  }
  return weight;
}
