/** The proof of one resource. */
import * as a from '../../../core/schema/shape.js';
import { entrySchema } from '../../render/entry-view.js';
import { anchorSchema } from './chain.js';
import { checkpointSchema } from './node.js';
import { foreignMembers } from './resources.js';

const provenEntry = a.named('ProvenEntry', a.object({ entry: entrySchema, anchor: anchorSchema }));

/** What this node has found in the proof, or the entry, of another home (http/routes/checked-proof.ts). */
const checked = a.object({
  violation: a.nullable(a.text, 'What is wrong with it: do not believe it. Null: nothing that this node can see.'),
  isWhole: a.described(a.flag, 'Whether it was verified. False for a part of a proof, or one with over 100 entries.'),
  followed: a.described(
    a.count,
    'Entries of it that are in the journal which this node follows. It remembers the newest ones only.',
  ),
  checkpoint: a.nullable(a.freeObject, 'The signed checkpoint of the home up to which this node follows it.'),
});

const isChecked = {
  ...foreignMembers,
  checked: a.described(checked, 'Of another home’s: what this node has found in it.'),
};

/** One entry, also of another home. */
export const checkedEntrySchema = a.named('CheckedEntry', {
  ...entrySchema,
  properties: { ...(entrySchema.properties as a.SchemaMembers), asOf: foreignMembers.asOf, checked: isChecked.checked },
});

export const signedEntrySchema = a.named(
  'SignedEntry',
  a.object({
    entry: a.described(entrySchema, 'The entry around the event.'),
    checkpoint: a.described(checkpointSchema, 'The home’s statement that its journal has this entry at this number.'),
  }),
);

export const resourceProofSchema = a.object(
  {
    v: a.described(a.constant(1), 'Version of the format.'),
    type: a.described(a.constant('resource-proof'), 'Type of the document.'),
    network: a.described(a.text, 'Network of the node: devnet, testnet or mainnet.'),
    kind: a.described(a.text, 'Kind of the resource: `escrow`.'),
    id: a.described(a.text, 'Id of the resource.'),
    state: a.described(a.text, 'After the newest version.'),
    total: a.described(a.count, 'Number of versions, which is the number of entries in all pages.'),
    first: a.described(provenEntry, 'Entry 1 of the journal: it names whose journal it is.'),
    entries: a.described(a.list(provenEntry), 'The entries that made its versions, oldest first.'),
    corrections: a.described(
      a.list(provenEntry),
      'Corrections of clocks among them: after each, times with the same `home` may be lower than before.',
    ),
    definitions: a.described(
      { type: 'object', additionalProperties: a.freeObject },
      'The chart of each definition version. A version is `<kind>-<revision>-<first 12 digits of the SHA-256 of the RFC 8785 form of the chart>`.',
    ),
    next: a.nullable(a.count, 'The `after` of the next page; null at the end.'),
    hasMore: a.described(a.flag, 'Whether there are later entries.'),
  },
  isChecked,
);
