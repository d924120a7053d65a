/** The catalogue of the first release, to write journals as a node of that release did. */
import { catalogue } from '../../src/machines/catalogue.js';
import type { AnyDefinition } from '../../src/machines/kernel/resource.js';
import type { Catalogue } from '../../src/machines/kernel/step.js';

const first = <T extends object>(all: { readonly [name: string]: T }, pastOf: (each: T) => readonly T[]) =>
  Object.fromEntries(Object.entries(all).map(([name, each]) => [name, pastOf(each).at(-1) ?? each]));

export const firstVersions: Catalogue = {
  definitions: first<AnyDefinition>(catalogue.definitions, ({ past = [] }) => past as readonly AnyDefinition[]),
  workflows: first(catalogue.workflows, ({ past = [] }) => past),
};
