/** Measures what a seller spends on a request that is paid, by transfer or by lease: no node is asked. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Client, keys } from '../../packages/client/src/index.js';
import { fakeNode } from '../../packages/fake-node/src/index.js';
import {
  fetchWithPayment,
  keptIn,
  type Sale,
  type SaleOffer,
  sell,
  usedIn,
} from '../../packages/payments/src/index.js';
import { proofHeader } from '../../packages/payments/src/messages.js';
import { assert } from '../../src/core/refusal.js';
import { scratch } from './support/people.js';
import { atMost, median, micros, table } from './support/report.js';

const rounds = 5;
const paidARound = 200;

export async function payments(): Promise<void> {
  const dir = await scratch();
  const node = await fakeNode();
  const [seller, key] = [await keys.generate(), await keys.generate()];
  const count = (rounds + 1) * paidARound;
  await node.fund(key.did, 2 * count + 1);
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listing = await listingOf(node.client.as({ key: seller }));
  const offer: SaleOffer = {
    ...{ amount: 1, payTo: seller.did, home: node.did, network: 'devnet', url, listing },
    ...{ secret: 'the secret of a shop in a benchmark', used: usedIn(join(dir, 'used')) },
  };
  listener = sell(offer).http((_, response) => response.end());
  const proofs: string[] = [];
  const noted: typeof fetch = (asked, init) => {
    const proof = (init!.headers as Headers).get(proofHeader);
    if (proof !== null) proofs.push(proof);
    return fetch(asked, init);
  };
  const kept = keptIn(join(dir, 'kept'));
  const paying = { key, most: 1, kept, loopback: true, fetch: noted };
  for (const buy of [
    fetchWithPayment(node.client, paying),
    fetchWithPayment(node.client, { ...paying, budget: count + 1 }),
  ])
    for (let bought = 0; bought < count; bought++) await buy(`${url}/${bought}`);
  server.close();
  server.closeAllConnections();
  await node.close();

  const [byTransfer, byLease] = [proofs.slice(0, count), proofs.slice(count)];
  const marks = new Set<string>();
  const inMemory = { claim: async (event: string) => marks.size < marks.add(event).size, release: async () => {} };
  const costs: number[] = [];
  for (const [used, shown] of [
    [inMemory, byTransfer],
    [usedIn(join(dir, 'again')), byTransfer],
    [inMemory, byLease],
  ] as const)
    costs.push(await checkCost(sell({ ...offer, used }), shown));
  const [transferred, marked, leased] = costs as [number, number, number];
  table('Payments', [
    atMost('a paid request at its seller: CPU of the check', transferred, 300, micros),
    { what: '… with the mark of the payment on disk', measured: micros(marked) },
    { what: '… paid from a lease, whose beginning is checked as well', measured: micros(leased) },
  ]);
}

async function listingOf(seller: Client): Promise<string> {
  const { listingId } = await seller.markets.capabilities.create({
    ...{ title: 'Weather', description: 'The weather of today.', category: 'data', tags: [], capabilityType: 'http' },
    ...{ capability: {}, quota: {}, access: {}, pricing: { usagePrice: { unit: 'call', pricePerUnit: 1 } } },
  });
  return listingId;
}

/** Microseconds of CPU for one request. */
async function checkCost(sale: Sale, proofs: readonly string[]): Promise<number> {
  const handle = sale.http((_, response) => response.end());
  const costs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage();
    for (let each = round * paidARound; each < (round + 1) * paidARound; each++)
      await serve(handle, each, proofs[each]!);
    const { user, system } = process.cpuUsage(before);
    // The first warms up.
    if (round > 0) costs.push((user + system) / paidARound);
  }
  return median(costs);
}

/** Without the server's own work. */
async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  path: number,
  proof: string,
): Promise<void> {
  let isServed = false;
  const request = { method: 'GET', url: `/${path}`, headers: { [proofHeader.toLowerCase()]: proof } };
  const response = {
    ...{ statusCode: 200, destroyed: false, writableEnded: false, setHeader: () => {}, getHeaders: () => ({}) },
    ...{ write: () => true, once: () => {} },
    writeHead: (status: number) => assert(status === 200, `the sale answered ${status}`),
    end() {
      response.writableEnded = true;
      isServed = true;
    },
  };
  await handle(request as never, response as never);
  assert(isServed, 'what is paid is served');
}
