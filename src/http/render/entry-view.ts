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
  /** Undefined where the reader may not see it, and once it was redacted. */
  readonly revealed: { readonly payload: Json; readonly salt: Json } | undefined;
  /** DID of another home whose journal it is of. */
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
      a.list(a.object({ kind: a.text, id: a.text, version: a.count })),
      'Resources that the decision rests on and does not write.',
    ),
    ({ entry }) => entry.core.reads,
  ],
  accounts: [
    a.described(
      a.list(a.object({ did: a.described(a.text, 'A DID, or `fees`.'), version: positive })),
      'Accounts debited, frozen or unfrozen, at their new version.',
    ),
    ({ entry }) => entry.core.accounts,
  ],
  moves: [a.list(moveSchema), ({ entry }) => entry.core.moves],
  postings: [a.list(postingSchema), ({ entry }) => entry.core.postings],
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
      { type: 'string', pattern: '^[0-9a-f]{32}$', description: '16 random bytes, hex; beside the payload.' },
      ({ revealed }) => revealed?.salt,
    ],
    journal: [a.described(a.did, 'The home whose journal it is of, if that is another one.'), ({ journal }) => journal],
    unreadable: [
      a.described(
        { ...a.list(a.oneOf('payload', 'receipt')), minItems: 1 },
        'What the node cannot show because its database is damaged there, whoever asks; absent: nothing.',
      ),
      ({ unreadable }) => (unreadable.length > 0 ? unreadable : undefined),
    ],
  },
);

export const entrySchema = a.named('Entry', form.schema);
export const entryView = form.view;

export const entriesSchema = a.object(
  {
    events: a.list(entrySchema),
    next: a.described(a.nullable(a.count), 'The `after` of the next page, newest first its `before`; null at the end.'),
    hasMore: a.flag,
    head: a.described(a.count, 'Number of the newest entry.'),
  },
  originFields,
);
