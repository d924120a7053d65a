/** The deadlines that views show (docs/reference/shapes.md#conventions), over the histories of all releases. */
import { expect } from 'chai';
import type { Json } from '../../src/core/canonical.js';
import type { JsonSchema } from '../../src/core/schema/scalar.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { Resource } from '../../src/machines/kernel/resource.js';
import { topState } from '../../src/machines/kernel/state-path.js';
import { Replay } from '../../src/verify/replay.js';
import { readRecording, recordings } from '../histories/recording.js';

/** The members `…By` of a view that are times, or null. */
function deadlinesIn(schema: JsonSchema): string[] {
  const { properties = {}, items } = schema as { properties?: { [name: string]: JsonSchema }; items?: JsonSchema };
  return Object.entries({ ...properties, ...(items && { items }) }).flatMap(([name, member]) => {
    const types = [member.type].flat();
    const isDeadline = name.endsWith('By') && types.includes('integer') && types.includes('null');
    return isDeadline ? [name] : deadlinesIn(member);
  });
}

/** The members of these names, at any depth, that are not null. */
const shownIn = (view: Json, names: readonly string[]): string[] =>
  typeof view !== 'object' || view === null
    ? []
    : Object.entries(view).flatMap(([name, value]) =>
        names.includes(name) && value !== null ? [name] : shownIn(value as Json, names),
      );

/** Every version of every resource. */
function* versions(): Generator<Resource> {
  for (const { network, entries } of recordings().map(readRecording)) {
    const replay = new Replay(catalogue, network);
    for (const entry of entries) {
      replay.apply(entry);
      for (const { kind, id } of entry.core.versions) yield replay.resource(kind, id)!;
    }
  }
}

describe('deadlines in views', () => {
  const seen = [...versions()];

  for (const definition of machinesOf(catalogue) as readonly AnyResource[]) {
    const { kind, viewSchema, alarm } = definition;
    const names = deadlinesIn(viewSchema);
    if (names.length === 0) continue;
    const resources = seen.filter((each) => each.kind === kind);
    const states = [...new Set(resources.map(({ state }) => state))];
    const shown = (resource: Resource) => shownIn(definition.view(resource, { time: resource.updatedAt }), names);

    it(`of a ${kind} are null in every state in which the clock waits for nothing, whatever came before`, () => {
      const idle = states.filter((state) => resources.every(({ context }) => alarm(state, context) === null));
      const wrong = idle.flatMap((state) =>
        resources.flatMap((each) => shown({ ...each, state }).map((name) => `${name} of ${each.id}, then ${state}`)),
      );
      expect([...new Set(wrong)]).to.deep.equal([]);
      expect(idle.map(topState)).to.include.members(['disputed']).and.have.lengthOf.above(2);
    });

    it(`of a ${kind} are all seen with a time`, () => {
      expect([...new Set(resources.flatMap(shown))].sort()).to.deep.equal(names.sort());
    });
  }
});
