/** Decides which key may sign the events of an issuer, in one place. */
import { publicKeyHexOf } from '../core/codecs/did.js';
import type { Resource } from '../machines/kernel/resource.js';
import type { EventBody } from '../store/entry.js';

/** The state of the journal before the entry. */
export interface Place {
  resource(kind: string, id: string): Resource | undefined;
}

/** For an entry that is checked outside of its journal, without the state before it. */
export const noPlace: Place = { resource: () => undefined };

/**
 * Whether the key that signed may sign for the issuer in this state: only the issuer's own key may. A key that the
 * issuer has authorised in the journal would be looked up in `place`.
 */
export const maySign = ({ pub, issuer }: EventBody, _place: Place): boolean => publicKeyHexOf(issuer) === pub;
