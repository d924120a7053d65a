/** A sample of each kind's walk at one node, by people whose keys two other nodes keep: these sign, and send. */
import { expect } from 'chai';
import { MovableClock } from '../../packages/fake-node/src/movable-clock.js';
import { scenarioOf } from '../../packages/model/src/scenarios.js';
import type { Ask, Reply } from '../../scripts/conformance/driver.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { funds, keptKeys, NodeDriver, type Signing } from '../conformance/stage.js';
import type { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { acquaint, discard, Home } from '../peers/nodes/network.js';
import { walked } from './walks.js';

interface Resident {
  readonly person: Person;
  readonly at: TestNode;
  readonly did: string;
  nonce: number;
}

function keptBy(nodes: readonly TestNode[]): Signing<Resident> {
  let joined = 0;
  return {
    async join(node) {
      const at = nodes[joined++ % nodes.length]!;
      const person = await at.person();
      await node.fund(person, funds);
      return { person, at, did: person.did, nonce: 1 };
    },
    credentials: ({ person: { did, passphrase } }) => ({ did, passphrase }),
    keptBy: ({ at }) => at,
  };
}

/** Who signs terms at another home says which. */
class ResidentDriver extends NodeDriver<Resident> {
  override async ask(who: Resident, asked: Ask): Promise<Reply> {
    const { definition, action, target, input } = asked;
    const isBlind = definition.kind === 'contract' && action === 'sign' && !input.termsHash;
    const { termsHash } = isBlind ? (await this.situation('contract', target!.id)).context : input;
    return super.ask(who, isBlind ? { ...asked, input: { ...input, termsHash } } : asked);
  }
}

describe('Whose key a node keeps, at another home', () => {
  /** Of all three: a walk moves it. */
  const world = new MovableClock();
  let others: Home[];

  before(async () => {
    others = [await Home.start({ world }), await Home.start({ world })];
  });
  after(() => discard(others));

  for (const definition of requestedOf(catalogue)) {
    it(`walks through ${definition.kind} as at home`, async () => {
      const home = await Home.start({ world });
      const { node } = home;
      try {
        await acquaint([home, ...others]);
        node.world.hold();
        const options = { setting: Object.keys(scenarioOf(definition).settings)[0]!, stride: 61 };
        const kept = await walked(new NodeDriver(node, keptKeys), definition, options);
        const custodians = others.map((other) => other.node);
        const resident = await walked(new ResidentDriver(node, keptBy(custodians)), definition, options);
        expect(kept.findings.length).to.be.greaterThan(0);
        expect(resident).to.deep.equal(kept);
        expect((await node.audit()).flaw?.what).to.equal(undefined);
      } finally {
        await discard([home]);
      }
    });
  }
});
