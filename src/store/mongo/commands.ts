/**
 * Commands as they go over the wire. A third of the CPU of the driver's bulk writes, and two thirds of its cursors',
 * whose retries are not needed here: whoever asks goes on asking (away.ts), and reads back what it doesn't know.
 */
import { type Db, type Document, MongoServerError, MongoWriteConcernError, type ReadConcernLevel } from 'mongodb';
import { duplicateKey } from './away.js';

/** Documents in one command, below the server's 48 MB even where each character takes four bytes. */
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
   * As many as fit into one reply of 16 MB, and one at least.
   * @param level of the read concern, where it is not that of the database
   */
  async find<T>(collection: string, { filter, sort, limit = 0 }: Find, level = this.readConcern()): Promise<T[]> {
    const order = sort ? { sort } : {};
    const command = { find: collection, filter, ...order, limit, batchSize: limit || 1_000, singleBatch: true };
    const reply = await this.db().command({ ...command, readConcern: { level } });
    return reply.cursor.firstBatch as T[];
  }

  /** Durable. @returns the indexes of those that met a unique key; ordered: of the first one, and none behind it is there */
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

  /** Durable. @returns the indexes of those that met a unique key */
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

/** In their order, each as large as one command may be. */
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

/** About the characters of its texts, those inside of it too. */
function weightOf(document: Document): number {
  let weight = 0;
  for (const name in document) {
    const value: unknown = document[name];
    if (typeof value === 'string') weight += value.length + name.length;
    else weight += typeof value === 'object' && value !== null ? 16 + weightOf(value) : 16;
  }
  return weight;
}
