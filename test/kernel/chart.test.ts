import { expect } from 'chai';
import { and, setup } from 'xstate';
import { AssertionError } from '../../src/core/refusal.js';
import { account } from '../../src/machines/account/account.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { escrow } from '../../src/machines/escrow/resource.js';
import { node } from '../../src/machines/identity/identity.js';
import { chartOf } from '../../src/machines/kernel/chart.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { functionsFor } from '../../src/machines/kernel/machine-functions.js';
import { allVersionsOf, definitionVersion } from '../../src/machines/kernel/versioning.js';

const lines = (definition: AnyResource): string[] =>
  chartOf(definition).transitions.map(
    ({ from, event, to, guards, effects, who }) =>
      `${from} ${event} ${to} [${guards.map(({ name, code }) => `${name}:${code}`).join(' ')}] ${effects.join('+')} (${who.join(' ')})`,
  );

describe('chart', () => {
  it('of the escrow is the reference’s table, with guards, codes, effects and roles', () => {
    expect(lines(escrow)).to.deep.equal([
      'created.open fund funded [inTimeToFund:ESCROW_INVALID_STATE amountIsTheEscrows:UNPROCESSABLE] lock (depositor workflow)',
      'created.open cancel created.cancelled [] unreserve (depositor workflow)',
      'created.open lapse created.lapsed [lapseIsDue:ESCROW_INVALID_STATE] unreserve (clock)',
      'funded release released [releaseRuleMet:ESCROW_RULE_NOT_MET emptiesIt:UNPROCESSABLE] pay (depositor arbiter claimant workflow)',
      'funded release funded [releaseRuleMet:ESCROW_RULE_NOT_MET withinRemaining:UNPROCESSABLE] pay (depositor arbiter claimant workflow)',
      'funded refund refunded [refundRuleMet:ESCROW_RULE_NOT_MET emptiesIt:UNPROCESSABLE] payBack (beneficiary arbiter revoker workflow)',
      'funded refund funded [refundRuleMet:ESCROW_RULE_NOT_MET withinRemaining:UNPROCESSABLE] payBack (beneficiary arbiter revoker workflow)',
      'funded expire expired [expiryHasPassed:ESCROW_INVALID_STATE] payBackRest (anyone clock)',
    ]);
    const { initial, states } = chartOf(escrow);
    expect(initial).to.deep.equal({ state: 'created.open', effects: ['reserve'] });
    expect(states.filter(({ final }) => final).map(({ name }) => name)).to.deep.equal([
      'created.cancelled',
      'created.lapsed',
      'released',
      'refunded',
      'expired',
    ]);
  });

  it('of what has no life cycle is a single state', () => {
    expect(chartOf(account).states).to.deep.equal([{ name: 'current', final: false }]);
    expect(chartOf(node).transitions.map(({ event, who }) => [event, who])).to.deep.equal([
      ['appoint', ['self']],
      ['correct-clock', ['operator']],
    ]);
  });

  it('of every kind says what each end means, by states that the kind has had, and its version does not count that', () => {
    for (const definition of machinesOf(catalogue)) {
      const { kind, tones = {} } = definition;
      const states = (allVersionsOf(definition) as AnyResource[]).flatMap((each) => {
        const { states: own, nested = {} } = chartOf(each);
        const inner = Object.entries(nested).flatMap(([name, { states: all }]) =>
          all.map((state) => ({ ...state, name: `${name}/${state.name}` })),
        );
        return [...own, ...inner];
      });
      expect(Object.keys(tones), kind).to.include.members(states.filter(({ final }) => final).map(({ name }) => name));
      expect(
        states.map(({ name }) => name),
        kind,
      ).to.include.members(Object.keys(tones));
      expect(definitionVersion({ ...definition, tones: {} }), kind).to.equal(definitionVersion(definition));
    }
  });

  it('of every machine names a code for every guard and an executor for every effect', () => {
    for (const definition of machinesOf(catalogue)) {
      const chart = chartOf(definition);
      for (const { guards, effects, who } of chart.transitions) {
        for (const { code } of guards) expect(code).to.match(/^[A-Z_]+$/);
        for (const effect of effects) expect(definition.effects).to.have.property(effect);
        expect(who.length).to.be.above(0);
      }
    }
  });
});

