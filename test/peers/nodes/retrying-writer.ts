/** A DID that writes at its home while that is killed. A write without an answer is sent again, as a client does it. */
import { pause, realEnvironment } from '../../../src/core/environment.js';
import type { Body, Reply } from '../../node/support/client.js';
import type { KilledHome } from './killed-home.js';

export const passphrase = 'a passphrase of these tests';

export interface WriteForm {
  readonly path: string;
  readonly body: Body;
}

export class RetryingWriter {
  /** Hashes of the acknowledged events. */
  readonly acknowledged: string[] = [];
  /** Highest nonce that is acknowledged: all before it took effect as well. */
  nonce = 0;
  /** Requests that wait for their reply. */
  inFlight = 0;
  /** The newest reply that was not an acknowledgement, for the message of a failure. */
  refusal = '';
  #asked = 0;

  constructor(
    readonly home: KilledHome,
    readonly did: string,
  ) {}

  /** Each lane writes one after the other until `isOver`. Resolves when no write is without an answer. */
  async run(lanes: number, next: () => WriteForm, isOver: () => boolean, restMs: () => number): Promise<void> {
    const lane = async () => {
      for (; !isOver(); await pause(realEnvironment, restMs())) await this.write(next(), isOver);
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  /** Sends a write until it is acknowledged. What is refused without an effect is dropped once it `isOver`. */
  async write({ path, body }: WriteForm, isOver: () => boolean = () => false): Promise<void> {
    const nonce = ++this.#asked;
    const signed = { ...body, did: this.did, passphrase, nonce };
    const headers = { 'Idempotency-Key': `write-${nonce}` };
    for (;;) {
      this.inFlight++;
      const reply = await this.home.node.client.post(path, signed, headers).catch(() => undefined);
      this.inFlight--;
      if (reply && isWritten(reply)) return this.#acknowledge(nonce, reply);
      if (reply) this.refusal = `${path} ${reply.status} ${reply.text}`;
      if (reply && reply.status < 500 && isOver()) return;
      await pause(realEnvironment, 50);
    }
  }

  #acknowledge(nonce: number, { body }: Reply): void {
    this.acknowledged.push(body.eventHash as string);
    this.nonce = Math.max(this.nonce, nonce);
  }
}

/** A remote request that was refused after it was sent is in the journal as well. */
const isWritten = ({ status, body }: Reply): boolean => status < 300 || body?.committed === true;
