/** Contents of entries when two processes bring the same bytes. */
import { expect } from 'chai';
import { sha256Hex } from '../../src/core/canonical.js';
import { realEnvironment } from '../../src/core/environment.js';
import { Contents } from '../../src/store/mongo/contents.js';
import { Database } from '../../src/store/mongo/database.js';
import { Outage } from '../../src/store/mongo/outage.js';
import type { Commit } from '../../src/store/store.js';
import { EntryBuilder } from '../contract/entries.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('bytes that two processes bring', () => {
  it('stay for the one that wins, also where the one that loses has put them there', async () => {
    const target = await TestDatabase.fresh();
    const store = await target.open();
    const rival = new Database(target.url, target.network);
    await rival.connect();
    const contents = new Contents(rival.collections().contents, new Outage({ world: realEnvironment, log: () => {} }));
    const builder = new EntryBuilder();
    const bytes = Buffer.from('the same');
    const bringing = (commit: Commit): Commit => ({ ...commit, contents: [{ hash: sha256Hex('the same'), bytes }] });
    const loser = bringing(builder.fork().mint('did:svc:ben', 1));
    const winner = bringing(builder.mint('did:svc:ada', 1));
    await contents.put([loser]);
    const [result] = await store.append([winner]);
    expect(result).to.include({ ok: true });
    await contents.drop(loser);
    expect(await store.content(sha256Hex('the same'))).to.deep.equal(new Uint8Array(bytes));
    expect(await store.contentsOf([{ seq: 1, entryHash: winner.entry.entryHash }])).to.have.length(1);
    expect(await store.contentsOf([{ seq: 1, entryHash: loser.entry.entryHash }])).to.deep.equal([]);
    await rival.close(realEnvironment);
    await target.dispose();
  });
});
