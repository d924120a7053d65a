/** The bytes of a request, to which its payment is bound. */
import type { IncomingMessage } from 'node:http';
import { paymentBounds } from '../../../src/core/bounds.js';
import { SaleError } from './errors.js';

type ParsedRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/** @returns undefined if it is too long @throws SaleError if another part of the program has read it */
export async function bodyOf(request: ParsedRequest): Promise<Uint8Array | undefined> {
  const { headers, rawBody } = request;
  if (rawBody instanceof Uint8Array) return rawBody;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return new Uint8Array();
  if (request.readableDidRead) throw new SaleError('sell must come before what parses bodies');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > paymentBounds.bodyBytes) return undefined;
    chunks.push(chunk as Uint8Array);
  }
  const body = Buffer.concat(chunks);
  request.rawBody = body;
  return body;
}
