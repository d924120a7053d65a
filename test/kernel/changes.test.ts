/** The context changes that charts declare for a transition, compared with what the transition changes. */
import { expect } from 'chai';
import { type AnyStateMachine, setup } from 'xstate';
import type { JsonObject } from '../../src/core/canonical.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { changesOf, transitionsIn } from '../../src/machines/kernel/chart.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { functionsFor } from '../../src/machines/kernel/machine-functions.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';
import { MachineStepper } from '../../src/machines/kernel/stepper.js';
import { allVersionsOf, definitionVersion } from '../../src/machines/kernel/versioning.js';
import { readRecording, recordings, replayed } from '../histories/recording.js';
import '../world/undeclared-changes.js';

const versions = machinesOf(catalogue).flatMap((each) => allVersionsOf(each) as readonly AnyResource[]);
const machines: [string, AnyStateMachine][] = versions.flatMap((each) => [
  [definitionVersion(each), each.machine] as [string, AnyStateMachine],
  ...Object.entries(each.nested ?? {}),
]);

const wheel = (turned: unknown): AnyStateMachine =>
  setup({ actions: { turned: turned as never } }).createMachine({
    id: 'wheel',
    context: { left: 0, right: 0 },
    initial: 'here',
    states: { here: { on: { turn: { actions: 'turned' } } } },
  });

describe('changes in charts', () => {
  for (const [name, machine] of machines) {
    it(`of ${name} all have names`, () => {
      const nameless = transitionsIn(machine).filter(({ candidate }) =>
        candidate.actions.some((action) => (action as { readonly assignment?: unknown }).assignment !== undefined),
      );
      expect(nameless.map(({ from, event }) => `${from} ${event}`)).to.deep.equal([]);
    });
  }

  it('of the escrow are its amounts', () => {
    const { machine } = machinesOf(catalogue).find(({ kind }) => kind === 'escrow')!;
    const lines = transitionsIn(machine).map(({ event }, index) => [
      event,
      changesOf(machine)
        [index]!.map(({ member, to }) => `${member}: ${to}`)
        .join(', '),
    ]);
    expect(lines).to.deep.equal([
      ['fund', 'funded: amount'],
      ['cancel', ''],
      ['lapse', ''],
      ['release', 'released: + the amount asked for'],
      ['release', 'released: + the amount asked for'],
      ['refund', 'refunded: + the amount asked for'],
      ['refund', 'refunded: + the amount asked for'],
      ['expire', 'refunded: + what remains'],
    ]);
  });

  for (const file of recordings()) {
    it(`hold in the history of ${file}: no step has changed what its transition does not declare`, () => {
      expect(replayed(readRecording(file))).not.to.be.a('string');
    });
  }

  it('that are not declared are noticed where the step is taken', () => {
    type Step = MachineEvent<'turn', Record<never, never>>;
    const { change } = functionsFor<{ left: number; right: number }, Step>();
    const both = { left: 'one more', right: 'one less' };
    // As if the declaration were missing; the types would not permit that.
    const silent = change(both, ({ context }) => ({ left: context.left + 1, right: context.right - 1 }));
    delete (silent as never as { assignment: { sets: { right?: string } } }).assignment.sets.right;
    const machine = wheel(silent);
    const turn = { type: 'turn', input: {} } as MachineEvent;
    expect(() => new MachineStepper(machine).take('here', { left: 0, right: 0 } as JsonObject, turn)).to.throw(
      'wheel here turn changes right, which it does not declare',
    );
  });
});
