/**
 * What the walk needs to know of a kind and its definition does not say: who takes part, and which bodies tell its
 * guards apart. One file a kind, `inputs/<kind>.ts`; without it the walk fails and says so.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/machines/kernel/canonical.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';
import type { Body } from '../node/support/client.js';
import type { Person } from '../node/support/person.js';
import type { Stage } from './stage.js';

export type Cast = { readonly [name: string]: Person };

/** One way to ask for an action. */
export interface Attempt {
  readonly name: string;
  /** The action's own input for a resource that stands like this; over the definition's example. */
  readonly body: (view: Body) => Body;
}

/** One resource to walk: how it is created, and what is tried on it. */
export interface Setting {
  /** Name of who creates it. */
  readonly creator: string;
  /** What must be there first, made once: members of the create input that name it. */
  readonly before?: (cast: Cast) => Promise<Body>;
  /** What is different from the definition's example; `now` is the node's clock. */
  readonly create: (cast: Cast, now: number) => Body;
  /** Where only another kind's request makes one: its view, when it is made. */
  readonly make?: (stage: Stage) => Promise<Body>;
  /** By action; one that is absent is asked with the definition's example. */
  readonly attempts: { readonly [action: string]: readonly Attempt[] };
}

export interface KindInputs {
  /** Who takes part. A `stranger` joins by itself. */
  readonly cast: readonly string[];
  /** Tokens that each of the cast begins with. */
  readonly funds: number;
  readonly settings: { readonly [name: string]: Setting };
  /** Every try is made now and, on a resource of its own, after so long. */
  readonly laterMs: number;
  /** What beside the state makes a situation of its own. */
  readonly situation: (context: JsonObject) => string;
  /** States, roles and guards that only a request on something else brings about: the stories tell of them. */
  readonly elsewhere?: readonly string[];
}

/** @throws with a word on what to write, where the kind has none */
export async function inputsOf({ kind }: AnyResource): Promise<KindInputs> {
  const file = new URL(`./inputs/${kind}.js`, import.meta.url);
  if (!existsSync(fileURLToPath(file))) {
    throw new MissingInputs(
      `the walk knows no inputs for ${kind}: write test/conformance/inputs/${kind}.ts, exporting \`inputs: KindInputs\``,
    );
  }
  return ((await import(file.href)) as { inputs: KindInputs }).inputs;
}

class MissingInputs extends Error {
  override name = 'MissingInputs';
}
