/**
 * The past of a market: definitions, workflows, schemas and entries of earlier and later releases
 * (CONTRIBUTING.md#change-a-machine). No release has a past yet, so this market has the only one.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { bodiesNow, flawsOf } from '../../scripts/generate/body-lock.js';
import { isRefusal } from '../../src/core/refusal.js';
import type { AnyDefinition, AnyResource, Migration } from '../../src/machines/kernel/definition.js';
import { allVersionsOf, definitionVersion } from '../../src/machines/kernel/versioning.js';
import { entryOf } from '../../src/store/entry.js';
import { claimDatabase } from '../../src/store/mongo/meta.js';
import type { SqliteConnection } from '../../src/store/sqlite/connection.js';
import { databaseFile, openWriting } from '../../src/store/sqlite/durable.js';
import { migrateSchema, mustBeCurrent, schemaSteps, schemaVersion } from '../../src/store/sqlite/schema.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { StoreRefused } from '../../src/store/store.js';
import { findingInText } from '../../src/verify/entry-text.js';
import { Replay } from '../../src/verify/replay.js';
import { EntryBuilder } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { TestDatabase } from '../mongo/support/database.js';
import { describeMongo } from '../mongo/support/server.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { coreOf, forge, life, rechain, resigned } from '../world/history.js';
import { ben } from '../world/people.js';
import { auctionsWith, withAuctions } from './market.js';
import { offer } from './offer.js';
import { auctionWorkflows } from './workflows.js';

const hourMs = 3_600_000;
const [third, second, first] = allVersionsOf(offer) as [AnyDefinition, AnyDefinition, AnyDefinition];
const version = (of: AnyDefinition) => definitionVersion(of);

describe('A market with a past', () => {
  const open = (definition: AnyDefinition, workflow = auctionWorkflows['offer.create']!) =>
    Bench.open({ catalogue: auctionsWith(definition, { 'offer.create': workflow }) }, { ada: 100, ben: 100, cyd: 100 });
  /** Ada publishes a lot, and Ben makes an offer. */
  async function offers(bench: Bench, name: string): Promise<void> {
    const words = { title: 't', description: 'd', category: 'c', lot: 'x', pricing: { price: 5 }, stock: 1 };
    const body = { ...words, closesAt: bench.world.now() + hourMs };
    accepted(await bench.ask('ada', 'auction-listing', `lst-${name}`, 'create', body));
    accepted(await offering(bench, 'ben', name, 6));
  }
  const offering = (bench: Bench, who: string, lot: string, amount: number, id = `off-${lot}`) =>
    bench.ask(who, 'offer', id, 'create', { listingId: `lst-${lot}`, amount }, { ids: { escrow: `esc-${id}` } });
  const accepting = (bench: Bench, name: string) => bench.ask('ada', 'offer', `off-${name}`, 'accept', {});
  const stored = (bench: Bench, name: string) => bench.store.tables.snapshot('offer', `off-${name}`)!;

  it('migrates a resource by name, step by step, with the next entry that writes it', async () => {
    const bench = await open(first);
    for (const name of ['1', '2']) await offers(bench, name);
    expect(stored(bench, '1').context).to.not.have.property('noteHash');
    const now = await bench.restart({ catalogue: withAuctions });
    const { entry } = accepted(await accepting(now, '1'));
    const written = entry.core.versions.find(({ kind }) => kind === 'offer');
    expect(written).to.include({ version: 2, machine: version(third) });
    expect(stored(now, '1')).to.deep.include({ machine: version(third), state: 'won' });
    expect(stored(now, '1').context).to.include({ noteHash: null });
    expect(stored(now, '2')).to.include({ machine: version(first) });
    expect(stored(now, '2').context).to.not.have.property('noteHash');
  });

  it('replays each entry under the version that decided it, and decides by the current one', async () => {
    const bench = await open(first);
    for (const name of ['1', '2', '3']) await offers(bench, name);
    const middle = await bench.restart({ catalogue: auctionsWith(second) });
    await middle.world.advance(hourMs);
    accepted(await accepting(middle, '1'));
    expect(stored(middle, '1')).to.include({ machine: version(second) });
    const now = await middle.restart({ catalogue: withAuctions });
    expect(codeOf(await accepting(now, '2'))).to.equal('ORDER_INVALID_STATE');
    accepted(await now.operate('offer', 'off-3', 'close'));
    expect(stored(now, '3')).to.include({ machine: version(third) });
    expect(await now.audit()).to.include({ ok: true });
  });

  it('finds a migration whose result has changed', async () => {
    const bench = await open(first);
    await offers(bench, '1');
    const middle = await bench.restart({ catalogue: auctionsWith(second) });
    const { entry } = accepted(await accepting(middle, '1'));
    const [migration] = second.migrations!;
    const changed: Migration = { ...migration!, migrate: ({ state, context }) => ({ state, context }) };
    const now = await middle.restart({ catalogue: auctionsWith({ ...second, migrations: [changed] }) });
    const { flaw } = await now.audit();
    expect(flaw).to.include({ seq: entry.seq, what: 'its versions are not what the action gives' });
  });

  it('replays a workflow as it was when it decided, and names an entry whose revision is gone', async () => {
    const { past, ...making } = auctionWorkflows['offer.create']!;
    const bench = await open(offer, past![0]!);
    await offers(bench, '1');
    accepted(await bench.ask('ada', 'auction-listing', 'lst-1', 'pause', {}));
    const { entry } = accepted(await offering(bench, 'cyd', '1', 7, 'off-2'));
    expect(entry.core.law).to.match(/^offer-3-[0-9a-f]{12}\+1$/);
    const now = await bench.restart({ catalogue: withAuctions });
    expect(codeOf(await offering(now, 'ben', '1', 8, 'off-3'))).to.equal('LISTING_NOT_ACTIVE');
    expect(await now.audit()).to.include({ ok: true });
    const forgetful = await now.restart({ catalogue: auctionsWith(offer, { 'offer.create': making }) });
    expect((await forgetful.audit()).flaw?.what).to.contain('knows revision 2 of offer.create');
  });

  it('refuses a resource of a version that the program does not know, and the audit names its first entry', async () => {
    const bench = await open(offer);
    await offers(bench, '1');
    const earlier = await bench.restart({ catalogue: auctionsWith(second) });
    const before = earlier.dump();
    const result = await accepting(earlier, '1');
    if (!isRefusal(result)) return expect.fail('it was to be refused');
    expect(result.code).to.equal('INTERNAL_ERROR');
    expect(result.detail).to.contain(`under law ${version(third)}; this node knows ${version(second)} only`);
    // Reading the offer that leads is enough.
    expect(codeOf(await offering(earlier, 'cyd', '1', 7, 'off-2'))).to.equal('INTERNAL_ERROR');
    expect(earlier.dump()).to.equal(before);
    const { flaw } = await earlier.audit();
    expect(flaw?.what).to.equal(`it was decided by ${version(third)}, and this program knows ${version(second)}`);
  });

  it('has its bodies locked, of each version and each revision', () => {
    const bodies = (definition: AnyDefinition, workflows = auctionWorkflows) =>
      bodiesNow([definition as AnyResource], workflows);
    const locked = bodies(offer);
    expect(Object.keys(locked)).to.include.members([
      ...[first, second, third].map(version),
      ...['offer.create+1', 'offer.create+2'],
    ]);
    const { subCommands } = auctionWorkflows['offer.create']!.past![0]!;
    const changed = { 'offer.create': { ...auctionWorkflows['offer.create']!, subCommands } };
    expect(flawsOf(locked, bodies(offer, changed))).to.deep.equal([
      'offer.create+2: isChecked has changed, and the version has not',
    ]);
    const past = [second, { ...first, create: (second as AnyResource).create }];
    expect(flawsOf(locked, bodies({ ...offer, past } as never))).to.deep.equal([
      `${version(first)}: create context has changed, and the version has not`,
    ]);
  });
});

