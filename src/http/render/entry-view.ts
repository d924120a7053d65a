/** An entry of the journal as callers see it (docs/reference/events-and-entries.md#entries). */
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import { type FieldTable, publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { NumberedEntry } from '../../store/entry.js';
import { entryFields, entryVersion } from '../../store/journal-form.js';
import type { PublishedPayload } from '../../verify/published-payload.js';
import {
  eventSchema,
  leafSchema,
  moveSchema,
  payloadSchema,
  positive,
  postingSchema,
  receiptSchema,
} from './entry-schemas.js';

export interface ShownEntry extends Partial<PublishedPayload> {
  readonly entry: NumberedEntry;
  readonly receipt: SettlementReceipt | undefined;
  /** Members that are damaged in the database. */
  readonly unreadable: readonly string[];
}

const { v: _, event: __, moves: ___, postings: ____, ...plainFields } = entryFields;

const coreFields: FieldTable<ShownEntry, unknown> = {
  event: [eventSchema, ({ entry }) => entry.core.event],
  ...Object.fromEntries(
    Object.entries(plainFields).map(([name, { schema }]) => [
      name,
      [a.outgoing(schema), ({ entry }: ShownEntry) => entry.core[name as keyof typeof plainFields]],
    ]),
  ),
  moves: [a.described(a.list(moveSchema), 'How Tokens moved, in this order.'), ({ entry }) => entry.core.moves],
  postings: [
    a.described(a.list(postingSchema), 'What each account gained or lost; they sum to zero.'),
    ({ entry }) => entry.core.postings,
  ],
};

/** The part of an entry that never changes: what its hash covers. */
export const entryCoreSchema = a.named(
  'EntryCore',
  a.object({
    v: a.described(a.constant(entryVersion), 'Version of the entry.'),
    ...publicForm<ShownEntry>(coreFields).schema.properties,
  }),
);

const form = publicForm<ShownEntry>(
  {
    seq: [a.described(positive, 'Number in the journal: from 1, without gaps.'), ({ entry }) => entry.seq],
    ...coreFields,
    entryHash: [
      a.described(a.hash, 'SHA-256 of the RFC 8785 form of the immutable part, hex.'),
      ({ entry }) => entry.entryHash,
    ],
    prevEntry: [
      a.described(a.hash, '`chainHash` of the entry before; zeros before the first.'),
      ({ entry }) => entry.prevEntry,
    ],
    chainHash: [
      a.described(a.hash, 'SHA-256 of `svc:journal:v1:<seq>:<prevEntry>:<entryHash>`, hex.'),
      ({ entry }) => entry.chainHash,
    ],
    receipt: [
      a.described({ anyOf: [receiptSchema, { type: 'null' }] }, 'Proof of settlement; null without one.'),
      ({ receipt }) => receipt ?? null,
    ],
  },
  {
    payload: payloadSchema,
    leaves: {
      type: 'object',
      additionalProperties: leafSchema,
      description:
        'The erasable texts in `payload.input`, by JSON pointer: what the signed payload has in their place.',
    },
    confidential: a.described(a.list(a.text), 'Members of `payload.input` that only its readers see.'),
    salt: a.described(a.hash, 'Salt of the hash of the confidential members, for their readers.'),
    sealed: a.described(a.hash, 'Salted hash of the confidential members, for callers that do not see them.'),
    unreadable: [
      a.described(
        { ...a.list(a.oneOf('payload', 'receipt')), minItems: 1 },
        'Members that the node cannot show to anyone because its database is damaged; absent: none.',
      ),
      ({ unreadable }) => (unreadable.length > 0 ? unreadable : undefined),
    ],
  },
);

export const entrySchema = a.named('Entry', {
  ...form.schema,
  description: 'One record of the journal: an event and everything that follows from it.',
});
export const entryView = form.view;

export const entriesSchema = a.object({
  events: a.described(a.list(entrySchema), 'The entries of this page.'),
  next: a.nullable(a.count, 'The `after` of the next page, or with `order=newest` its `before`; null at the end.'),
  hasMore: a.described(a.flag, 'Whether there is another page.'),
  head: a.described(a.count, 'Number of the newest entry.'),
});
