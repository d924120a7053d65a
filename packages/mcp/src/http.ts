/**
 * The server over HTTP, for hosts on this machine that don't start it: on 127.0.0.1 alone, and for callers that have the token of
 * its file. A page in a browser, or another user's program, is on this machine as well.
 */
import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { unlessMissing, writeFileDurably } from '../../../src/core/durable-file.js';
import { Agent, type AgentOptions } from './agent.js';
import { mcpBounds } from './bounds.js';
import { serverFactory } from './server.js';

export interface McpOverHttp {
  readonly url: string;
  /** A line with what callers send as `Authorization: Bearer …`. */
  readonly tokenFile: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** @param port 0: any free one @param onError gets the errors that no caller hears */
export async function serveOverHttp(
  options: AgentOptions,
  {
    version,
    port,
    onError,
  }: { readonly version: string; readonly port: number; readonly onError: (error: Error) => void },
): Promise<McpOverHttp> {
  const agent = new Agent(options);
  const tokenFile = join(options.folder, 'token');
  const token = await tokenIn(tokenFile, agent);
  // A program that has the token could answer for the person, so only a terminal counts.
  const factory = serverFactory({ agent, version, mayElicit: false });
  const handler = createMcpHandler(factory, { onerror: onError, maxRequestBodySize: mcpBounds.requestBytes });
  const server = createServer((request, response) => {
    const refusal = refusalOf(request, token, server.address() as AddressInfo);
    if (refusal !== undefined) {
      request.resume();
      response
        .writeHead(refusal, { 'Content-Length': 0, ...(refusal === 401 && { 'WWW-Authenticate': 'Bearer' }) })
        .end();
      return;
    }
    relayed(request, response, handler.fetch).catch((error: Error) => {
      // The caller may have left.
      if (!response.destroyed) onError(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/mcp`,
    tokenFile,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Made once, by one process. */
const tokenIn = (file: string, { proposals, environment }: Agent): Promise<string> =>
  proposals.hold(async () => {
    const known = (await unlessMissing(readFile(file, 'utf8')))?.trim();
    if (known?.length === 43) return known;
    const token = Buffer.from(environment.drawBytes(32)).toString('base64url');
    await writeFileDurably(file, `${token}\n`);
    return token;
  });

/** The status of a request that is not served; the names are compared, because a page may have this address by another name. */
function refusalOf({ headers, url }: IncomingMessage, token: string, { port }: AddressInfo): number | undefined {
  const own = [`${host}:${port}`, `localhost:${port}`];
  if (!own.includes(headers.host ?? '')) return 403;
  if (headers.origin !== undefined && !own.some((each) => headers.origin === `http://${each}`)) return 403;
  if (!isToken(headers.authorization ?? '', token)) return 401;
  return url === '/mcp' ? undefined : 404;
}

function isToken(authorization: string, token: string): boolean {
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function relayed(
  request: IncomingMessage,
  response: ServerResponse,
  serve: (request: Request) => Promise<Response>,
): Promise<void> {
  const { method = 'GET', headers } = request;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = ['GET', 'HEAD'].includes(method) ? null : Readable.toWeb(request);
  const init = { method, body, duplex: 'half', headers, signal: gone.signal };
  const found = await serve(new Request(`http://${headers.host}${request.url}`, init as RequestInit));
  response.writeHead(found.status, Object.fromEntries(found.headers));
  await pipeline(found.body ?? [], response);
}
