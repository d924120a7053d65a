/** Results of a look-up (docs/reference/node.md#look-up). */
import * as a from '../../../core/schema/shape.js';

export const lookupSchema = a.object({
  matches: a.described(
    a.list(
      a.named(
        'LookupMatch',
        a.object(
          {
            what: a.described(
              a.oneOf('entry', 'identity', 'resource'),
              'An entry of the journal, a DID, or a resource.',
            ),
            id: a.described(a.text, 'Number of the entry, the DID, or id of the resource.'),
          },
          {
            kind: a.described(a.text, 'Of a resource.'),
            state: a.described(a.text, 'Of a resource.'),
            by: a.described(
              a.oneOf('event', 'transaction', 'entry', 'chain', 'payload', 'state', 'memo'),
              'Only of an entry: what the hash is. It is the hash of its event, of its transaction on chain, of itself, of the chain up to it, of its payload, or of a state that it produced. `memo`: it was found by its memo.',
            ),
            home: a.described(a.did, 'Of a listing or identity of another home: DID of that home.'),
            displayName: a.described(a.text, 'Of an identity that was found by its name.'),
            memo: a.described(
              a.text,
              'Of an entry that was found by its memo: that of a transfer from or to the DID of the API key.',
            ),
          },
        ),
      ),
    ),
    'What the text refers to; empty if it refers to nothing.',
  ),
  hasMore: a.described(a.flag, 'There are more matches: use a longer text.'),
});
