/** One DID that writes over several connections at once with consecutive nonces, and records what was acknowledged. */
import { pause, realEnvironment } from '../../../src/core/environment.js';
import type { Client, Reply } from '../../node/support/client.js';
import { type Asked, escrowAmount, type Write } from './model.js';
import { below } from './random.js';

const passphrase = 'correct horse battery staple';

/** A follow-up request, made from the reply to the previous one. */
type Next = { readonly write: Write; readonly body: object };

export class Writer {
  /** By nonce - 1. */
  readonly asked: Asked[] = [];
  /** Every reply other than 2xx. There is no reason for one, because no one else writes here. */
  readonly refused: string[] = [];
  #ready: Next[] = [];
  #made = 0;

  constructor(
    readonly did: string,
    private readonly others: readonly string[],
  ) {}

  static async create(client: Client, others: readonly string[]): Promise<Writer> {
    const { body } = await client.post('/api/v1/identities', { passphrase });
    return new Writer(body.did as string, others);
  }

  /**
   * Writes until the connection breaks or `until` returns true. Resolves when no request is under way.
   * @param restMs pause after each write of a lane
   */
  async run(client: Client, lanes: number, until: () => boolean = () => false, restMs = 0): Promise<void> {
    let over = false;
    const lane = async () => {
      while (!over && !until()) {
        const asked = this.#next();
        const reply = await this.send(client, asked).catch(() => undefined);
        if (reply === undefined || reply.status >= 300) over = true;
        if (reply && reply.status >= 300) this.refused.push(`${asked.path} ${reply.status} ${reply.text}`);
        if (restMs > 0) await pause(realEnvironment, restMs);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** Sends the write for the first time or again, and records a 2xx. Rejects if the connection breaks. */
  async send(client: Client, asked: Asked): Promise<Reply> {
    const body = { did: this.did, passphrase, nonce: asked.nonce, ...asked.body };
    const post = () => client.post(asked.path, body, { 'Idempotency-Key': asked.key });
    let reply = await post();
    // On a busy machine its predecessor may take longer than the second that a nonce waits.
    const isEarly = () => reply.status === 409 && reply.body.nextNonce <= asked.nonce;
    for (let tries = 0; tries < 60 && isEarly(); tries++) reply = await post();
    if (reply.status < 300) {
      asked.hash = reply.body.eventHash as string;
      this.#follow(asked.write, asked.hash);
    }
    return reply;
  }

  get acknowledged(): readonly Asked[] {
    return this.asked.filter(({ hash }) => hash !== undefined);
  }

  /** Called when only the first `nonce` writes took effect. @returns the others */
  settle(nonce: number): Asked[] {
    return this.asked.splice(nonce);
  }

  #next(): Asked {
    const { write, body } = this.#ready.shift() ?? this.#fresh();
    const path =
      write.do === 'pay'
        ? '/api/v1/transfers'
        : write.do === 'create'
          ? '/api/v1/escrows'
          : `/api/v1/escrows/${write.escrow}/actions/${write.do}`;
    const asked = { nonce: this.asked.length + 1, key: `${this.did.slice(-8)}-${this.#made++}`, write, path, body };
    this.asked.push(asked);
    return asked;
  }

  #fresh(): Next {
    const other = this.others[below(this.others.length)]!;
    const to = other === this.did ? this.others.find((did) => did !== this.did)! : other;
    if (below(3) > 0) return { write: { do: 'pay', to, amount: 1 }, body: { to, amount: 1 } };
    const escrow = `esc-${this.did.slice(-8)}-${this.#made}`;
    const autoFund = below(2) === 0;
    const body = { escrowId: escrow, beneficiary: to, amount: escrowAmount, releaseRules: [{ type: 'manual' }] };
    return { write: { do: 'create', escrow, beneficiary: to, autoFund }, body: { ...body, autoFund } };
  }

  #follow(write: Write, resourcePrev: string): void {
    if (write.do === 'create' && !write.autoFund) {
      if (below(4) === 0) this.#act('cancel', write.escrow, escrowAmount, {});
      else this.#act('fund', write.escrow, escrowAmount, { amount: escrowAmount, resourcePrev });
    } else if (write.do === 'fund' || write.do === 'create') {
      if (below(3) === 0) {
        const body = { amount: escrowAmount, resourcePrev, reason: 'a crash test' };
        this.#act('refund', write.escrow, escrowAmount, body);
      } else for (const amount of [2, 4]) this.#act('release', write.escrow, amount, { amount });
    }
  }

  #act(action: 'fund' | 'cancel' | 'release' | 'refund', escrow: string, amount: number, body: object): void {
    this.#ready.push({ write: { do: action, escrow, amount }, body });
  }
}
