/** The two suites that walk a kind over HTTP: its states, and its alarms. Any catalogue with scenarios can use them. */
import { expect } from 'chai';
import { ownKinds, scenarioOf, type WalkedKinds } from '../../packages/model/src/scenarios.js';
import { Met, missing } from '../../scripts/conformance/coverage.js';
import { walk } from '../../scripts/conformance/walk.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { until } from '../support/until.js';
import { waysIn } from './allowed.js';
import { type NodeStage, openStage } from './stage.js';

const nodeWith = ({ catalogue }: WalkedKinds): Promise<TestNode> => TestNode.start({ parts: { catalogue } });

/** A sample tries one in this many requests; odd, because they come in groups of one for each participant. */
const sampleStride = 11;

/** Tries every action in every situation, by every person, now and after the deadlines. */
export function describeWalk(definition: AnyResource, from: WalkedKinds = ownKinds): void {
  describe(`The definition of ${definition.kind}, over HTTP`, () => {
    const met = new Met();
    const walked = itHolds(definition, from);

    it('holds in every situation of every setting, for all roles', () => walked(met));

    it('was walked whole: every state, transition, role, and the code of every guard', function () {
      if (met.allowed === 0) this.skip();
      expect(missing(definition, met, from), 'extend the scenario until the walk meets these').to.deep.equal([]);
      expect(met.refused, 'refusals').to.be.greaterThan(met.allowed);
    });
  });
}

/** Tries some of the same requests. */
export function describeSampledWalk(definition: AnyResource, from: WalkedKinds = ownKinds): void {
  describe(`The definition of ${definition.kind}, over HTTP`, () => {
    const walked = itHolds(definition, from);

    it('holds in a sample of its situations', async () => {
      const met = new Met();
      await walked(met, sampleStride);
      expect(met.allowed, 'accepted').to.be.greaterThan(0);
      expect(met.refused, 'refused').to.be.greaterThan(0);
    });
  });
}

/** Starts a node before the suite, and audits it afterwards. @returns the walk through all settings */
function itHolds(definition: AnyResource, from: WalkedKinds) {
  let node: TestNode;

  before(async () => {
    node = await nodeWith(from);
    node.world.hold();
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });

  return async (met: Met, stride = 1) => {
    const settings = Object.keys(scenarioOf(definition, from).settings);
    for (const setting of settings) {
      for await (const finding of walk(await openStage(node, definition, { setting, from }), { setting, stride })) {
        const { situation, asked, flaw } = finding;
        if (flaw) expect.fail(`${setting} / ${situation} / ${asked}: ${JSON.stringify(flaw)}`);
        met.add(finding);
      }
    }
    expect(settings).not.to.deep.equal([]);
  };
}

/** Waits for the alarm of every situation. */
export function itDeliversAlarms(definition: AnyResource, from: WalkedKinds = ownKinds): void {
  it(`The clock delivers each alarm of ${definition.kind}, after its time and not before`, async () => {
    const node = await nodeWith(from);
    try {
      const delivered = new Set<string>();
      const stage = await openStage(node, definition, { from });
      for (const way of await waysIn(stage)) {
        if (way.path.some(({ late }) => late)) continue;
        let view = await stage.reach(way.path);
        // The second alarm may be of another action.
        for (let alarms = 0; alarms < 2; alarms++) {
          const { state, context } = await stage.situation(view);
          const alarm = definition.alarm(state, context as never);
          if (!alarm) break;
          node.world.skip(alarm.at - node.world.now() - 2_000);
          expect((await stage.view(view)).resourcePrev, `${way.name}: not yet`).to.equal(view.resourcePrev);
          node.world.skip(2_001);
          view = await changed(stage, view);
          const { event } = expectStatus(await node.client.get(`/api/v1/events/${view.resourcePrev}`));
          expect(event.type, way.name).to.equal(definition.actions[alarm.action]!.event);
          delivered.add(alarm.action);
        }
      }
      const { elsewhere = [] } = scenarioOf(definition, from);
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

const changed = (stage: NodeStage, view: { id: string; resourcePrev: string }) =>
  until(`an alarm of ${view.id} comes`, () => stage.view(view), {
    is: ({ resourcePrev }) => resourcePrev !== view.resourcePrev,
    everyMs: 1,
  });
