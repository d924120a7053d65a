/**
 * How accepted commands and stored state look on the wire (docs/reference/requests.md#replies-of-writes).
 */
import type { Accepted } from '../../actors/command.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { isRefusal, RefusedError } from '../../core/refusal.js';
import { publicPart } from '../../core/schema/confidential.js';
import type { Resource } from '../../machines/kernel/definition.js';
import { permittedActions } from '../../machines/kernel/permitted.js';
import type { Move } from '../../machines/kernel/posting.js';
import type { AnyResource, Seen } from '../../machines/kernel/resource.js';
import { migrate } from '../../machines/kernel/versioning.js';
import { mayReadConfidential } from '../../machines/kernel/visibility.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { HistoryItem } from '../../store/store.js';
import type { Reply } from '../server/route.js';

/** Members of a reply or view that show how far an entry is settled. */
export const settlementOf = (
  eventHash: string,
  receipt: SettlementReceipt | undefined,
  hasChain: boolean,
): JsonObject => ({
  txHash: receipt?.txHash ?? eventHash,
  status: receipt?.status === 'confirmed' || !hasChain ? 'confirmed' : 'pending',
  blockNumber: receipt?.blockNumber ?? null,
  confirmations: receipt?.confirmations ?? 0,
});

export interface ViewOptions extends Seen {
  readonly receipt?: SettlementReceipt | undefined;
}

/** What a view has besides its own members. */
export interface Additions {
  /** The write that this view replies to: its `eventHash`, `nonce` and `txHash`. */
  readonly accepted?: Accepted | undefined;
  /** Members that replace the view's own. */
  readonly more?: JsonObject | undefined;
}

/**
 * The view of a resource, with what every view carries: `resourcePrev`, `txHash`, `permittedActions`.
 * Throws INTERNAL_ERROR where the resource is under a definition version that this program does not know.
 */
export function viewOf(
  definition: AnyResource,
  stored: Resource,
  options: ViewOptions,
  { accepted, more }: Additions = {},
): JsonObject {
  const resource = migrated(definition, stored);
  const whole = definition.view(resource as Resource<never>, options);
  const isWhole = mayReadConfidential(definition, resource.context, options.reader);
  const view = (isWhole ? whole : publicPart(definition.viewSchema, whole)) as { [name: string]: Json };
  view.txHash = options.receipt?.txHash ?? resource.lastHash;
  Object.assign(view, accepted && writeFields(accepted, options.receipt), more);
  if (!options.withoutPermitted) {
    view.permittedActions = permittedActions(definition, resource, options.time) as unknown as Json;
  }
  return view;
}

function migrated(definition: AnyResource, stored: Resource): Resource {
  const resource = migrate(definition, stored);
  if (isRefusal(resource)) throw new RefusedError(resource);
  return resource;
}

/** 200 or 304: `ETag` is the value to send next as `resourcePrev`. */
export const taggedReply = (body: JsonObject, resourcePrev: string | null): Reply => ({
  status: 200,
  body,
  headers: { ETag: `"${resourcePrev ?? ''}"` },
});

/** The parties of a move as a TransferResult names them: Tokens in escrow are named by the escrow's id. */
function endsOf(move: Move): { from: string | null; to: string | null; amount: number; fee: number } {
  switch (move.op) {
    case 'mint':
      return { from: null, to: move.to, amount: move.amount, fee: 0 };
    case 'transfer':
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
    case 'deposit':
      return { from: null, to: move.to, amount: move.amount, fee: 0 };
    case 'withdraw':
      return { from: move.from, to: move.to, amount: move.amount, fee: move.fee };
    case 'freeze':
    case 'unfreeze':
      return { from: move.did, to: null, amount: 0, fee: 0 };
  }
}

/** TransferResult (docs/reference/accounts-and-nonces.md#transfers). */
export function transferResult(
  entry: NumberedEntry,
  receipt: SettlementReceipt | undefined,
  hasChain: boolean,
): JsonObject {
  const { event, moves, time } = entry.core;
  const { txHash, status, blockNumber, confirmations } = settlementOf(event.hash, receipt, hasChain);
  const { from, to, amount, fee } = moves.length > 0 ? endsOf(moves.at(-1)!) : nothingMoved;
  return {
    txHash,
    status,
    blockNumber,
    confirmations,
    eventHash: event.hash,
    from,
    to,
    amount,
    fee,
    memo: entry.payload?.input.memo ?? null,
    timestamp: time,
    nonce: event.nonce,
  };
}

/** The same for an event of the system key, which belongs to no caller: `issuer` says whose `nonce` it is. */
export const systemTransfer = (...shown: Parameters<typeof transferResult>): JsonObject =>
  Object.assign(transferResult(...shown), { issuer: shown[0].core.event.issuer });

const nothingMoved = { from: undefined, to: undefined, amount: undefined, fee: undefined };

/** One move of an entry; in a wallet's history with its direction. */
export function moveLine(
  { move, entry, type }: Pick<HistoryItem, 'move' | 'entry'> & Partial<HistoryItem>,
  receipt: SettlementReceipt | undefined,
  hasChain: boolean,
): JsonObject {
  return {
    ...transferResult(entry, receipt, hasChain),
    ...(type === undefined ? {} : { type }),
    op: move.op,
    ...endsOf(move),
    ...('escrow' in move ? { escrowId: move.escrow } : {}),
    issuer: entry.core.event.issuer,
    seq: entry.seq,
  };
}

/** The members of every write's reply besides the view. */
export function writeFields(
  { entry }: Accepted,
  receipt: SettlementReceipt | undefined,
): { readonly eventHash: string; readonly nonce: number; readonly txHash: string } {
  const { hash, nonce } = entry.core.event;
  return { eventHash: hash, nonce, txHash: receipt?.txHash ?? hash };
}

/**
 * Members beside the view of an account after a write by the system key: the view's `nonce` and `prev` stay the
 * account's own.
 */
export function systemFields({ entry }: Accepted, receipt: SettlementReceipt | undefined): JsonObject {
  const { hash, issuer } = entry.core.event;
  return { eventHash: hash, issuer, txHash: receipt?.txHash ?? hash };
}

/** An entry of the journal as the events endpoints show it. */
export const eventView = (
  entry: NumberedEntry,
  showPayload: boolean,
  receipt: SettlementReceipt | undefined,
): JsonObject =>
  ({
    seq: entry.seq,
    event: entry.core.event,
    ...(showPayload && entry.payloadText ? (JSON.parse(entry.payloadText) as JsonObject) : {}),
    time: entry.core.time,
    home: entry.core.home,
    law: entry.core.law,
    versions: entry.core.versions,
    reads: entry.core.reads,
    accounts: entry.core.accounts,
    moves: entry.core.moves,
    postings: entry.core.postings,
    idem: entry.core.idem,
    entryHash: entry.entryHash,
    prevEntry: entry.prevEntry,
    chainHash: entry.chainHash,
    receipt: receipt ?? null,
  }) as unknown as JsonObject;
