/** Event streams: frames, heartbeats, resuming, slow and disconnected consumers, the end. */
import net from 'node:net';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment } from '../../src/core/environment.js';
import { isRefusal } from '../../src/core/refusal.js';
import type { Call, Route } from '../../src/http/server/route.js';
import { lastEventId, type StreamEvent, sse, sseReply } from '../../src/http/server/sse.js';
import { until } from '../support/until.js';
import { FakeWorld, flush } from '../world/fake-world.js';
import { raw, request, route, start, stopAll } from './support.js';

/** A source whose events the test provides, and which records whether it was ended. */
class Source implements AsyncIterable<StreamEvent> {
  returned = false;
  pulls = 0;
  #waiting: ((result: IteratorResult<StreamEvent>) => void)[] = [];
  #ready: IteratorResult<StreamEvent>[] = [];

  push(event: StreamEvent): void {
    this.#give({ done: false, value: event });
  }

  end(): void {
    this.#give({ done: true, value: undefined });
  }

  #give(result: IteratorResult<StreamEvent>): void {
    const next = this.#waiting.shift();
    if (next) next(result);
    else this.#ready.push(result);
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamEvent> {
    return {
      next: () => {
        this.pulls += 1;
        const ready = this.#ready.shift();
        if (ready) return Promise.resolve(ready);
        return new Promise((resolve) => this.#waiting.push(resolve));
      },
      return: async () => {
        this.returned = true;
        return { done: true, value: undefined };
      },
    };
  }
}

async function collect(chunks: AsyncIterable<string | Uint8Array>, into: string[]): Promise<void> {
  for await (const chunk of chunks) into.push(String(chunk));
}

describe('http: event streams', () => {
  afterEach(stopAll);

  it('write id, event and JSON, and end with their source', async () => {
    const source = new Source();
    source.push({ id: '7', event: 'escrow.funded', data: { text: 'a\nb' } });
    source.push({ data: null });
    source.end();
    const chunks: string[] = [];
    await collect(sse(source, { world: new FakeWorld(), signal: new AbortController().signal }), chunks);
    expect(chunks).to.deep.equal([
      'retry: 2000\n: open\n\n',
      'id: 7\nevent: escrow.funded\ndata: {"text":"a\\nb"}\n\n',
      'data: null\n\n',
    ]);
    expect(source.returned).to.equal(true);
  });

  it('beat when nothing comes, without asking the source again', async () => {
    const world = new FakeWorld();
    const source = new Source();
    const chunks: string[] = [];
    const done = collect(sse(source, { world, signal: new AbortController().signal, heartbeatMs: 100 }), chunks);
    await world.advance(350);
    expect(chunks.slice(1)).to.deep.equal([': beat\n\n', ': beat\n\n', ': beat\n\n']);
    expect(source.pulls).to.equal(1);
    source.push({ data: 1 });
    await flush();
    expect(chunks.at(-1)).to.equal('data: 1\n\n');
    source.end();
    await done;
    expect(world.timers).to.equal(0);
  });

  it('end when the signal aborts, and let the source go', async () => {
    const world = new FakeWorld();
    const source = new Source();
    const abort = new AbortController();
    const done = collect(sse(source, { world, signal: abort.signal }), []);
    await flush();
    abort.abort();
    await done;
    expect(source.returned).to.equal(true);
    expect(world.timers).to.equal(0);
  });

  it('pass on what their source throws', async () => {
    async function* failing(): AsyncGenerator<StreamEvent> {
      yield { data: 1 };
      throw new RangeError('gone');
    }
    const outcome = await collect(
      sse(failing(), { world: new FakeWorld(), signal: new AbortController().signal }),
      [],
    ).then(
      () => 'ended',
      (error: Error) => error.message,
    );
    expect(outcome).to.equal('gone');
  });

  it('resume after Last-Event-ID, else after the fallback', () => {
    const call = (id?: string) => ({ header: () => id }) as unknown as Call;
    expect(lastEventId(call('41'), 5)).to.equal('41');
    expect(lastEventId(call(), 5)).to.equal(5);
    expect(lastEventId(call(''), 5)).to.equal(5);
    expect(lastEventId(call('41.00c0ffee'), 5)).to.equal('41.00c0ffee');
    for (const id of ['-1', 'x', '1.5', '1e3', '9'.repeat(17)]) {
      expect(isRefusal(lastEventId(call(id), 5)), id).to.equal(true);
    }
  });

  const streaming = (source: AsyncIterable<StreamEvent>): Route =>
    route({
      method: 'GET',
      path: '/api/v1/stream',
      handle: (call) => sseReply(source, { world: realEnvironment, signal: call.signal }),
    });

  it('go out over HTTP as they come, and end when the server stops', async () => {
    const source = new Source();
    const at = await start([streaming(source)]);
    const response = await fetch(`${at.url}/api/v1/stream`);
    expect(response.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).to.contain(': open');
    source.push({ id: '1', data: 'x' });
    expect((await reader.read()).value).to.equal('id: 1\ndata: "x"\n\n');
    // Longer than the test's time-out: a stop that waits for the stream would fail the test.
    await at.http.close(600_000);
    expect((await reader.read().catch(() => ({ done: true }))).done).to.equal(true);
    expect(source.returned).to.equal(true);
  });

  it('let their source go when the client leaves', async () => {
    const source = new Source();
    const at = await start([streaming(source)]);
    const abort = new AbortController();
    const response = await fetch(`${at.url}/api/v1/stream`, { signal: abort.signal });
    expect(response.status).to.equal(200);
    abort.abort();
    await until('it is let go', () => source.returned);
  });

  it('are not followed by anything else when the client talks on', async () => {
    const at = await start([streaming(new Source())]);
    const socket = net.connect(at.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(request('GET /api/v1/stream', at.port));
    await new Promise((resolve) => socket.once('data', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.write('junk\r\n\r\n');
    await closed;
    expect(text.match(/HTTP\/1\.1/g)).to.have.length(1);
  });

  it('HEAD does not start one', async () => {
    const source = new Source();
    const at = await start([streaming(source)]);
    const reply = await raw(at.port, request('HEAD /api/v1/stream', at.port));
    expect([reply.status, reply.headers['content-type'], source.pulls]).to.deep.equal([
      200,
      'text/event-stream; charset=utf-8',
      0,
    ]);
  });

  it('are bounded in number', async () => {
    const at = await start([streaming(new Source())]);
    // Kept, because fetch cancels the stream of a response that is garbage-collected.
    const held: Response[] = [];
    const abort = new AbortController();
    for (let i = 0; i < bounds.streams; i++) {
      held.push(await fetch(`${at.url}/api/v1/stream`, { signal: abort.signal }));
    }
    expect(held.every(({ status }) => status === 200)).to.equal(true);
    const refused = await fetch(`${at.url}/api/v1/stream`);
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5']);
    abort.abort();
  });
});
