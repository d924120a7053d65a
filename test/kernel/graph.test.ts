/**
 * XState's graph tools walk every machine of the catalogue with the examples of its definition: each state and each
 * transition of the chart is reached, and each path means the same to the machine and to the actors.
 */
import { expect } from 'chai';
import type { AnyMachineSnapshot } from 'xstate';
import { getAdjacencyMap, getShortestPaths } from 'xstate/graph';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import type { JsonObject } from '../../src/machines/kernel/canonical.js';
import { chartOf } from '../../src/machines/kernel/chart.js';
import type { Happening } from '../../src/machines/kernel/law.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';
import * as is from '../../src/machines/kernel/scalar.js';
import { accepted, Bench, network } from '../world/bench.js';
import { noon } from '../world/fake-world.js';
import { ben, nameOf, signer } from '../world/people.js';

const dayMs = 86_400_000;

interface Walk {
  /** What the example of create says more, or otherwise. */
  readonly create: JsonObject;
  /** Who asks for each action; inputs beyond the action's own example; days after the creation. */
  readonly steps: readonly { action: string; who: string; inputs?: readonly JsonObject[]; day?: number }[];
}

/** What a walk needs beyond the examples. A kind without a line is walked with those alone. */
const walks: { readonly [kind: string]: Walk } = {
  escrow: {
    create: { beneficiary: ben, expiresAt: noon + 10 * dayMs },
    steps: [
      { action: 'fund', who: 'ada' },
      { action: 'release', who: 'ada', inputs: [{ amount: 10 }, { amount: 15 }] },
      {
        action: 'refund',
        who: 'ben',
        inputs: [
          { amount: 10, reason: 'x' },
          { amount: 15, reason: 'x' },
        ],
      },
      { action: 'expire', who: 'dan', day: 10 },
      { action: 'cancel', who: 'ada' },
      { action: 'lapse', who: 'clock', day: 10 },
    ],
  },
};

const walkOf = (definition: AnyResource): Walk =>
  walks[definition.kind] ?? {
    create: {},
    steps: Object.keys(definition.actions).map((action) => ({ action, who: 'ada' })),
  };

interface Arrival {
  readonly event: unknown;
  readonly state: unknown;
}

type Step = Happening & { readonly who: string; readonly body: JsonObject };

/** Every event of the walk, as the machine sees it. */
function eventsOf(definition: AnyResource): Step[] {
  return walkOf(definition).steps.flatMap(({ action, who, inputs = [], day = 1 }) =>
    [definition.actions[action]!.example, ...inputs].map((body) => ({
      type: action,
      signer: signer(who).did,
      roles: who === 'clock' ? ['anyone', 'clock'] : ['anyone'],
      time: noon + day * dayMs,
      input: is.parse(definition.actions[action]!.input, body) as JsonObject,
      network,
      id: 'walked',
      lastHash: null,
      who,
      body,
    })),
  );
}

function creation(definition: AnyResource): JsonObject {
  return { ...definition.create.example, ...walkOf(definition).create };
}

function optionsFor(definition: AnyResource) {
  const input = is.parse(definition.create.input, creation(definition)) as JsonObject;
  const happening = { type: 'create', signer: signer('ada').did, roles: ['anyone'], time: noon, input, network };
  return {
    events: eventsOf(definition) as never[],
    input: definition.create.context({ ...happening, id: 'walked', lastHash: null } as never),
    filterEvents: (snapshot: AnyMachineSnapshot, event: never) => snapshot.can(event),
    serializeState: (snapshot: AnyMachineSnapshot) => JSON.stringify([snapshot.value, snapshot.context]),
    limit: 10_000,
  };
}

for (const definition of machinesOf(catalogue)) {
  describe(`the machine of ${definition.kind}, walked with its examples`, () => {
    it('reaches every state', () => {
      const paths = getShortestPaths(definition.machine, optionsFor(definition) as never);
      const reached = new Set(paths.map(({ state }) => (state as AnyMachineSnapshot).value));
      expect([...reached]).to.have.members(chartOf(definition).states.map(({ name }) => name));
    });

    it('takes every transition', () => {
      const taken = new Set<string>();
      const map = getAdjacencyMap(definition.machine, optionsFor(definition) as never);
      for (const { state, transitions } of Object.values(map)) {
        for (const { event, state: next } of Object.values(transitions as { [event: string]: Arrival })) {
          const from = (state as AnyMachineSnapshot).value;
          taken.add(`${from} ${(event as Step).type} ${(next as AnyMachineSnapshot).value}`);
        }
      }
      const wanted = chartOf(definition).transitions.map(({ from, event, to }) => `${from} ${event} ${to}`);
      expect([...taken]).to.have.members(wanted);
    });

    it('arrives by the actors where it arrives by the machine, along the shortest path to each state', async () => {
      for (const { steps, state } of getShortestPaths(definition.machine, optionsFor(definition) as never)) {
        const bench = await Bench.open({}, { ada: 1_000 });
        accepted(await bench.ask('ada', definition.kind, 'walked', 'create', creation(definition)));
        for (const { event } of steps) {
          const { type, who, body, time } = event as Step;
          if (type.startsWith('xstate.')) continue;
          if (time > bench.world.now()) await bench.world.advance(time - bench.world.now());
          const resourcePrev = bench.store.tables.snapshot(definition.kind, 'walked')!.lastHash;
          const asked =
            who === 'clock'
              ? bench.operate(definition.kind, 'walked', type, body)
              : bench.ask(who, definition.kind, 'walked', type, body, { resourcePrev });
          accepted(await asked);
        }
        const arrived = bench.store.tables.snapshot(definition.kind, 'walked')!;
        const { value, context } = state as AnyMachineSnapshot;
        const path = steps.map(({ event }) => `${nameOf((event as Step).signer)} ${(event as Step).type}`).join(', ');
        expect({ state: arrived.state, context: arrived.context }, path).to.deep.equal({ state: value, context });
      }
    });
  });
}
