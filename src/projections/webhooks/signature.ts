/** The signature of a delivery (docs/webhooks.md): HMAC-SHA256 over `<timestamp>.<body>`. */
import { createHmac } from 'node:crypto';

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
