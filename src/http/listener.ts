/**
 * Node's HTTP server around the application: its bounds against slow and greedy clients, start and stop.
 */
import { readFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { bounds, listenUrlOf } from '../config.js';
import { answerClientError, answerConnect } from './client-error.js';
import { type Site, stopping } from './site.js';

type Server = http.Server | https.Server;

const sweepMs = 50;

export function listenerOf(site: Site, handler: RequestListener): Server {
  const { tls } = site.config;
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
  const server = tls
    ? https.createServer(
        {
          ...options,
          cert: readFileSync(tls.cert),
          key: readFileSync(tls.key),
          handshakeTimeout: bounds.headersMs,
        },
        handler,
      )
    : http.createServer(options, handler);
  // Node drops headers beyond this number silently, a forwarding header for instance; maxHeaderSize bounds them.
  server.maxHeadersCount = 0;
  server.maxConnections = bounds.connections;
  server.setTimeout(bounds.socketIdleMs);
  server.on('clientError', (error, socket) => answerClientError(site, error, socket));
  server.on('connect', (_req, socket) => answerConnect(site, socket));
  // `100 Continue` is sent when the body is about to be read (middleware/body.ts), not before the refusals.
  server.on('checkContinue', handler);
  server.on('checkExpectation', handler);
  return server;
}

export interface Listening {
  readonly port: number;
  /** Root of links. */
  readonly url: string;
  /** Where this machine reaches it, whatever it is called in public. */
  readonly listenUrl: string;
}

export function listen(server: Server, site: Site): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(site.config.port, site.config.host, () => {
      server.off('error', reject);
      server.on('error', (error) => site.log.error({ err: error }, 'the listener failed'));
      const { port } = server.address() as AddressInfo;
      site.listening(port);
      resolve({ port, url: site.urls.publicUrl, listenUrl: listenUrlOf(site.config, port) });
    });
  });
}

export async function close(server: Server, site: Site, graceMs: number): Promise<void> {
  site.stopping = true;
  const closed = new Promise<void>((resolve) => {
    if (server.listening) server.close(() => resolve());
    else resolve();
  });
  for (const each of [...site.open]) each.abort(stopping);
  // An answer that began before the stop has promised to keep its connection, so look again after it.
  const sweep = () => {
    server.closeIdleConnections();
    sweeping = site.world.after(sweepMs, sweep);
  };
  let sweeping = site.world.after(sweepMs, sweep);
  server.closeIdleConnections();
  // The timer does not keep the process alive, but the connections that it would cut do.
  const timer = site.world.after(graceMs, () => server.closeAllConnections());
  await closed;
  timer.cancel();
  sweeping.cancel();
}
