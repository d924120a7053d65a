/** `permittedActions`: what state and time allow, and which guards depend on the input, follow from the definition alone. */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { dispute } from '../../src/machines/dispute/resource.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import { chartOf } from '../../src/machines/kernel/chart.js';
import { permittedActions } from '../../src/machines/kernel/permitted.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';
import { stepperFor } from '../../src/machines/kernel/stepper.js';
import { accepted, Bench } from '../world/bench.js';
import { noon } from '../world/fake-world.js';
import { ben, cyd, dan } from '../world/people.js';
import { walks } from './walks.js';

/** An event with a time and no input. */
const at = (type: string, time: number, more: Partial<MachineEvent> = {}): MachineEvent => ({
  type,
  signer: '',
  roles: [],
  time,
  input: {},
  network: '',
  home: '',
  id: '',
  lastHash: null,
  ...more,
});

async function snapshotOf(body: JsonObject) {
  const bench = await Bench.open({}, { ada: 1_000 });
  const create = { beneficiary: ben, arbiter: cyd, amount: 10, releaseRules: [{ type: 'manual' }], ...body };
  accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
  return bench.store.tables.snapshot('escrow', 'esc-1')!;
}

describe('permitted actions', () => {
  it('of an unfunded escrow are its depositor’s: to fund and to cancel, until it lapses', async () => {
    const snapshot = await snapshotOf({});
    expect(permittedActions(escrow, snapshot, { time: noon })).to.deep.equal({
      depositor: [
        { action: 'fund', open: ['UNPROCESSABLE'] },
        { action: 'cancel', open: [] },
      ],
    });
    expect(permittedActions(escrow, snapshot, { time: noon + 30 * dayMs })).to.deep.equal({
      depositor: [{ action: 'cancel', open: [] }],
    });
  });

  it('of a funded one are to release and refund, and anyone’s to expire once the time has passed', async () => {
    const snapshot = await snapshotOf({ autoFund: true, expiresAt: noon + dayMs });
    const open = ['ESCROW_RULE_NOT_MET', 'UNPROCESSABLE'];
    const release = { action: 'release', open };
    const refund = { action: 'refund', open };
    const now = { depositor: [release, refund], arbiter: [release, refund], beneficiary: [refund] };
    expect(permittedActions(escrow, snapshot, { time: noon })).to.deep.equal(now);
    const late = { ...now, anyone: [{ action: 'expire', open: [] }] };
    expect(permittedActions(escrow, snapshot, { time: noon + dayMs })).to.deep.equal(late);
    expect(permittedActions(escrow, snapshot, { time: noon + dayMs, deadlinesWait: true })).to.deep.equal(now);
  });

  it('go only to roles that someone holds, under the names of the parties that hold them', async () => {
    const ofRole = async (body: JsonObject) => {
      const permitted = permittedActions(escrow, await snapshotOf({ autoFund: true, ...body }), { time: noon });
      return Object.fromEntries(Object.entries(permitted).map(([role, each]) => [role, each.map((it) => it.action)]));
    };
    const byHash = [{ type: 'hash', hash: 'ab'.repeat(32) }];
    const byArbiter = [{ type: 'manual', by: [cyd] }];
    const both = ['release', 'refund'];
    expect(await ofRole({})).to.deep.equal({ depositor: both, arbiter: both, beneficiary: ['refund'] });
    expect(await ofRole({ releaseRules: byHash, refundRules: byArbiter })).to.deep.equal({
      depositor: ['release'],
      arbiter: both,
      beneficiary: both,
    });
    // A DID that only a rule names has no role.
    expect(await ofRole({ releaseRules: [{ type: 'manual', by: [ben, dan] }] })).to.deep.equal({
      depositor: both,
      arbiter: both,
      beneficiary: both,
      claimant: ['release'],
    });
  });

  it('name parties as such only where the definition has both', () => {
    for (const { kind, roles, heldBy = {} } of machinesOf(catalogue)) {
      const names = Object.entries(heldBy).flatMap(([role, parties]) => [role, ...parties]);
      expect(Object.keys(roles), kind).to.include.members(names);
    }
  });

  it('decided by another kind list the possible refusals for each role', async () => {
    const definitions = machinesOf(catalogue).filter(({ actions }) => actions.resolve?.decidedBy);
    expect(definitions.map(({ kind }) => kind)).to.include.members(['contract', 'info-order', 'task-order']);
    const snapshot = await snapshotOf({});
    const held = { ...snapshot, state: 'open', context: { ...walks.dispute!.context, networkArbiter: dan } };
    // A party that may act only after a waiting time is not listed at noon; the later answer has its codes.
    const own = permittedActions(dispute, held, { time: noon });
    const later = permittedActions(dispute, held, { time: noon + 30 * dayMs });
    for (const { actions } of definitions) {
      const { kind, open } = actions.resolve!.decidedBy!;
      expect(kind).to.equal('dispute');
      for (const role of actions.resolve!.who.filter((each) => each !== 'workflow')) {
        // The parties of an order have their own roles. Before the dispute all parties are alike.
        const known = later[role] ? role : 'client';
        const codes = later[known]!.flatMap((each) => each.open);
        expect(open(role), role).to.have.members(own[known] ? codes : ['FORBIDDEN', ...codes]);
      }
    }
  });

  it('are none where only a workflow moves the resource, and none in a final state', async () => {
    const snapshot = await snapshotOf({ autoFund: true });
    const owned = { ...snapshot, context: { ...snapshot.context, purpose: { kind: 'order', id: 'ord-1' } } };
    expect(permittedActions(escrow, owned, { time: noon })).to.deep.equal({});
    expect(permittedActions(escrow, { ...snapshot, state: 'released' }, { time: noon })).to.deep.equal({});
  });

  it('guards over state and time do not look at the input, the signer or the roles', async () => {
    const contexts = [await snapshotOf({}), await snapshotOf({ autoFund: true, expiresAt: noon + dayMs })];
    for (const definition of machinesOf(catalogue).filter(({ kind }) => kind === 'escrow')) {
      for (const { event, guards } of chartOf(definition).transitions) {
        for (const { name } of guards.filter(({ name }) => definition.guards[name]!.over === 'state')) {
          for (const { context } of contexts) {
            for (const time of [noon, noon + dayMs, noon + 40 * dayMs]) {
              const bare = stepperFor(definition).guardHolds(name, context, at(event, time));
              for (const more of [{ signer: dan }, { roles: ['workflow'] }, { input: { amount: 10 } }]) {
                expect(stepperFor(definition).guardHolds(name, context, at(event, time, more)), name).to.equal(bare);
              }
            }
          }
        }
      }
    }
  });
});
