/**
 * Versions of definitions (docs/reference/events-and-entries.md#definition-versions). A named migration converts a
 * resource of an older version to the current one, with the next entry that writes it; decisions of an older version
 * are replayed under that version. A version that the program does not know is refused, never reinterpreted.
 */
import { canonical, sha256Hex } from '../../core/canonical.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import { chartOf } from './chart.js';
import type { AnyDefinition, Migration } from './definition.js';
import type { Resource } from './resource.js';

const versions = new WeakMap<object, string>();

/** `<kind>-<revision>-<hash of the chart>`: what entries and resources name as `machine`. */
export function definitionVersion(definition: AnyDefinition): string {
  let version = versions.get(definition);
  if (!version) {
    version = `${definition.kind}-${definition.revision}-${sha256Hex(canonical(chartOf(definition))).slice(0, 12)}`;
    versions.set(definition, version);
  }
  return version;
}

/** The definition, followed by its earlier versions, newest first. */
export const allVersionsOf = (definition: AnyDefinition): readonly AnyDefinition[] => [
  definition,
  ...((definition.past ?? []) as readonly AnyDefinition[]),
];

/** The definition that had this version; undefined if the program does not know it. */
export const atVersion = (definition: AnyDefinition, version: string): AnyDefinition | undefined =>
  allVersionsOf(definition).find((each) => definitionVersion(each) === version);

/** The resource migrated to this definition; INTERNAL_ERROR if no migration leads here. */
export function migrate(definition: AnyDefinition, resource: Resource): Resource | Refusal {
  const version = definitionVersion(definition);
  let now = resource;
  while (now.machine !== version) {
    const migration = definition.migrations?.find(({ from }) => from === now.machine);
    if (!migration) {
      return refuse(
        'INTERNAL_ERROR',
        `${now.kind} ${now.id} is under law ${now.machine}; this node knows ${version} only`,
      );
    }
    now = { ...now, ...migration.migrate(now), machine: migration.to };
  }
  return now;
}

type Migrate = Migration['migrate'];
const unchanged: Migrate = ({ state, context }) => ({ state, context });

/**
 * Makes the definition the successor of an earlier one.
 * @param name name of the migration, which keeps resources as they are unless `migrating` changes them
 */
export function succeeding<D extends AnyDefinition>(
  before: AnyDefinition,
  now: D,
  name: string,
  migrating = unchanged,
): D {
  const migration = { name, from: definitionVersion(before), to: definitionVersion(now), migrate: migrating };
  return {
    ...now,
    past: [before, ...(before.past ?? [])],
    migrations: [...(before.migrations ?? []), migration],
  };
}
