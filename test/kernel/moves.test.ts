/** The moves that charts declare for an action, compared with the moves in the recorded entries of a release. */
import { expect } from 'chai';
import { undrawnChartOf } from '../../src/http/charts/chart-view.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import type { AnyResource, Movement } from '../../src/machines/kernel/definition.js';
import { readRecording, recordings } from '../histories/recording.js';

const declared = (definition: AnyResource, action: string): readonly Movement[] =>
  (action === 'create' ? definition.create.moves : definition.actions[action]?.moves) ?? [];

const declaredIn = (kind: string, action: string): boolean =>
  declared(catalogue.definitions[kind] as AnyResource, action).length > 0;

describe('moves in charts', () => {
  const moving = new Set<string>();
  const still = new Set<string>();
  for (const file of recordings()) {
    for (const { core, payload } of readRecording(file).entries) {
      if (payload) (core.moves.length > 0 ? moving : still).add(`${payload.kind} ${payload.action}`);
    }
  }
  const kinds = machinesOf(catalogue);

  it('are named for every request that has moved Tokens', () => {
    const silent = kinds.flatMap((definition) =>
      ['create', ...Object.keys(definition.actions)]
        .filter((action) => moving.has(`${definition.kind} ${action}`) && declared(definition, action).length === 0)
        .map((action) => `${definition.kind} ${action}`),
    );
    expect(silent).to.deep.equal([]);
  });

  it('are not those of a transition that leaves them where they are', () => {
    const still = ['contract', 'lease'].flatMap((kind) =>
      undrawnChartOf(catalogue.definitions[kind]!)
        .transitions.filter(({ from, event, moves }) => from !== null && declaredIn(kind, event) && moves.length === 0)
        .map(({ id }) => `${kind} ${id}`),
    );
    expect(still).to.deep.equal([
      'contract draft.terminate.terminated',
      'contract signed.terminate.terminated',
      'contract disputed.resolve.active.consented',
      'contract disputed.resolve.active.ongoing',
      'contract disputed.resolve.disputed',
      'contract milestone/submitted.approve.approved',
      'lease active.invoke.active',
      'lease exhausted.terminate.terminated',
    ]);
  });

  it('are named for no request that never moves any', () => {
    const loud = kinds.flatMap((definition) =>
      ['create', ...Object.keys(definition.actions)]
        .filter((action) => declared(definition, action).length > 0)
        .map((action) => `${definition.kind} ${action}`)
        .filter((name) => still.has(name) && !moving.has(name)),
    );
    expect(loud).to.deep.equal([]);
    expect(moving.size).to.be.above(10);
  });
});
