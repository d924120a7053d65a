/**
 * Reads the JSON body of a request (decisions.md, JSON input and problem document: 413, 415, malformed).
 *
 * The bytes are read here: koa-bodyparser would replace invalid UTF-8 silently and leave the guard out, and reading with
 * it costs more than parsing and checking what was read.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { bounds } from '../../config.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { Exchange } from '../exchange.js';
import { guardJson } from './json-guard.js';

const noBody: JsonObject = Object.freeze({});
const tooLarge = refuse('PAYLOAD_TOO_LARGE', `the body has more than ${bounds.bodyBytes} bytes`);
const endedEarly = invalid('body', 'ended too early');
const utf8Json = /^application\/json\s*(?:;\s*charset\s*=\s*(?:utf-?8|"utf-?8")\s*)?;?\s*$/i;
const encodings: readonly string[] = ['identity', 'gzip', 'x-gzip', 'deflate', 'br'];

/** The body, guarded; `{}` where there is none. */
export async function readBody(exchange: Exchange): Promise<JsonObject | Refusal> {
  const { req } = exchange;
  const length = req.headers['content-length'];
  const chunked = req.headers['transfer-encoding'] !== undefined;
  if (!chunked && (length === undefined || Number(length) === 0)) return noBody;
  if (length !== undefined && Number(length) > bounds.bodyBytes) return tooLarge;
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  const wrongType = wrongMediaType(req.headers['content-type'], encoding);
  // A chunked body may turn out to be empty, and then its type is of no interest.
  if (wrongType) return chunked && (await isEmpty(exchange)) ? noBody : wrongType;
  goOn(exchange);
  const bytes = await (encoding === 'identity' ? bytesOf(req) : unpackedBytesOf(req, encoding));
  if (isRefusal(bytes)) return bytes;
  return bytes.length === 0 ? noBody : parseJson(bytes);
}

function wrongMediaType(type: string | undefined, encoding: string): Refusal | undefined {
  if (type === undefined || !utf8Json.test(type)) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json in UTF-8');
  }
  if (encodings.includes(encoding)) return undefined;
  return refuse('UNSUPPORTED_MEDIA_TYPE', 'the Content-Encoding must be gzip, deflate or br');
}

function goOn(exchange: Exchange): void {
  if (!exchange.awaitsContinue) return;
  exchange.awaitsContinue = false;
  exchange.res.writeContinue();
}

async function isEmpty(exchange: Exchange): Promise<boolean> {
  const { req } = exchange;
  if (exchange.awaitsContinue) return false;
  return new Promise((resolve) => {
    req.once('readable', () => resolve(req.read(1) === null));
    req.once('close', () => resolve(false));
  });
}

/** All of it, or the refusal as soon as it is more than a body may have, or breaks off. */
function bytesOf(stream: Readable): Promise<Buffer | Refusal> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= bounds.bodyBytes) return;
      // What follows is for whoever answers: see discardRest.
      stream.off('data', take);
      stream.pause();
      resolve(tooLarge);
    };
    stream.on('data', take);
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    stream.once('error', (error) => resolve(unreadable(error)));
    stream.once('close', () => resolve(endedEarly));
  });
}

/** A packed body that breaks off must end the reading; errors that come after it are nobody's. */
async function unpackedBytesOf(req: IncomingMessage, encoding: string): Promise<Buffer | Refusal> {
  const unpacked: Transform = encoding === 'br' ? createBrotliDecompress() : createUnzip();
  unpacked.on('error', () => {});
  req.once('close', () => {
    if (!req.complete) unpacked.destroy();
  });
  req.pipe(unpacked);
  try {
    return await bytesOf(unpacked);
  } finally {
    unpacked.destroy();
  }
}

function unreadable(error: Error & { code?: unknown }): Refusal {
  const { code } = error;
  if (code === 'ECONNRESET') return endedEarly;
  if (typeof code === 'string' && /^(Z_|ERR_|BROTLI)/.test(code)) {
    return invalid('body', 'does not unpack with the Content-Encoding that it names');
  }
  return invalid('body', 'could not be read');
}

function parseJson(bytes: Buffer): JsonObject | Refusal {
  if (!isUtf8(bytes)) return invalid('body', 'is not valid UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (thrown) {
    // The message itself quotes the text, which may hold a passphrase.
    const [position] = /position \d+/.exec(String(thrown)) ?? [];
    return invalid('body', `is not valid JSON${position ? ` at ${position}` : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return invalid('body', 'must be a JSON object');
  }
  return guardJson(value) ?? (value as JsonObject);
}
