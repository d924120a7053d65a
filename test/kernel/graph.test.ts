/**
 * XState's graph tools walk every machine of the catalogue with the examples of its definition: each state and each
 * transition of the chart is reached, and each path means the same to the machine and to the actors.
 */
import { expect } from 'chai';
import type { AnyMachineSnapshot } from 'xstate';
import { getAdjacencyMap, getShortestPaths } from 'xstate/graph';
import { dayMs } from '../../src/core/bounds.js';
import type { JsonObject } from '../../src/core/canonical.js';
import * as is from '../../src/core/schema/scalar.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { type ChartTransition, chartOf } from '../../src/machines/kernel/chart.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';
import { isIn, statePath } from '../../src/machines/kernel/state-path.js';
import { type Candidate, MachineStepper } from '../../src/machines/kernel/stepper.js';
import { accepted, Bench, network } from '../world/bench.js';
import { noon } from '../world/fake-world.js';
import { didOf, nameOf, signer } from '../world/people.js';
import { changedMembers, declaredBy, takenBy } from '../world/undeclared-changes.js';
import { type Walk, type WalkStep, walks } from './walks.js';

const walkOf = (definition: AnyResource): Walk =>
  walks[definition.kind] ?? { steps: Object.keys(definition.actions).map((action) => ({ action, who: 'ada' })) };

interface Arrival {
  readonly event: unknown;
  readonly state: unknown;
}

type Step = MachineEvent & { readonly who: string; readonly body: JsonObject };

/** Every event of the walk, as the machine receives it. */
function eventsOf(definition: AnyResource): Step[] {
  return walkOf(definition).steps.flatMap((step) =>
    bodiesOf(definition, step).map((body) => stepOf(definition, step, body)),
  );
}

const bodiesOf = (definition: AnyResource, { action, inputs = [], given }: WalkStep): readonly JsonObject[] =>
  given ?? [definition.actions[action]!.example, ...inputs];

const stepOf = (
  definition: AnyResource,
  { action, who, roles = [], given, day = 1 }: WalkStep,
  body: JsonObject,
): Step => ({
  type: action,
  signer: signer(who).did,
  roles: ['anyone', ...(who === 'clock' ? ['clock'] : []), ...roles],
  time: noon + day * dayMs,
  input: given ? body : (is.parse(definition.actions[action]!.input, body) as JsonObject),
  network,
  home: didOf('node'),
  id: walkOf(definition).id ?? 'walked',
  lastHash: null,
  who,
  body,
});

const creation = (definition: AnyResource): JsonObject => ({
  ...definition.create.example,
  ...walkOf(definition).create,
});

function beginning(definition: AnyResource): JsonObject {
  const input = is.parse(definition.create.input, creation(definition)) as JsonObject;
  const happening = { type: 'create', signer: signer('ada').did, roles: ['anyone'], time: noon, input, network };
  return definition.create.context({ ...happening, id: 'walked', lastHash: null } as never) as JsonObject;
}

const optionsFor = (definition: AnyResource) => ({
  events: eventsOf(definition) as never[],
  input: walkOf(definition).context ?? beginning(definition),
  filterEvents: (snapshot: AnyMachineSnapshot, event: never) => snapshot.can(event),
  serializeState: (snapshot: AnyMachineSnapshot) =>
    JSON.stringify([snapshot.value, situationOf(definition, snapshot.context)]),
  limit: 10_000,
});

const situationOf = (definition: AnyResource, context: JsonObject): unknown =>
  walkOf(definition).situation?.(context) ?? context;

/** Kinds whose own machine decides alone. The conformance walk covers those with workflows over HTTP. */
const goesAlone = ({ kind }: AnyResource): boolean =>
  !Object.keys(catalogue.workflows).some((name) => name.startsWith(`${kind}.`));

