/** The user's own names for DIDs. */
import { keptNames } from './kept-names.ts';

const book = keptNames('svc-address-book', 1_000);

export const addressBook = book.names;

export const nameDid = book.give;

const didsWhere = (is: (name: string) => boolean): readonly string[] =>
  Object.keys(addressBook.value).filter((did) => is(addressBook.value[did]!.toLowerCase()));

/** The DIDs whose name begins with this text, ignoring case. */
export const didsNamed = (text: string): readonly string[] => didsWhere((name) => name.startsWith(text.toLowerCase()));

/** The one DID with this name, or the only one whose name begins with it. */
export function didNamed(text: string): string | undefined {
  const exact = didsWhere((name) => name === text.toLowerCase());
  const found = exact.length > 0 ? exact : didsNamed(text);
  return found.length === 1 ? found[0] : undefined;
}
