/** Makes a journal of some thousand entries in a data directory within seconds: in memory first, then moved. */

import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { move, type Side } from '../../../src/verify/move/move.js';
import { accepted, Bench, network } from '../../world/bench.js';
import { ben } from '../../world/people.js';

/** Escrows in several states with labels and deadlines; transfers with and without an idempotency key. */
async function manyEntries(count: number): Promise<Bench> {
  const bench = await Bench.open({}, { ada: 1_000_000 });
  for (let n = 0; n < count; n++) {
    const id = `esc-${n}`;
    const isEscrow = n % 10 === 0;
    if (isEscrow) {
      const body = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: n % 20 === 0 };
      accepted(await bench.ask('ada', 'escrow', id, 'create', body));
    } else accepted(await bench.transfer('ada', 'ben', 1 + (n % 7), n % 3 === 0 ? { key: `key-${n}` } : {}));
  }
  return bench;
}

export async function longJournal(dir: string, count: number): Promise<void> {
  const { store, catalogue } = await manyEntries(count);
  await store.putLocal('api-keys', 'some-key', { label: 'some' }, 0);
  const target = await SqliteStore.open({ dir });
  const side = (one: Side['store'], place: string, read: Side['read']): Side => ({
    store: one,
    place,
    beAlone: async () => {},
    read,
  });
  await move({
    source: side(store, 'memory', (work) => work(store)),
    target: side(target, dir, async (work) => {
      const reader = openFrozen(dir);
      return work(reader).finally(() => reader.close());
    }),
    catalogue,
    network,
    id: 'made',
  });
  await target.close();
}
