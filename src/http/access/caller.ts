/** Who sends a request. */
import { type Refusal, refuse } from '../../core/refusal.js';

export type Scope = 'read' | 'write' | 'admin';

/** The caller, as far as the transport knows it (docs/reference/access.md#loopback). */
export interface Caller {
  /** The address of origin: an IP (IPv6 as its /64), after trusted proxies. */
  readonly origin: string;
  /** The loopback privilege applies: no key is needed, with write scope and never admin. */
  readonly loopback: boolean;
  /** Set if the caller is on this machine as the loopback rule defines it, with or without a key. */
  readonly local?: true;
  /** Id of the API key; absent for keyless callers. */
  readonly keyId?: string;
  /** Scope of the key, or `write` by loopback privilege; absent for remote keyless callers. */
  readonly scope?: Scope;
  /** The DID to which the key is bound: it signs where a signer may be left out. */
  readonly did?: string;
  /** Who reads: the DID of the key, or that of a proof. */
  readonly reader?: string;
  /** Epoch ms: the proof of the reader expires, and streams end. */
  readonly readsUntil?: number;
}

/** The name under which limits count a caller. */
export const callerName = ({ keyId, origin }: Caller): string => keyId ?? origin;

/** FORBIDDEN if the caller's API key is bound to a DID and the request states another one. */
export const boundToAnother = (caller: Caller, did: string | undefined): Refusal | undefined =>
  caller.did !== undefined && did !== undefined && caller.did !== did
    ? refuse('FORBIDDEN', 'the API key is bound to another DID')
    : undefined;
