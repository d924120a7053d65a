/** Two leaders write the same projection at once: each document is left as the newer entry made it. */
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { realEnvironment } from '../../src/core/environment.js';
import { noHash } from '../../src/store/entry.js';
import { Commands } from '../../src/store/mongo/commands.js';
import { Contents } from '../../src/store/mongo/contents.js';
import { Database } from '../../src/store/mongo/database.js';
import { type AccountDocument, blankAccount, systemId } from '../../src/store/mongo/documents.js';
import { Outage } from '../../src/store/mongo/outage.js';
import { Projection } from '../../src/store/mongo/projection.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

const ada = 'did:svc:ada';
const ben = 'did:svc:ben';
const row = (did: string, seq: number): AccountDocument => ({ ...blankAccount(did), seq, available: seq });
const nothing = { writes: [], erasures: [] };
const system = (seq: number) => ({ _id: systemId, seq, chain: noHash, supply: 0, fees: 0 });

/** Between the search of an upsert and its insertion, a server may insert the document of another process. */
class Overtaken extends Commands {
  rival: Document | undefined;

  override async write(command: Document): Promise<number[]> {
    const at = command.updates?.findIndex(({ q, upsert }: Document) => q._id === this.rival?._id && upsert) ?? -1;
    if (at === -1) return super.write(command);
    await super.write({ insert: command.update, documents: [this.rival] });
    this.rival = undefined;
    await super.write({ ...command, updates: command.updates.slice(0, at) });
    return [at];
  }
}

describeMongo('two leaders write projections at once', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let commands: Overtaken;
  let projection: Projection;

  beforeEach(async () => {
    testDatabase = await TestDatabase.fresh();
    database = new Database(testDatabase.url, 'devnet');
    await database.connect();
    commands = new Overtaken(
      () => database.db(),
      () => 'local',
    );
    const outage = new Outage({ world: realEnvironment, log: () => {} });
    projection = new Projection(commands, outage, new Contents(database.collections().contents, outage));
  });

  afterEach(async () => {
    await database.close(realEnvironment);
    await testDatabase.dispose();
  });

  const stored = async (did: string) => (await database.collections().accounts.findOne({ _id: did })) ?? undefined;

  it('an older row that was inserted first is replaced', async () => {
    commands.rival = row(ada, 3);
    await projection.write(nothing, [row(ben, 4), row(ada, 4)], system(4));
    expect(await stored(ada)).to.include({ seq: 4, available: 4 });
    expect(await stored(ben)).to.include({ seq: 4, available: 4 });
    expect(await stored(systemId)).to.include({ seq: 4 });
  });

  it('a newer row that was inserted first stays', async () => {
    commands.rival = row(ada, 5);
    await projection.write(nothing, [row(ben, 4), row(ada, 4)], system(4));
    expect(await stored(ada)).to.include({ seq: 5, available: 5 });
    expect(await stored(ben)).to.include({ seq: 4, available: 4 });
  });
});
