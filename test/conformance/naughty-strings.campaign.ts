/** The Big List of Naughty Strings in every place of free text, and in searches. */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { expectInvalid, expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { isLong } from '../support/long.js';
import { vectorsIn } from '../support/vectors.js';
import { withToyDeals } from '../world/toy-deal.js';
import { LeafCanaries } from './leaf-canaries.js';
import { carryOut } from './planted.js';

const all = vectorsIn<string>('naughty-strings.json');
/** Those that may name something, as long as a title may be. */
const names = all.filter((text) => !isRefusal(is.parse(is.name(200), text)));
const others = all.filter((text) => !names.includes(text));
const rounds = isLong ? 20 : 2;

const stated = (text: string): string => JSON.stringify(text).slice(1, -1);

describe('The Big List of Naughty Strings', () => {
  let store: MemoryStore;
  let node: TestNode;

  before(async () => {
    store = new MemoryStore();
    node = await TestNode.start({ store: async () => store, parts: { catalogue: withToyDeals } });
  });
  after(() => node?.discard());

  it('is taken and kept as it is in every place that a schema has for free text', async () => {
    const planted: string[] = [];
    for (let round = 0; round < rounds; round++) {
      // Another text for each place in each round, and each text in some place.
      const canaries = new LeafCanaries((index) => names[(index + planted.length) % names.length]!);
      await carryOut(node, canaries);
      planted.push(...canaries.planted.map(({ text }) => text));
    }
    expect(new Set(planted).size, `texts in ${planted.length} places`).to.equal(names.length);
    const kept = [...store.tables.contents.values()].map(({ bytes }) => Buffer.from(bytes).toString()).join('\n');
    for (const text of new Set(planted)) {
      const isKept = [text, text.normalize('NFC').trim()].some((each) => kept.includes(stated(each)));
      expect(isKept, text).to.equal(true);
    }
  });

  it('is given back, and found by its words', async () => {
    const seller = await node.person();
    for (const text of names) {
      const listing = { ...infoListing.create.example, title: text, description: text };
      const { listingId } = expectStatus(await seller.write('/api/v1/markets/info', listing), 201);
      const { title, description } = expectStatus(await node.client.get(`/api/v1/markets/info/${listingId}`));
      expect([title, description]).to.deep.equal([text.normalize('NFC').trim(), text]);
      const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)?.slice(0, 4);
      if (!words) continue;
      const asked = `seller=${seller.did}&keyword=${encodeURIComponent(words.join(' '))}&sort=newest&pageSize=1`;
      const { listings } = expectStatus(await node.client.get(`/api/v1/markets/search?${asked}`));
      expect(listings[0]?.listingId, text).to.equal(listingId);
    }
  });

  it('is refused as a name where nothing of it is visible, or it is too long', async () => {
    const seller = await node.person();
    expect(others.length).to.be.above(10);
    for (const title of others) {
      const refused = await seller.write('/api/v1/markets/info', { ...infoListing.create.example, title });
      expect(expectInvalid(refused, 'title').detail).to.match(/visible|empty|at most 200/);
    }
  });

  it('is looked up and searched for without an error', async () => {
    for (const text of all) {
      const asked = encodeURIComponent(text);
      for (const path of [`lookup?text=${asked}`, `markets/search?q=${asked}&tags=${asked}`, `wallets/${asked}`])
        expect((await node.client.get(`/api/v1/${path}`)).status, path).to.be.below(500);
    }
  });
});
