/** Requests as an integrator's test sends them: data, with placeholders for what only a running node knows. */
import { dayMs } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { actionAddress, createAddress, isNamedInBody, placesIn } from './address.js';
import { epoch, type Made } from './dry-run.js';
import type { Body } from './scenario.js';

/**
 * One HTTP request, and the required reply. `{…}` in `path` and `body` are placeholders, filled in by `fill`:
 * `{<who>}` is the DID of a participant, `{<who>.passphrase}` and `{<who>.nonce}` are its signing fields, `{now+<ms>}`
 * is a time by the node's clock; other names are those that an earlier step `keeps`.
 */
export interface Step {
  readonly action: string;
  /** The signer: a name of the path's cast. */
  readonly by: string;
  /** Roles that `by` holds on the resource. */
  readonly roles: readonly string[];
  readonly method: 'POST';
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Body;
  /** True if the step is sent after the path's `laterMs`. */
  readonly late: boolean;
  readonly expects: Expected;
  /** Placeholders whose values the reply provides: each with the path of the member, separated by dots. */
  readonly keeps: { readonly [placeholder: string]: string };
}

export interface Expected {
  readonly status: number;
  /** `code` of the problem document; absent where the request is accepted. */
  readonly code?: string;
  /** State of the resource afterwards, as views show it. */
  readonly state: string;
  /** The nested state, if there is one. */
  readonly substate?: string;
}

/** Placeholders by the text that they replace: the value in the dry run. */
export type Placeholders = ReadonlyMap<string, string>;

/** Times of a dry run are at most this far from its start. */
const nearMs = 400 * dayMs;

/** Replaces each known text, and each time inside a text, by its placeholder. */
function templated(value: unknown, names: Placeholders): unknown {
  if (typeof value === 'string') {
    let text = value;
    for (const [known, name] of names) text = text.replaceAll(known, name);
    return text;
  }
  if (typeof value === 'number') {
    const later = value - epoch;
    return Math.abs(later) < nearMs ? `{now${later < 0 ? '' : '+'}${later}}` : value;
  }
  if (Array.isArray(value)) return value.map((each) => templated(each, names));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, templated(member, names)]));
}

const headers = { 'Content-Type': 'application/json' };

/** The request with the fields that all writes have in common. */
export function stepOf(
  made: Made,
  { roles, late, expects, keeps }: Pick<Step, 'roles' | 'late' | 'expects' | 'keeps'>,
  names: Placeholders,
): Step {
  const { definition, action, id, input, by } = made;
  const isCreate = action === 'create';
  const inPath = isCreate
    ? [...(definition.create.path ?? '').matchAll(/:(\w+)/g)].map(([, name]) => name!)
    : placesIn(definition, action);
  const address = isCreate ? createAddress(definition, input) : actionAddress(definition, action, id, input);
  const body = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const named = !isCreate && isNamedInBody(definition, action) ? { [definition.route.param]: id } : {};
  return {
    action,
    by,
    roles,
    method: 'POST',
    path: templated(decodeURIComponent(address), names) as string,
    headers,
    body: {
      did: `{${by}}`,
      passphrase: `{${by}.passphrase}`,
      nonce: `{${by}.nonce}`,
      ...(templated({ ...Object.fromEntries(body), ...named }, names) as JsonObject),
    },
    late,
    expects,
    keeps,
  };
}

export interface Values {
  readonly [placeholder: string]: unknown;
}

/** A placeholder has no value. */
export class Unfilled extends Error {
  override name = 'Unfilled';

  constructor(readonly placeholder: string) {
    super(`nothing was given for {${placeholder}}`);
  }
}

/**
 * A template with its placeholders filled in: texts, objects, lists. A text that is one placeholder becomes its value,
 * whatever its type.
 * @param values by placeholder, without the braces; `now` is the node's clock, epoch milliseconds
 * @throws Unfilled
 */
export function fill<T>(template: T, values: Values): T {
  if (typeof template === 'string') {
    const whole = /^\{([^{}]+)\}$/.exec(template)?.[1];
    if (whole !== undefined) return valueNamed(whole, values) as T;
    return template.replace(/\{([^{}]+)\}/g, (_, name: string) => String(valueNamed(name, values))) as T;
  }
  if (Array.isArray(template)) return template.map((each) => fill(each, values)) as T;
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, fill(each, values)])) as T;
}

function valueNamed(name: string, values: Values): unknown {
  const [, later] = /^now([+-]\d+)?$/.exec(name) ?? [undefined, undefined];
  if (name.startsWith('now') && typeof values.now === 'number') return values.now + Number(later ?? 0);
  if (!Object.hasOwn(values, name)) throw new Unfilled(name);
  return values[name];
}

/** Values for the placeholders that a step keeps, taken from its reply. */
export function kept({ keeps }: Pick<Step, 'keeps'>, reply: unknown): Values {
  const member = (path: string): unknown =>
    path.split('.').reduce((value: unknown, name) => (value as Body | undefined)?.[name], reply);
  return Object.fromEntries(Object.entries(keeps).map(([name, path]) => [name, member(path)]));
}
