/**
 * Laws by version (design.md, The one path). A resource under an older law comes to the present one by a named
 * migration, with the next entry that writes it; what an older law decided is replayed under that law. A version that
 * the program does not know is refused with a clear word, never silently reinterpreted.
 */
import { canonical, type JsonObject, sha256Hex } from './canonical.js';
import { chartOf } from './chart.js';
import { type Refusal, refuse } from './refusal.js';
import type { AnyDefinition, Resource } from './resource.js';

/** From one version of a kind's law to a later one. Pure. */
export interface Migration {
  /** Says what changes: `escrow-knows-an-arbiter`. */
  readonly name: string;
  /** Versions of the law, as `machineVersion` gives them. */
  readonly from: string;
  readonly to: string;
  readonly migrate: (stored: Pick<Resource, 'id' | 'state' | 'context'>) => {
    readonly state: string;
    readonly context: JsonObject;
  };
}

/** What a definition says of the laws before it; absent: it is the first. */
export interface Lineage {
  /** Older definitions of the kind, each as it was released: what `defineResource` and its like gave. */
  readonly past?: readonly { readonly kind: string; readonly form: AnyDefinition['form'] }[];
  readonly migrations?: readonly Migration[];
}

const versions = new WeakMap<object, string>();

/** `<kind>-<revision>-<hash of the chart>`: the law under which a version was accepted. */
export function machineVersion(definition: AnyDefinition): string {
  let version = versions.get(definition);
  if (!version) {
    version = `${definition.kind}-${definition.revision}-${sha256Hex(canonical(chartOf(definition))).slice(0, 12)}`;
    versions.set(definition, version);
  }
  return version;
}

/** The definition that had this version; undefined where the program does not know it. */
export const underLaw = (definition: AnyDefinition, version: string): AnyDefinition | undefined =>
  [definition, ...((definition.past ?? []) as readonly AnyDefinition[])].find(
    (each) => machineVersion(each) === version,
  );

/** The resource as this definition sees it, migrated where an older law left it; INTERNAL_ERROR where no way leads. */
export function present(definition: AnyDefinition, resource: Resource): Resource | Refusal {
  const version = machineVersion(definition);
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
