/** Reads by id, against a bare Koa with as many routes that answers the same bytes. */
import { Child } from './support/child.js';
import { type Contestant, contest, cpuOf, rateOf, startNode } from './support/contest.js';
import { escrows } from './support/escrows.js';
import type { RoutePattern } from './support/node-process.js';
import { options } from './support/options.js';
import { escrowId } from './support/people.js';
import type { BareRoute, ReferenceQuestion } from './support/reference.js';
import { atLeast, micros, percent, perSecond, table } from './support/report.js';

interface Read {
  readonly what: string;
  /** Pattern of the route, and a path that it matches. */
  readonly pattern: string;
  readonly path: string;
}

export async function reads(): Promise<void> {
  const { dir, depositor, stranger } = await escrows();
  const pattern = '/api/v1/wallets/:address';
  const measured: readonly Read[] = [
    { what: `wallet, history of ${options.resources}`, pattern, path: `/api/v1/wallets/${depositor.did}` },
    { what: 'wallet without history', pattern, path: `/api/v1/wallets/${stranger}` },
    { what: 'escrow', pattern: '/api/v1/escrows/:escrowId', path: `/api/v1/escrows/${escrowId(0)}` },
    { what: 'node', pattern: '/api/v1/node', path: '/api/v1/node' },
  ];
  const { child, pid, url, routes } = await startNode(dir);
  const bare = new Child<ReferenceQuestion>('reference');
  const bareUrl = await bare.ask<string>({ ask: 'read', routes: await capture(url, routes, measured) });
  const contestants: { [name: string]: Contestant } = {};
  for (const { what, path } of measured) {
    contestants[`bare ${what}`] = { site: { url: bareUrl, pid: bare.pid }, plan: { do: 'get', path } };
    contestants[what] = { site: { url, pid }, plan: { do: 'get', path } };
  }
  const results = await contest(contestants);
  await Promise.all([child.stop(), bare.stop()]);
  const [long, short] = measured.map(({ what }) => results[what]!);
  table(`Reads by id, ${routes.length} routes`, [
    ...measured.flatMap(({ what }) => {
      const [koa, node] = [results[`bare ${what}`]!, results[what]!];
      return [
        { what: `${what}: rate`, measured: perSecond(node.rate) },
        { what: `${what}: CPU a read`, measured: micros(node.cpu) },
        { what: `${what}: CPU a read, bare Koa`, measured: micros(koa.cpu) },
        atLeast(`${what}: CPU, of bare Koa’s`, koa.ratio(node, cpuOf), 0.8, percent),
        atLeast(`${what}: rate, of bare Koa’s`, node.ratio(koa, rateOf), 0.8, percent),
      ];
    }),
    atLeast('a long history costs nothing: CPU without, of with', short!.ratio(long!, cpuOf), 0.9, percent),
  ]);
}

/** Records the node's replies, so that the bare server can send the same bytes. */
function capture(url: string, routes: readonly RoutePattern[], measured: readonly Read[]): Promise<BareRoute[]> {
  return Promise.all(
    routes.map(async ({ method, path }) => {
      const one = method === 'GET' ? measured.find(({ pattern }) => pattern === path) : undefined;
      return one ? { method, path, body: await (await fetch(url + one.path)).text() } : { method, path };
    }),
  );
}
