/** A text field that completes DIDs, names, ids and listings from the node and the address book while the user types. */
import type { RefObject } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { read, withQuery } from '../api/read.ts';
import type { MarketSearchResult, Replies } from '../api/types.ts';
import { abridgedDid, shortName } from '../format/format.ts';
import { didsNamed } from '../names/address-book.ts';
import { nameOf, namesRead } from '../names/names.ts';
import { isWords } from './with-date-or-amount.tsx';

export interface Completion {
  readonly value: string;
  readonly label: string;
}

interface CompletedProps {
  /** Attributes of the field. */
  readonly input: {
    readonly type?: 'search';
    readonly id?: string;
    readonly name?: string;
    readonly title?: string;
    readonly placeholder: string;
    readonly value?: string;
    readonly maxLength?: number;
    readonly 'aria-label'?: string;
    readonly 'aria-required'?: boolean;
    readonly 'aria-keyshortcuts'?: string;
    readonly onInput?: (event: { readonly currentTarget: { readonly value: string } }) => void;
  };
  /** Offered before anything is typed. */
  readonly first?: readonly Completion[];
  /** Which matches of a look-up it offers; absent: all. */
  readonly only?: 'identity';
  readonly field?: RefObject<HTMLInputElement | null>;
}

const restMs = 200;
const shortest = 2;
const mostListings = 5;

export function Completed({ input, first = [], only, field }: CompletedProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [offers, setOffers] = useState<readonly Completion[]>([]);
  useEffect(() => {
    if (typed.length < shortest) return setOffers([]);
    let isOver = false;
    const timer = setTimeout(async () => {
      const found = await completionsOf(typed, only);
      if (!isOver) setOffers(found);
    }, restMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [typed, only]);
  return (
    <>
      <input
        type="text"
        {...input}
        {...(field ? { ref: field } : {})}
        list={id}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setTyped(event.currentTarget.value.trim());
          input.onInput?.(event);
        }}
      />
      <datalist id={id}>
        {[...first, ...offers.filter(({ value }) => first.every((each) => each.value !== value))].map(
          ({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ),
        )}
      </datalist>
    </>
  );
}

const named = (did: string, name = nameOf(did)): Completion => ({
  value: did,
  label: name
    ? `${shortName(name.text)} (${abridgedDid(did)})${name.like ? ', looks like another name' : ''}`
    : abridgedDid(did),
});

/** The address book, a look-up and a search for listings: one that fails offers nothing, and the search itself says why. */
async function completionsOf(text: string, only: CompletedProps['only']): Promise<readonly Completion[]> {
  const own = didsNamed(text).map((did) => named(did));
  const nothing = (): readonly Completion[] => [];
  const [found, listings] = await Promise.all([
    lookedUp(text, only).catch(nothing),
    only === undefined && isWords(text) ? listingsWith(text).catch(nothing) : [],
  ]);
  return [...own, ...found.filter(({ value }) => own.every((each) => each.value !== value)), ...listings];
}

async function lookedUp(text: string, only: CompletedProps['only']): Promise<readonly Completion[]> {
  const { matches } = await read<Replies['lookUp']>(withQuery('/api/v1/lookup', { text }));
  await namesRead(matches.flatMap(({ what, id }) => (what === 'identity' ? [id] : [])));
  return matches.flatMap(({ what, id, kind, memo }): Completion[] => {
    if (only !== undefined && what !== only) return [];
    if (what === 'identity') return [named(id)];
    if (memo !== undefined) return [{ value: id, label: memo }];
    return what === 'resource' ? [{ value: id, label: kind ?? '' }] : [];
  });
}

async function listingsWith(keyword: string): Promise<readonly Completion[]> {
  const query = withQuery('/api/v1/markets/search', { keyword, limit: mostListings });
  const { listings } = await read<MarketSearchResult>(query);
  return listings.map(({ id, title }) => ({ value: id, label: typeof title === 'string' ? title : '' }));
}