describe('An entry of a later release', () => {
  it('is named by the audit, and known to be later, as an earlier one is not', async () => {
    const bench = await life();
    const { journal } = bench.store.tables;
    const last = journal.length;
    const whole = journal[last - 1]!;
    const core = coreOf(whole);
    const found = () => {
      const { coreText, payloadText, entryHash } = journal[last - 1]!;
      return findingInText(entryOf(coreText, payloadText, entryHash));
    };
    expect(found()).to.equal(undefined);
    const { v } = core.event;
    for (const [changed, check] of [
      [{ ...core, v: core.v + 1 }, 'version'],
      [{ ...core, v: 0 }, 'form'],
      [resigned(core, { v: (v + 1) as never }), 'version'],
      [resigned(core, { v: 0 as never }), 'form'],
    ] as const) {
      forge(bench, last, changed);
      expect(found())
        .to.include({ check })
        .with.property('what')
        .that.matches(/which this node does not know$/);
      expect((await bench.audit()).flaw).to.include({ seq: last, what: found()?.what });
    }
  });

  it('may have members that are reserved, in their form: then it is later, and not false', async () => {
    const bench = await life();
    const { journal } = bench.store.tables;
    const last = journal.length;
    const core = coreOf(journal[last - 1]!);
    const whole = journal[last - 1]!;
    const replay = new Replay(bench.catalogue, 'devnet');
    const entries = await bench.store.entries({ after: 0, limit: last });
    for (const entry of entries.slice(0, -1)) expect(replay.apply(entry)).to.equal(undefined);
    const { head } = replay;
    for (const [members, check, what] of [
      [{ for: ben }, 'version', 'its event has for, which this node does not support yet'],
      [{ under: 'grant-1' }, 'version', 'its event has under, which this node does not support yet'],
      [
        { for: ben, under: 'g', most: 5, until: 9 },
        'version',
        'its event has for, under, which this node does not support yet',
      ],
      [{ for: 'ben' }, 'form', 'for of its event has not its form'],
      [{ under: '' }, 'form', 'under of its event has not its form'],
      [{ since: 1 }, 'form', 'it has members that an entry does not have, or not in their form'],
    ] as const) {
      forge(bench, last, resigned(core, members as never));
      expect((await bench.audit()).flaw, what).to.include({ seq: last, check, what });
      const [entry] = await bench.store.entries({ after: last - 1, limit: 1 });
      expect(replay.examine(entry!)).to.deep.equal({ check, what });
      expect(replay.head, 'nothing of it is replayed').to.deep.equal(head);
    }
    journal[last - 1] = whole;
    rechain(bench);
    expect(await bench.audit()).to.include({ ok: true });
  });
});

