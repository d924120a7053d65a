/** The form of a search. Submitting changes the page's address. */
import { useEffect, useRef } from 'preact/hooks';
import { wideEnough } from '../../parts/filter-form.tsx';
import { go, href, type RouteQuery } from '../../shell/route.ts';

const sorts = [
  ['', 'Relevance'],
  ['newest', 'Newest'],
  ['price_asc', 'Cheapest'],
  ['price_desc', 'Most expensive'],
  ['rating', 'Best rated'],
  ['popular', 'Most ordered'],
  ['reputation', 'Reputation of the seller'],
] as const;

const statuses = [
  ['', 'Active'],
  ['paused', 'Paused'],
  ['expired', 'Expired'],
  ['removed', 'Removed'],
  ['active,paused,expired,removed', 'Any'],
] as const;

const numbers = [
  { name: 'minPrice', label: 'Price from', max: undefined, step: 1 },
  { name: 'maxPrice', label: 'Price to', max: undefined, step: 1 },
  { name: 'minRating', label: 'Min. rating', max: 5, step: 0.1 },
  { name: 'minReputation', label: 'Min. reputation', max: 1000, step: 1 },
] as const;

/** Filters behind the fold of a narrow page. */
const folded = ['category', 'tags', 'type', 'statuses', 'sort', ...numbers.map(({ name }) => name as string)];

type Choices = readonly (readonly [value: string, title: string])[];

const Choice = ({ name, label, choices }: { name: string; label: string; choices: Choices }) => (
  <label>
    {label}
    <select name={name} onChange={(event) => event.currentTarget.form?.requestSubmit()}>
      {choices.map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  </label>
);

export function Filters({ market, query }: { market: string; query: URLSearchParams }) {
  const form = useRef<HTMLFormElement>(null);
  const text = query.toString();
  const whole = [...query].filter(([name]) => name.endsWith('[]'));
  const chosen = [...query.keys()].filter((name) => folded.includes(name)).length + whole.length;
  useEffect(() => {
    const given = new URLSearchParams(text);
    for (const field of form.current?.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]') ?? [])
      field.value = given.get(field.name) ?? '';
  }, [text]);

  const search = (event: SubmitEvent) => {
    event.preventDefault();
    if (!form.current) return;
    const given = [...new FormData(form.current)].map(([name, value]) => [name, String(value).trim()]);
    go(href('markets', market === '' ? [] : [market], Object.fromEntries([...whole, ...given]) as RouteQuery));
  };
  return (
    <search>
      <form ref={form} class="filters" onSubmit={search}>
        <label class="wide">
          Keyword
          <input
            name="keyword"
            type="search"
            placeholder="in title, tags, category or description"
            autocomplete="off"
          />
        </label>
        <p class="buttons">
          <button type="submit" class="main">
            Search
          </button>
          <a href={href('markets', market === '' ? [] : [market])}>Clear</a>
        </p>
        <details class="filter-fold" open={wideEnough() || chosen > 0}>
          <summary>{chosen === 0 ? 'More filters' : `More filters: ${chosen} in use`}</summary>
          <div class="filters">
            <label>
              Category
              <input name="category" type="text" autocomplete="off" />
            </label>
            <label>
              Tags
              <input name="tags" type="text" placeholder="one, another" autocomplete="off" />
            </label>
            <label>
              Type
              <input name="type" type="text" autocomplete="off" />
            </label>
            {numbers.map(({ name, label, max, step }) => (
              <label key={name} class="short">
                {label}
                <input name={name} type="number" min={0} max={max} step={step} inputMode="decimal" />
              </label>
            ))}
            <Choice name="statuses" label="Status" choices={statuses} />
            <Choice name="sort" label="Order" choices={sorts} />
          </div>
        </details>
      </form>
    </search>
  );
}
