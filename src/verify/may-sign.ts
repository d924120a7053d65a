/** Who may sign for whom: the one place that says which key an event of an issuer may carry. */
import { publicKeyHexOf } from '../core/codecs/did.js';
import type { Resource } from '../machines/kernel/definition.js';
import type { EventBody } from '../store/entry.js';

/** The state of the journal before the entry. */
export interface Place {
  resource(kind: string, id: string): Resource | undefined;
}

/** For an entry outside of its journal: nothing is known of what came before. */
export const noPlace: Place = { resource: () => undefined };

/**
 * Whether the key that signed may sign for the issuer at this place. An issuer's own key may, and no other; a key that
 * the issuer has authorised in the journal would be looked up in `place`.
 */
export const maySign = ({ pub, issuer }: EventBody, _place: Place): boolean => publicKeyHexOf(issuer) === pub;