describe('A later schema', () => {
  const builder = () => new EntryBuilder();

  it('of the embedded database is reached by a step that keeps all rows; this release refuses it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-past-'));
    try {
      const store = await SqliteStore.open({ dir, writer: 'inline' });
      await store.append([builder().mint('did:svc:ada', 5)]);
      const head = await store.head();
      await store.close();
      const change = (to: SqliteConnection) => to.exec('ALTER TABLE event_types ADD COLUMN words TEXT');
      const steps = [...schemaSteps, { name: 'words-about-types', change }];
      const failing = { name: 'none', change: () => expect.fail('the step fails') };
      const later = openWriting(dir);
      expect(() => mustBeCurrent(later, steps)).to.throw(StoreRefused, /start the node once to upgrade it/);
      expect(() => migrateSchema(later, [...schemaSteps, failing])).to.throw('the step fails');
      later.exec('ROLLBACK');
      mustBeCurrent(later);
      migrateSchema(later, steps);
      migrateSchema(later, steps);
      mustBeCurrent(later, steps);
      expect(later.value('PRAGMA user_version')).to.equal(schemaVersion + 1);
      expect(later.row('SELECT seq, chain_hash FROM journal')).to.deep.equal([head.seq, head.chainHash]);
      later.close();
      const refused = await rejection(SqliteStore.open({ dir, writer: 'inline' }));
      expect(refused).to.be.instanceOf(StoreRefused);
      expect(refused.message).to.contain(`${databaseFile(dir)} has schema version ${schemaVersion + 1}`);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

describeMongo('A later schema on MongoDB', () => {
  it('is reached by a step, which is repeated until it is done; this release refuses it', async () => {
    const database = await TestDatabase.fresh();
    try {
      const store = await database.open();
      await store.append([new EntryBuilder().resource({ kind: 'order', id: 'o1' })]);
      await store.close();
      const runs: string[] = [];
      const claim = (fails: boolean) =>
        database.raw(async (client, name) => {
          const change = async (db: ReturnType<typeof client.db>) => {
            runs.push(fails ? 'failed' : 'done');
            await db.collection('resources').updateMany({}, { $set: { words: 'new' } });
            if (fails) throw new Error('the step fails');
          };
          await claimDatabase(client.db(name), 'devnet', [{ name: 'words-about-resources', change }]);
        });
      expect((await rejection(claim(true))).message).to.equal('the step fails');
      await (await database.open()).close();
      await claim(false);
      await claim(false);
      expect(runs).to.deep.equal(['failed', 'done']);
      const found = await database.raw((client, name) => client.db(name).collection('resources').find({}).toArray());
      expect(found.map(({ words }) => words)).to.deep.equal(['new']);
      const refused = await rejection(database.open());
      expect(refused).to.be.instanceOf(StoreRefused);
      expect(refused.message).to.match(/has schema version 4, and this program knows 3/);
    } finally {
      await database.dispose();
    }
  });
});
