/** The DID in a path. */
import { type Did, parseDid } from '../../core/codecs/did.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import type { Call } from '../server/route.js';

export const notADid = refuse('DID_INVALID', 'did: is not a valid DID', {
  errors: [{ field: 'did', message: 'is not a valid DID' }],
});

export function didParameter(call: Pick<Call, 'params'>): Did | Refusal {
  const text = call.params.did!;
  return (text.length < 128 ? parseDid(text) : undefined) ?? notADid;
}