for (const definition of machinesOf(catalogue)) {
  describe(`the machine of ${definition.kind}, walked with its examples`, () => {
    it('reaches every state', () => {
      const paths = getShortestPaths(definition.machine, optionsFor(definition) as never);
      const reached = new Set(paths.map(({ state }) => statePath((state as AnyMachineSnapshot).value)));
      const { unreached = [] } = walkOf(definition);
      const leaves = chartOf(definition).states.filter(
        ({ name, initial }) => initial === undefined && !unreached.includes(name),
      );
      expect([...reached]).to.have.members(leaves.map(({ name }) => name));
    });

    it('takes every transition', () => {
      const taken = new Set<string>();
      const map = getAdjacencyMap(definition.machine, optionsFor(definition) as never);
      for (const { state, transitions } of Object.values(map)) {
        for (const { event, state: next } of Object.values(transitions as { [event: string]: Arrival })) {
          const from = statePath((state as AnyMachineSnapshot).value);
          taken.add(`${from} ${(event as Step).type} ${statePath((next as AnyMachineSnapshot).value)}`);
        }
      }
      const { never = [], unreached = [] } = walkOf(definition);
      const possible = chartOf(definition).transitions.filter(
        ({ event, from, to }) => !never.includes(event) && !unreached.includes(to) && !unreached.includes(from),
      );
      const isLeaf = (path: string) => chartOf(definition).states.some((each) => each.name === path && !each.initial);
      // A transition of a state with nested states must be taken in at least one of them. Without a target the nested state
      // stays.
      const isTaken = ({ from, event, to }: ChartTransition) =>
        [...taken].some((each) => {
          const [at, by, arrived] = each.split(' ') as [string, string, string];
          return isIn(at, from) && by === event && (to === from ? arrived === at : arrived === to);
        });
      expect(
        possible.filter((each) => !isTaken(each)).map(({ from, event, to }) => `${from} ${event} ${to}`),
      ).to.deep.equal([]);
      const wanted = possible.filter(({ from }) => isLeaf(from)).map(({ from, event, to }) => `${from} ${event} ${to}`);
      expect([...taken]).to.include.members(wanted);
      for (const each of taken) {
        const [at, by, arrived] = each.split(' ') as [string, string, string];
        const known = possible.some(
          ({ from, event, to }) => isIn(at, from) && event === by && (to === from ? arrived === at : arrived === to),
        );
        expect(known, each).to.equal(true);
      }
    });

    it('changes of the context what its transitions declare, and all of that', () => {
      const { machine } = definition;
      const stepper = new MachineStepper(machine);
      const seen = new Map<Candidate, Set<string>>();
      // Listings of all markets share a machine: what one market has no use for, another has.
      const sharing = machinesOf(catalogue).filter((each) => each.machine === machine);
      const situations = sharing.flatMap((each) => Object.values(getAdjacencyMap(machine, optionsFor(each) as never)));
      for (const { state, transitions } of situations) {
        const { value, context } = state as AnyMachineSnapshot;
        for (const { event, state: next } of Object.values(transitions as { [event: string]: Arrival })) {
          const taken = takenBy(stepper, statePath(value), context, event as Step);
          const changed = changedMembers(context, (next as AnyMachineSnapshot).context);
          expect(declaredBy(machine, taken), (event as Step).type).to.include.members(changed);
          seen.set(taken, new Set([...(seen.get(taken) ?? []), ...changed]));
        }
      }
      const idle = [...seen].flatMap(([taken, changed]) =>
        declaredBy(machine, taken)
          .filter((member) => !changed.has(member))
          .map((member) => `${taken.source.path.join('.')} ${taken.eventType} ${member}`),
      );
      expect([...new Set(idle)]).to.deep.equal([]);
    });

    if (!goesAlone(definition)) return;

    it('arrives by the actors where it arrives by the machine, along the shortest path to each state', async () => {
      for (const { steps, state } of getShortestPaths(definition.machine, optionsFor(definition) as never)) {
        const bench = await Bench.open({}, { ada: 1_000 });
        const { id = 'walked' } = walkOf(definition);
        accepted(await bench.ask('ada', definition.kind, id, 'create', creation(definition)));
        for (const { event } of steps) {
          const { type, who, body, time } = event as Step;
          if (type.startsWith('xstate.')) continue;
          if (time > bench.world.now()) await bench.world.advance(time - bench.world.now());
          const resourcePrev = bench.store.tables.snapshot(definition.kind, id)!.lastHash;
          const asked =
            who === 'clock'
              ? bench.operate(definition.kind, id, type, body)
              : bench.ask(who, definition.kind, id, type, body, { resourcePrev });
          accepted(await asked);
        }
        const arrived = bench.store.tables.snapshot(definition.kind, id)!;
        const { value, context } = state as AnyMachineSnapshot;
        const path = steps.map(({ event }) => `${nameOf((event as Step).signer)} ${(event as Step).type}`).join(', ');
        expect({ state: arrived.state, context: arrived.context }, path).to.deep.equal({
          state: statePath(value),
          context,
        });
      }
    });
  });
}
