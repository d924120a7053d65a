/** Names that the user gives to something. They are stored in this browser and never sent to the node. */
import { type ReadonlySignal, signal } from '@preact/signals';
import { remember, remembered } from '../shell/local.ts';

type Names = { readonly [id: string]: string };

export interface KeptNames {
  readonly names: ReadonlySignal<Names>;
  /** @param name empty: removes it @returns what the user is told */
  give(id: string, name: string): 'Saved.' | 'Removed.' | 'Too many names are kept: remove others first.';
}

export const longestName = 60;
const longestId = 500;

function read(key: string, most: number): Names {
  try {
    const kept: unknown = JSON.parse(remembered(key) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    const named = Object.entries(kept).filter(([id, name]) => typeof name === 'string' && id.length <= longestId);
    return Object.fromEntries(named.slice(0, most).map(([id, name]) => [id, name.slice(0, longestName)]));
  } catch {
    return {}; // another program has written something else under this key
  }
}

/** @param most names that are kept, because a browser gives a page only a few megabytes of storage */
export function keptNames(key: string, most: number): KeptNames {
  const names = signal(read(key, most));
  return {
    names,
    give(id, name) {
      const { [id]: _, ...others } = names.value;
      const given = name.trim().slice(0, longestName);
      if (given !== '' && (Object.keys(others).length >= most || id.length > longestId))
        return 'Too many names are kept: remove others first.';
      names.value = given === '' ? others : { ...others, [id]: given };
      remember(key, JSON.stringify(names.value));
      return given === '' ? 'Removed.' : 'Saved.';
    },
  };
}
