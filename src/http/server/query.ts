/**
 * Parses query strings strictly (docs/reference/requests.md#queries): a parameter given twice with different values is
 * INVALID_REQUEST (except lists), unknown ones are ignored unless the route refuses them, and texts are converted to the
 * types of the route's scalar.
 */
import { bounds } from '../../core/bounds.js';
import { isRounded } from '../../core/json-text.js';
import { invalid, isRefusal, Refusal, refuse } from '../../core/refusal.js';
import { type JsonSchema, parse, type Scalar } from '../../core/schema/scalar.js';

type Converter = (text: string) => unknown;

const numeral = /^-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i;
/** A text that is no number, or would become another integer, is kept, and refused by the scalar. */
const toNumber: Converter = (text) => (numeral.test(text) && !isRounded(text) ? Number(text) : text);
/** Where texts are good, too: `12.00000000` is one. */
const whole = /^\d+$/;
const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const toBoolean: Converter = (text) => booleans.get(text.toLowerCase()) ?? text;
const toText: Converter = (text) => text;

function converterOf(schema: JsonSchema): Converter {
  const variants = (schema.oneOf ?? schema.anyOf) as readonly JsonSchema[] | undefined;
  const types = new Set([schema, ...(variants ?? [])].flatMap((each) => each.type));
  if (types.has('array')) {
    const element = converterOf((schema.items ?? {}) as JsonSchema);
    return (text) => element(text.trim());
  }
  if (types.has('integer') && types.has('string')) return (text) => (whole.test(text) ? toNumber(text) : text);
  if (types.has('number') || types.has('integer')) return toNumber;
  return types.has('boolean') ? toBoolean : toText;
}

/** Reads the query of one route; built once per route. */
export type QueryReader = (url: string) => unknown;

interface Parameter {
  readonly name: string;
  readonly convert: Converter;
  /** `convert` is that of an element. May be repeated, or given as `name[]`; only the single plain form has commas. */
  readonly isList: boolean;
}

function parametersOf({ fields = {}, aliases = {} }: Scalar<unknown>): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const [name, { schema }] of Object.entries(fields)) {
    parameters.set(name, { name, convert: converterOf(schema), isList: schema.type === 'array' });
  }
  for (const [alias, name] of Object.entries(aliases)) parameters.set(alias, parameters.get(name)!);
  for (const [name, parameter] of [...parameters]) if (parameter.isList) parameters.set(`${name}[]`, parameter);
  return parameters;
}

/** Of the parameter that begins a range, the name of the one that ends it; other names as they are. */
const endOf = (name: string): string =>
  name
    .replace(/^min(?=[A-Z])/, 'max')
    .replace(/From$/, 'To')
    .replace(/^since$/, 'until');

/** @returns a reader that gives the validated, normalised query or a Refusal */
export function queryReader(scalar: Scalar<unknown>): QueryReader {
  const known: KnownParameters = {
    parameters: parametersOf(scalar),
    refused: new Map(Object.entries(scalar.refused ?? {})),
  };
  const fields = scalar.fields ?? {};
  const ranges = Object.keys(fields).filter((from) => endOf(from) !== from && endOf(from) in fields);
  const empty = parse(scalar, {});
  if (!isRefusal(empty) && typeof empty === 'object' && empty !== null) Object.freeze(empty);
  return (url) => {
    const start = url.indexOf('?');
    if (start < 0 || start === url.length - 1) return empty;
    const texts = textsOf(url.slice(start + 1), known);
    if (texts instanceof Refusal) return texts;
    const raw: Record<string, unknown> = {};
    for (const [{ name, convert, isList }, given] of texts) {
      raw[name] = isList ? elementsOf(given).map(convert) : convert(given.texts[0]!);
    }
    const query = parse(scalar, raw);
    if (isRefusal(query)) return ofParameters(query);
    const given = query as { readonly [name: string]: number };
    const reversed = ranges.find((from) => given[from]! > given[endOf(from)]!);
    return reversed === undefined ? query : invalid(endOf(reversed), `must be at least ${reversed}`);
  };
}

/** Names the parameter in the refusal of a list's element, because a caller knows only the parameter. */
function ofParameters({ code, extras }: Refusal): Refusal {
  const errors = (extras.errors ?? []).map(({ field, message }) => ({ field: field.replace(/\..*/, ''), message }));
  return refuse(code, `${errors[0]?.field}: ${errors[0]?.message}`, { ...extras, errors });
}

interface Given {
  readonly texts: readonly string[];
  /** Whether it was given as `name[]`. */
  readonly inBrackets: boolean;
}

function elementsOf({ texts, inBrackets }: Given): readonly string[] {
  if (texts.length > 1 || inBrackets) return texts.filter((each) => each !== '');
  return texts[0] === '' ? [] : texts[0]!.split(',');
}

interface KnownParameters {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Names that are refused instead of ignored, each with the reason. */
  readonly refused: ReadonlyMap<string, string>;
}

function textsOf(query: string, { parameters, refused }: KnownParameters): Map<Parameter, Given> | Refusal {
  const texts = new Map<Parameter, Given>();
  const pairs = query.split('&', bounds.queryParameters + 1);
  if (pairs.length > bounds.queryParameters) {
    return invalid('query', `has more than ${bounds.queryParameters} parameters`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const parameter = parameters.get(name);
    if (!parameter) {
      const reason = refused.get(name);
      if (reason !== undefined) return invalid(name, reason);
      continue;
    }
    const text = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const { texts: earlier, inBrackets } = texts.get(parameter) ?? { texts: [], inBrackets: false };
    if (!parameter.isList && earlier.length > 0 && earlier[0] !== text) return invalid(parameter.name, twice);
    texts.set(parameter, { texts: [...earlier, text], inBrackets: inBrackets || name.endsWith('[]') });
  }
  return texts;
}

const twice = 'is given twice: give it once, with commas between several values where it takes them';

/** Percent-encoding was validated before routing. */
const decode = (text: string): string => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodeURIComponent(spaced) : spaced;
};
