/** What a key holder keeps is nowhere at the node: neither in files, nor in the log, nor in what was sent to it. */
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { keys } from '../../packages/client/src/signing/key.js';
import { createLog } from '../../src/core/log.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { TestNode } from '../node/support/node.js';
import { filesBelow } from '../support/files.js';

const spellings = (secret: Uint8Array): readonly Buffer[] => {
  const bytes = Buffer.from(secret);
  const texts = [bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return [bytes, ...texts.map((text) => Buffer.from(text))];
};

describe('A key that stays with its holder', () => {
  it('leaves no trace at the node, and neither do the secrets that the client encrypts', async () => {
    const logged: string[] = [];
    const log = createLog({ level: 'trace', destination: { write: (line: string) => logged.push(line) } });
    const node = await TestNode.start({ parts: { log } });
    try {
      const sent: string[] = [];
      const client = new Client({
        url: node.url,
        fetch: (url, init) => {
          sent.push(`${url} ${JSON.stringify(init.headers)} ${init.body ?? ''}`);
          return fetch(url, init);
        },
      });
      const seeds = [1, 2].map(() => crypto.getRandomValues(new Uint8Array(32)));
      const [sellersKey, buyersKey] = [await keys.fromSeed(seeds[0]!), await keys.fromSeed(seeds[1]!)];
      const [seller, buyer] = [client.as({ key: sellersKey }), client.as({ key: buyersKey })];
      for (const did of [seller.did!, buyer.did!]) await node.fund({ did }, 1_000);
      const secrets = ['quokka content of the listing', 'quokka access token', 'https://quokka.example/hidden'];
      const [data, accessToken, accessUrl] = secrets;
      const content = { format: 'text/plain', data: data! };
      const { listingId } = await seller.markets.info.create({ ...infoListing.create.example, content } as never);
      const { orderId } = await buyer.infoOrders.create({ listingId } as never, { most: 500 });
      await seller.infoOrders.deliver(orderId, { listingId, accessToken, accessUrl } as never);
      expect(await buyer.information.open(orderId)).to.include({ content: data, accessToken, accessUrl });
      await buyer.wallets.transfer({ to: seller.did!, amount: 5, memo: 'found in every place' }, { most: 5 });
      await node.stop();
      const files = [...filesBelow(node.dir)].map(([, bytes]) => bytes);
      const written = [...files, Buffer.from(logged.join('')), Buffer.from(sent.join('\n'))];
      const has = (secret: Uint8Array): boolean =>
        spellings(secret).some((spelling) => written.some((bytes) => bytes.includes(spelling)));
      expect(has(Buffer.from('found in every place')), 'the search finds what is there').to.equal(true);
      expect(logged.length).to.be.greaterThan(0);
      for (const secret of [...seeds, ...secrets.map((text) => Buffer.from(text))]) expect(has(secret)).to.equal(false);
    } finally {
      await node.discard();
    }
  });
});
