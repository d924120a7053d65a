/** docs/webhooks.md agrees with the code: its sample verifies the node's signatures, its numbers are the bounds. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { signatureOf } from '../../src/projections/webhooks/message.js';

const text = readFileSync('docs/webhooks.md', 'utf8');

describe('docs/webhooks.md', () => {
  it('has a sample that verifies genuine deliveries', async () => {
    const sample = /```js\n([\s\S]*?)```/.exec(text)![1]!;
    const dir = mkdtempSync(join(tmpdir(), 'svc-sample-'));
    try {
      const file = join(dir, 'sample.mjs');
      writeFileSync(file, sample);
      const { isGenuine } = (await import(pathToFileURL(file).href)) as {
        isGenuine: (headers: object, body: Buffer, secret: string) => boolean;
      };
      const body = Buffer.from('{"a":"ü"}');
      const now = Math.floor(Date.now() / 1_000);
      const headers = (timestamp: number, secret: string | readonly string[] = 's', of = body) => ({
        'svc-webhook-timestamp': String(timestamp),
        'svc-webhook-signature': signatureOf([secret].flat(), timestamp, of),
      });
      expect(isGenuine(headers(now), body, 's')).to.equal(true);
      for (const known of ['s', 't']) expect(isGenuine(headers(now, ['s', 't']), body, known), known).to.equal(true);
      expect(isGenuine(headers(now, ['s', 't']), body, 'u')).to.equal(false);
      for (const wrong of [
        ...[headers(now, 't'), headers(now - 301), headers(now, 's', Buffer.from('{}'))],
        ...[{ ...headers(now), 'svc-webhook-timestamp': String(now - 1) }, {}, { 'svc-webhook-timestamp': 'x' }],
        { ...headers(now), 'svc-webhook-signature': 'v1=00' },
      ]) {
        expect(isGenuine(wrong, body, 's'), JSON.stringify(wrong)).to.equal(false);
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('gives the bounds as they are', () => {
    for (const [words, value] of [
      ['would exceed 256 KiB', bounds.webhookBodyBytes === 256 * 1024],
      ['2xx status within 10 s', bounds.webhookMs === 10_000],
      ['after about 5, 10, 20 s and so on, up to an hour', bounds.webhookFirstRestMs === 5_000],
      ['up to an hour; half', bounds.webhookLongestRestMs === 3_600_000],
      ['fails 10 times while', bounds.webhookAttempts === 10],
      ['nothing arrives for three days', bounds.webhookFailingMs === 3 * 86_400_000],
      ['at most 4 deliveries', bounds.webhookInFlight === 4],
      ['at most the 1,000 events after', bounds.webhookWindow === 1_000],
      ['about the last thousand attempts', bounds.webhookLogLines === 1_000],
      ['by default a day, at most a week', bounds.webhookOverlapMs * 7 === 7 * 86_400_000],
      ['at most a week', bounds.webhookLongestOverlapMs === 7 * 86_400_000],
    ] as const) {
      expect(text.replace(/\s+/g, ' ')).to.include(words);
      expect(value, words).to.equal(true);
    }
  });
});
