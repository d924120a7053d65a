/**
 * The contract suite of the store port, run on every adapter.
 * @example storeContract('mongo', async () => ({ store, reopen, dispose }))
 */
import { Bench, type MakeStore } from './fixture.js';
import { appending } from './store/appending.js';
import { contents } from './store/contents.js';
import { erasing } from './store/erasing.js';
import { idempotency } from './store/idempotency.js';
import { ledger } from './store/ledger.js';
import { listOrders } from './store/list-orders.js';
import { lists } from './store/lists.js';
import { records } from './store/records.js';
import { reopening } from './store/reopening.js';
import { reputations } from './store/reputations.js';
import { searching } from './store/searching.js';
import { takingOver } from './store/taking-over.js';
import { upToDate } from './store/up-to-date.js';

/** Parts whose tests write in each way that there is. */
export const writingParts = [appending, records, contents, reopening, takingOver, upToDate];
export const otherParts = [ledger, idempotency, lists, listOrders, erasing, searching, reputations];

export function storeContract(name: string, make: MakeStore, parts = [...writingParts, ...otherParts]): void {
  describe(`store contract: ${name}`, () => {
    const bench = new Bench(make);
    for (const part of parts) part(bench);
  });
}
