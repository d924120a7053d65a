/** The port through which other homes are asked for views, and get writes (docs/reference/other-homes.md#other-views). */
import type { JsonObject } from '../../core/canonical.js';
import type { Refusal } from '../../core/refusal.js';
import type { Checkpoint } from '../checkpoint.js';

/** What a home has answered: a reply of its API, or a problem document. Nothing of it was checked but its form. */
export interface HomeView {
  readonly status: number;
  readonly body: JsonObject;
}

/** How far a home's journal was followed. */
export interface FollowedJournal {
  readonly checkpoint: Checkpoint | undefined;
  /** The chain hash of a followed entry; undefined beyond the newest, and for one that is too old to be remembered. */
  chainHashAt(seq: number): string | undefined;
}

/** What is sent to a home beside a path, for one of its DIDs (docs/reference/other-homes.md#acts). */
export interface SentFor {
  /** Who reads: the text of a `Svc-Reader`, for that home. */
  readonly reader?: string;
  /** The body of a write. */
  readonly body?: JsonObject;
  /** It is only read: within the bounds of views, and refused if too much is asked. */
  readonly isView?: true;
}

export interface ForeignViews {
  /**
   * Asks a home. SERVICE_UNAVAILABLE if it gives no answer that can be shown; the signal's reason if that aborts.
   * @param home DID @param path below /api/v1, with its query
   */
  ask(home: string, path: string, signal: AbortSignal, sent?: SentFor): Promise<HomeView | Refusal>;
  /** Undefined if the home is not followed. */
  followed(home: string): FollowedJournal | undefined;
}

/** Answers a peer from the own API: as a reader without a DID, unless it sends a proof of one. @returns JSON text */
export type ShowView = (asked: AskedView) => Promise<ShownView>;

export interface AskedView extends SentFor {
  /** Below /api/v1, with its query. */
  readonly path: string;
  /** DID. */
  readonly peer: string;
  readonly signal: AbortSignal;
}

export interface ShownView {
  readonly status: number;
  readonly text: string;
}
