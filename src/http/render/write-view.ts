/** What a reply states about the entry of a write (docs/reference/requests.md#replies-of-writes). */
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import { type FieldTable, publicForm } from '../../core/schema/public-form.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import type { NumberedEntry } from '../../store/entry.js';

/** An entry that a reply is about. */
export interface ShownWrite {
  readonly entry: NumberedEntry;
  /** Undefined while none of its operations is on chain. */
  readonly receipt: SettlementReceipt | undefined;
}

/** A write whose settlement is shown, which depends on whether the node settles on a chain at all. */
export interface ShownSettlement extends ShownWrite {
  readonly hasChain: boolean;
}

export const txHash: JsonSchema = {
  type: 'string',
  pattern: '^0x[0-9a-f]{64}$',
  description: 'Hash of the transaction on chain, 0x and hex; until there is one, 0x and the hash of the event.',
};

/** The transaction that settled an event, or in its place the event. */
export const txHashFor = (receipt: SettlementReceipt | undefined, event: string): string =>
  receipt?.txHash ?? `0x${event}`;

const eventHash = a.described(a.hash, 'Hash of the event of this write: `GET /api/v1/events/{hash}`.');
const eventHashOf = ({ entry }: ShownWrite): string => entry.core.event.hash;
const txHashOf = ({ entry, receipt }: ShownWrite): string => txHashFor(receipt, entry.core.event.hash);

/** Members of every write's reply, in addition to the view. */
export const writeFields = {
  eventHash: [eventHash, eventHashOf],
  nonce: [
    { type: 'integer', minimum: 1, description: 'Nonce of the event, counted for the DID that signed it.' },
    ({ entry }) => entry.core.event.nonce,
  ],
  txHash: [txHash, txHashOf],
} satisfies FieldTable<ShownWrite, unknown>;

export const writeForm = publicForm<ShownWrite>(writeFields);

export const systemIssuer = a.described(a.did, 'The system key of the node, which signed the event.');

/**
 * Added to the view of an account after a write by the system key: the view's `nonce` and `prev` remain the account's
 * own.
 */
export const systemForm = publicForm<ShownWrite>({
  eventHash: [eventHash, eventHashOf],
  issuer: [systemIssuer, ({ entry }) => entry.core.event.issuer],
  txHash: [txHash, txHashOf],
});

/** How far an entry is settled. */
export const settlementFields = {
  status: [
    a.described(a.oneOf('confirmed', 'pending'), '`pending` until it is settled on chain.'),
    ({ receipt, hasChain }) => (receipt?.status === 'confirmed' || !hasChain ? 'confirmed' : 'pending'),
  ],
  blockNumber: [
    a.nullable(a.count, 'Block of the chain that settled it.'),
    ({ receipt }) => receipt?.blockNumber ?? null,
  ],
  confirmations: [
    a.described(a.count, 'Number of blocks from that block on, including it.'),
    ({ receipt }) => receipt?.confirmations ?? 0,
  ],
} satisfies FieldTable<ShownSettlement, unknown>;

export const settlementForm = publicForm<ShownSettlement>({ txHash: writeFields.txHash, ...settlementFields });
