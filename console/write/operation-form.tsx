/** A form for one operation. Its fields come from the body's schema, its signers are the people of Try it. */
import { useState } from 'preact/hooks';
import type { Operation, Schema } from '../api/operations.ts';
import type { Problem } from '../api/problem.ts';
import { asProblem } from '../api/read.ts';
import type { JsonObject } from '../api/types.ts';
import { capital, words } from '../format/format.ts';
import { didNamed } from '../names/address-book.ts';
import { nameOf } from '../names/names.ts';
import { didText } from '../parts/did.tsx';
import { Failure } from '../parts/reading.tsx';
import { type Draft, draftOf, Field, memberOf } from './field.tsx';
import { didMeant, refresh, residents } from './people.ts';

/** Members that the form fills in itself. */
const own = ['did', 'passphrase', 'nonce', 'prev', 'ts', 'most', 'until', 'resourcePrev'];

interface OperationFormProps {
  readonly operation: Operation;
  readonly label: string;
  /** The resource's view; undefined when the operation creates one. */
  readonly view?: JsonObject | undefined;
  /** DIDs that may take the action: one of them, if it is of Try it, is the first choice of the signer. */
  readonly signers?: readonly unknown[];
  onDone(reply: JsonObject): void;
}

const isDidField = (name: string, pattern: unknown): boolean =>
  String(pattern ?? '').includes('did:svc') && name !== 'did';

/** Members of which the view has the values: the order, where the path names its listing; the terms that are signed. */
const idsIn = ({ body }: Operation, view: JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.keys(body.properties ?? {})
      .filter((name) => (name.endsWith('Id') || name === 'termsHash') && typeof view?.[name] === 'string')
      .map((name) => [name, view?.[name]]),
  );

/** The values of a path parameter among the parts of the view: `milestoneId` is the id of one of its `milestones`. */
function choicesOf(name: string, view: JsonObject | undefined): Pick<Schema, 'enum'> {
  const parts = view?.[`${name.replace(/Id$/, '')}s`];
  return Array.isArray(parts) ? { enum: parts.map(({ id }: JsonObject) => String(id)) } : {};
}

/** Another person of Try it, by name if it is one person's. */
function otherThan(signer: string | undefined): string {
  const other = residents.value.find(({ did }) => did !== signer)?.did ?? '';
  const name = nameOf(other)?.text ?? '';
  return didNamed(name) === other ? name : other;
}

export function OperationForm({ operation, label, view, signers = [], onDone }: OperationFormProps) {
  const { body, example, parameters } = operation;
  const ids = idsIn(operation, view);
  const fields = Object.entries(body.properties ?? {}).filter(([name]) => !own.includes(name) && !(name in ids));
  // Path parameters that the view does not contain, such as the milestone.
  const asked = parameters.filter((name) => view?.[name] === undefined);
  const chosen: JsonObject = Object.fromEntries(asked.map((name) => [name, choicesOf(name, view).enum?.[0]]));
  const isRequired = (name: string) => body.required?.includes(name) === true;
  const [draft, setDraft] = useState<Draft>(() =>
    Object.fromEntries(
      fields.map(([name, schema]) => {
        const isDid = isDidField(name, (schema as { pattern?: string }).pattern);
        if (isDid && isRequired(name)) return [name, undefined];
        // Optional members of the example (an expiry, an arbiter) start empty, because most requests do not need them.
        return [name, draftOf(name, schema, isRequired(name) ? example[name] : undefined)];
      }),
    ),
  );
  const [signer, setSigner] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setIsSending] = useState(false);
  const who =
    residents.value.find(({ did }) => did === signer) ??
    residents.value.find(({ did }) => signers.includes(did)) ??
    residents.value[0];
  /** A DID that the write needs is that of another person, until the user gives one. */
  const given = (name: string): string | boolean => draft[name] ?? otherThan(who?.did);
  const change = (name: string) => (value: string | boolean) => setDraft((before) => ({ ...before, [name]: value }));

  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!who) return;
    setIsSending(true);
    try {
      const members = fields.map(([name, schema]) => {
        const text = given(name);
        const isDid = isDidField(name, (schema as { pattern?: string }).pattern);
        return [name, memberOf(name, schema, isDid ? didMeant(String(text).trim()) : text)] as const;
      });
      const missing = asked.find((name) => !String(draft[name] ?? chosen[name] ?? '').trim());
      if (missing !== undefined) throw new Error(`${capital(words(missing))} is required`);
      const { resourcePrev } = view ?? {};
      const takesPrev = body.properties?.resourcePrev !== undefined && typeof resourcePrev === 'string';
      const reply = await who.write(pathOf(operation, { ...chosen, ...draft, ...view }), {
        ...(takesPrev ? { resourcePrev } : {}),
        ...ids,
        ...Object.fromEntries(members.filter(([, value]) => value !== undefined)),
      });
      setProblem(undefined);
      await refresh();
      onDone(reply);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setIsSending(false);
    }
  };

  const people = residents.value.map(({ did }, at) => ({ value: did, label: `${at + 1}: ${didText(did)}` }));
  const shown = ([name, schema]: (typeof fields)[number]) => (
    <Field
      key={name}
      {...{ name, schema, required: isRequired(name), value: given(name), onChange: change(name) }}
      people={isDidField(name, (schema as { pattern?: string }).pattern) ? people : undefined}
    />
  );
  const optional = fields.filter(([name]) => !isRequired(name));
  return (
    <form class="operation" onSubmit={send} aria-label={label}>
      <p class="faint">{operation.summary}</p>
      <label>
        Signer
        <select value={who?.did ?? ''} onChange={(event) => setSigner(event.currentTarget.value)}>
          {people.map(({ value, label: said }) => (
            <option key={value} value={value}>
              {said}
            </option>
          ))}
        </select>
      </label>
      {asked.map((name) => (
        <Field
          key={name}
          {...{ name, required: true, schema: { type: 'string', ...choicesOf(name, view) }, onChange: change(name) }}
          value={draft[name] ?? String(chosen[name] ?? '')}
        />
      ))}
      {fields.filter(([name]) => isRequired(name)).map(shown)}
      {optional.length > 0 && (
        <details>
          <summary>{optional.length === 1 ? 'One more field' : `${optional.length} more fields`}</summary>
          <div class="operation">{optional.map(shown)}</div>
        </details>
      )}
      <p class="buttons">
        <button type="submit" class="main" disabled={isSending || !who}>
          {label}
        </button>
      </p>
      {problem && <Failure problem={problem} />}
    </form>
  );
}

const pathOf = ({ path, parameters }: Operation, values: JsonObject): string =>
  parameters.reduce((made, name) => made.replace(`{${name}}`, encodeURIComponent(String(values[name] ?? ''))), path);
