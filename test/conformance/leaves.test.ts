/**
 * The texts that can be erased are found from the schemas of all actions, so that those of new kinds are covered
 * (docs/reference/journal-format.md#leaves).
 */
import { expect } from 'chai';
import { leavesIn, saltBytes } from '../../src/core/leaf.js';
import { isRefusal } from '../../src/core/refusal.js';
import { leafKind } from '../../src/machines/leaf/leaf.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { everything, words } from '../contract/shelf.js';
import { expectInvalid } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { withToyDeals } from '../world/toy-deal.js';
import { LeafCanaries, leafPlaces } from './leaf-canaries.js';
import { carryOut, inputs } from './planted.js';

describe('Texts that no rule reads', () => {
  const canaries = new LeafCanaries();
  let store: MemoryStore;
  let node: TestNode;

  before(async () => {
    store = new MemoryStore();
    node = await TestNode.start({ store: async () => store, parts: { catalogue: withToyDeals } });
    await carryOut(node, canaries);
  });
  after(() => node?.discard());

  /** What the store has beside the contents and the words of the search index. */
  const stored = (): string => {
    const { contents: _, search: __, ...tables } = store.tables;
    return JSON.stringify(tables, (___, value) => (value instanceof Map || value instanceof Set ? [...value] : value));
  };

  const bytes = (): string[] =>
    [...store.tables.contents.values()].map(({ bytes: each }) => Buffer.from(each).toString());
  const found = async (text: string): Promise<number> => (await store.search({ ...everything, ...words(text) })).total;
  const searched = () =>
    canaries.planted.filter(({ place }) => /-listing\.(create|update)\.(title|description)$/.test(place));

  it('were written in every place that a schema has for them', () => {
    const places = inputs.flatMap(({ input, at }) => leafPlaces(input, at));
    expect(places.length).to.be.above(100);
    expect([...new Set(canaries.planted.map(({ place }) => place))]).to.include.members(places);
  });

  it('are in no entry, snapshot, label or reply: only in contents', () => {
    expect(canaries.foundIn(stored())).to.deep.equal([]);
    expect(canaries.foundIn(bytes().join('\n'))).to.have.members(canaries.planted.map(({ text }) => text));
  });

  /** Each leaf of the journal, with the resource that it came with. */
  const leaves = async () => {
    const entries = await store.entries({ after: 0, limit: 100_000 });
    const all = entries.flatMap(({ payload: { kind, id, input } }) =>
      [...leavesIn(input)].map((hash) => [hash, { kind, id }] as const),
    );
    return new Map(all.reverse());
  };

  it('have different salts', async () => {
    const salts = [...(await leaves()).keys()].map((hash) =>
      Buffer.from(store.tables.contents.get(hash)!.bytes.subarray(0, saltBytes)).toString('hex'),
    );
    expect(salts.length).to.be.above(canaries.planted.length / 2);
    expect(new Set(salts).size).to.equal(salts.length);
  });

  it('are gone once they are erased, from the contents and from the search', async () => {
    const before = await Promise.all(searched().map(({ text }) => found(text)));
    expect(before.filter((total) => total > 0).length).to.be.above(5);
    const all = await leaves();
    const why = { reason: 'a test', operator: 'a test' };
    for (const [hash, resource] of all) {
      const accepted = await node.operate(leafKind, hash, 'redact', { ...why, resource });
      if (isRefusal(accepted)) expect.fail(accepted.detail);
    }
    expect(await Promise.all(searched().map(({ text }) => found(text)))).to.deep.equal(before.map(() => 0));
    expect(canaries.foundIn([stored(), ...bytes()].join('\n'))).to.deep.equal([]);
    const { flaw, erased } = await node.audit();
    expect(flaw?.what).to.equal(undefined);
    expect(erased).to.equal(all.size);
  });

  it('can’t be replaced by a reference in a request', async () => {
    const ada = await node.person();
    const forged = { leaf: 'ab'.repeat(32), size: 7 };
    for (const [at, terms] of [
      ['terms.scope', { scope: forged }],
      ['terms.scope.0.deeper', { scope: [{ deeper: forged }] }],
    ] as const) {
      const reply = await ada.write('/api/v1/contracts', { provider: node.did, terms });
      expect(expectInvalid(reply, at).detail).to.match(/must have other members than just leaf and size/);
    }
  });
});
