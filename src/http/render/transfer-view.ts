/** Transfers, and moves of Tokens, as callers see them (docs/reference/accounts-and-nonces.md#transfers). */
import type { JsonObject } from '../../core/canonical.js';
import { type FieldTable, publicForm } from '../../core/schema/public-form.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { onwardInput, onwardOfInput } from '../../machines/account/onward.js';
import type { HistoryType, Move } from '../../machines/kernel/posting.js';
import { type ShownSettlement, settlementFields, systemIssuer, writeFields } from './write-view.js';

/** The parties of a move: Tokens in escrow are named by the escrow's id. */
interface MoveEnds {
  readonly from: string | null;
  readonly to: string | null;
  readonly amount: number;
  readonly fee: number;
}

interface ShownTransfer extends ShownSettlement {
  /** Absent if nothing was moved. */
  readonly ends?: MoveEnds | undefined;
}

interface ShownMove extends ShownTransfer {
  readonly move: Move;
  /** Its direction in the history of a wallet. */
  readonly type?: HistoryType | undefined;
}

const end = { type: ['string', 'null'] };

const transferFields = {
  ...writeFields,
  from: [a.described(end, 'DID, id of an escrow, or `fees`; null if the Tokens are new.'), ({ ends }) => ends?.from],
  to: [
    a.described(end, 'DID, id of an escrow, or the EVM address of a withdrawal; null if nothing is paid.'),
    ({ ends }) => ends?.to,
  ],
  amount: [a.tokens, ({ ends }) => ends?.amount],
  fee: [a.described(a.tokens, 'Fee that the sender paid in addition to the amount, Tokens.'), ({ ends }) => ends?.fee],
  memo: [
    a.erasable(a.text, 'The sender’s note; null if there is none.'),
    ({ entry }) => entry.payload?.input.memo ?? null,
  ],
  ...settlementFields,
  timestamp: [a.described(a.time, 'When the node accepted it; epoch milliseconds.'), ({ entry }) => entry.core.time],
} satisfies FieldTable<ShownTransfer, unknown>;

const onwardFields = {
  onward: [
    a.described(
      a.outgoing(onwardInput.schema),
      'What the receiver is asked to pay at another home; absent if nothing.',
    ),
    ({ entry }) => entry.payload?.input.onward,
  ],
  onwardOf: [
    a.described(
      a.outgoing(onwardOfInput.schema),
      'The transfer for which this pays, or which this gives back; absent if none.',
    ),
    ({ entry }) => entry.payload?.input.onwardOf,
  ],
} satisfies FieldTable<ShownTransfer, unknown>;

const moveFields = {
  ...transferFields,
  op: [a.described(a.text, 'What moved the Tokens: see Move.'), ({ move }) => move.op],
  issuer: [a.described(a.did, 'DID that signed the event.'), ({ entry }) => entry.core.event.issuer],
  seq: [a.described(a.count, 'Number of the entry in the journal.'), ({ entry }) => entry.seq],
} satisfies FieldTable<ShownMove, unknown>;

const moreFields = {
  ...onwardFields,
  escrowId: [
    a.described(a.text, 'The escrow that it is about; absent if there is none.'),
    ({ move }) => ('escrow' in move ? move.escrow : undefined),
  ],
} satisfies FieldTable<ShownMove, unknown>;

const transferForm = publicForm<ShownTransfer>(transferFields, onwardFields);
const issuerForm = publicForm<ShownTransfer>({ issuer: [systemIssuer, ({ entry }) => entry.core.event.issuer] });
const moveForm = publicForm<ShownMove>(moveFields, moreFields);
const historyForm = publicForm<ShownMove>(
  {
    ...moveFields,
    type: a.described(
      a.oneOf('sent', 'received', 'escrow'),
      'The direction, seen from the wallet: `sent`, `received`, or `escrow` (into or out of an escrow).',
    ),
  },
  moreFields,
);

export const transferSchema = a.named('TransferResult', transferForm.schema);
/** A transfer by an event of the system key: `nonce` is that of `issuer`, not of a caller. */
export const systemTransferSchema: JsonSchema = a.allOf(transferSchema, issuerForm.schema);
/** What the faucet gave, and to whom. */
export const claimSchema: JsonSchema = a.allOf(
  transferSchema,
  a.object({
    ...issuerForm.schema.properties,
    did: a.described(a.did, 'Who got the Tokens: the same as `to`.'),
    address: a.address,
  }),
);
/** A move, as shown to any reader. */
export const settledMoveSchema = a.named('SettledMove', moveForm.schema);
/** A move in the history of a wallet. */
export const transactionSchema = a.named('Transaction', historyForm.schema);

export const transferView = (write: ShownSettlement): JsonObject => transferForm.view(withEnds(write));
export const systemTransferView = (write: ShownSettlement): JsonObject => ({
  ...transferView(write),
  ...issuerForm.view(write),
});
export const moveView = (shown: ShownMove): JsonObject => moveForm.view({ ...shown, ends: endsOf(shown.move) });
export const transactionView = (shown: ShownMove): JsonObject =>
  historyForm.view({ ...shown, ends: endsOf(shown.move) });

/** A transfer shows the last move of its entry. */
function withEnds(write: ShownSettlement): ShownTransfer {
  const last = write.entry.core.moves.at(-1);
  return { ...write, ends: last && endsOf(last) };
}

function endsOf(move: Move): MoveEnds {
  switch (move.op) {
    case 'mint':
    case 'deposit':
      return { from: null, to: move.to, amount: move.amount, fee: 0 };
    case 'transfer':
    case 'withdraw':
      return { from: move.from, to: move.to, amount: move.amount, fee: move.fee };
    case 'reserve':
    case 'lock':
      return { from: move.from, to: move.escrow, amount: move.amount, fee: 0 };
    case 'unreserve':
    case 'refund':
    case 'expire':
      return { from: move.escrow, to: move.from, amount: move.amount, fee: 0 };
    case 'release':
      return { from: move.escrow, to: move.to, amount: move.amount, fee: 0 };
    case 'collect':
      return { from: 'fees', to: move.to, amount: move.amount, fee: 0 };
    case 'freeze':
    case 'unfreeze':
      return { from: move.did, to: null, amount: 0, fee: 0 };
  }
}
