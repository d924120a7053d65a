/**
 * Validates a value with a scalar, and splits off its secrets.
 */
import * as s from 'superstruct';
import type { Json, JsonObject } from '../canonical.js';
import { type Code, type FieldError, Refusal } from '../refusal.js';
import { type AnyStruct, type FieldScalars, type Scalar, testOf } from './pair.js';

const flawed = Symbol('flawed');
const nowhere: s.Context = { branch: [], path: [] };

/**
 * The result of superstruct for a valid value, without tracking paths: half the cost of a request's validation. An
 * invalid value is validated again by superstruct, which says what is wrong.
 */
function accept(struct: AnyStruct, given: unknown): unknown {
  const value = struct.coercer(given, nowhere);
  const test = testOf(struct);
  if (test) return test(value) === true ? value : flawed;
  if (isAny(struct.validator(value, nowhere))) return flawed;
  for (const [name, member, inner] of struct.entries(value, nowhere)) {
    const accepted = accept(inner as AnyStruct, member);
    if (accepted === flawed) return flawed;
    const members = value as Record<string, unknown>;
    if (accepted !== undefined || name in members) members[name] = accepted;
  }
  return isAny(struct.refiner(value, nowhere)) ? flawed : value;
}

function isAny(failures: Iterable<unknown>): boolean {
  for (const _ of failures) return true;
  return false;
}

/** The most fields that one refusal names. */
const mostErrors = 20;

/** The scalar of a nested member; undefined inside alternatives. */
const memberAt = (scalar: Scalar<unknown>, path: readonly string[]): Scalar<unknown> | undefined =>
  path.reduce<Scalar<unknown> | undefined>((at, name) => at?.fields?.[name] ?? at?.element, scalar);

/** Validates, normalises, drops unknown members; the refusal names the offending fields. */
export function parse<T>(scalar: Scalar<T>, value: unknown): T | Refusal {
  const quick = accept(scalar.struct, value);
  if (quick !== flawed) return quick as T;
  const [failure, result] = s.validate(value, scalar.struct, { coerce: true });
  if (failure === undefined) return result as T;
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  let code: Code | undefined;
  for (const each of failure.failures()) {
    const field = each.path.join('.') || 'body';
    if (seen.has(field)) continue;
    if (seen.size === 0 && typeof each.value === 'string' && each.value !== '') {
      const own = memberAt(scalar, each.path)?.code;
      code = typeof own === 'function' ? own(each.value) : own;
    }
    seen.add(field);
    errors.push({ field, message: each.value === undefined ? 'is required' : each.message });
    if (errors.length === mostErrors) break;
  }
  const first = errors[0] ?? { field: 'body', message: 'is invalid' };
  return new Refusal(code ?? 'INVALID_REQUEST', `${first.field}: ${first.message}`, { errors });
}

/** Splits off the secret members: `[open, secrets]`. */
export function splitSecrets(fields: FieldScalars, input: JsonObject): [open: JsonObject, secrets: JsonObject] {
  const open: Record<string, Json | undefined> = {};
  const secrets: Record<string, Json | undefined> = {};
  for (const [name, value] of Object.entries(input)) {
    const field = fields[name];
    if (field?.secret) secrets[name] = value;
    else if (field?.fields && value && typeof value === 'object' && !Array.isArray(value)) {
      const [inner, hidden] = splitSecrets(field.fields, value as JsonObject);
      open[name] = inner;
      if (Object.keys(hidden).length > 0) secrets[name] = hidden;
    } else if (field?.element?.fields && Array.isArray(value)) {
      const members = field.element.fields;
      const parts = (value as readonly JsonObject[]).map((each) => splitSecrets(members, each));
      open[name] = parts.map(([inner]) => inner);
      if (parts.some(([, hidden]) => Object.keys(hidden).length > 0)) secrets[name] = parts.map(([, hidden]) => hidden);
    } else open[name] = value;
  }
  return [open, secrets];
}
