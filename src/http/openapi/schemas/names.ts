/** Names of DIDs (docs/reference/identities.md#names). */
import * as a from '../../../core/schema/shape.js';

export const nameSchema = a.named(
  'DidName',
  a.object({
    did: a.did,
    displayName: a.described(
      { type: ['string', 'null'] },
      'From its identity document, which only its key writes: nothing keeps two DIDs from the same name.',
    ),
    part: a.described(
      { enum: ['node', 'system', 'arbiter', null] },
      'What it does for this node: its own key, the key that signs for clock and faucet, the arbiter of the network.',
    ),
  }),
);

export const namesSchema = a.object({
  names: a.described(a.list(nameSchema), 'One for each DID, in the order asked.'),
});
