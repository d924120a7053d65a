/**
 * Node's HTTP server around the application: its bounds against slow and greedy clients, start and stop.
 */
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { bounds } from '../../core/bounds.js';
import { listenUrlOf } from '../../core/urls.js';
import { answerClientError, answerConnect } from './client-error.js';
import { type ServerContext, stopping } from './request-context.js';

type Server = http.Server | https.Server;

const sweepMs = 50;

export function listenerOf(serverContext: ServerContext, handler: RequestListener): Server {
  const { certificate } = serverContext;
  const options: http.ServerOptions = {
    maxHeaderSize: bounds.headerBytes,
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.keepAliveMs,
    connectionsCheckingInterval: bounds.slowClientsCheckMs,
    // A missing Host is refused by guardTarget, with a problem document instead of an empty answer.
    requireHostHeader: false,
    noDelay: true,
  };
  const server = certificate
    ? https.createServer({ ...options, ...certificate.options, handshakeTimeout: bounds.headersMs }, handler)
    : http.createServer(options, handler);
  // Node silently drops headers beyond this number, perhaps a forwarding header; maxHeaderSize bounds them instead.
  server.maxHeadersCount = 0;
  // `Connections` enforces the limit; this one is only for the operating system, with room for the reserve.
  server.maxConnections = bounds.connections + 2 * bounds.connectionsReserve;
  serverContext.connections.watch(server, certificate ? 'secureConnection' : 'connection');
  server.setTimeout(bounds.socketIdleMs);
  server.on('clientError', (error, socket) => answerClientError(serverContext, error, socket));
  server.on('connect', (_req, socket) => answerConnect(serverContext, socket));
  // `100 Continue` is sent when the body is about to be read (body.ts), after possible refusals.
  server.on('checkContinue', handler);
  server.on('checkExpectation', handler);
  return server;
}

export interface Listening {
  readonly port: number;
  /** Root of links. */
  readonly url: string;
  /** The URL under which this machine reaches the server, whatever its public name. */
  readonly listenUrl: string;
}

export function listen(server: Server, serverContext: ServerContext): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(serverContext.config.port, serverContext.config.host, () => {
      server.off('error', reject);
      server.on('error', (error) => serverContext.log.error({ err: error }, 'the listener failed'));
      const { port } = server.address() as AddressInfo;
      serverContext.certificate?.follow(server as https.Server);
      serverContext.listening(port);
      resolve({ port, url: serverContext.urls.publicUrl, listenUrl: listenUrlOf(serverContext.config, port) });
    });
  });
}

export async function close(server: Server, serverContext: ServerContext, graceMs: number): Promise<void> {
  serverContext.stopping = true;
  const closed = new Promise<void>((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });
  for (const each of [...serverContext.open]) each.abort(stopping);
  // Repeated, because a reply that began before the stop keeps its connection open afterwards.
  const sweep = () => {
    server.closeIdleConnections();
    sweeping = serverContext.world.after(sweepMs, sweep);
  };
  let sweeping = serverContext.world.after(sweepMs, sweep);
  server.closeIdleConnections();
  // The timer itself does not keep the process alive, but the connections that it would close do.
  const timer = serverContext.world.after(graceMs, () => server.closeAllConnections());
  await closed;
  timer.cancel();
  sweeping.cancel();
}
