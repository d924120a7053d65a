/** What charts say that a request moves, against what the entries of a release have moved. */
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import type { AnyResource, Movement } from '../../src/machines/kernel/resource.js';
import { readRecording, recordings } from '../histories/recording.js';

const declared = (definition: AnyResource, action: string): readonly Movement[] =>
  (action === 'create' ? definition.create.moves : definition.actions[action]?.moves) ?? [];

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
