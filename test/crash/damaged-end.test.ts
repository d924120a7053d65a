/** A journal whose end is cut off or damaged: no node continues it, and the error names the problem. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { StoreRefused } from '../../src/store/store.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { scratch, tidy } from '../support/scratch.js';
import { auditOf, NodeProcess } from './support/process.js';

/** SQL conditions for the newest entry, and for the one before it. */
const [last, lastButOne] = ['seq = (SELECT max(seq) FROM journal)', 'seq = (SELECT max(seq) - 1 FROM journal)'];
const newestOf = (table: string, column: string) => `${column} = (SELECT max(${column}) FROM ${table})`;

const damages: readonly (readonly [title: string, sql: string, named: RegExp])[] = [
  ['the last entry is gone', `DELETE FROM journal WHERE ${last}`, /its last entry is 7, .* leads to entry 8/],
  ['the last three are', 'DELETE FROM journal WHERE seq > 5', /its last entry is 5, .* leads to entry 8/],
  ['all of them are', 'DELETE FROM journal', /its last entry is 0, .* leads to entry 8/],
  ['nothing leads to the last entry', 'DELETE FROM new_leads WHERE seq = 8', /last entry is 8, .* leads to entry 7/],
  ['the one before the last is gone', `DELETE FROM journal WHERE ${lastButOne}`, /entry 8 does not follow/],
  [
    'the last one’s text has another byte',
    `UPDATE journal SET core = replace(core, '"v":2', '"v":1') WHERE ${last}`,
    /entry 8 was changed/,
  ],
  [
    'the last one’s text was cut off',
    `UPDATE journal SET core = substr(core, 1, 99) WHERE ${last}`,
    /entry 8 was changed/,
  ],
  ['so was its payload', `UPDATE journal SET payload = substr(payload, 1, 99) WHERE ${last}`, /entry 8 was changed/],
  [
    'its place in the chain is another',
    `UPDATE journal SET chain_hash = entry_hash WHERE ${last}`,
    /8 does not follow/,
  ],
  [
    'a snapshot is newer than its last entry',
    `UPDATE resources SET version = 9 WHERE ${newestOf('resources', 'resource')}`,
    /snapshot of escrow\/\S+ is not what entry 6/,
  ],
  [
    'a snapshot is of another state',
    `UPDATE resources SET state = 'released' WHERE ${newestOf('resources', 'resource')}`,
    /snapshot of escrow\/\S+ is not what entry 6/,
  ],
  [
    'an account is ahead of its last entry',
    'UPDATE accounts SET nonce = nonce + 1 WHERE nonce = 2',
    /the account of did:svc:\S+ is not where entry \d left it/,
  ],
  [
    'the supply is that of an earlier entry',
    'UPDATE house SET supply = supply + 100',
    /balances and fees sum to 200, the supply is 100/,
  ],
  ['supply and fees are gone', 'DELETE FROM house', /the row of the supply and the fees is gone/],
];

/** The rows of the journal, and of the tables derived from it. */
function rowsOf(dir: string): unknown {
  const database = new Database(join(dir, 'journal.db'), { readonly: true });
  const tables = ['journal', 'accounts', 'house', 'resources', 'leads', 'new_leads'];
  const rows = tables.map((table) => database.prepare(`SELECT * FROM ${table}`).raw().all());
  database.close();
  return rows;
}

describe('a journal whose end is damaged', () => {
  let original: string;

  before(async () => {
    const node = await TestNode.start();
    const [ada, ben] = [await node.rich(100), await node.rich(100)];
    const escrow = { beneficiary: ben.did, amount: 6, releaseRules: [{ type: 'manual' }] };
    await ada.pays(ben.did, 7);
    await ben.pays(ada.did, 3);
    await ada.does('/api/v1/escrows', escrow);
    await ada.pays(ben.did, 1);
    await ben.pays(ada.did, 1);
    expect(await node.store.head()).to.include({ seq: 8 });
    await node.stop();
    original = scratch();
    cpSync(node.dir, original, { recursive: true });
    rmSync(node.dir, { recursive: true });
  });
  after(tidy);

  function copyWith(sql: string): string {
    const copy = join(scratch(), 'copy');
    cpSync(original, copy, { recursive: true });
    const database = new Database(join(copy, 'journal.db'));
    expect(database.prepare(sql).run().changes, sql).to.be.above(0);
    database.close();
    return copy;
  }

  for (const [title, sql, named] of damages) {
    it(`is refused at the start where ${title}, and stays as it is`, async () => {
      const dir = copyWith(sql);
      const before = rowsOf(dir);
      const refusal = await TestNode.start({ dir }).then(
        (node) => node.stop(),
        (error: unknown) => error,
      );
      expect(refusal, 'a node goes on from it').to.be.instanceOf(StoreRefused);
      expect((refusal as StoreRefused).message)
        .to.match(/^the journal is damaged: /)
        .and.match(named)
        .and.match(/svc-node audit .* restore a backup/);
      expect(rowsOf(dir), 'nothing was repaired').to.deep.equal(before);
      expect((await auditOf(dir)).ok).to.equal(false);
    });
  }

  it('is refused by the command with one line and the exit code of a refused start', async () => {
    const { code, stderr } = await NodeProcess.spawn(copyWith(`DELETE FROM journal WHERE ${last}`)).ended;
    expect(code).to.equal(1);
    expect(stderr).to.match(/^svc-node: the journal is damaged: .*\n$/);
  });

  it('that is damaged while a node runs is 503 for its readers only', async () => {
    const dir = copyWith('UPDATE house SET fees = fees');
    const node = await TestNode.start({ dir });
    try {
      const database = new Database(join(dir, 'journal.db'));
      const newest = `WHERE ${newestOf('resources', 'resource')}`;
      const [id] = database.prepare(`SELECT id FROM resources ${newest}`).raw().get() as [string];
      // Text with an invalid byte and without its end.
      database.exec(`UPDATE resources SET context = CAST(x'7bff' AS TEXT) ${newest}`);
      database.close();
      expectProblem(await node.client.get(`/api/v1/escrows/${id}`), 'SERVICE_UNAVAILABLE');
      expectStatus(await node.client.get('/api/v1/supply'));
    } finally {
      await node.stop();
    }
  });

  it('continues where nothing of it is damaged', async () => {
    const node = await TestNode.start({ dir: copyWith('UPDATE house SET fees = fees') });
    expect(await node.store.head()).to.include({ seq: 8 });
    await node.stop();
  });
});
