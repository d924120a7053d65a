import { expect } from 'chai';
import fc from 'fast-check';
import type { ApiError } from '../../packages/client/src/errors.js';
import { SseParser } from '../../packages/client/src/sse.js';
import { failureOf, ok, problem, Script } from './script.js';

const entry = (seq: number) => `id: ${seq}.00c0ffee\nevent: transfer.sent\ndata: ${JSON.stringify({ seq })}\n\n`;

/** A stream of these chunks that then ends, or breaks. */
function sse(chunks: readonly string[], { breaks = false } = {}): Response {
  const left = [...chunks];
  const body = new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
      else if (breaks) controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

async function seqsOf(script: Script, count: number, after?: number): Promise<number[]> {
  const seqs: number[] = [];
  if (count === 0) return seqs;
  for await (const { seq } of script.client.events.stream(after === undefined ? {} : { after })) {
    seqs.push(seq);
    if (seqs.length === count) break;
  }
  return seqs;
}

describe('client: the stream of events', () => {
  it('begins behind the newest entry, and gives what comes', async () => {
    const script = new Script([ok({ events: [], head: 41 }), sse(['retry: 2000\n: open\n\n', entry(42), entry(43)])]);
    expect(await seqsOf(script, 2)).to.deep.equal([42, 43]);
    expect(script.asked[1]?.path).to.equal('/api/v1/events/stream?after=41');
    expect(script.asked[1]?.headers.Accept).to.equal('text/event-stream');
  });

  it('resumes after the last entry after a break, without one twice', async () => {
    const script = new Script([
      sse([entry(1), entry(2).slice(0, 9)], { breaks: true }),
      new TypeError('fetch failed'),
      problem(503, 'SERVICE_UNAVAILABLE'),
      sse([entry(1), entry(2), entry(3)]),
    ]);
    expect(await seqsOf(script, 3, 0)).to.deep.equal([1, 2, 3]);
    const paths = script.asked.map(({ path }) => path.split('?')[1]);
    expect(paths).to.deep.equal(['after=0', ...Array(3).fill('after=1.00c0ffee')]);
  });

  it('comes back after the pause that the server asked for', async () => {
    const script = new Script([sse(['retry: 700\n\n', entry(1)]), sse([entry(2)])]);
    expect(await seqsOf(script, 2, 0)).to.deep.equal([1, 2]);
    expect(script.waits).to.include(700);
  });

  it('ends where the node refuses it', async () => {
    const script = new Script([problem(400, 'INVALID_REQUEST')]);
    expect(await failureOf(seqsOf(script, 1, 0))).to.include({ status: 400 });
  });

  it('ends where the journal no longer has the last entry', async () => {
    const script = new Script([sse([entry(7)]), problem(409, 'CONFLICT', { head: 5 })]);
    const failure = (await failureOf(seqsOf(script, 2, 6))) as ApiError;
    expect(failure).to.include({ status: 409 });
    expect(failure.problem).to.include({ head: 5 });
    expect(script.asked[1]?.path).to.equal('/api/v1/events/stream?after=7.00c0ffee');
  });

  it('ends with the signal, without an error', async () => {
    const abort = new AbortController();
    const script = new Script([sse([entry(1)], { breaks: true })]);
    const seqs: number[] = [];
    for await (const { seq } of script.client.events.stream({ after: 0 }, { signal: abort.signal })) {
      seqs.push(seq);
      abort.abort();
    }
    expect(seqs).to.deep.equal([1]);
  });

  it('takes silence for a broken connection', async () => {
    let rounds = 0;
    const silent = (_: string, { signal }: RequestInit): Promise<Response> =>
      ++rounds > 1
        ? Promise.resolve(sse([entry(1)]))
        : new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const { client } = new Script([], { fetch: silent, environment: {} });
    for await (const { seq } of client.events.stream({ after: 0 }, { silenceMs: 20 })) {
      expect(seq).to.equal(1);
      break;
    }
    expect(rounds).to.equal(2);
  });

  it('pages over everything that there is', async () => {
    const page = (seqs: number[], next: number | null) => ok({ events: seqs.map((seq) => ({ seq })), next, head: 3 });
    const script = new Script([page([1, 2], 2), page([3], null)]);
    const seqs: number[] = [];
    for await (const { seq } of script.client.events.all({ type: 'transfer.sent' })) seqs.push(seq);
    expect(seqs).to.deep.equal([1, 2, 3]);
    expect(script.asked[1]?.path).to.equal('/api/v1/events?type=transfer.sent&after=2&limit=100');
  });
});

describe('client: server-sent events', () => {
  const parse = (...chunks: string[]) => {
    const parser = new SseParser();
    return chunks.flatMap((chunk) => parser.feed(chunk));
  };

  it('are the same however they are cut', () => {
    const text = ': hello\r\nid: 7\r\nevent: a\r\ndata: one\r\ndata:two\r\n\r\ndata: ü\n\n';
    const whole = [
      { id: '7', event: 'a', data: 'one\ntwo' },
      { id: '7', event: 'message', data: 'ü' },
    ];
    expect(parse(text)).to.deep.equal(whole);
    expect(parse(...text)).to.deep.equal(whole);
  });

  it('end a line at LF, CR or CRLF alone, whatever the text contains and wherever its bytes are cut', () => {
    const point = fc.integer({ min: 0, max: 0x10ffff }).filter((each) => each < 0xd800 || each > 0xdfff);
    const separator = fc.constantFrom(0xb, 0xc, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029, 0xfeff);
    const text = fc.array(fc.oneof(point, separator)).map((points) => JSON.stringify(String.fromCodePoint(...points)));
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom('\n', '\r', '\r\n'), (texts, end) => {
        const bytes = new TextEncoder().encode(`${texts.map((each) => `data:${each}${end}${end}`).join('')}:${end}`);
        const decoder = new TextDecoder();
        const chunks = Array.from(bytes, (byte) => decoder.decode(Uint8Array.of(byte), { stream: true }));
        for (const given of [chunks, [chunks.join('')]]) {
          expect(parse(...given).map(({ data }) => data)).to.deep.equal(texts);
        }
      }),
    );
  });

  it('without data are none', () => {
    expect(parse('event: a\n\n: beat\n\ndata: x\n\n')).to.deep.equal([{ id: '', event: 'message', data: 'x' }]);
  });

  it('may say when to come back', () => {
    const parser = new SseParser();
    parser.feed('retry: 1500\nretry: soon\n\n');
    expect(parser.retryMs).to.equal(1500);
  });
});
