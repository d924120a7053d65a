/** Command-line flags from a schema: plain values for scalars, JSON for nested members. */

import { type Command, Option } from 'commander';
import { ruleForms, ruleOf } from '../../../packages/client/src/rule-notation.js';
import { dayMs } from '../../core/bounds.js';
import { realEnvironment } from '../../core/environment.js';
import { isRounded } from '../../core/json-text.js';
import { UsageFault } from '../failure.js';
import { parseJson } from '../input.js';
import { didNamed } from '../profile/preferences.js';
import { kebab } from './names.js';
import type { ApiOperation, InputSchema, OperationParameter } from './operations.js';

type ValueForm = 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'past' | 'list' | 'rules' | 'json' | 'any';

export interface CommandField {
  readonly name: string;
  readonly form: ValueForm;
  readonly option: Option;
  readonly isRequired: boolean;
  /** A DID, or several: names from the address book are replaced. */
  readonly isDid: boolean;
}

/** Other spellings of parameters that have a separate flag. */
const aliases = ['q', 'per_page'];
/** Flags that every command has; a member of the same name gets a prefix. */
const taken = [
  ...['url', 'key', 'key-file', 'data', 'network', 'json', 'input', 'all', 'help', 'timeout'],
  ...['output', 'watch', 'wide', 'profile'],
];
/** Members with a shorter flag for a simple notation. The member's own flag takes JSON, and is hidden. */
const written: { readonly [name: string]: string } = { releaseRules: 'release', refundRules: 'refund' };

export function queryFields({ parameters }: ApiOperation): CommandField[] {
  return parameters
    .filter((each) => each.in === 'query' && !aliases.includes(each.name))
    .map((each) => fieldOf(each.name, withDescription(each), { required: each.required, isFilter: true }));
}

const withDescription = ({ schema, description }: OperationParameter): InputSchema =>
  description === undefined ? schema : { ...schema, description };

/** Secrets get no flag, because every user of the machine can read the process list. */
export function bodyFields({ body }: ApiOperation, group: string): CommandField[] {
  const says = body?.properties?.passphrase ? usual : {};
  return Object.entries(body?.properties ?? {})
    .filter(([, schema]) => !plain(schema).writeOnly)
    .flatMap(([name, schema]) => {
      const field = fieldOf(name, schema, { required: body?.required?.includes(name) ?? false, group, says });
      return name in written ? [rulesField(field), { ...field, option: field.option.hideHelp() }] : [field];
    });
}

/** `--release manual`, which may be repeated. */
function rulesField({ name, isRequired }: CommandField): CommandField {
  const says = `${isRequired ? 'required; ' : ''}${ruleForms}; may be repeated`;
  const option = new Option(`--${written[name]} <rule>`, says);
  option.argParser((text: string, before: readonly string[] = []) => [...before, text]);
  return { name, form: 'rules', option, isRequired, isDid: false };
}

interface FieldContext {
  readonly required: boolean;
  /** Times in a filter lie in the past, so they may be given as a duration: `2h` is two hours ago. */
  readonly isFilter?: true;
  /** Prefix for a member of the body whose flag name is taken. */
  readonly group?: string;
  /** Descriptions of the members that the command fills in itself. */
  readonly says?: { readonly [name: string]: string };
}

/** Descriptions are in Markdown, whose links are for web pages. */
const withoutLinks = (text: string): string => text.replace(/\[([^[\]]{1,80})\]\([^()]{1,200}\)/g, '$1');

function fieldOf(name: string, schema: InputSchema, context: FieldContext): CommandField {
  const { required, isFilter, group, says: known = {} } = context;
  const word = taken.includes(kebab(name)) ? `${group}-${kebab(name)}` : kebab(name);
  const shape = formOf(schema);
  const form = isFilter && shape === 'time' ? 'past' : shape;
  const placeholder =
    form === 'boolean' ? '' : isDid(name, schema) && form === 'text' ? ' <did>' : ` <${placeholders[form]}>`;
  const flags = `--${word}${placeholder}`;
  const { enum: choices, description = known[name] } = plain(schema);
  const says = [
    ...(required && !(name in known) ? ['required'] : []),
    ...(description === undefined ? [] : [withoutLinks(description)]),
    choices ? `one of ${choices.join(', ')}` : explanations[form],
  ].filter((part) => part !== '');
  const sentences = says.map((part, index) => (index < says.length - 1 ? part.replace(/\.$/, '') : part));
  return {
    name,
    form,
    option: new Option(flags, sentences.join('; ')),
    isRequired: required && !(name in known),
    isDid: isDid(name, schema),
  };
}

/** Whether the value is a DID: filters such as `did` have its pattern, path parameters its name. */
const isDid = (name: string, schema: InputSchema): boolean => {
  const { pattern = '', items } = plain(schema);
  return pattern.includes('did:svc') || name === 'did' || (items !== undefined && isDid('', items));
};

