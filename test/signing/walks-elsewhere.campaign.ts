/** A sample of each kind's walk, by people who keep their keys and are at home at three nodes. */
import { expect } from 'chai';
import { scenarioOf } from '../../packages/model/src/scenarios.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { keptKeys, NodeDriver } from '../conformance/stage.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { HeldDriver } from './support/key-holder.js';
import { walked } from './walks.js';

describe('Who keeps their key, at another home', () => {
  let others: Home[];

  before(async () => {
    others = [await Home.start(), await Home.start()];
  });
  after(() => discard(others));

  for (const definition of requestedOf(catalogue)) {
    it(`walks through ${definition.kind} as at home`, async () => {
      const home = await Home.start();
      const { node } = home;
      try {
        await acquaint([home, ...others]);
        node.world.hold();
        const heads = () => Promise.all(others.map((other) => other.node.store.head()));
        const before = await heads();
        const options = { setting: Object.keys(scenarioOf(definition).settings)[0]!, stride: 61 };
        const kept = await walked(new NodeDriver(node, keptKeys), definition, options);
        const from = [...others.map((other) => other.node), node];
        const held = await walked(new HeldDriver(node, from), definition, options);
        expect(kept.findings.length).to.be.greaterThan(0);
        expect(held).to.deep.equal(kept);
        expect((await node.audit()).flaw?.what).to.equal(undefined);
        expect(await heads(), 'nothing is at the other homes').to.deep.equal(before);
      } finally {
        await discard([home]);
      }
    });
  }
});
