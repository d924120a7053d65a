/** Measures what a seller spends on a request that is paid: no node is asked. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { keys } from '../../packages/client/src/index.js';
import { fakeNode } from '../../packages/fake-node/src/index.js';
import { fetchWithPayment, keptIn, type SaleOffer, sell, usedIn } from '../../packages/payments/src/index.js';
import { proofHeader } from '../../packages/payments/src/messages.js';
import { assert } from '../../src/core/refusal.js';
import { scratch } from './support/people.js';
import { atMost, median, micros, table } from './support/report.js';

const rounds = 5;
const paidARound = 200;

export async function payments(): Promise<void> {
  const dir = await scratch();
  const node = await fakeNode();
  const [payTo, key] = [(await keys.generate()).did, await keys.generate()];
  const count = (rounds + 1) * paidARound;
  await node.fund(key.did, count);
  let listener: RequestListener = () => {};
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const offer: SaleOffer = {
    ...{ amount: 1, payTo, home: node.did, network: 'devnet', url, secret: 'the secret of a shop in a benchmark' },
    used: usedIn(join(dir, 'used')),
  };
  listener = sell(offer).http((_, response) => response.end());
  const proofs: string[] = [];
  const noted: typeof fetch = (asked, init) => {
    const proof = (init!.headers as Headers).get(proofHeader);
    if (proof !== null) proofs.push(proof);
    return fetch(asked, init);
  };
  const buy = fetchWithPayment(node.client, {
    key,
    most: 1,
    kept: keptIn(join(dir, 'kept')),
    loopback: true,
    fetch: noted,
  });
  for (let bought = 0; bought < count; bought++) await buy(`${url}/${bought}`);
  server.close();
  server.closeAllConnections();
  await node.close();

  const marks = new Set<string>();
  const inMemory = { claim: async (event: string) => marks.size < marks.add(event).size, release: async () => {} };
  const checked: number[] = [];
  const marked: number[] = [];
  for (const [used, cost] of [
    [inMemory, checked],
    [usedIn(join(dir, 'again')), marked],
  ] as const) {
    const handle = sell({ ...offer, used }).http((_, response) => response.end());
    for (let round = 0; round <= rounds; round++) {
      const before = process.cpuUsage();
      for (let each = round * paidARound; each < (round + 1) * paidARound; each++)
        await serve(handle, each, proofs[each]!);
      const { user, system } = process.cpuUsage(before);
      // The first warms up.
      if (round > 0) cost.push((user + system) / paidARound);
    }
  }
  table('Payments', [
    atMost('a paid request at its seller: CPU of the check', median(checked), 300, micros),
    { what: '… with the mark of the payment on disk', measured: micros(median(marked)) },
  ]);
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
