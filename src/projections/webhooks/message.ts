/** The content of a delivery, and its signature (docs/webhooks.md). */

import { createHmac } from 'node:crypto';
import type { JsonObject } from '../../core/canonical.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { ShowEntry, Webhook } from './webhook.js';
import type { Armed } from './webhooks.js';

export const headers = {
  id: 'Svc-Webhook-Id',
  timestamp: 'Svc-Webhook-Timestamp',
  signature: 'Svc-Webhook-Signature',
  attempt: 'Svc-Webhook-Attempt',
} as const;

/** @param timestamp epoch seconds @returns for each secret `v1=` and 64 hexadecimal digits, with commas between them */
export const signatureOf = (secrets: readonly string[], timestamp: number, body: Uint8Array): string =>
  secrets
    .map((secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex')}`)
    .join(',');

export interface Message {
  /** Of the webhook, with digits of the entry's hash: after a restored backup, another entry may have the same number. */
  readonly id: string;
  readonly type: string;
  /** Number of the entry; null for a test. */
  readonly seq: number | null;
  readonly body: Buffer;
}

export interface MessageOptions {
  readonly network: string;
  readonly show: ShowEntry;
  /** A longer body goes without the payload. */
  readonly bodyBytes: number;
}

export async function messageOfEntry(
  { id: webhookId }: Webhook,
  entry: NumberedEntry,
  options: MessageOptions,
): Promise<Message> {
  const { network, show, bodyBytes } = options;
  const { seq, core, entryHash } = entry;
  const { type } = core.event;
  const id = `${webhookId}-${entryHash.slice(0, 32)}`;
  const shown = await show(entry);
  const head = { id, webhookId, network, type, seq, time: core.time };
  const whole = bodyOf({ ...head, entry: shown });
  if (whole.length <= bodyBytes) return { id, type, seq, body: whole };
  const { payload: _, leaves: __, salt: ___, ...rest } = shown;
  return { id, type, seq, body: bodyOf({ ...head, entry: rest, payloadOmitted: true }) };
}

/** @param nonce makes the delivery's id unique */
export function testMessage(
  { id: webhookId }: Webhook,
  network: string,
  { time, nonce }: { time: number; nonce: string },
): Message {
  const [id, type, seq] = [`${webhookId}-test-${nonce}`, 'webhook.test', null];
  return { id, type, seq, body: bodyOf({ id, webhookId, network, type, seq, time, entry: null }) };
}

const bodyOf = (value: JsonObject): Buffer => Buffer.from(JSON.stringify(value));

/** @param now epoch ms */
export function headersOf({ id, body }: Message, { secret, previous }: Armed, attempt: number, now: number) {
  const secrets = previous && now < previous.until ? [secret, previous.secret] : [secret];
  const timestamp = Math.floor(now / 1_000);
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'svc-node',
    [headers.id]: id,
    [headers.timestamp]: String(timestamp),
    [headers.attempt]: String(attempt),
    [headers.signature]: signatureOf(secrets, timestamp, body),
  };
}
