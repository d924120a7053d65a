/** What a key holder keeps is nowhere at the node: neither in files, nor in the log, nor in its memory, nor in what was sent to it. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { keys } from '../../packages/client/src/signing/key.js';
import { createLog } from '../../src/core/log.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { startNode } from '../cli/support/node.js';
import { TestNode } from '../node/support/node.js';
import { filesBelow } from '../support/files.js';
import { scratch, tidy } from '../support/scratch.js';

const shown = 'found in every place';

const spellings = (secret: Uint8Array): readonly Buffer[] => {
  const bytes = Buffer.from(secret);
  const texts = [bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return [bytes, ...texts.map((text) => Buffer.from(text))];
};

/** Trades with two new keys. @returns their secrets, and what was sent */
async function traded(url: string, fund: (did: string) => Promise<unknown>) {
  const sent: string[] = [];
  const client = new Client({
    url,
    fetch: (to, init) => {
      sent.push(`${to} ${JSON.stringify(init.headers)} ${init.body ?? ''}`);
      return fetch(to, init);
    },
  });
  const seeds = [1, 2].map(() => crypto.getRandomValues(new Uint8Array(32)));
  const [sellersKey, buyersKey] = [await keys.fromSeed(seeds[0]!), await keys.fromSeed(seeds[1]!)];
  const [seller, buyer] = [client.as({ key: sellersKey }), client.as({ key: buyersKey })];
  for (const did of [seller.did!, buyer.did!]) await fund(did);
  const texts = ['quokka content of the listing', 'quokka access token', 'https://quokka.example/hidden'];
  const [data, accessToken, accessUrl] = texts;
  const content = { format: 'text/plain', data: data! };
  const pricing = { price: 10 };
  const { listingId } = await seller.markets.info.create({ ...infoListing.create.example, pricing, content } as never);
  const { orderId } = await buyer.infoOrders.create({ listingId } as never, { most: 10 });
  await seller.infoOrders.deliver(orderId, { listingId, accessToken, accessUrl } as never);
  expect(await buyer.information.open(orderId)).to.include({ content: data, accessToken, accessUrl });
  await buyer.wallets.transfer({ to: seller.did!, amount: 5, memo: shown }, { most: 5 });
  const secrets = [...seeds.flatMap(spellings), ...texts.map((text) => Buffer.from(text))];
  return { secrets, sent: Buffer.from(sent.join('\n')) };
}

/** What a core dump of a process would have. */
function* memoryOf(pid: number): Generator<Buffer> {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined) continue;
      // Parts overlap by more than a secret has.
      for (let at = Number.parseInt(from, 16); at < Number.parseInt(to!, 16); at += 1 << 24) {
        const part = Buffer.alloc(Math.min((1 << 24) + 128, Number.parseInt(to!, 16) - at));
        try {
          yield part.subarray(0, readSync(memory, part, 0, part.length, at));
        } catch {
          // No page is there.
        }
      }
    }
  } finally {
    closeSync(memory);
  }
}

describe('A key that stays with its holder', () => {
  after(tidy);

  it('leaves no trace at the node, and neither do the secrets that the client encrypts', async () => {
    const logged: string[] = [];
    const log = createLog({ level: 'trace', destination: { write: (line: string) => logged.push(line) } });
    const node = await TestNode.start({ parts: { log } });
    try {
      const { secrets, sent } = await traded(node.url, (did) => node.fund({ did }, 1_000));
      await node.stop();
      const files = [...filesBelow(node.dir)].map(([, bytes]) => bytes);
      const written = [...files, Buffer.from(logged.join('')), sent];
      const has = (secret: Buffer): boolean => written.some((bytes) => bytes.includes(secret));
      expect(has(Buffer.from(shown)), 'the search finds what is there').to.equal(true);
      expect(logged.length).to.be.greaterThan(0);
      for (const secret of secrets) expect(has(secret)).to.equal(false);
    } finally {
      await node.discard();
    }
  });

  (process.platform === 'linux' ? it : it.skip)('is not in the memory of the node either', async () => {
    const node = await startNode(scratch(), [], { env: { SVC_CHAIN: 'none', SVC_LOG_LEVEL: 'error' } });
    const { secrets } = await traded(node.url, (did) => new Client({ url: node.url }).faucet.claim(did));
    let isShown = false;
    for (const part of memoryOf(node.pid)) {
      isShown ||= part.includes(shown);
      for (const secret of secrets) expect(part.includes(secret)).to.equal(false);
    }
    expect(isShown, 'the search finds what is there').to.equal(true);
    expect((await node.stop()).code).to.equal(0);
  });
});
