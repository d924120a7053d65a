/** Deliveries that an operator requests: immediate, out of order, one attempt, on any process. */

import type { Environment } from '../../core/environment.js';
import { entryAt, type StoreReader } from '../../store/store.js';
import type { DeliveryLine } from './delivery-log.js';
import { headersOf, type Message, type MessageOptions, messageOfEntry, testMessage } from './message.js';
import type { Poster } from './post.js';
import type { Armed, WebhookRegistry } from './webhooks.js';

export interface ManualDeliveryOptions extends MessageOptions {
  readonly store: Pick<StoreReader, 'entries'>;
  readonly webhooks: Pick<WebhookRegistry, 'log'>;
  readonly poster: Pick<Poster, 'post'>;
  readonly world: Environment;
}

const nonceBytes = 6;

export class ManualDelivery {
  constructor(private readonly options: ManualDeliveryOptions) {}

  test(armed: Armed): Promise<DeliveryLine> {
    const { world, network } = this.options;
    const nonce = Buffer.from(world.random(nonceBytes)).toString('hex');
    return this.#deliver(armed, testMessage(armed.webhook, network, { time: world.now(), nonce }));
  }

  /** Sends an entry again, ignoring the webhook's filter; undefined where there is no such entry. */
  async again(armed: Armed, seq: number): Promise<DeliveryLine | undefined> {
    const entry = await entryAt(this.options.store, seq);
    return entry && this.#deliver(armed, await messageOfEntry(armed.webhook, entry, this.options));
  }

  async #deliver(armed: Armed, message: Message): Promise<DeliveryLine> {
    const { world, poster, webhooks } = this.options;
    const { webhook } = armed;
    const at = world.now();
    const headers = headersOf(message, armed, 1, at);
    const { status, error, durationMs } = await poster.post(
      webhook.url,
      headers,
      message.body,
      new AbortController().signal,
    );
    const { id, type, seq } = message;
    const outcome = error === null ? 'delivered' : 'failed';
    const line = { id, type, seq, attempt: 1, outcome, status, error, at, durationMs } as const;
    await webhooks.log.add(webhook.id, [line]);
    return line;
  }
}
