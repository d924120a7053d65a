/** Checks the parts of a reply that are the same for every endpoint (docs/reference/requests.md). */
import { type Code, codes } from '../../src/core/refusal.js';
import { Astray, type Reply } from './driver.js';

/** Requires a complete problem document with this code. */
export function mustRefuse(reply: Reply, code: Code): void {
  const { body, status, headers, text } = reply;
  const [wanted, suffix] = codes[code];
  const came = `${status} ${body?.code ?? text.slice(0, 200)}`;
  if (came !== `${wanted} ${code}`) throw new Astray('another answer', `${wanted} ${code}`, came);
  const flaws = [
    /^application\/problem\+json/.test(String(headers['content-type'])) ? [] : ['Content-Type'],
    body.status === status ? [] : ['status'],
    String(body.type).endsWith(`/${suffix}`) ? [] : ['type'],
    headers['x-request-id'] === body.requestId ? [] : ['X-Request-Id'],
    ...['title', 'detail', 'instance', 'requestId'].map((name) =>
      typeof body[name] === 'string' && body[name] !== '' ? [] : [name],
    ),
  ].flat();
  if (flaws.length > 0) throw new Astray(`the problem document is not sound: ${flaws.join(', ')}`, code, text);
}

const isHash = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isTransaction = (value: unknown): boolean => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value);

/** Requires a success with the members that every write's reply has. */
export function mustAccept(reply: Reply, nonce: number): void {
  const { status, body, text } = reply;
  if (status !== 200) throw new Astray('another answer', 200, `${status}: ${body?.code ?? ''} ${text.slice(0, 500)}`);
  const isSound =
    body && isHash(body.eventHash) && isTransaction(body.txHash) && body.nonce === nonce && !('data' in body);
  if (!isSound) throw new Astray('the reply lacks what every write carries', { nonce }, text.slice(0, 500));
}
