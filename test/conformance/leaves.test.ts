/**
 * The texts that can be erased are found from the schemas of all actions, so that those of new kinds are covered
 * (docs/reference/journal-format.md#leaves).
 */
import { expect } from 'chai';
import type { Ask } from '../../scripts/conformance/driver.js';
import { Stage } from '../../scripts/conformance/stage.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { leavesIn, saltBytes } from '../../src/core/leaf.js';
import { isRefusal } from '../../src/core/refusal.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { leafKind } from '../../src/machines/leaf/leaf.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { everything, words } from '../contract/shelf.js';
import { expectInvalid, expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { finishedDeal } from '../node/support/deals.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { withToyDeals } from '../world/toy-deal.js';
import { allowedTry } from './allowed.js';
import { LeafCanaries, leafPlaces } from './leaf-canaries.js';
import { NodeDriver } from './stage.js';

/** The actions that a request can ask for, with their inputs. */
const inputs = Object.values(catalogue.definitions).flatMap((definition) => {
  const { kind, actions } = definition;
  const all = definition.form === 'machine' ? { create: definition.create, ...actions } : actions;
  return Object.entries(all)
    .filter(([, { who, internal }]: [string, Body]) => !internal && who?.join() !== 'workflow')
    .map(([action, { input }]) => ({ kind, action, input, at: `${kind}.${action}` }));
});

/** Plants a text in every place of each request. */
class PlantingDriver extends NodeDriver {
  constructor(
    node: TestNode,
    private readonly canaries: LeafCanaries,
  ) {
    super(node);
  }

  override ask(who: Person, asked: Ask): Promise<Reply> {
    const { definition, action, input } = asked;
    const scalar = action === 'create' ? definition.create.input : definition.actions[action]!.input;
    const planted = this.canaries.plant(scalar, input as JsonObject, `${definition.kind}.${action}`);
    return super.ask(who, { ...asked, input: planted as Body });
  }
}

describe('Texts that no rule reads', () => {
  const canaries = new LeafCanaries();
  let store: MemoryStore;
  let node: TestNode;

  before(async function () {
    this.timeout(180_000);
    store = new MemoryStore();
    node = await TestNode.start({ store: async () => store, parts: { catalogue: withToyDeals } });
    await carryOut();
  });
  after(() => node?.discard());

  /** An accepted request for each action of each kind. */
  async function carryOut(): Promise<void> {
    const driver = new PlantingDriver(node, canaries);
    for (const definition of requestedOf(catalogue)) {
      const stage = await Stage.open(driver, definition);
      if (!definition.create.internal) await stage.create();
      for (const { action, at, input } of inputs.filter(({ kind }) => kind === definition.kind)) {
        // Twice where an input may have one of two forms.
        for (let turn = 0; action !== 'create' && turn < 2 && !canaries.hasAll(input, at); turn++) {
          const [view, asked] = await allowedTry(stage, action);
          expectStatus(await stage.ask(view, asked));
        }
      }
    }
    const [ada, ben] = [await node.rich(1_000), await node.person()];
    const credential = {
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: ada.did,
      credentialSubject: {},
    };
    const identity = `/api/v1/identities/${ada.did}`;
    const { docHash } = expectStatus(await node.client.get(identity));
    const ref = await finishedDeal(node, ada, ben);
    const bodies: { readonly [action: string]: readonly [path: string, body: Body] } = {
      'account.transfer': ['/api/v1/transfers', { to: ben.did, amount: 1 }],
      'identity.update': [`${identity}/actions/update`, { document: {}, prevDocHash: docHash }],
      'identity.register': [`${identity}/capabilities`, { credential }],
      'reputation.review': [
        `/api/v1/reputations/${ben.did}/reviews`,
        { target: ben.did, dimension: 'quality', score: 900, ref },
      ],
    };
    for (const { at, input } of inputs) {
      const [path, body] = bodies[at] ?? [];
      if (path) expectStatus(await ada.write(path, canaries.plant(input, body, at) as Body), [200, 201]);
    }
  }

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

  it('are gone once they are erased, from the contents and from the search', async function () {
    this.timeout(60_000);
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