const placeholders = {
  text: 'text',
  integer: 'n',
  number: 'x',
  time: 'when',
  past: 'when',
  list: 'a,b',
  rules: 'rule',
  json: 'json',
  any: 'text',
} as const;

const explanations: { readonly [form in ValueForm]: string } = {
  text: '',
  integer: '',
  number: '',
  boolean: '',
  time: 'ISO 8601 or epoch milliseconds',
  past: 'ISO 8601, epoch milliseconds, or how long ago: 30m, 2h, 7d',
  list: 'several with commas, or a JSON list',
  rules: '',
  json: 'JSON; easier in --input',
  any: 'text, or JSON',
};

/** Members about the signer and the order of writes; a command fills in most of them. */
const usual: { readonly [name: string]: string } = {
  did: 'DID that signs (SVC_NODE_DID)',
  home: 'home where it is written, if that is a peer’s: your node says where it is',
  nonce: 'nonce to use instead of the next one',
  prev: 'hash of the last event of the DID: refused if there is a newer one',
  ts: 'your statement of the time',
  most: 'Tokens that it may cost you: refused if it would cost more',
  until: 'refused after this time',
  resourcePrev: 'version that you mean: refused if there is a newer one',
};

export const isUsual = (name: string): boolean => Object.hasOwn(usual, name);

/** The schema without its null alternative. */
function plain(schema: InputSchema): InputSchema {
  const [only, ...others] = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? { ...only, ...schema } : schema;
}

function formOf(given: InputSchema): ValueForm {
  const schema = plain(given);
  const { items, oneOf, anyOf } = schema;
  const types = [schema.type ?? []].flat().filter((each) => each !== 'null');
  const kinds = [types, (oneOf ?? anyOf ?? []).flatMap((each) => each.type ?? [])].flat();
  const [type] = types;
  if (kinds.includes('string') && kinds.includes('integer')) return 'time';
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type === 'array') return items && ['text', 'integer'].includes(formOf(items)) ? 'list' : 'json';
  if (type === 'string' || schema.enum) return 'text';
  return type === undefined && kinds.length === 0 && !schema.properties ? 'any' : 'json';
}

export function addFields(command: Command, fields: readonly CommandField[]): void {
  for (const { option, form } of fields) {
    command.addOption(option);
    if (form === 'boolean') command.addOption(new Option(`--no-${option.name()}`, '').hideHelp());
  }
}

function ruleIn(flag: string, text: string): object {
  const rule = ruleOf(text, didOr);
  if (typeof rule === 'string') throw new UsageFault([`${flag} ${text} ${rule}.`]);
  return rule;
}

/** The given values, by their names in the API. */
export function valuesOf(fields: readonly CommandField[], options: { readonly [attribute: string]: unknown }) {
  const values: { [name: string]: unknown } = {};
  for (const { name, form, option, isDid } of fields) {
    const value = options[option.attributeName()];
    if (value === undefined) continue;
    if (form === 'rules') values[name] = (value as string[]).map((text) => ruleIn(option.long ?? '', text));
    else if (typeof value === 'string') values[name] = resolved(read(form, value, option), isDid);
    else values[name] = value;
  }
  return values;
}

/** Replaces a name from the address book by its DID; the node validates all other texts. */
const didOr = (text: string): string => didNamed(text) ?? text;

function resolved(value: unknown, isDid: boolean): unknown {
  if (!isDid) return value;
  if (typeof value === 'string') return didOr(value);
  return Array.isArray(value) ? value.map((each) => (typeof each === 'string' ? didOr(each) : each)) : value;
}

function read(form: ValueForm, text: string, { long }: Option): unknown {
  switch (form) {
    case 'integer':
      if (/^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
      throw new UsageFault([`${long} ${text} is not a whole number of at most ${Number.MAX_SAFE_INTEGER}.`]);
    case 'number':
      if (text.trim() !== '' && Number.isFinite(Number(text)) && !isRounded(text)) return Number(text);
      throw new UsageFault([`${long} ${text} is not a number, or has too many digits.`]);
    case 'time':
      return timeOf(text);
    case 'past':
      return agoOf(text) ?? timeOf(text);
    case 'list':
      if (/^\s*\["/.test(text)) return parsed(text, long ?? '');
      return text.split(',').filter((part) => part !== '');
    case 'json':
      return parsed(text, long ?? '');
    case 'any':
      return /^\s*[[{]/.test(text) ? parsed(text, long ?? '') : text;
    default:
      return text;
  }
}

/** A date alone means its first moment in UTC. */
function timeOf(text: string): number | string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`;
  return /^\d{1,16}$/.test(text) ? Number(text) : text;
}

const unitsMs: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: dayMs,
  w: 604_800_000,
};

function agoOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : Math.max(0, realEnvironment.now() - Number(count) * unitsMs[unit]!);
}

const parsed = (text: string, flag: string): unknown =>
  parseJson(text, (wrong) => new UsageFault([`${flag} takes JSON, and this ${wrong}: ${text}`]));
