/** Reads by id, against a bare Koa with as many routes that answers the same bytes. */
import { Child } from './child.js';
import { large } from './large.js';
import type { LoadQuestion, Measured } from './load-process.js';
import type { NodeQuestion, RoutePattern, Started } from './node-process.js';
import { options } from './options.js';
import { environmentOf, escrowId } from './people.js';
import type { BareRoute, ReferenceQuestion } from './reference.js';
import { atLeast, type Figure, median, micros, percent, perSecond, table } from './report.js';

interface Read {
  readonly what: string;
  /** Pattern of the route, and a path that it matches. */
  readonly pattern: string;
  readonly path: string;
  readonly node: Measured[];
  readonly bare: Measured[];
}

const read = (what: string, pattern: string, path: string): Read => ({ what, pattern, path, node: [], bare: [] });

export async function reads(): Promise<void> {
  const { dir, depositor, stranger } = await large();
  const wallets = '/api/v1/wallets/:address';
  const measured = [
    read(`wallet, history of ${options.resources}`, wallets, `/api/v1/wallets/${depositor.did}`),
    read('wallet without history', wallets, `/api/v1/wallets/${stranger}`),
    read('escrow', '/api/v1/escrows/:escrowId', `/api/v1/escrows/${escrowId(0)}`),
    read('node', '/api/v1/node', '/api/v1/node'),
  ] as const;

  const node = new Child<NodeQuestion>('node-process', { env: environmentOf(dir), execArgv: options.nodeFlags });
  const bare = new Child<ReferenceQuestion>('reference');
  const load = new Child<LoadQuestion>('load-process');
  const { url, routes } = await node.ask<Started>({ ask: 'started' });
  const bareUrl = await bare.ask<string>({ ask: 'read', routes: await capture(url, routes, measured) });
  const get = (place: { url: string; pid: number }, path: string, seconds: number): Promise<Measured> =>
    load.ask({ ask: 'load', site: { ...place, people: [] }, plan: { do: 'get', path }, seconds });
  const places = { node: { url, pid: node.pid }, bare: { url: bareUrl, pid: bare.pid } };

  for (const place of [places.node, places.bare]) {
    for (const { path } of measured) await get(place, path, options.warmUpSeconds / measured.length);
  }
  for (let round = 0; round < options.rounds; round++) {
    for (const each of measured) {
      each.bare.push(await get(places.bare, each.path, options.seconds));
      each.node.push(await get(places.node, each.path, options.seconds));
    }
  }
  await Promise.all([node.stop(), bare.stop(), load.stop()]);
  table(`Reads by id, ${routes.length} routes`, figuresOf(measured));
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

const rateOf = ({ operations, seconds }: Measured): number => operations / seconds;
const ratio = (one: readonly Measured[], other: readonly Measured[], of: (each: Measured) => number): number =>
  median(one.map((each, round) => of(each) / of(other[round]!)));

function figuresOf(measured: readonly [Read, Read, Read, Read]): Figure[] {
  const [long, short] = measured;
  return [
    ...measured.flatMap(({ what, node, bare }) => [
      { what: `${what}: rate`, measured: perSecond(median(node.map(rateOf))) },
      { what: `${what}: CPU a read`, measured: micros(median(node.map((each) => each.serverMicros))) },
      { what: `${what}: CPU a read, bare Koa`, measured: micros(median(bare.map((each) => each.serverMicros))) },
      atLeast(
        `${what}: CPU, of bare Koa’s`,
        ratio(bare, node, (each) => each.serverMicros),
        0.8,
        percent,
      ),
      atLeast(`${what}: rate, of bare Koa’s`, ratio(node, bare, rateOf), 0.8, percent),
    ]),
    atLeast(
      'a long history costs nothing: CPU without, of with',
      ratio(short.node, long.node, (each) => each.serverMicros),
      0.9,
      percent,
    ),
  ];
}
