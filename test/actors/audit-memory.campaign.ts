/** The memory of an audit does not grow with the journal. */
import { expect } from 'chai';
import { SystemWriter } from '../../src/actors/system.js';
import { WritePath } from '../../src/actors/write-path.js';
import { realEnvironment } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { deriveSigner, systemKeyInfo } from '../../src/keys/signing.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { SqliteConnection } from '../../src/store/sqlite/connection.js';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { openFrozen } from '../../src/store/sqlite/frozen-reader.js';
import { audit } from '../../src/verify/audit.js';
import { Directory } from '../contract/sqlite/support.js';
import { bytesInUse } from '../support/memory.js';
import { accepted, network } from '../world/bench.js';
import { didOf, signer } from '../world/people.js';

/** The heap is measured after so many entries, and again after four times as many. */
const first = 1_500;
const atOnce = 50;
/** Bound per entry. The hashes of an entry that stayed in memory would take some 300 bytes. */
const mostBytesEach = 150;

describe('The memory of an audit', () => {
  const directory = new Directory();
  const { row, rows } = SqliteConnection.prototype;
  afterEach(() => Object.assign(SqliteConnection.prototype, { row, rows }));

  it('is the same behind four times as many entries, on the heap and in SQLite', async () => {
    await transfersUpTo(4 * first);
    const asked = new Set<string>();
    Object.assign(SqliteConnection.prototype, {
      row(this: SqliteConnection, sql: string, ...values: []) {
        asked.add(sql);
        return row.call(this, sql, ...values);
      },
      rows(this: SqliteConnection, sql: string, ...values: []) {
        asked.add(sql);
        return rows.call(this, sql, ...values);
      },
    });
    const heap: number[] = [];
    let seen = 0;
    const companion = {
      saw: () => {
        seen++;
      },
      pause: async () => {
        if (heap.length < 2 && seen >= first * 4 ** heap.length) heap.push(await bytesInUse());
      },
    };
    const store = openFrozen(directory.path);
    const { ok } = await audit(store, catalogue, network, { companion, threads: 1 });
    await store.close();
    expect(ok).to.equal(true);
    const [before, after] = heap as [number, number];
    expect((after - before) / (3 * first)).to.be.below(mostBytesEach);
    expect([...asked].filter(sorts)).to.deep.equal([]);
  });

  async function transfersUpTo(count: number): Promise<void> {
    const store = await directory.open('thread');
    const actors = new WritePath({
      ...{ catalogue, network, store, world: realEnvironment, node: didOf('node') },
      bounds: {
        registry: { mailbox: 1_000, actors: 20_000, bytes: 2 ** 26 },
        nonces: { ahead: 64, waitMs: 1_000, waiting: 256 },
        committed: { count: 20_000, bytes: 2 ** 26 },
        ...{ written: 256, regroupings: 3, losses: 8, tsSlackMs: 600_000 },
      },
      onFault: (fault) => assert(false, `the store failed: ${fault}`),
    });
    await actors.committer.open();
    const system = new SystemWriter(actors, deriveSigner(signer('node'), systemKeyInfo));
    await system.appoint(signer('node'));
    const [ada, to] = [signer('ada'), didOf('ben')];
    const mint = { kind: 'account', id: ada.did, action: 'mint', input: { amount: count } };
    accepted(await system.execute(mint));
    const pay = { kind: 'account', id: ada.did, action: 'transfer', input: { to, amount: 1 } };
    const command = { ...pay, signer: ada.did, unlock: () => ada };
    const { seq } = await store.head();
    for (let made = seq; made < count; made += atOnce)
      await Promise.all(Array.from({ length: atOnce }, async () => accepted(await actors.execute(command))));
  }

  /** Whether SQLite sorts or groups rows for it in memory. The census has a row for each state of a kind. */
  function sorts(sql: string): boolean {
    if (!/^(SELECT|WITH)\s/.test(sql) || sql.includes('census')) return false;
    const connection = new SqliteConnection(databaseFile(directory.path), { cacheKiB: 100, readOnly: true });
    try {
      const plan = rows.call(connection, `EXPLAIN QUERY PLAN ${sql}`, ...[...sql.matchAll(/\?/g)].map(() => null));
      return plan.some((step) => /TEMP B-TREE|AUTOMATIC/.test(String(step.at(-1))));
    } finally {
      connection.close();
    }
  }
});