/** A machine with one of everything that its version must cover, so that each test can change one part. */
interface Spec {
  guard?: string;
  effect?: string;
  target?: string;
  event?: string;
  entry?: string;
  exit?: string;
  who?: string[];
  code?: string;
  revision?: number;
  more?: object;
}

function definitionOf(spec: Spec): AnyResource {
  const { guard = 'first', effect = 'a', target = 'done', event = 'go', entry, exit, revision = 1 } = spec;
  const machine = setup({ guards: { first: () => true, second: () => true }, actions: { a: () => {}, b: () => {} } });
  return {
    ...escrow,
    kind: 'toy',
    revision,
    machine: machine.createMachine({
      id: 'toy',
      initial: 'here',
      states: {
        here: {
          ...(exit ? { exit: exit as 'a' } : {}),
          on: { [event]: { target, guard: and([guard as 'first']), actions: [effect as 'a'] } },
        },
        there: {},
        done: { type: 'final', ...(entry ? { entry: entry as 'a' } : {}) },
      },
      ...spec.more,
    }) as never,
    actions: { go: { ...escrow.actions.fund!, who: spec.who ?? ['anyone'] } },
    guards: { first: { code: (spec.code ?? 'CONFLICT') as 'CONFLICT', says: '', over: 'state' } },
  };
}

describe('a function of a machine that is for some events', () => {
  type Step = { readonly type: 'open'; readonly key: string } | { readonly type: 'shut' };
  const { guardOn, changeOn } = functionsFor<{ key: string }, Step>();
  const box = setup({
    types: { context: {} as { key: string }, events: {} as Step },
    guards: { fits: guardOn(['open'], ({ context, event }) => event.key === context.key) },
    actions: { keep: changeOn(['open'], { key: 'the key' }, ({ event }) => ({ key: event.key })) },
  });
  const boxWith = (on: object): AnyResource => ({
    ...definitionOf({}),
    machine: box.createMachine({ context: { key: '' }, initial: 'here', states: { here: { on } } }) as never,
  });

  it('has a chart at these', () => {
    expect(() => chartOf(boxWith({ open: { guard: 'fits', actions: 'keep' } }))).not.to.throw();
  });

  it('has none at others, whose input it does not know', () => {
    expect(() => chartOf(boxWith({ shut: { guard: and(['fits']) } }))).to.throw(AssertionError, 'fits is not for shut');
    expect(() => chartOf(boxWith({ shut: { actions: ['keep'] } }))).to.throw(AssertionError, 'keep is not for shut');
  });
});

describe('the version of a machine', () => {
  const plain = definitionVersion(definitionOf({}));

  it('names the kind and the revision, and is the same for the same definition', () => {
    expect(plain).to.match(/^toy-1-[0-9a-f]{12}$/);
    expect(definitionVersion(definitionOf({}))).to.equal(plain);
  });

  for (const [what, spec] of [
    ['a guard', { guard: 'second' }],
    ['a guard’s code', { code: 'FORBIDDEN' }],
    ['an effect', { effect: 'b' }],
    ['a target', { target: 'there' }],
    ['an event', { event: 'leave' }],
    ['who may act', { who: ['operator'] }],
    ['the effect of entering a state', { entry: 'b' }],
    ['the effect of leaving a state', { exit: 'b' }],
    ['a nested state', { more: { states: { here: { initial: 'in', states: { in: {} } }, there: {}, done: {} } } }],
    ['the revision', { revision: 2 }],
  ] as const) {
    it(`changes with ${what}`, () => {
      expect(definitionVersion(definitionOf(spec as Spec))).to.not.equal(plain);
    });
  }

  it('does not change with words: summaries, and what guards say', () => {
    const definition = definitionOf({});
    const said = { ...definition, guards: { first: { ...definition.guards.first!, says: 'something else' } } };
    expect(definitionVersion(said)).to.equal(plain);
  });

  for (const [what, more] of [
    ['a transition of the root', { on: { stop: '.done' } }],
    ['a transition without an event', { states: { here: { always: 'done' }, done: {} } }],
    ['states that it is in at once', { states: { here: { type: 'parallel', states: { in: {} } }, done: {} } }],
  ] as const) {
    it(`is not given to a machine with ${what}, which its chart would not show`, () => {
      expect(() => definitionVersion(definitionOf({ more }))).to.throw(AssertionError);
    });
  }
});
