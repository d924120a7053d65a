/** What a caller may say of one write. */
export interface WriteOptions {
  /** With a passphrase: DID of the home where the write is made, if that is another; the client of `at` states it. */
  readonly home?: string;
  /** Replaces the tracked nonce; the caller then manages nonces itself. */
  readonly nonce?: number;
  /** Hash of the signer's last event: the write is refused if there is a newer one. */
  readonly prev?: string | null;
  /** The signer's own timestamp, epoch milliseconds. */
  readonly ts?: number;
  /** Tokens that the write may cost the signer: refused if it would take or pay more. */
  readonly most?: number;
  /** The latest time at which it may take effect, epoch milliseconds: refused after it. */
  readonly until?: number;
  /**
   * Identifies one request, including its nonce; a new one by default. `false` sends none, and then the write is not
   * retried after a connection failure.
   */
  readonly idempotencyKey?: string | false;
  /** Ends the write with the signal's reason; whether it was accepted is then unknown. */
  readonly signal?: AbortSignal;
  /** Timeout per attempt; default 30 s. */
  readonly timeoutMs?: number;
}
