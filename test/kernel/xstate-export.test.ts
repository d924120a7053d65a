/** `createMachine` accepts the exported JSON of every chart: with stub guards it walks every transition. */
import { expect } from 'chai';
import { type AnyMachineSnapshot, createMachine, initialTransition, transition } from 'xstate';
import { type TransitionView, undrawnChartOf } from '../../src/http/charts/chart-view.js';
import { xstateOf } from '../../src/http/charts/xstate.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { isIn, statePath, stateValue } from '../../src/machines/kernel/state-path.js';
import { allVersionsOf } from '../../src/machines/kernel/versioning.js';

interface Named {
  readonly type: string;
}

/** Loads the file as a third party would. The stub guards listed in `holding` pass; `all` checks each of its guards. */
function loaded(json: string, holding: ReadonlySet<string>) {
  const asked: string[] = [];
  const holds = (name: string): boolean => {
    asked.push(name);
    return holding.has(name);
  };
  const all = (_: unknown, { guards }: { readonly guards: readonly Named[] }) =>
    guards.every(({ type }) => holds(type));
  const names = [...json.matchAll(/"type":"(\w+)"/g)].map(([, name]) => name!);
  const each = Object.fromEntries(names.map((name) => [name, () => holds(name)]));
  return { machine: createMachine(JSON.parse(json), { guards: { ...each, all } } as never), asked };
}

function stepped(machine: ReturnType<typeof loaded>['machine'], path: string, type: string) {
  const before = machine.resolveState({ value: stateValue(path), context: {} } as never);
  return transition(machine, before as never, { type }) as never as [AnyMachineSnapshot, Named[]];
}

/** The state after a transition; without a target the state stays. */
const arrival = ({ from, to }: TransitionView, at: string): string => (from === to ? at : to);

for (const definition of machinesOf(catalogue).flatMap((each) => allVersionsOf(each))) {
  const chart = undrawnChartOf(definition);
  const own = chart.transitions.filter(({ id }) => !id.includes('/'));
  const json = JSON.stringify(xstateOf(chart));

  describe(`the export of ${chart.version}`, () => {
    it('begins where the chart does', () => {
      const [first, actions] = initialTransition(loaded(json, new Set()).machine) as [AnyMachineSnapshot, Named[]];
      expect(statePath(first.value)).to.equal(chart.initial);
      expect(actions.map(({ type }) => type)).to.deep.equal(own.find(({ id }) => id === 'create')!.effects);
    });

    it('takes every transition where its guards hold, and none where they don’t', () => {
      const leaves = chart.states.filter(
        ({ type, path }) => !['machine', 'compound'].includes(type) && !path.includes('/'),
      );
      let taken = 0;
      for (const { path } of leaves) {
        for (const each of own.filter(({ from }) => from !== null && isIn(path, from))) {
          const { event, guards, effects } = each;
          const { machine } = loaded(json, new Set(guards.map(({ name }) => name)));
          // A transition that comes earlier is taken instead if its guards are a subset of this one's.
          const holding = new Set(guards.map(({ name }) => name));
          const candidates = own
            .filter((other) => other.event === event && other.from !== null && isIn(path, other.from))
            .sort((a, b) => b.from!.length - a.from!.length);
          const chosen = candidates.find((other) => other.guards.every(({ name }) => holding.has(name)))!;
          const [after, actions] = stepped(machine, path, event);
          expect(statePath(after.value), each.id).to.equal(arrival(chosen, path));
          expect(actions.map(({ type }) => type)).to.deep.equal(chosen.effects);
          if (chosen === each) expect(actions.length).to.equal(effects.length);
          taken += 1;
          for (const { name } of guards) {
            const without = loaded(json, new Set([...holding].filter((other) => other !== name)));
            const [kept] = stepped(without.machine, path, event);
            const other = candidates.find((one) => one.guards.every((g) => g.name !== name && holding.has(g.name)));
            expect(statePath(kept.value), `${each.id} without ${name}`).to.equal(other ? arrival(other, path) : path);
            expect(without.asked, each.id).to.include(name);
          }
        }
      }
      expect(taken).to.be.above(0);
    });
  });
}
