/**
 * The commands that HTTP, clock, faucet and operator pass to the actors, and their result.
 */

import type { Refusal } from '../core/refusal.js';
import type { Signer } from '../keys/signing.js';
import type { Outcome } from '../machines/kernel/decide.js';
import type { Agreed, Request } from '../machines/kernel/resource.js';
import type { NumberedEntry, SignedEvent } from '../store/entry.js';
import type { Content, Snapshot } from '../store/store.js';

export interface Idempotency {
  /** Signer DID, else API key id, else address of origin. */
  readonly principal: string;
  readonly key: string;
  /** HMAC of method, path and body without the passphrase. */
  readonly fingerprint: string;
  /** HTTP status of the reply. */
  readonly status: number;
}

/** An event that its issuer has signed elsewhere. */
export interface PresentedEvent {
  readonly event: SignedEvent;
  /** Gives the signature of the event, which was checked. */
  readonly signer: Signer;
  /** Of the entry, hex: 16 bytes; undefined if the payload has no confidential members. */
  readonly salt: string | undefined;
}

/** A request with its signer, and what the signer states. */
export interface Command extends Request, Agreed {
  /** Contents that the input references by hash. */
  readonly contents?: readonly Content[] | undefined;
  readonly signer: string;
  /** Unlocks the signer's key; a refusal if the passphrase is wrong. */
  readonly unlock: () => Signer | Refusal | Promise<Signer | Refusal>;
  /** The signer is this node's system key. */
  readonly system?: true;
  /** Absent: the node assigns the next nonce. */
  readonly nonce?: number | undefined;
  /** As stated by the signer: hash of its previous event; null for none. */
  readonly prev?: string | null | undefined;
  /** As stated by the signer: hash of the resource's last event; null on create. */
  readonly resourcePrev?: string | null | undefined;
  /** The time as stated by the signer, epoch ms. */
  readonly ts?: number | undefined;
  readonly idempotency?: Idempotency | undefined;
  /** True when the caller has gone: the command is dropped unless it has reached the store. */
  readonly isAbandoned?: (() => boolean) | undefined;
  /** Called once it is decided, before it is on disk, or waits for an earlier nonce. @param isRefused it uses no nonce */
  readonly onPlaced?: ((isRefused: boolean) => void) | undefined;
  /** False: an earlier nonce is known to be missing, so it is refused instead of waiting for it. */
  readonly mayWait?: boolean | undefined;
  /**
   * A refusal by a rule of this node alone (its minimum fee). It is returned where the step's refusals would be, so
   * that their order is kept.
   */
  readonly prechecked?: Refusal | undefined;
  /** Set for an event that was signed elsewhere: the entry's event must be this one. */
  readonly presented?: PresentedEvent | undefined;
  /** Set for a dry run, which answers what to sign and writes nothing. `reader`: DID that the caller has proven to be. */
  readonly dryRun?: { readonly reader: string | undefined } | undefined;
  /** A DID that the caller may not debit: FORBIDDEN if the outcome would. */
  readonly mayNotDebit?: string | undefined;
}

export interface Accepted {
  readonly entry: NumberedEntry;
  /** The resources after the entry. */
  readonly snapshots: readonly Snapshot[];
  /** True for a recorded reply that is rendered again. */
  readonly replayed: boolean;
  /** What was written with the entry, with the texts of leaves; absent from what is replayed. */
  readonly contents?: readonly Content[] | undefined;
  /** An event was presented again, which anyone who knows it can do: the reply shows what the caller may see. */
  readonly anyoneMayAsk?: true;
  /** Of a dry run: its entry is not in the journal, and its event is not signed. */
  readonly prepared?: ToSign;
}

/** What who prepares a write needs beside its entry. */
export interface ToSign {
  /** The text that is signed inside the payload, if the action has one. */
  readonly signs: string | undefined;
  /** The resources that would be written. */
  readonly written: Outcome['written'];
  /** The contents that would be stored, with the texts of leaves. */
  readonly contents: readonly Content[];
}
