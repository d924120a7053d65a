/**
 * What an operator's own acts answer, where it is no view of something else.
 */
import * as a from '../../machines/kernel/shape.js';

export const lockSchema = a.object({
  did: a.did,
  unlocked: a.described(a.flag, 'Keys bound to the DID sign without its passphrase.'),
});
