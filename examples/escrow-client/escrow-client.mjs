/**
 * A small client of escrows, as somebody might write one who builds on a node: it signs with a DID of the node's
 * keystore, counts its nonces, and names the version of the escrow that it means by `resourcePrev`.
 */

/** The node has said no. */
export class Refused extends Error {
  name = 'Refused';

  constructor({ status, code, detail }) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

export class EscrowClient {
  #url;
  #who;
  #nonce = 1;

  /** @param who `{ did, passphrase }` of a DID that has signed nothing yet */
  constructor(url, who) {
    this.#url = url;
    this.#who = who;
  }

  /** @returns the escrow */
  create(terms) {
    return this.#write('/escrows', terms);
  }

  async status(escrowId) {
    const response = await fetch(`${this.#url}/api/v1/escrows/${escrowId}`);
    return (await response.json()).status;
  }

  fund(escrow, amount) {
    return this.#act(escrow, 'fund', { amount });
  }

  release(escrow, amount, claim = {}) {
    return this.#act(escrow, 'release', { amount, ...claim });
  }

  refund(escrow, amount, reason) {
    return this.#act(escrow, 'refund', { amount, reason });
  }

  cancel(escrow) {
    return this.#act(escrow, 'cancel');
  }

  expire(escrow) {
    return this.#act(escrow, 'expire');
  }

  /** @returns the escrow as it is now: a transfer's answer has it inside */
  async #act({ escrowId, resourcePrev }, action, input = {}) {
    const reply = await this.#write(`/escrows/${escrowId}/actions/${action}`, { resourcePrev, ...input });
    return reply.escrow ?? reply;
  }

  async #write(path, input) {
    const response = await fetch(`${this.#url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...this.#who, nonce: this.#nonce, ...input }),
    });
    const reply = await response.json();
    // A refused write has used no nonce.
    if (!response.ok) throw new Refused(reply);
    this.#nonce += 1;
    return reply;
  }
}
