/**
 * What the front doors (HTTP, clock, faucet, operator) hand to the actors, and what comes back.
 */

import type { JsonObject } from '../core/canonical.js';
import type { Refusal } from '../core/refusal.js';
import type { Signer } from '../keys/signing.js';
import type { NumberedEntry } from '../store/entry.js';
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

export interface Command {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  /** Normalised; nothing secret. */
  readonly input: JsonObject;
  readonly ids?: { readonly [part: string]: string } | undefined;
  /** What the input names by hash. */
  readonly contents?: readonly Content[] | undefined;
  /** DID of the signer. */
  readonly signer: string;
  /** Unlocks the signer's key; a refusal where the passphrase does not. */
  readonly unlock: () => Signer | Refusal | Promise<Signer | Refusal>;
  /** The signer is this node's system key. */
  readonly system?: true;
  /** Absent: the node assigns the next one. */
  readonly nonce?: number | undefined;
  /** Stated by the signer: hash of its previous event; null for none. */
  readonly prev?: string | null | undefined;
  /** Stated by the signer: hash of the resource's last event; null on create. */
  readonly resourcePrev?: string | null | undefined;
  /** The signer's statement of the time, epoch ms. */
  readonly ts?: number | undefined;
  readonly idempotency?: Idempotency | undefined;
  /** Nobody waits for it any more: it is dropped where it has not reached the store. */
  readonly isAbandoned?: (() => boolean) | undefined;
  /** A rule of this node alone (its least fee) that the request breaks: refused where the law's own rules would be. */
  readonly prechecked?: Refusal | undefined;
  /** Whoever asks may not move this DID's Tokens: FORBIDDEN where the decision would. */
  readonly mayNotDebit?: string | undefined;
}

export interface Accepted {
  readonly entry: NumberedEntry;
  /** The resources as the entry left them. */
  readonly snapshots: readonly Snapshot[];
  /** A recorded reply, rendered again. */
  readonly replayed: boolean;
}
