/** One member of a request body as a form field, made from its schema. */
import { useId } from 'preact/hooks';
import { ruleForms, ruleOf, type WrittenRule } from '../../packages/client/src/rule-notation.ts';
import type { Schema } from '../api/operations.ts';
import { capital, words } from '../format/format.ts';
import { Completed, type Completion } from '../parts/completed.tsx';

/** Undefined: not given yet. */
export type Draft = { readonly [name: string]: string | boolean | undefined };

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: string | boolean;
  readonly required: boolean;
  /** For a DID: those of the people of Try it, by number and name. */
  readonly people?: readonly Completion[] | undefined;
  onChange(value: string | boolean): void;
}

const isTime = ({ format }: Schema): boolean => format === 'date-time';
/** Rules of an escrow, which people write in the notation of the command line. */
const isRules = (name: string): boolean => name.endsWith('Rules');
const isPlain = (schema: Schema): boolean => schema.type === 'string' || schema.type === 'integer' || isTime(schema);

/** The initial value of a field, from the member's example. */
export function draftOf(name: string, schema: Schema, example: unknown): string | boolean {
  if (schema.type === 'boolean') return example === true;
  if (example === undefined) return '';
  if (isRules(name)) return 'manual';
  return isPlain(schema) ? String(example) : JSON.stringify(example, withoutDids);
}

/** The people of an example do not exist on this node. */
const withoutDids = (_member: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('did:') ? undefined : value;

/** The member's value from the field; undefined if it is empty. Throws an Error for the user if JSON.parse refuses or rounds it. */
export function memberOf(name: string, schema: Schema, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value ? true : undefined;
  const text = value.trim();
  if (text === '') return undefined;
  if (schema.type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (isPlain(schema)) return text;
  if (isRules(name) && !/^[[{]/.test(text)) return rulesIn(name, text);
  try {
    return JSON.parse(text, exactly) as unknown;
  } catch (error) {
    throw new Error(`${words(name)} ${error instanceof RangeError ? error.message : 'is not JSON'}`);
  }
}

/** One rule a line. */
function rulesIn(name: string, text: string): readonly WrittenRule[] {
  return text.split('\n').map((line) => {
    const rule = ruleOf(line, (each) => each);
    if (typeof rule === 'string') throw new Error(`${words(name)}: ${line} ${rule}`);
    return rule;
  });
}

/** Numbers beyond 2^53 - 1 would be rounded, or be null, before the node sees them. */
function exactly(_member: string, value: unknown): unknown {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new RangeError('has a number beyond 2^53 − 1');
  return value;
}

const longText = 200;

/** With the members that it may have, because an example has not all of them. */
const asJson = ({ properties = {} }: Schema): string =>
  ['as JSON', ...(Object.keys(properties).length > 0 ? [`with ${Object.keys(properties).join(', ')}`] : [])].join(', ');

export function Field({ name, schema, value, required, people, onChange }: FieldProps) {
  const id = useId();
  const label = `${capital(words(name))}${required ? '' : ' (optional)'}`;
  const shared = { id, 'aria-required': required, title: schema.description ?? '' };
  if (schema.type === 'boolean') {
    return (
      <label class="check-field">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />{' '}
        {label}
      </label>
    );
  }
  const text = String(value);
  const take = (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value);
  const isLong = !isPlain(schema) || (schema.maxLength ?? 0) > longText;
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!isPlain(schema) && (
          <span class="faint">{isRules(name) ? `one a line: ${ruleForms}; or JSON` : asJson(schema)}</span>
        )}
      </label>
      {schema.enum ? (
        <select value={text} onChange={take} {...shared}>
          <option value="" />
          {schema.enum.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : isLong ? (
        <textarea rows={isPlain(schema) ? 2 : 3} value={text} onInput={take} spellcheck={false} {...shared} />
      ) : people ? (
        <Completed
          input={{ ...shared, value: text, onInput: take, placeholder: 'name, number or DID' }}
          first={people}
          only="identity"
        />
      ) : (
        <input
          {...(schema.type === 'integer' ? { type: 'number' as const } : { type: 'text' as const })}
          value={text}
          placeholder={isTime(schema) ? '2027-01-31T12:00:00Z' : ''}
          onInput={take}
          autocomplete="off"
          spellcheck={false}
          {...shared}
        />
      )}
    </div>
  );
}
