/**
 * For every kind with a machine: reaches each situation by its shortest path, over HTTP against a real node; then tries every
 * action there, by every person, now and after the deadlines. Each is either accepted, or refused with the exact code and
 * without any change. A new kind takes part through its scenario in packages/model/src/scenarios.
 */
import { expect } from 'chai';
import { scenarioOf } from '../../packages/model/src/scenarios.js';
import { Met, missing } from '../../scripts/conformance/coverage.js';
import { walk } from '../../scripts/conformance/walk.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { TestNode } from '../node/support/node.js';
import { openStage } from './stage.js';

for (const definition of requestedOf(catalogue)) {
  describe(`The definition of ${definition.kind}, over HTTP`, function () {
    this.timeout(300_000);
    const met = new Met();
    let node: TestNode;

    before(async () => {
      node = await TestNode.start();
      node.world.hold();
    });
    after(async () => {
      const report = await node?.audit();
      await node?.discard();
      expect(report?.flaw?.what).to.equal(undefined);
    });

    it('holds in every situation of every setting, for all roles', async () => {
      const settings = Object.keys(scenarioOf(definition).settings);
      for (const setting of settings) {
        for await (const finding of walk(await openStage(node, definition, setting), { setting })) {
          const { situation, asked, flaw } = finding;
          if (flaw) expect.fail(`${setting} / ${situation} / ${asked}: ${JSON.stringify(flaw)}`);
          met.add(finding);
        }
      }
      expect(settings).not.to.deep.equal([]);
    });

    it('was walked whole: every state, transition, role, and the code of every guard', function () {
      if (met.allowed === 0) this.skip();
      expect(missing(definition, met), 'extend packages/model/src/scenarios until the walk meets these').to.deep.equal(
        [],
      );
      expect(met.refused, 'refusals').to.be.greaterThan(met.allowed);
    });
  });
}
