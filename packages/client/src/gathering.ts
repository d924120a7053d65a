/** Sends the writes of one turn as batches (docs/reference/requests.md#batches); each still has its own answer. */
import type { ClientEnvironment } from './environment.js';
import type { Replies } from './wire.js';

/** The most writes, and bytes of their bodies, in one batch: a request has at most 1 MiB. */
const mostWrites = 100;
const mostBytes = 768 * 1024;

interface Gathered {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string>; readonly body: string };
  readonly bytes: number;
  readonly answered: (response: Response | Promise<Response>) => void;
}

/** @returns a `fetch` that holds each POST back until its turn of the event loop is over */
export function gathering({ fetch, wait }: ClientEnvironment): ClientEnvironment['fetch'] {
  let waiting: Gathered[] = [];
  let isSending = false;
  // One round after another: beside it, the writes of a signer would wait at the node for the nonces of the other round.
  const send = async () => {
    for (await wait(0); waiting.length > 0; await wait(0)) {
      const wanted = waiting.filter(({ init }) => !init.signal?.aborted);
      const batches = batchesOf(wanted.sort((one, other) => nonceIn(one) - nonceIn(other)));
      waiting = [];
      await Promise.all(batches.map((batch) => sendBatch(fetch, batch).catch(failing(batch))));
    }
    isSending = false;
  };
  return (url, init) => {
    if (init.method !== 'POST') return fetch(url, init);
    const { length: bytes } = new TextEncoder().encode(String(init.body));
    return new Promise((answered, failed) => {
      init.signal?.addEventListener('abort', () => failed(init.signal!.reason), { once: true });
      waiting.push({ url, init: init as Gathered['init'], bytes, answered });
      if (!isSending) void send();
      isSending = true;
    });
  };
}

/** The first of a batch waits at the node for an earlier nonce. */
const nonceIn = ({ init }: Gathered): number =>
  (JSON.parse(init.body || '{}') as { readonly nonce?: number }).nonce ?? 0;

const failing = (batch: readonly Gathered[]) => (error: unknown) => {
  for (const { answered } of batch) answered(Promise.reject(error));
};

/** Aborts when no write of a batch is wanted any more. */
function unwanted(batch: readonly Gathered[]): AbortSignal {
  const all = new AbortController();
  let left = batch.length;
  for (const { init } of batch)
    init.signal?.addEventListener('abort', () => --left === 0 && all.abort(init.signal!.reason), { once: true });
  return all.signal;
}

/** By node and caller, within the bounds, in their order. */
function batchesOf(all: readonly Gathered[]): Gathered[][] {
  const batches: Gathered[][] = [];
  const open = new Map<string, { batch: Gathered[]; bytes: number }>();
  for (const each of all) {
    const { 'Idempotency-Key': _, ...common } = each.init.headers;
    const by = JSON.stringify([rootOf(each.url), common]);
    let place = open.get(by);
    if (!place || place.batch.length === mostWrites || place.bytes + each.bytes > mostBytes) {
      place = { batch: [], bytes: 0 };
      open.set(by, place);
      batches.push(place.batch);
    }
    place.batch.push(each);
    place.bytes += each.bytes;
  }
  return batches;
}

const base = '/api/v1/';
const rootOf = (url: string): string => url.slice(0, url.lastIndexOf(base));

async function sendBatch(fetch: ClientEnvironment['fetch'], batch: readonly Gathered[]): Promise<void> {
  const [first] = batch;
  const alone = async () => {
    const responses = batch.map(({ url, init }) => fetch(url, init));
    for (const [at, { answered }] of batch.entries()) answered(responses[at]!);
    await Promise.allSettled(responses);
  };
  if (batch.length === 1) return alone();
  const items = batch.map(({ url, init }) => {
    const key = init.headers['Idempotency-Key'];
    return {
      path: url.slice(rootOf(url).length),
      ...(key !== undefined && { idempotencyKey: key }),
      body: JSON.parse(init.body),
    };
  });
  const { 'Idempotency-Key': _, ...headers } = first!.init.headers;
  const url = `${rootOf(first!.url)}${base}batch`;
  const init = { ...first!.init, signal: unwanted(batch), headers, body: JSON.stringify({ items }) };
  const response = await fetch(url, init);
  // They may be too much for one body.
  if (response.status === 400 || response.status === 413) return alone();
  const text = await response.text();
  const answers = response.ok ? (JSON.parse(text) as Replies['batch']).items : undefined;
  for (const [at, { answered }] of batch.entries()) {
    const answer = answers?.[at];
    const { status, headers = {} } = answer ?? response;
    const options = { status, headers: headers as Record<string, string> };
    answered(new Response(answer ? JSON.stringify(answer.body) : text, options));
  }
}
