/**
 * How accepted commands and stored state look on the wire (decisions.md: every write's reply, TransferResult, views).
 */
import type { Accepted } from '../actors/command.js';
import type { Settled } from '../chain/chain.js';
import type { Json, JsonObject } from '../machines/kernel/canonical.js';
import { present } from '../machines/kernel/lineage.js';
import { type Permitted, permittedActions } from '../machines/kernel/permitted.js';
import type { Move } from '../machines/kernel/posting.js';
import { isRefusal, RefusedError } from '../machines/kernel/refusal.js';
import type { AnyResource, Resource, Seen } from '../machines/kernel/resource.js';
import type { NumberedEntry } from '../store/entry.js';
import type { HistoryItem } from '../store/store.js';
import type { Reply } from './route.js';

/** Members of a reply or view that tell how far an entry is settled. */
export const settlementOf = (eventHash: string, receipt: Settled | undefined, hasChain: boolean): JsonObject => ({
  txHash: receipt?.txHash ?? eventHash,
  status: receipt?.status === 'confirmed' || !hasChain ? 'confirmed' : 'pending',
  blockNumber: receipt?.blockNumber ?? null,
  confirmations: receipt?.confirmations ?? 0,
});

export interface Looking extends Seen {
  readonly receipt?: Settled | undefined;
}

/**
 * The view of a resource with what every view carries: `resourcePrev`, `txHash`, `permittedActions`. It is made for this
 * call and added to, here and by callers: spread into another literal it would cost fifty times as much.
 * Throws INTERNAL_ERROR where the resource is under a law that this program does not know.
 */
export function viewOf(definition: AnyResource, stored: Resource, looking: Looking): JsonObject {
  const resource = known(definition, stored);
  const view = bareView(definition, resource, looking);
  if (!looking.withoutPermitted) {
    view.permittedActions = permittedActions(definition, resource, looking.time) as unknown as Json;
  }
  return view;
}

/** One resource, told as JSON text. */
export interface Told {
  readonly text: string;
  readonly resourcePrev: string | null;
  /** The text of one of the view's list `among`, without its closing brace. */
  readonly part: (among: string, id: unknown) => string;
}

/** What it is told with: what a write's reply carries, and members in place of the view's own. */
export interface With {
  readonly accepted?: Accepted | undefined;
  readonly more?: JsonObject | undefined;
}

/** The same as `viewOf` as JSON text, where one resource is told: what is permitted has its text already. */
export function told(definition: AnyResource, stored: Resource, looking: Looking, { accepted, more }: With = {}): Told {
  const resource = known(definition, stored);
  const permitted = `"permittedActions":${permittedText(permittedActions(definition, resource, looking.time))}}`;
  const fields = accepted && writeFields(accepted, looking.receipt);
  const { text } = definition;
  if (text && !more) {
    const { txHash = looking.receipt?.txHash ?? resource.lastHash, eventHash, nonce } = fields ?? {};
    const written = fields ? `"eventHash":"${eventHash}","nonce":${nonce},` : '';
    return {
      text: `${text(resource as Resource<never>, looking)},"txHash":"${txHash}",${written}${permitted}`,
      resourcePrev: resource.lastHash,
      part: (_, id) => text(resource as Resource<never>, looking, id),
    };
  }
  const view = Object.assign(bareView(definition, resource, looking), fields, more);
  return {
    text: `${opened(view)},${permitted}`,
    resourcePrev: (view.resourcePrev as string | undefined) ?? null,
    part: (among, id) => opened((view[among] as readonly JsonObject[]).find((each) => each.id === id)!),
  };
}

/** Its JSON text, as far as more members may follow. */
export const opened = (object: JsonObject): string => JSON.stringify(object).slice(0, -1);

const texts = new WeakMap<Permitted, string>();

/** Its JSON, made once: it is the largest part of a small view. */
function permittedText(permitted: Permitted): string {
  const text = texts.get(permitted) ?? JSON.stringify(permitted);
  texts.set(permitted, text);
  return text;
}

function known(definition: AnyResource, stored: Resource): Resource {
  const resource = present(definition, stored);
  if (isRefusal(resource)) throw new RefusedError(resource);
  return resource;
}

function bareView(definition: AnyResource, resource: Resource, looking: Looking): { [name: string]: Json } {
  const view = definition.view(resource as Resource<never>, looking) as { [name: string]: Json };
  view.txHash = looking.receipt?.txHash ?? resource.lastHash;
  return view;
}

/** 200 or 304: `ETag` is the value to send next as `resourcePrev`. */
export const taggedReply = (body: JsonObject, resourcePrev: string | null): Reply => ({
  status: 200,
  body,
  headers: { ETag: `"${resourcePrev ?? ''}"` },
});

/** The parties of a move as a TransferResult names them: money in escrow is named by the escrow's id. */
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

/** TransferResult (interface, Wallet and transfers; decisions.md, Ledger). */
export function transferResult(entry: NumberedEntry, receipt: Settled | undefined, hasChain: boolean): JsonObject {
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

/** The same for an event of the system key, which is no caller's: it says whose `nonce` it shows. */
export const systemTransfer = (...shown: Parameters<typeof transferResult>): JsonObject =>
  Object.assign(transferResult(...shown), { issuer: shown[0].core.event.issuer });

const nothingMoved = { from: undefined, to: undefined, amount: undefined, fee: undefined };

/** One move of an entry; in a wallet's history with how it concerns the wallet. */
export function moveLine(
  { move, entry, type }: Pick<HistoryItem, 'move' | 'entry'> & Partial<HistoryItem>,
  receipt: Settled | undefined,
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

/** What every write's reply carries beside its view. */
export function writeFields(
  { entry }: Accepted,
  receipt: Settled | undefined,
): { readonly eventHash: string; readonly nonce: number; readonly txHash: string } {
  const { hash, nonce } = entry.core.event;
  return { eventHash: hash, nonce, txHash: receipt?.txHash ?? hash };
}

/** Beside the view of an account that the system key wrote: `nonce` and `prev` of the view stay the account's own. */
export function systemFields({ entry }: Accepted, receipt: Settled | undefined): JsonObject {
  const { hash, issuer } = entry.core.event;
  return { eventHash: hash, issuer, txHash: receipt?.txHash ?? hash };
}

/** An entry of the journal as the events endpoints show it. */
export const eventView = (entry: NumberedEntry, showPayload: boolean, receipt: Settled | undefined): JsonObject =>
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
