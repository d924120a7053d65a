/** The filters of a list. Submitting changes the page's address and reads nothing, so that a link contains the filters. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, type RouteQuery } from '../shell/route.ts';
import { Completed } from './completed.tsx';

export interface FilterField {
  /** Name of the parameter in the address. */
  readonly name: string;
  readonly label: string;
  /** `party`: a text that completes names of DIDs. */
  readonly type: 'text' | 'party' | 'date' | 'number' | 'choice';
  readonly placeholder?: string;
  /** The choices; the first one means no filter. */
  readonly choices?: readonly (readonly [value: string, title: string])[];
  readonly wide?: boolean;
}

interface FilterFormProps {
  readonly label: string;
  readonly fields: readonly FilterField[];
  readonly query: URLSearchParams;
  /** The list's address with these filters. Empty ones are left out. */
  readonly to: (filters: RouteQuery) => string;
  /** Replaces typed text by what the address needs: a name by its DID. A text says why it cannot. */
  readonly resolve?: (filters: RouteQuery) => Promise<RouteQuery | string>;
}

/** Whether filters are shown unfolded. */
export const wideEnough = () => matchMedia('(min-width: 52.01rem)').matches;

export function FilterForm({ label, fields, query, to, resolve }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [flaw, setFlaw] = useState('');
  const text = query.toString();
  const chosen = fields.filter(({ name }) => query.get(name));
  useEffect(() => {
    const given = new URLSearchParams(text);
    for (const field of form.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]') ?? [])
      field.value = given.get(field.name) ?? '';
  }, [text]);
  const search = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!form.current) return;
    const given = [...new FormData(form.current)].map(([name, value]) => [name, String(value).trim()]);
    const filters = Object.fromEntries(given) as RouteQuery;
    const resolved = resolve ? await resolve(filters) : filters;
    setFlaw(typeof resolved === 'string' ? resolved : '');
    if (typeof resolved !== 'string') go(to(resolved));
  };
  return (
    <search>
      <details class="filter-fold" open={wideEnough() || chosen.length > 0}>
        <summary>{chosen.length === 0 ? 'Filters' : `Filters: ${chosen.length} in use`}</summary>
        <form ref={form} class="filters" aria-label={label} onSubmit={(event) => void search(event)}>
          {fields.map((field) => (
            <Field key={field.name} field={field} />
          ))}
          {flaw !== '' && (
            <p class="bad" role="alert">
              {flaw}
            </p>
          )}
          <p class="buttons">
            <button type="submit" class="main">
              Apply
            </button>
            <a href={to({})}>Clear</a>
          </p>
        </form>
      </details>
    </search>
  );
}

function Field({ field }: { field: FilterField }) {
  const { label, type, wide = false } = field;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Control is one
    <label class={wide ? 'wide' : type === 'text' || type === 'party' ? '' : 'short'}>
      {label}
      <Control field={field} />
    </label>
  );
}

function Control({ field: { name, type, placeholder = '', choices = [] } }: { field: FilterField }) {
  if (type === 'date') return <input name={name} type="date" />;
  if (type === 'number') return <input name={name} type="number" min={0} step={1} />;
  if (type === 'party') return <Completed input={{ name, placeholder }} only="identity" />;
  if (type === 'text') {
    return <input name={name} type="text" placeholder={placeholder} autocomplete="off" spellcheck={false} />;
  }
  return (
    <select name={name}>
      {choices.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}
