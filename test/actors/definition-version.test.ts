/**
 * Definition versions (docs/ARCHITECTURE.md#the-write-path): a named migration brings stored states of an older version to the
 * current one; entries are replayed under the version that decided them; an unknown version is refused with a clear message.
 */
import { expect } from 'chai';
import type { JsonObject } from '../../src/core/canonical.js';
import { isRefusal } from '../../src/core/refusal.js';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import type { AnyDefinition, Migration } from '../../src/machines/kernel/resource.js';
import { definitionVersion } from '../../src/machines/kernel/versioning.js';
import { accepted, Bench } from '../world/bench.js';
import { withPayouts } from '../world/payout.js';
import { ben } from '../world/people.js';

const others = Object.values(everyKind.definitions).filter(({ kind }) => kind !== 'escrow');
const under = (definition: AnyDefinition) => catalogueOf([...others, definition]);

/** The next version of the definition has a `note` on each escrow; a migration writes `guessed` into older ones. */
const plain: AnyDefinition = { ...escrow, past: [], migrations: [] };
const second: AnyDefinition = { ...plain, revision: escrow.revision + 1 };
const third: AnyDefinition = { ...plain, revision: escrow.revision + 2 };
const step = (from: AnyDefinition, to: AnyDefinition, note: string): Migration => ({
  name: `escrows-have-the-note-${note}`,
  from: definitionVersion(from),
  to: definitionVersion(to),
  migrate: ({ state, context }) => ({ state, context: { ...context, note: `${context.note ?? ''}${note}` } }),
});
const toSecond = step(escrow, second, 'a');
const toThird = step(second, third, 'b');

const create = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };
const contextOf = (bench: Bench, id: string): JsonObject => bench.store.tables.snapshot('escrow', id)!.context;

describe('a resource under a definition version that this node does not know', () => {
  it('accepts no action, and the refusal names its version', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const next = await bench.restart({ catalogue: under(second) });
    const before = next.dump();
    const result = await next.ask('ada', 'escrow', 'esc-1', 'release', { amount: 10 });
    if (!isRefusal(result)) return expect.fail('it was to be refused');
    expect(result.code).to.equal('INTERNAL_ERROR');
    expect(result.detail).to.match(/under law escrow-\d+-[0-9a-f]{12}; this node knows escrow-\d+-[0-9a-f]{12} only/);
    expect(next.dump()).to.equal(before);
  });

  it('nor does a workflow that only reads it', async () => {
    const bench = await Bench.open({ catalogue: withPayouts }, { ada: 100 });
    const start = { escrowId: 'esc-1', beneficiary: ben, amount: 10, autoFund: true };
    accepted(await bench.ask('ada', 'payout', 'payout-1', 'start', start));
    const newer = catalogueOf(
      Object.values(withPayouts.definitions).map((each) => (each.kind === 'escrow' ? second : each)),
      withPayouts.workflows,
    );
    const next = await bench.restart({ catalogue: newer });
    const result = await next.ask('ada', 'payout', 'payout-1', 'drive', { action: 'release', amount: 4 });
    expect(isRefusal(result) && result.code).to.equal('INTERNAL_ERROR');
  });

  it('new resources are created under the new version', async () => {
    const bench = await Bench.open({ catalogue: under(second) }, { ada: 100 });
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'release', { amount: 10 }));
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('the audit names the first entry of an unknown version', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    const { entry } = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const next = await bench.restart({ catalogue: under(second) });
    const { flaw } = await next.audit();
    expect(flaw).to.include({ seq: entry.seq });
    expect(flaw?.what).to.match(/^it was decided by escrow-\d+-[0-9a-f]{12}, and this program knows escrow-\d+-/);
  });
});

describe('a resource under an older definition version that this node knows', () => {
  const knowing = under({
    ...third,
    past: [escrow, { ...second, migrations: [toSecond] }],
    migrations: [toSecond, toThird],
  });

  it('is migrated by name, step by step, with the entry that next writes it', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const next = await bench.restart({ catalogue: knowing });
    const { entry } = accepted(await next.ask('ada', 'escrow', 'esc-1', 'release', { amount: 4 }));
    expect(entry.core.versions[0]).to.include({ version: 2, machine: definitionVersion(third) });
    expect(contextOf(next, 'esc-1')).to.include({ note: 'ab', released: 4 });
  });

  it('replays under each of the versions that decided its entries', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    for (const id of ['esc-1', 'esc-2', 'esc-3']) accepted(await bench.ask('ada', 'escrow', id, 'create', create));
    const older = under({ ...second, past: [escrow], migrations: [toSecond] });
    const next = await bench.restart({ catalogue: older });
    accepted(await next.ask('ada', 'escrow', 'esc-1', 'release', { amount: 4 }));
    const last = await next.restart({ catalogue: knowing });
    accepted(await last.ask('ada', 'escrow', 'esc-1', 'release', { amount: 4 }));
    accepted(await last.ask('ada', 'escrow', 'esc-2', 'release', { amount: 10 }));
    expect(contextOf(last, 'esc-1')).to.include({ note: 'ab', released: 8 });
    expect(contextOf(last, 'esc-3')).to.not.have.property('note');
    expect(await last.audit()).to.include({ ok: true });
  });

  it('the audit finds a migration whose result has changed', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const next = await bench.restart({ catalogue: under({ ...second, past: [escrow], migrations: [toSecond] }) });
    const { entry } = accepted(await next.ask('ada', 'escrow', 'esc-1', 'release', { amount: 4 }));
    const other = step(escrow, second, 'other');
    const last = await next.restart({ catalogue: under({ ...second, past: [escrow], migrations: [other] }) });
    const { flaw } = await last.audit();
    expect(flaw).to.include({ seq: entry.seq, what: 'its versions are not what the action gives' });
  });
});

describe('a workflow that has changed', () => {
  it('replays as it was when it decided', async () => {
    const bench = await Bench.open({ catalogue: withPayouts }, { ada: 100 });
    const start = { escrowId: 'esc-1', beneficiary: ben, amount: 10, autoFund: true };
    const { entry } = accepted(await bench.ask('ada', 'payout', 'payout-1', 'start', start));
    expect(entry.core.law).to.match(/^payout-1-[0-9a-f]{12}\+1$/);
    const was = withPayouts.workflows['payout.start']!;
    const now = { revision: 2, subCommands: () => [] };
    const changed = (past: object) =>
      catalogueOf(Object.values(withPayouts.definitions), {
        ...withPayouts.workflows,
        'payout.start': { ...now, ...past },
      });
    const knowing = await bench.restart({ catalogue: changed({ past: [was] }) });
    expect(await knowing.audit()).to.include({ ok: true });
    const forgetful = await bench.restart({ catalogue: changed({}) });
    const { flaw } = await forgetful.audit();
    expect(flaw).to.include({ seq: entry.seq });
    expect(flaw?.what).to.contain('knows revision 2 of payout.start');
  });
});
