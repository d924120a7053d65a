/** Writes entries to a store whose segments are small, until it is killed; prints the number of each that is on disk. */
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { EntryBuilder } from '../../contract/entries.js';

const [dir = ''] = process.argv.slice(2);
const store = await SqliteStore.open({ dir, segmentEntries: 8 });
const builder = new EntryBuilder();
const make = () => builder.mint('did:svc:ada', 1);
for (let { seq } = await store.head(); seq > 0; seq--) make();
for (;;) {
  const results = await store.append([make(), make(), make()]);
  for (const result of results) if (result.ok) process.stdout.write(`${result.seq}\n`);
}
