/** Copies what is not in the journal: receipts with their hash chain, and local records. */
import { canonical } from '../../core/canonical.js';
import type { NumberedReceipt, Receipt } from '../../store/entry.js';
import { derivedTables, type LocalRecord, type Store, type StoreReader, StoreRefused } from '../../store/store.js';
import { markPlace } from './mark.js';

const pageSize = 500;
/** Records written concurrently; a store groups them. */
const atOnce = 64;

const plain = ({ number: _, prevReceipt: __, receiptHash: ___, ...receipt }: NumberedReceipt): Receipt => receipt;

/** Copies receipts. Those in both stores must be equal. */
export async function copyReceipts(source: Pick<StoreReader, 'receipts'>, target: Store): Promise<void> {
  for (let after = 0; ; ) {
    const page = await source.receipts(after, pageSize);
    const there = await target.receipts(after, pageSize);
    const differs = there.find((receipt, index) => receipt.receiptHash !== page[index]?.receiptHash);
    if (differs) throw new StoreRefused(`receipt ${differs.number} of the target is not that of the source`);
    if (page.length > there.length) await target.appendReceipts(page.slice(there.length).map(plain));
    if (page.length < pageSize) return;
    after += page.length;
  }
}

/** Makes the target's local records equal the source's: writes differences and deletes the rest. */
export async function copyLocal(source: StoreReader, target: Store): Promise<void> {
  const tables = new Set([...(await source.localTables()), ...(await target.localTables())]);
  for (const derived of derivedTables) tables.delete(derived);
  for (const table of tables) await copyTable(table, source, target);
}

async function copyTable(table: string, source: StoreReader, target: Store): Promise<void> {
  const isOwn = ({ id }: LocalRecord) => table === markPlace.table && id === markPlace.id;
  const wanted = (await source.listLocal(table)).filter((record) => !isOwn(record));
  const there = new Map((await target.listLocal(table)).map((record) => [record.id, record]));
  const writes: (() => Promise<unknown>)[] = [];
  for (const { id, value } of wanted) {
    const found = there.get(id);
    there.delete(id);
    if (found && canonical(found.value) === canonical(value)) continue;
    writes.push(async () => {
      const written = await target.putLocal(table, id, value, found?.revision ?? 0);
      if (!written) throw new StoreRefused(`the record ${table}/${id} of the target was changed meanwhile`);
    });
  }
  for (const record of there.values()) if (!isOwn(record)) writes.push(() => target.deleteLocal(table, record.id));
  for (let at = 0; at < writes.length; at += atOnce) {
    await Promise.all(writes.slice(at, at + atOnce).map((write) => write()));
  }
}
