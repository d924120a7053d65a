/** Unusual requests: each gets a problem document, and none crashes the server. */
import net from 'node:net';
import { expect } from 'chai';
import { statusesOf } from '../support/statuses.js';
import { raw, rawProblem, request, route, type Started, sampleRoutes, start, stopAll } from './support.js';

/** All that the server sends until it closes the connection. */
async function untilClosed(port: number, ...pieces: string[]): Promise<string> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  void (async () => {
    for (const piece of pieces) {
      socket.write(Buffer.from(piece, 'latin1'));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  })();
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

describe('http: odd requests', () => {
  let at: Started;
  const send = (line: string, lines: string[] = [], body = '') => raw(at.port, request(line, at.port, lines, body));

  before(async () => {
    at = await start();
  });
  after(stopAll);
  afterEach(async () => {
    expect((await fetch(`${at.url}/healthz`)).status).to.equal(200);
  });

  it('an unknown route is 404 and says that it is the route', async () => {
    for (const path of [
      '/api/v2/node',
      '/api/v1/nodes',
      '/api/v1/node/',
      '/API/v1/node',
      '/',
      '//',
      '//x/y',
      '/a\\b',
    ]) {
      const reply = await send(`GET ${path}`);
      rawProblem(reply, { code: 'NOT_FOUND', url: at.url, instance: path, detail: /unknown route/ });
    }
  });

  it('a wrong method is 405 with Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY']) {
      const reply = await send(`${method} /api/v1/things/x`);
      if (reply.status === 400) continue; // a method that this version's HTTP parser does not know
      rawProblem(reply, { code: 'METHOD_NOT_ALLOWED', url: at.url, instance: '/api/v1/things/x' });
      expect(reply.headers.allow).to.equal('GET, HEAD, OPTIONS');
    }
    const reply = await send('DELETE /api/v1/things');
    expect(reply.headers.allow).to.equal('GET, HEAD, OPTIONS, POST');
  });

  it('a method that does not exist is 405 too', async () => {
    const reply = await send('FOO /api/v1/node');
    rawProblem(reply, { code: 'METHOD_NOT_ALLOWED', url: at.url });
    expect(reply.headers.allow).to.contain('GET');
  });

  it('CONNECT is refused', async () => {
    rawProblem(await raw(at.port, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n'), {
      code: 'METHOD_NOT_ALLOWED',
      url: at.url,
    });
  });

  it('HEAD has the headers of GET and no body', async () => {
    const [get, head] = [await send('GET /api/v1/things/x'), await send('HEAD /api/v1/things/x')];
    expect(head.status).to.equal(200);
    expect(head.body).to.equal('');
    const same = ({ headers }: typeof get) => ({ ...headers, date: '', 'x-request-id': '' });
    expect(same(head)).to.deep.equal(same(get));
    const missing = await send('HEAD /api/v1/none');
    expect([missing.status, missing.body]).to.deep.equal([404, '']);
    expect(Number(missing.headers['content-length'])).to.be.greaterThan(0);
  });

  it('OPTIONS is 204 with Allow, and 404 on unknown paths', async () => {
    const known = await send('OPTIONS /api/v1/things');
    expect([known.status, known.body]).to.deep.equal([204, '']);
    expect(known.headers.allow).to.equal('GET, HEAD, OPTIONS, POST');
    expect(known.headers).to.not.have.any.keys('access-control-allow-origin', 'content-length', 'content-type');
    rawProblem(await send('OPTIONS /api/v1/none'), { code: 'NOT_FOUND', url: at.url, instance: '/api/v1/none' });
    expect((await send('OPTIONS *')).status).to.equal(204);
  });

  it('bad percent-encoding, in path or query, is 400', async () => {
    for (const path of ['/api/v1/things/%zz', '/api/v1/things/%', '/api/v1/things/%ED%A0%80', '/api/v1/things/a%00b']) {
      rawProblem(await send(`GET ${path}`), { code: 'INVALID_REQUEST', url: at.url, instance: path });
    }
    rawProblem(await send('GET /api/v1/things?name=%ff'), {
      code: 'INVALID_REQUEST',
      url: at.url,
      instance: '/api/v1/things',
    });
    const fine = await send('GET /api/v1/things/a%2Fb%20%C3%A9');
    expect(JSON.parse(fine.body).params.id).to.equal('a/b é');
  });

  it('a fragment or raw bytes in the target are 400', async () => {
    rawProblem(await send('GET /api/v1/node#x'), { code: 'INVALID_REQUEST', url: at.url });
    rawProblem(await send('GET /api/v1/n\xe4de'), { code: 'INVALID_REQUEST', url: at.url });
    rawProblem(await send('GET node'), { code: 'INVALID_REQUEST', url: at.url });
    rawProblem(await send('GET *'), { code: 'INVALID_REQUEST', url: at.url });
  });

  it('the absolute form works, and its host counts', async () => {
    const own = await raw(at.port, request(`GET ${at.url}/api/v1/things/x?y`, at.port));
    expect(own.status).to.equal(200);
    const target = 'GET http://evil.example/api/v1/things/x HTTP/1.1\r\nHost: evil.example\r\n\r\n';
    rawProblem(await raw(at.port, target), { code: 'UNAUTHORIZED', url: at.url });
    const contradicted = request('GET http://evil.example/api/v1/things/x', at.port);
    rawProblem(await raw(at.port, contradicted), { code: 'INVALID_REQUEST', url: at.url });
    const other = target.replace('http://evil.example', at.url);
    rawProblem(await raw(at.port, other), { code: 'INVALID_REQUEST', url: at.url });
    rawProblem(await send('GET http://u@h/api/v1/node'), { code: 'INVALID_REQUEST', url: at.url });
    rawProblem(await send('GET ftp://h/api/v1/node'), { code: 'INVALID_REQUEST', url: at.url });
  });

  it('a missing or doubled Host is 400, HTTP/1.0 goes without', async () => {
    rawProblem(await raw(at.port, 'GET /api/v1/node HTTP/1.1\r\n\r\n'), { code: 'INVALID_REQUEST', url: at.url });
    const twice = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${at.port}\r\nHost: evil\r\n\r\n`;
    rawProblem(await raw(at.port, twice), { code: 'INVALID_REQUEST', url: at.url });
    expect((await raw(at.port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).to.equal(200);
  });

  it('only METHOD target HTTP/1.x is a request line, however it arrives', async () => {
    const host = `Host: 127.0.0.1:${at.port}\r\n\r\n`;
    const lines = ['GET /healthz RTSP/1.0', 'GET /healthz RTSP/1.1', 'GET /healthz ICE/1.0', 'GET  /healthz HTTP/1.1'];
    for (const line of [...lines, 'GET /healthz  HTTP/1.1', 'GET /healthz HTTP/1.1 ', 'GET /healthz HTTP/2.0']) {
      const whole = `${line}\r\n${host}`;
      rawProblem(await raw(at.port, whole), { code: 'INVALID_REQUEST', url: at.url });
      // In pieces; behind another request; behind one with a body, by length and in chunks.
      rawProblem(await raw(at.port, [whole.slice(0, 5), whole.slice(5)]), { code: 'INVALID_REQUEST', url: at.url });
      const json = ['Content-Type: application/json', 'Connection: keep-alive'];
      const first = request('GET /api/v1/things/1', at.port, ['Connection: keep-alive']);
      const sized = request('POST /api/v1/things', at.port, [...json, 'Content-Length: 2'], '{}');
      const chunked = request(
        'POST /api/v1/things',
        at.port,
        [...json, 'Transfer-Encoding: chunked'],
        '6\r\n{}\r\n\r\n\r\n0\r\n\r\n',
      );
      for (const before of [first, sized, chunked]) {
        const statuses = statusesOf(await untilClosed(at.port, before + whole));
        expect(statuses, `${line} behind ${before}`).to.deep.equal([200, 400]);
      }
    }
    expect((await raw(at.port, `\r\n\r\nGET /healthz HTTP/1.1\r\n${host}`)).status).to.equal(200);
  });

  it('a request behind a chunked body is answered, however their bytes are cut', async () => {
    const chunked = request('POST /api/v1/things', at.port, [
      'Transfer-Encoding: chunked',
      'Content-Type: application/json',
    ]);
    const last = request('GET /healthz', at.port, ['Connection: close']);
    for (const body of ['0\r\n\r\n', '6\r\n{}\r\n\r\n\r\n0\r\n\r\n', '2\r\n{}\r\n0\r\nX: y\r\n\r\n']) {
      for (const cut of [0, body.length - 5, body.length - 4, body.length - 2, body.length]) {
        const replies = await untilClosed(at.port, chunked + body.slice(0, cut), body.slice(cut) + last);
        expect(statusesOf(replies), `${JSON.stringify(body)} cut at ${cut}`).to.deep.equal([200, 200]);
      }
    }
  });

  it('a bad line passes neither where the end of the head before it is split, nor as a part of a body', async () => {
    const head = request('GET /healthz', at.port);
    for (const bad of ['GET /healthz RTSP/1.0', 'GET  /healthz HTTP/1.1']) {
      const rest = `${bad}\r\nHost: 127.0.0.1:${at.port}\r\n\r\n`;
      for (let cut = head.length - 4; cut <= head.length; cut++) {
        const replies = await untilClosed(at.port, head.slice(0, cut), head.slice(cut) + rest);
        expect(statusesOf(replies), `${bad}, cut at ${cut}`).to.deep.equal([200, 400]);
      }
      const post = request('POST /api/v1/things', at.port, ['Content-Type: application/json', 'Content-Length: 2']);
      const late = await untilClosed(at.port, post.slice(0, -2), `${post.slice(-2)}{}${rest}${rest}`);
      expect(statusesOf(late), bad).to.deep.equal([200, 400]);
    }
  });

  it('what is not HTTP behind a request in work is refused behind its reply', async () => {
    const slow = route({
      method: 'POST',
      path: '/api/v1/slow',
      handle: async () => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return { status: 200, body: { done: true } };
      },
    });
    const { port } = await start([slow]);
    const post = request('POST /api/v1/slow', port, ['Content-Type: application/json', 'Content-Length: 2'], '{}');
    const odd = [
      ...[
        'GET  / HTTP/1.1\r\n\r\n',
        'bad bytes\r\n\r\n',
        'GET / HTTP/1.1\r\nHost x\r\n\r\n',
        `GET ${' '.repeat(17_000)}`,
      ],
      request('POST /api/v1/slow', port, ['Transfer-Encoding: chunked'], 'zz\r\n'),
      request('GET /healthz', port, ['Transfer-Encoding: gzip']),
    ];
    for (const bad of odd) {
      for (const replies of [await untilClosed(port, post + bad), await untilClosed(port, post, bad, bad)]) {
        const [first, second, ...more] = statusesOf(replies);
        expect([first, more], bad.slice(0, 80)).to.deep.equal([200, []]);
        // A bad request with a complete head may be answered by its route before the rest is refused.
        expect(second).to.be.oneOf([400, 404, 431]);
      }
    }
    const connect = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n';
    expect(statusesOf(await untilClosed(port, post, connect))).to.deep.equal([200, 405]);
  });

  it('a reply that has begun and the replies behind it come before a refusal', async () => {
    const bytes = Buffer.alloc(1_500_000, 'x');
    const page = route({
      method: 'GET',
      path: '/api/v1/page',
      handle: () => ({ status: 200, stream: { type: 'text/plain', chunks: bytes, shared: true } }),
    });
    async function* lines(): AsyncGenerator<string> {
      for (let line = 0; line < 5; line++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        yield 'line\n';
      }
    }
    const streamed = route({
      method: 'GET',
      path: '/api/v1/lines',
      handle: () => ({ status: 200, stream: { type: 'text/plain', chunks: lines(), window: 100 } }),
    });
    async function* endlessly(): AsyncGenerator<string> {
      for (;;) {
        yield 'line\n';
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    const live = route({
      method: 'GET',
      path: '/api/v1/live',
      handle: () => ({ status: 200, stream: { type: 'text/plain', chunks: endlessly() } }),
    });
    const { port } = await start([...sampleRoutes, page, streamed, live]);
    const post = request('POST /api/v1/things', port, ['Content-Type: application/json', 'Content-Length: 2'], '{}');
    for (const bad of ['GET  / HTTP/1.1\r\n\r\n', 'GET / HTTP/1.1\r\nHost x\r\n\r\n']) {
      for (const path of ['page', 'lines']) {
        const replies = await untilClosed(port, request(`GET /api/v1/${path}`, port) + post + bad);
        expect(statusesOf(replies), `${path}, ${bad}`).to.deep.equal([200, 200, 400]);
      }
      const beforeIt = await untilClosed(port, post + request('GET /api/v1/live', port), bad);
      expect(statusesOf(beforeIt), 'a stream without end is cut').to.deep.equal([200, 200]);
    }
  });

  it('a chunk whose size is no number ends with 400, and the server continues', async () => {
    for (const size of ['-6', '-7;', '-fffff', '+5', '0x5', 'zz']) {
      const post = request('POST /api/v1/things', at.port, ['Transfer-Encoding: chunked'], `${size}\r\nX`);
      expect((await raw(at.port, post)).status, size.slice(0, 20)).to.equal(400);
    }
  });

  it('an empty Transfer-Encoding lets no more requests begin than others do', async () => {
    const empty = request('POST /api/v1/things', at.port, ['Transfer-Encoding:', 'Content-Type: application/json']);
    const replies = await untilClosed(at.port, empty + request('GET /healthz', at.port, ['Connection: close']));
    // The parser of Node.js 24 refuses it.
    expect(statusesOf(replies)).to.be.deep.oneOf([[200, 200], [400]]);
  });

  it('a Host with an impossible port, or a bad one under an absolute target, is 400', async () => {
    for (const host of ['a:65536', 'a:99999', 'a b']) {
      rawProblem(await raw(at.port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`), {
        code: 'INVALID_REQUEST',
        url: at.url,
      });
    }
    const absolute = `GET http://127.0.0.1:${at.port}/healthz HTTP/1.1\r\nHost: a b\r\n\r\n`;
    rawProblem(await raw(at.port, absolute), { code: 'INVALID_REQUEST', url: at.url });
  });

  it('smuggling attempts are 400', async () => {
    const lengths = [
      ['Content-Length: 1', 'Content-Length: 2'],
      ['Content-Length: 1', 'Transfer-Encoding: chunked'],
      ['Content-Length: x'],
      ['Content-Length: -1'],
      ['Transfer-Encoding: gzip'],
      ['Transfer-Encoding: chunked, chunked', 'Transfer-Encoding: x'],
    ];
    for (const lines of lengths) {
      const reply = await send('POST /api/v1/things', ['Content-Type: application/json', ...lines], '{}');
      expect(reply.status, lines.join()).to.equal(400);
      rawProblem(reply, { code: 'INVALID_REQUEST', url: at.url });
    }
  });

  it('a transfer coding besides chunked is 501', async () => {
    for (const coding of ['gzip, chunked', 'x, chunked', 'Identity, Chunked']) {
      const reply = await send(
        'POST /api/v1/things',
        ['Content-Type: application/json', `Transfer-Encoding: ${coding}`],
        '0\r\n\r\n',
      );
      rawProblem(reply, { code: 'INVALID_REQUEST', url: at.url, status: 501 });
    }
  });

  it('garbage instead of HTTP is 400', async () => {
    for (const bytes of [
      '\x16\x03\x01\x02\x00',
      'hello\r\n\r\n',
      'GET /api/v1/node HTTP/9.9\r\n\r\n',
      'GET  HTTP/1.1\r\n\r\n',
    ]) {
      rawProblem(await raw(at.port, bytes), { code: 'INVALID_REQUEST', url: at.url });
    }
    rawProblem(await send('GET /api/v1/node', ['bad header']), { code: 'INVALID_REQUEST', url: at.url });
  });

  it('headers or a target beyond 16 KiB are 431', async () => {
    const long = 'x'.repeat(20_000);
    rawProblem(await send('GET /api/v1/node', [`X-Long: ${long}`]), {
      code: 'INVALID_REQUEST',
      url: at.url,
      status: 431,
    });
    rawProblem(await send(`GET /api/v1/things/${long}`), { code: 'INVALID_REQUEST', url: at.url, status: 431 });
    const enormous = await send('GET /api/v1/node', [`X-Long: ${'x'.repeat(4_000_000)}`]);
    expect(enormous.status).to.equal(431);
  });

  it('an unknown expectation is 400', async () => {
    rawProblem(await send('GET /api/v1/node', ['Expect: miracles']), { code: 'INVALID_REQUEST', url: at.url });
  });

  it('Upgrade is ignored', async () => {
    expect((await send('GET /api/v1/node', ['Connection: upgrade', 'Upgrade: websocket'])).status).to.equal(200);
  });

  it('pipelined requests are answered in order', async () => {
    const reply = await raw(at.port, [
      request('GET /api/v1/things/1', at.port),
      request('GET /api/v1/none', at.port),
      request('GET /api/v1/things/3', at.port),
    ]);
    expect(statusesOf(reply.text)).to.deep.equal([200, 404, 200]);
  });

  it('no header reveals what the server is made of, and the security headers are there', async () => {
    const { headers } = await send('GET /api/v1/node');
    expect(headers).to.not.have.any.keys('server', 'x-powered-by');
    expect(headers).to.include({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
  });

  it('a sane request id of the sender is kept, another one replaced', async () => {
    expect((await send('GET /api/v1/node', ['X-Request-Id: trace-1'])).headers['x-request-id']).to.equal('trace-1');
    for (const id of ['a b', 'x'.repeat(200), '<script>']) {
      const { headers } = await send('GET /api/v1/node', [`X-Request-Id: ${id}`]);
      expect(headers['x-request-id']).to.match(/^req-[0-9a-f]{12}-[0-9a-z]+$/);
    }
  });

  it('application/json is the type of a problem only where Accept names it and not the other', async () => {
    const type = async (accept: string) => (await send('GET /x', [`Accept: ${accept}`])).headers['content-type'];
    expect(await type('application/json')).to.equal('application/json; charset=utf-8');
    for (const accept of ['*/*', 'text/html', 'application/problem+json, application/json']) {
      expect(await type(accept)).to.equal('application/problem+json; charset=utf-8');
    }
  });
});
