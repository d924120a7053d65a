import { canonical, type JsonObject } from '../../core/canonical.js';
import type { LeafText } from '../../core/leaf.js';
import { type NumberedReceipt, noHash, type Receipt, receiptHashOf } from '../entry.js';
import type { EntryName, LocalRecord } from '../store.js';
import { storedTexts } from './contents.js';
import type { Collections } from './database.js';
import type { LocalDocument, ReceiptDocument } from './documents.js';
import { isDuplicate, type Outage } from './outage.js';

const localId = (table: string, id: string): string => `${table}/${id}`;

export const receiptOf = ({ _id, prev, hash, body }: ReceiptDocument): NumberedReceipt => ({
  ...(JSON.parse(body) as Receipt),
  number: _id,
  prevReceipt: prev,
  receiptHash: hash,
});

const localOf = ({ id, revision, value }: LocalDocument): LocalRecord => ({ id, revision, value: JSON.parse(value) });

export class RecordReads {
  constructor(
    protected readonly collections: Pick<Collections, 'receipts' | 'contents' | 'order' | 'local'>,
    protected readonly outage: Outage,
  ) {}

  async receipt(entryHash: string): Promise<NumberedReceipt | undefined> {
    const query = { entry: { $in: [entryHash] } };
    const newest = this.collections.receipts.find(query).sort({ _id: -1 }).limit(1);
    const [found] = await this.outage.read(() => newest.toArray());
    return found && receiptOf(found);
  }

  async receipts(after: number, limit: number): Promise<readonly NumberedReceipt[]> {
    const page = this.collections.receipts
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(limit);
    return (await this.outage.read(() => page.toArray())).map(receiptOf);
  }

  async receiptsOf(txHash: string): Promise<readonly NumberedReceipt[]> {
    const all = this.collections.receipts.find({ tx: { $in: [txHash] } }).sort({ _id: 1 });
    return (await this.outage.read(() => all.toArray())).map(receiptOf);
  }

  async content(hash: string): Promise<Uint8Array | undefined> {
    const found = await this.outage.read(() => this.collections.contents.findOne({ _id: { $in: [hash] } }));
    return found?.bytes.value();
  }

  texts(hashes: readonly string[]): Promise<Map<string, LeafText>> {
    return storedTexts(this.collections.contents, hashes, (read) => this.outage.read(read));
  }

  protected async firstNaming(hash: string): Promise<number | undefined> {
    const found = await this.outage.read(() => this.collections.contents.findOne({ _id: { $in: [hash] } }));
    const numbers = await this.#numbersOf(found?.entries ?? []);
    return numbers.size > 0 ? Math.min(...numbers.values()) : undefined;
  }

  /** A slice of the whole content, which the server sends in one piece. */
  async contentPart(hash: string, from: number, length: number): Promise<Uint8Array | undefined> {
    return (await this.content(hash))?.slice(from, from + length);
  }

  /** Lists each content under the first entry that named it. */
  async contentsOf(named: readonly EntryName[]): Promise<{ entry: string; hash: string }[]> {
    const entryHashes = named.map(({ entryHash }) => entryHash);
    const query = { entries: { $in: entryHashes } };
    const all = this.collections.contents.find(query, { projection: { entries: 1 } }).sort({ _id: 1 });
    const found = await this.outage.read(() => all.toArray());
    const shared = found.flatMap(({ entries }) => (entries.length > 1 ? entries : []));
    const numbers = shared.length > 0 ? await this.#numbersOf(shared) : new Map<string, number>();
    const numberOf = (entry: string) => numbers.get(entry) ?? Number.MAX_SAFE_INTEGER;
    return found.flatMap(({ _id: hash, entries }) => {
      const [entry] = [...entries].sort((a, b) => numberOf(a) - numberOf(b));
      return entry !== undefined && entryHashes.includes(entry) ? [{ entry, hash }] : [];
    });
  }

  async #numbersOf(entryHashes: readonly string[]): Promise<Map<string, number>> {
    const query = { entry: { $in: [...entryHashes] } };
    const places = this.collections.order.find(query, { projection: { entry: 1 } });
    return new Map((await this.outage.read(() => places.toArray())).map(({ _id, entry }) => [entry, _id]));
  }

  async getLocal(table: string, id: string): Promise<LocalRecord | undefined> {
    const found = await this.outage.read(() => this.collections.local.findOne({ _id: { $in: [localId(table, id)] } }));
    return found ? localOf(found) : undefined;
  }

  async listLocal(table: string): Promise<LocalRecord[]> {
    const all = this.collections.local.find({ table: { $in: [table] } }).sort({ id: 1 });
    return (await this.outage.read(() => all.toArray())).map(localOf);
  }

  async localTables(): Promise<string[]> {
    return (await this.outage.read(() => this.collections.local.distinct('table'))).sort();
  }
}

