/** The user's own names for DIDs. */
import { keptNames } from './kept-names.ts';

const book = keptNames('svc-address-book', 1_000);

export const addressBook = book.names;

export const nameDid = book.give;

/** The DIDs whose name begins with this text, ignoring case. */
export const didsNamed = (text: string): readonly string[] =>
  Object.entries(addressBook.value)
    .filter(([, name]) => name.toLowerCase().startsWith(text.toLowerCase()))
    .map(([did]) => did);
