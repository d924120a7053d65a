/** The user's own names for DIDs. They are stored in this browser and never sent to the node. */
import { signal } from '@preact/signals';
import { remember, remembered } from '../shell/local.ts';

export type AddressBook = { readonly [did: string]: string };

const key = 'svc-address-book';
/** Most names that are kept, because a browser gives a page only a few megabytes of storage. */
const most = 1_000;
export const longestName = 60;

function read(): AddressBook {
  try {
    const kept: unknown = JSON.parse(remembered(key) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    const named = Object.entries(kept).filter(([, name]) => typeof name === 'string');
    return Object.fromEntries(named.slice(0, most).map(([did, name]) => [did, name.slice(0, longestName)]));
  } catch {
    return {}; // another program has written something else under this key
  }
}

export const addressBook = signal<AddressBook>(read());

/** @param name empty: removes the DID @returns false if the book is full */
export function nameDid(did: string, name: string): boolean {
  const { [did]: _, ...others } = addressBook.value;
  const given = name.trim().slice(0, longestName);
  if (given !== '' && Object.keys(others).length >= most) return false;
  addressBook.value = given === '' ? others : { ...others, [did]: given };
  remember(key, JSON.stringify(addressBook.value));
  return true;
}

/** The DIDs whose name begins with this text, ignoring case. */
export const didsNamed = (text: string): readonly string[] =>
  Object.entries(addressBook.value)
    .filter(([, name]) => name.toLowerCase().startsWith(text.toLowerCase()))
    .map(([did]) => did);