export interface RecordWriteOptions {
  readonly outage: Outage;
  readonly newWrite: () => string;
}

export class RecordWrites {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly collections: Pick<Collections, 'receipts' | 'local'>,
    private readonly options: RecordWriteOptions,
  ) {}

  /** Calls run one at a time; another process may write between two of them. */
  appendReceipts(receipts: readonly Receipt[]): Promise<void> {
    const result = this.#last.then(() => this.#append(receipts));
    // The next call waits for this one; a failure is reported to its own caller.
    this.#last = result.catch(() => {});
    return result;
  }

  async putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean> {
    const { local } = this.collections;
    const _id = localId(table, id);
    const write = this.options.newWrite();
    const next = { revision: revision + 1, value: JSON.stringify(value), write };
    const put = async () => {
      if (revision === 0) return (await local.insertOne({ _id, table, id, ...next })).acknowledged;
      return (await local.updateOne({ _id, revision }, { $set: next })).matchedCount === 1;
    };
    return (await this.#orDuplicate(put)) || this.#isStill(_id, write);
  }

  async deleteLocal(table: string, id: string): Promise<boolean> {
    const { outage } = this.options;
    const _id = localId(table, id);
    let tries = 0;
    return outage.retry(async () => {
      tries++;
      const { deletedCount } = await this.collections.local.deleteOne({ _id });
      // An earlier attempt, whose reply was lost, may have deleted it.
      return deletedCount === 1 || tries > 1;
    });
  }

  async #append(receipts: readonly Receipt[]): Promise<void> {
    const { outage } = this.options;
    for (let rest = receipts; rest.length > 0; ) {
      const newest = () => this.collections.receipts.find({}).sort({ _id: -1 }).limit(1).toArray();
      const [last] = await outage.retry(newest);
      // Checked after reading the newest number: a receipt of another process in between takes this number, and the
      // insert fails.
      rest = await this.#notStored(rest);
      const documents = chained(rest, last);
      if (documents.length === 0) return;
      const done = await this.#orDuplicate(async () => {
        await this.collections.receipts.insertMany(documents, { ordered: true });
        return true;
      });
      if (done) return;
      // Another process used one of the numbers, or an earlier attempt succeeded in part.
      const hashes = documents.map(({ hash }) => hash);
      const ours = () => this.collections.receipts.find({ hash: { $in: hashes } }).toArray();
      rest = rest.slice((await outage.retry(ours)).length);
    }
  }

  /**
   * The receipts that are not stored yet. Another settler may have stored some with the same content, if this process
   * was delayed.
   */
  async #notStored(receipts: readonly Receipt[]): Promise<readonly Receipt[]> {
    const entries = receipts.map(({ entryHash }) => entryHash);
    const find = () =>
      this.collections.receipts
        .find({ entry: { $in: entries } })
        .sort({ _id: 1 })
        .toArray();
    const newest = new Map((await this.options.outage.retry(find)).map(({ entry, body }) => [entry, body]));
    return receipts.filter((receipt) => newest.get(receipt.entryHash) !== canonical(receipt));
  }

  /** False if a document with that `_id` exists. */
  async #orDuplicate(call: () => Promise<boolean>): Promise<boolean> {
    try {
      return await this.options.outage.retry(call);
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  async #isStill(_id: string, write: string): Promise<boolean> {
    return (await this.options.outage.retry(() => this.collections.local.findOne({ _id })))?.write === write;
  }
}

function chained(receipts: readonly Receipt[], last: ReceiptDocument | undefined): ReceiptDocument[] {
  let number = last?._id ?? 0;
  let prev = last?.hash ?? noHash;
  return receipts.map((receipt) => {
    const hash = receiptHashOf(++number, prev, receipt);
    const document = {
      _id: number,
      entry: receipt.entryHash,
      tx: receipt.txHash,
      prev,
      hash,
      body: canonical(receipt),
    };
    prev = hash;
    return document;
  });
}
