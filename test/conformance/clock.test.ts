/** Deadlines: when a definition sets an alarm, the node's clock sends the action without any request. */
import { expect } from 'chai';
import { scenarioOf } from '../../packages/model/src/scenarios.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { waysIn } from './allowed.js';
import { type NodeStage, openStage } from './stage.js';

for (const definition of requestedOf(catalogue)) {
  it(`The clock delivers each alarm of ${definition.kind}, after its time and not before`, async () => {
    const node = await TestNode.start();
    try {
      const delivered = new Set<string>();
      const stage = await openStage(node, definition);
      for (const way of await waysIn(stage)) {
        if (way.path.some(({ late }) => late)) continue;
        const view = await stage.reach(way.path);
        const { state, context } = await stage.situation(view);
        const alarm = definition.alarm(state, context as never);
        if (!alarm) continue;
        node.world.skip(alarm.at - node.world.now() - 2_000);
        expect((await stage.view(view)).resourcePrev, `${way.name}: not yet`).to.equal(view.resourcePrev);
        node.world.skip(2_001);
        const now = await changed(stage, view);
        const { event } = expectStatus(await node.client.get(`/api/v1/events/${now.resourcePrev}`));
        expect(event.type, way.name).to.equal(definition.actions[alarm.action]!.event);
        delivered.add(alarm.action);
      }
      const { elsewhere = [] } = scenarioOf(definition);
      const internal = Object.entries(definition.actions).flatMap(([name, { internal, who }]) =>
        internal && who.includes('clock') && !elsewhere.includes(name) ? [name] : [],
      );
      expect([...delivered], 'every action of the clock alone was delivered').to.include.members(internal);
      expect((await node.audit()).flaw?.what).to.equal(undefined);
    } finally {
      await node.discard();
    }
  });
}

async function changed(stage: NodeStage, view: { id: string; resourcePrev: string }) {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const now = await stage.view(view);
    if (now.resourcePrev !== view.resourcePrev) return now;
  }
  return expect.fail(`no alarm of ${view.id} came`);
}
