/** Who sends a request. */

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
  /** The DID to which the key is bound; reads use it as the reader. */
  readonly did?: string;
}

/** The name under which limits count a caller. */
export const callerName = ({ keyId, origin }: Caller): string => keyId ?? origin;
