/** A kind's conformance walk twice: by people whose keys the node keeps, and by people who sign themselves. */
import { expect } from 'chai';
import { scenarioOf } from '../../packages/model/src/scenarios.js';
import { Astray, type Who } from '../../scripts/conformance/driver.js';
import { Stage } from '../../scripts/conformance/stage.js';
import { type Finding, walk } from '../../scripts/conformance/walk.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { keptKeys, NodeDriver } from '../conformance/stage.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { HeldDriver } from './support/key-holder.js';

/** What is found on the walk through a setting, and what everyone has after it. */
export interface Walked {
  readonly findings: readonly Finding[];
  readonly wallets: { readonly [name: string]: Body };
}

export function describeBothWalks(definition: AnyResource, stride: number): void {
  describe(`${definition.kind}, with keys of its callers`, () => {
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

    for (const setting of Object.keys(scenarioOf(definition).settings)) {
      it(`${setting}: accepts, refuses and pays as with keys that the node keeps`, async () => {
        const kept = await walked(new NodeDriver(node, keptKeys), definition, { setting, stride });
        const driver = new HeldDriver(node);
        const held = await walked(driver, definition, { setting, stride });
        expect(kept.findings.length).to.be.greaterThan(0);
        expect(held).to.deep.equal(kept);
        await mustReplay(driver);
      });
    }
  });
}

export async function walked<W extends Who>(
  driver: NodeDriver<W>,
  definition: AnyResource,
  options: { readonly setting: string; readonly stride: number },
): Promise<Walked> {
  const stage = await Stage.open(driver, definition, { setting: options.setting });
  const findings: Finding[] = [];
  try {
    for await (const finding of walk(stage, options)) {
      const { situation, asked, flaw } = finding;
      if (flaw) expect.fail(`${options.setting} / ${situation} / ${asked}: ${JSON.stringify(flaw)}`);
      findings.push(finding);
    }
  } catch (error) {
    throw error instanceof Astray ? new Error(`${error.message}: ${JSON.stringify(error.came)}`) : error;
  }
  const wallets: { [name: string]: Body } = {};
  for (const [name, { did }] of Object.entries(stage.cast)) {
    const { available, escrowed, balance, nextNonce } = expectStatus(
      await driver.node.client.get(`/api/v1/wallets/${did}`),
    );
    wallets[name] = { available, escrowed, balance, nextNonce };
  }
  return { findings, wallets };
}

/** Each event has its reply for as long as it is in the journal, whatever has become of its resource. */
async function mustReplay({ node, accepted }: HeldDriver): Promise<void> {
  const { head } = await node.state();
  for (const { body, status } of accepted) {
    const reply = await node.client.post('/api/v1/events', body);
    const came = { status: reply.status, replayed: reply.headers['idempotent-replayed'], code: reply.body.code };
    const { kind, action } = body.payload;
    expect(came, `${kind} ${action}: ${reply.text}`).to.deep.equal({ status, replayed: 'true', code: undefined });
  }
  expect((await node.state()).head).to.deep.equal(head);
}
