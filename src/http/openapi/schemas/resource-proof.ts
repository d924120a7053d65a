/** The proof of one resource. */
import * as a from '../../../core/schema/shape.js';
import { entrySchema } from '../../render/entry-view.js';
import { anchorSchema } from './chain.js';
import { originFields } from './origin.js';

const provenEntry = a.object({
  entry: entrySchema,
  anchor: a.described({ anyOf: [anchorSchema, { type: 'null' }] }, 'Where its root is on chain; null until it is.'),
});

export const resourceProofSchema = a.object(
  {
    v: a.described(a.constant(1), 'Version of the format.'),
    type: a.described(a.constant('resource-proof'), 'Says what the document is.'),
    network: a.described(a.text, 'Network of the node: devnet, testnet or mainnet.'),
    kind: a.described(a.text, 'Kind of the resource: `escrow`.'),
    id: a.described(a.text, 'Id of the resource.'),
    state: a.described(a.text, 'After the newest version.'),
    total: a.described(a.count, 'Number of versions, and so of entries in all pages.'),
    first: a.described(provenEntry, 'Entry 1 of the journal: it names whose journal it is.'),
    entries: a.described(a.list(provenEntry), 'Those that made its versions, oldest first.'),
    definitions: a.described(
      { type: 'object', additionalProperties: a.freeObject },
      'By definition version, the chart whose hash it is: `<kind>-<revision>-<first 12 digits of SHA-256 of its RFC 8785 form>`.',
    ),
    next: a.described(a.nullable(a.count), 'The `after` of the next page; null at the end.'),
    hasMore: a.described(a.flag, 'Whether there are later entries.'),
  },
  originFields,
);
