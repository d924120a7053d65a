/** Names of homes: that of the document of the home's own DID, and its tag, because a name is not unique. */
import { shortName } from '../format/format.ts';
import { nameOf } from './names.ts';

/** The first characters of its DID that differ from other DIDs. */
export const homeTag = (did: string): string => did.slice('did:svc:z6Mk'.length).slice(0, 8);

/** The name alone; its tag if it has none. */
export const homeWord = (did: string): string => shortName(nameOf(did)?.text ?? homeTag(did));

/** `Alba tosFbd5M`, or the tag alone. */
export const homeName = (did: string): string => (nameOf(did) ? `${homeWord(did)} ${homeTag(did)}` : homeTag(did));
