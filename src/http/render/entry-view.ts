/** An entry of the journal as callers see it (docs/reference/events-and-entries.md#entries). */
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json } from '../../core/canonical.js';
import { type FieldTable, publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { NumberedEntry } from '../../store/entry.js';
import {
  eventSchema,
  idempotencySchema,
  moveSchema,
  payloadSchema,
  positive,
  postingSchema,
  receiptSchema,
  versionSchema,
} from '../openapi/schemas/events.js';
import { originFields } from '../openapi/schemas/origin.js';

export interface ShownEntry {
  readonly entry: NumberedEntry;
  readonly receipt: SettlementReceipt | undefined;
  /** Undefined if the reader may not see the payload, or it was redacted. */
  readonly revealed: { readonly payload: Json; readonly salt: Json } | undefined;
  /** DID of the home, if the entry is from another home's journal. */
  readonly journal?: string | undefined;
  /** Members that are damaged in the database. */
  readonly unreadable: readonly string[];
}

const coreFields = {
  event: [eventSchema, ({ entry }) => entry.core.event],
  time: [
    a.described(a.time, "The node's clock, never decreasing; epoch milliseconds."),
    ({ entry }) => entry.core.time,
  ],
  home: [a.described(a.did, 'DID of the node that sequenced it.'), ({ entry }) => entry.core.home],
  law: [a.described(a.text, 'Version of the definition that decided.'), ({ entry }) => entry.core.law],
  versions: [
    a.described(a.list(versionSchema), 'The new version of each resource that it changed.'),
    ({ entry }) => entry.core.versions,
  ],
  reads: [
    a.described(
      a.list(
        a.object({
          kind: a.described(a.text, 'Kind of the resource.'),
          id: a.described(a.text, 'Id of the resource.'),
          version: a.described(a.count, 'Version that was read; 0 if it did not exist.'),
        }),
      ),
      'Resources that the decision depends on but does not write.',
    ),
    ({ entry }) => entry.core.reads,
  ],
  accounts: [
    a.described(
      a.list(
        a.object({
          did: a.described(a.text, 'A DID, or `fees`.'),
          version: a.described(positive, 'Counts its debits and freezes, from 1.'),
        }),
      ),
      'Accounts debited, frozen or unfrozen, at their new version.',
    ),
    ({ entry }) => entry.core.accounts,
  ],
  moves: [a.described(a.list(moveSchema), 'How Tokens moved, in this order.'), ({ entry }) => entry.core.moves],
  postings: [
    a.described(a.list(postingSchema), 'What each account gained or lost; they sum to zero.'),
    ({ entry }) => entry.core.postings,
  ],
  idem: [
    a.described(a.nullable(idempotencySchema), 'What is needed to render the reply again.'),
    ({ entry }) => entry.core.idem,
  ],
} satisfies FieldTable<ShownEntry, unknown>;

/** The part of an entry that never changes: what its hash covers. */
export const entryCoreSchema = a.named(
  'EntryCore',
  a.object({
    v: a.described(a.constant(1), 'Version of the entry.'),
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
    payload: [payloadSchema, ({ revealed }) => revealed?.payload],
    salt: [
      { type: 'string', pattern: '^[0-9a-f]{32}$', description: '16 random bytes, hex, stored with the payload.' },
      ({ revealed }) => revealed?.salt,
    ],
    journal: [
      a.described(a.did, 'The home whose journal contains it, if it is not this node’s.'),
      ({ journal }) => journal,
    ],
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

export const entriesSchema = a.object(
  {
    events: a.described(a.list(entrySchema), 'The entries of this page.'),
    next: a.described(
      a.nullable(a.count),
      'The `after` of the next page, or with `order=newest` its `before`; null at the end.',
    ),
    hasMore: a.described(a.flag, 'Whether there is another page.'),
    head: a.described(a.count, 'Number of the newest entry.'),
  },
  originFields,
);
