/** Names of DIDs (docs/reference/identities.md#names). */
import * as a from '../../../core/schema/shape.js';

const nameSchema = a.named(
  'DidName',
  a.object({
    did: a.did,
    displayName: a.described(
      { type: ['string', 'null'] },
      'The name in its identity document. Two DIDs can have the same name.',
    ),
    home: a.described(
      { anyOf: [a.did, { type: 'null' }] },
      'The other home whose feed shows this name; null if the name is known here.',
    ),
    part: a.described(
      { enum: ['node', 'system', 'arbiter', null] },
      'Its task for this node: `node` is the node’s own DID, `system` signs for the clock and the faucet, `arbiter` is the arbiter of the network.',
    ),
  }),
);

export const namesSchema = a.object({
  names: a.described(a.list(nameSchema), 'One element for each DID, in the order of the request.'),
});
