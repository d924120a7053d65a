/** Where requests begin and end, however the bytes of a connection arrive. */
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { Framing } from '../../src/http/server/connections/framing.js';

interface Message {
  readonly head: string;
  readonly body?: string;
  readonly headers?: { readonly [name: string]: string };
}

const host = 'Host: x\r\n\r\n';
const sized = (body: string): Message => ({
  head: `POST /a HTTP/1.1\r\nContent-Length: ${body.length}\r\n${host}`,
  body,
  headers: { 'content-length': String(body.length) },
});
const chunked = (body: string): Message => ({
  head: `POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${host}`,
  body,
  headers: { 'transfer-encoding': 'chunked' },
});
const get: Message = { head: `GET /a HTTP/1.1\r\n${host}` };
const like = `GET  /b RTSP/1.0\r\n${host}`;

const stream: readonly Message[] = [
  get,
  sized('{}'),
  { head: `\r\n\r\n${get.head}` },
  sized(like),
  chunked('0\r\n\r\n'),
  chunked(`${like.length.toString(16)};x=y\r\n${like}\r\n2\r\n\r\n\r\n0\r\nTrailer: z\r\n\r\n`),
  sized('\r\n\r\n\r\n'),
  chunked('0004\r\n\r\n\r\n\r\n000\r\n\r\n'),
  get,
];

/** Gives the framing the bytes in pieces of these lengths, and each head that a parser would have seen by then. */
function pass(messages: readonly Message[], lengths: (at: number) => number): { passed: number; isRefused: boolean } {
  const bytes = Buffer.from(messages.map(({ head, body = '' }) => head + body).join(''), 'latin1');
  const framing = new Framing();
  const ends: { at: number; begins?: Message }[] = [];
  let end = 0;
  for (const message of messages) {
    end += message.head.length;
    ends.push({ at: end, begins: message });
    end += message.body?.length ?? 0;
    if (message.body) ends.push({ at: end });
  }
  let passed = 0;
  for (let at = 0; at < bytes.length; ) {
    const until = Math.min(bytes.length, at + lengths(at));
    while (passed < until) {
      const taken = framing.take(bytes.subarray(passed, until));
      if (framing.refused) return { passed, isRefused: true };
      expect(taken).to.be.greaterThan(0);
      const [next] = ends as [(typeof ends)[number]];
      expect(passed + taken, 'a piece ends where the message ends, or before').to.be.at.most(next.at);
      passed += taken;
      if (passed < next.at) continue;
      ends.shift();
      if (next.begins) {
        expect(framing.begin({ headers: next.begins.headers ?? {} } as IncomingMessage)).to.equal(true);
      }
    }
    at = until;
  }
  return { passed, isRefused: false };
}

describe('Framing', () => {
  const total = stream.reduce((sum, { head, body = '' }) => sum + head.length + body.length, 0);

  it('gives one part of a message at a time, wherever the bytes are cut', () => {
    for (let length = 1; length <= total; length++) {
      expect(pass(stream, () => length)).to.deep.equal({ passed: total, isRefused: false });
    }
    for (let cut = 1; cut < total; cut++) {
      expect(pass(stream, (at) => (at === 0 ? cut : total)).passed).to.equal(total);
    }
  });

  it('refuses a request line that is not strict behind anything, before it is complete', () => {
    for (const line of ['GET /a RTSP/1.0', 'GET  /a HTTP/1.1', 'GET /a HTTP/1.1 ', 'GET /a\tHTTP/1.1', 'get']) {
      for (const before of stream) {
        const bad: Message = { head: `${line}\r\n${host}` };
        for (const length of [1, 2, 3, 7, 1_000]) {
          const { passed, isRefused } = pass([before, bad], () => length);
          expect(isRefused, `${line} in pieces of ${length}`).to.equal(true);
          const from = before.head.length + (before.body?.length ?? 0);
          expect(passed).to.be.within(from, from + line.length + 1);
        }
      }
    }
  });

  it('ends on any bytes: sizes with signs and prefixes, lines without end', () => {
    const head = `POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${host}`;
    const begun = () => {
      const framing = new Framing();
      framing.take(Buffer.from(head));
      expect(framing.begin({ headers: { 'transfer-encoding': 'chunked' } } as IncomingMessage)).to.equal(true);
      return framing;
    };
    for (const size of ['-6', '-100', '-fffff', '+5', '0x5', ' 5', '', ';', 'zz', '1'.repeat(400), 'f'.repeat(20)]) {
      const bytes = Buffer.from(`${size}\r\nX\r\nabc\r\n`);
      expect(begun().take(bytes), size).to.be.within(1, bytes.length);
    }
    const long = Buffer.alloc(40_000, '0');
    const inChunk = begun();
    inChunk.take(long);
    expect(inChunk.refused).to.equal('too long');
    const inLine = new Framing();
    inLine.take(Buffer.concat([Buffer.from('GET '), Buffer.alloc(17_000, ' ')]));
    expect(inLine.refused).to.equal('too long');
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let round = 0; round < 3_000; round++) {
      const framing = round % 2 ? begun() : new Framing();
      for (let piece = 0; piece < 6 && !framing.refused; piece++) {
        const letters = '0-5af;x \r\n\r\nGET';
        const text = Array.from({ length: 1 + (random() % 30) }, () => letters[random() % letters.length]).join('');
        expect(framing.take(Buffer.from(text))).to.be.within(1, text.length);
      }
    }
  });

  it('takes an empty Transfer-Encoding for none, as the parser does', () => {
    const framing = new Framing();
    framing.take(Buffer.from(`POST /a HTTP/1.1\r\nTransfer-Encoding:\r\n${host}`));
    framing.begin({ headers: { 'transfer-encoding': '' } } as IncomingMessage);
    const next = Buffer.from(get.head);
    expect(framing.take(Buffer.concat([next, next]))).to.equal(next.length);
  });

  it('says where a parser has seen a request that is none here', () => {
    const framing = new Framing();
    framing.take(Buffer.from('GET /a HTTP/1.1\r\n'));
    expect(framing.begin({ headers: {} } as IncomingMessage)).to.equal(false);
  });
});
