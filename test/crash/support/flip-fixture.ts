/** A node's database with rows in every table and index, and the entries written to it later. */
import { readFileSync } from 'node:fs';
import { dayMs } from '../../../src/core/bounds.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { capabilityListing } from '../../../src/machines/lease/listing.js';
import { taskListing } from '../../../src/machines/task-order/listing.js';
import type { Receipt } from '../../../src/store/entry.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { PlacedCommit } from '../../../src/store/store.js';
import { audit } from '../../../src/verify/audit.js';
import { JournalCopy } from '../../../src/verify/move/copy.js';
import { expectStatus } from '../../node/support/answers.js';
import { buys, onOrder, publishes } from '../../node/support/market.js';
import { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';

export interface Fixture {
  /** The database file of a stopped node. */
  readonly file: Buffer;
  /** Entries that another process wrote after those of the file. */
  readonly later: readonly PlacedCommit[];
}

/** A bound at which some rows of the secondary index are merged and others are not yet (secondary-index.ts). */
const newIndexRows = 256;
const longText = 'Rain of forty stations, by the hour; wind, pressure and snow where a station has them. '.repeat(30);

export async function makeFixture(): Promise<Fixture> {
  const node = await TestNode.start({ store: (dir) => SqliteStore.open({ dir, newIndexRows }) });
  try {
    const people = [await node.rich(2_000), await node.rich(2_000), await node.rich(2_000)] as const;
    await firstDay(node, people);
    node.world.skip(dayMs);
    await secondDay(node, people);
    await besideTheJournal(node);
    await node.stop();
    const head = await readHead(node.dir);
    const file = readFileSync(databaseFile(node.dir));
    await node.restart();
    await afterwards(people.map((person) => person.through(node.client)) as unknown as People);
    await node.stop();
    return { file, later: await commitsBehind(node.dir, head) };
  } finally {
    await node.discard();
  }
}

type People = readonly [Person, Person, Person];

async function firstDay(node: TestNode, [ada, ben, cyd]: People): Promise<void> {
  await sellsData(ada, ben);
  for (const { route, create } of [taskListing, capabilityListing]) {
    for (const title of ['Rain of the north', 'Wind and rain', 'Überlegung zum Schnee']) {
      const own = { ...create.example, title, tags: ['weather', title.slice(0, 4).toLowerCase()] };
      expectStatus(await cyd.write(`/api/v1${route.path}`, own), 201);
    }
  }
  for (let amount = 1; amount <= 8; amount++) await ada.pays(ben.did, amount, { memo: `part ${amount}` });
  await node.operate('account', cyd.did, 'freeze', {});
  await node.operate('account', cyd.did, 'unfreeze', {});
}

async function sellsData(seller: Person, buyer: Person): Promise<void> {
  const content = { format: 'text/plain', data: 'rain '.repeat(2_000) };
  const listing = await publishes(seller, { content, description: longText, tags: ['rain', 'snow'] });
  await publishes(seller, { title: 'Private rain', visibility: 'private' });
  await publishes(seller, { title: 'Rain of yesterday', pricing: { price: 3 }, stock: 2 });
  const order = await buys(buyer, listing);
  expectStatus(await onOrder(seller, order, 'deliver'));
  expectStatus(await onOrder(buyer, order, 'confirm'));
  expectStatus(await onOrder(buyer, order, 'review', { rating: 5, comment: 'as promised' }));
}

async function secondDay(node: TestNode, [ada, ben, cyd]: People): Promise<void> {
  const escrow = { beneficiary: ben.did, amount: 6, releaseRules: [{ type: 'manual' }], autoFund: true };
  for (let key = 0; key < 6; key++) {
    const headers = { 'Idempotency-Key': `escrow-${key}` };
    const expiresAt = node.world.now() + (key + 1) * dayMs;
    const { escrowId } = await ada.does('/api/v1/escrows', { ...escrow, expiresAt }, headers);
    if (key % 2) await ada.does(`/api/v1/escrows/${escrowId}/actions/release`, { amount: 2 });
  }
  await cyd.does('/api/v1/transfers', { to: ada.did, amount: 9, fee: 1 }, { 'Idempotency-Key': 'once' });
  for (let amount = 1; amount <= 30; amount++) await ben.pays(cyd.did, amount);
}

/** Local data (API keys, a webhook, the admin log, receipts), and free pages. */
async function besideTheJournal(node: TestNode): Promise<void> {
  const admin = await node.keyed({ scope: 'admin' });
  expectStatus(await admin.post('/api/v1/admin/api-keys', { scope: 'read' }), 201);
  const { store } = node;
  const entries = await store.entries({ after: 0, limit: 40 });
  const receipts = entries.map(({ entryHash, seq }, index): Receipt => {
    const txHash = `0x${entryHash.slice(0, 60)}${String(index).padStart(4, '0')}`;
    return { entryHash, seq, status: 'confirmed', txHash, blockNumber: index + 1 };
  });
  await store.appendReceipts(receipts);
  const ids = Array.from({ length: 12 }, (_, index) => `old-${index}`);
  for (const id of ids) await store.putLocal('scratch', id, { text: longText }, 0);
  for (const id of ids) await store.deleteLocal('scratch', id);
}

async function afterwards([ada, ben]: People): Promise<void> {
  await sellsData(ben, ada);
  const escrow = { beneficiary: ben.did, amount: 3, releaseRules: [{ type: 'manual' }], autoFund: true };
  await ada.does('/api/v1/escrows', escrow, { 'Idempotency-Key': 'later' });
  await ada.pays(ben.did, 4);
}

async function readHead(dir: string): Promise<number> {
  const journal = openFrozen(dir);
  try {
    return (await journal.head()).seq;
  } finally {
    await journal.close();
  }
}

async function commitsBehind(dir: string, seq: number): Promise<PlacedCommit[]> {
  const journal = openFrozen(dir);
  const later: PlacedCommit[] = [];
  const target = {
    takeOver: async (commits: readonly PlacedCommit[]) => {
      later.push(...commits);
    },
  };
  try {
    await audit(journal, catalogue, 'devnet', { companion: new JournalCopy(journal, target, catalogue, seq) });
    return later;
  } finally {
    await journal.close();
  }
}
