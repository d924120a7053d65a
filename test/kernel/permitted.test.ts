/**
 * The seam for `permittedActions`: what state and time allow, and which guards are open until the input is known, can
 * be told from the definition alone.
 */
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import type { JsonObject } from '../../src/machines/kernel/canonical.js';
import { chartOf } from '../../src/machines/kernel/chart.js';
import type { Happening } from '../../src/machines/kernel/law.js';
import { lawOf } from '../../src/machines/kernel/part.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';
import { accepted, Bench } from '../world/bench.js';
import { noon } from '../world/fake-world.js';
import { ada, ben, cyd, dan } from '../world/people.js';

const dayMs = 86_400_000;

/** An event of which only the time is known. */
const at = (type: string, time: number, more: Partial<Happening> = {}): Happening => ({
  type,
  signer: '',
  roles: [],
  time,
  input: {},
  network: '',
  id: '',
  lastHash: null,
  ...more,
});

/** Action → codes of the guards that are still open; only actions that state and time allow. */
function permitted(definition: AnyResource, state: string, context: JsonObject, time: number) {
  const law = lawOf(definition);
  const found: { [action: string]: { who: readonly string[]; open: string[] } } = {};
  for (const { from, event, guards, who } of chartOf(definition).transitions) {
    if (from !== state) continue;
    const isOver = (name: string) => definition.guards[name]!.over;
    const allowed = guards.every(
      ({ name }) => isOver(name) === 'input' || law.guardHolds(name, context, at(event, time)),
    );
    // The last transition of an action is the general one: its guards are what is open.
    if (allowed)
      found[event] = { who, open: guards.filter(({ name }) => isOver(name) === 'input').map(({ code }) => code) };
  }
  return found;
}

async function snapshotOf(body: JsonObject) {
  const bench = await Bench.open({}, { ada: 1_000 });
  const create = { beneficiary: ben, arbiter: cyd, amount: 10, releaseRules: [{ type: 'manual' }], ...body };
  accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
  return bench.store.tables.snapshot('escrow', 'esc-1')!;
}

describe('permitted actions', () => {
  it('of an unfunded escrow are to fund and to cancel, until it lapses', async () => {
    const { state, context } = await snapshotOf({});
    expect(permitted(escrow, state, context, noon)).to.deep.equal({
      fund: { who: ['depositor', 'workflow'], open: ['UNPROCESSABLE'] },
      cancel: { who: ['depositor', 'workflow'], open: [] },
    });
    expect(Object.keys(permitted(escrow, state, context, noon + 30 * dayMs))).to.deep.equal(['cancel', 'lapse']);
  });

  it('of a funded one are to release and refund, and to expire once the time has passed', async () => {
    const { state, context } = await snapshotOf({ autoFund: true, expiresAt: noon + dayMs });
    const open = ['ESCROW_RULE_NOT_MET', 'UNPROCESSABLE'];
    const now = permitted(escrow, state, context, noon);
    expect(Object.keys(now)).to.deep.equal(['release', 'refund']);
    expect(now.release?.open).to.deep.equal(open);
    expect(Object.keys(permitted(escrow, state, context, noon + dayMs))).to.deep.equal(['release', 'refund', 'expire']);
  });

  it('per role: the definition says who holds which', async () => {
    const { context } = await snapshotOf({ releaseRules: [{ type: 'hash', hash: 'ab'.repeat(32) }] });
    const roles = Object.entries(escrow.roles).map(([role, holders]) => [role, holders(context)]);
    expect(Object.fromEntries(roles)).to.deep.equal({
      depositor: [ada],
      beneficiary: [ben],
      arbiter: [cyd],
      claimant: [ben],
      revoker: [ada],
    });
  });

  it('guards over state and time do not look at the input, the signer or the roles', async () => {
    const contexts = [await snapshotOf({}), await snapshotOf({ autoFund: true, expiresAt: noon + dayMs })];
    for (const definition of machinesOf(catalogue).filter(({ kind }) => kind === 'escrow')) {
      for (const { event, guards } of chartOf(definition).transitions) {
        for (const { name } of guards.filter(({ name }) => definition.guards[name]!.over === 'state')) {
          for (const { context } of contexts) {
            for (const time of [noon, noon + dayMs, noon + 40 * dayMs]) {
              const bare = lawOf(definition).guardHolds(name, context, at(event, time));
              for (const more of [{ signer: dan }, { roles: ['workflow'] }, { input: { amount: 10 } }]) {
                expect(lawOf(definition).guardHolds(name, context, at(event, time, more)), name).to.equal(bare);
              }
            }
          }
        }
      }
    }
  });
});
