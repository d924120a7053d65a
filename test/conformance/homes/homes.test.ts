/**
 * The walk of every kind with its parties at different homes: the creator at one, an arbiter at another, everyone else at
 * a third. Each request must lead to what the same request leads to where all live at one node: state, refusal with its
 * sentence, type of the event, written resources with their states and machine events, moves, and balances over all homes.
 */
import { expect } from 'chai';
import { scenarioOf } from '../../../packages/model/src/scenarios.js';
import { catalogue, requestedOf } from '../../../src/machines/catalogue.js';
import { lawOf, refusalOfOther } from '../../../src/machines/kernel/other-signer.js';
import type { AnyResource } from '../../../src/machines/kernel/resource.js';
import { TestNode } from '../../node/support/node.js';
import { isLong } from '../../support/long.js';
import { NodeDriver } from '../stage.js';
import { type Seen, seenIn } from './compared.js';
import { HomesDriver } from './homes-driver.js';
import { asked, onlyAtHome } from './only-at-home.js';
import { deposit, ThreeHomes } from './three-homes.js';

/** So many requests of a setting are compared; undefined: all. The short form compares some of one setting of each kind. */
const most = isLong ? undefined : 4;

const settingsOf = (definition: AnyResource): readonly string[] =>
  Object.keys(scenarioOf(definition).settings).slice(0, isLong ? undefined : 1);

const placeIn = (creator: string) => (name: string) => (name === creator ? 0 : name === 'arbiter' ? 2 : 1);

/** A home that may not see the resource knows only that its residents are no parties. */
const isWithheld = ({ reply: [, , sentence] }: Seen): boolean =>
  String(sentence).endsWith('to the homes of its parties only');

describe('Parties at different homes', function () {
  this.timeout(isLong ? 3_600_000 : 300_000);
  let one: TestNode;
  let three: ThreeHomes;

  before(async () => {
    one = await TestNode.start();
    one.world.hold();
    three = await ThreeHomes.start();
  });
  after(async () => {
    await one?.discard();
    await three?.discard();
  });

  async function compare(definition: AnyResource, setting: string): Promise<void> {
    const { creator } = scenarioOf(definition).settings[setting]!;
    const driver = new HomesDriver(three, placeIn(creator));
    const options = { setting, most };
    const nodes = three.homes.map(({ node }) => node);
    const across = seenIn({ driver, nodes }, definition, options);
    let compared = 0;
    for await (const expected of seenIn({ driver: new NodeDriver(one), nodes: [one] }, definition, options)) {
      const seen = (await across.next()).value as Seen;
      const where = `${setting} / ${expected.situation} / ${expected.asked}`;
      expect(seen, where).to.deep.equal(isWithheld(seen) ? { ...expected, reply: seen.reply } : expected);
      expect(seen.reply.slice(0, 2), where).to.deep.equal(expected.reply.slice(0, 2));
      compared += 1;
    }
    expect((await across.next()).done).to.equal(true);
    expect(compared, 'requests').to.be.greaterThan(0);
    if (isLong) process.stdout.write(`      ${compared} requests compared\n`);
    expect(driver.refusedAfterSending, 'the copies were current, so every refusal came before sending').to.equal(0);
  }

  for (const definition of requestedOf(catalogue)) {
    for (const setting of settingsOf(definition)) {
      it(`${definition.kind}, ${setting}: everything is as on one node`, () => compare(definition, setting));
    }
  }

  it('leaves three journals that add up, and accounts of the homes that explain each other', async () => {
    await three.settled();
    for (const home of three.homes) {
      expect(await home.node.audit()).to.include({ ok: true });
      for (const { status } of await home.peers()) expect(status).to.be.oneOf(['current', 'behind']);
      for (const other of three.homes) {
        if (other === home) continue;
        const [here, there] = [await home.node.store.account(other.did), await other.node.store.account(home.did)];
        expect(here!.available + there!.available).to.equal(2 * deposit);
      }
    }
  });

  it('walks every kind, but those that the table names', () => {
    const walked = requestedOf(catalogue).map(({ kind }) => kind);
    expect(Object.keys(catalogue.definitions)).to.have.members([...walked, ...Object.keys(onlyAtHome)]);
  });

  it('cannot be asked for what the table names', () => {
    for (const kind of Object.keys(onlyAtHome)) {
      const { actions } = catalogue.definitions[kind]!;
      for (const action of ['create', ...Object.keys(actions)]) {
        if (asked.includes(`${kind}.${action}`)) continue;
        const request = { kind, id: 'any', action, input: {} };
        const by = { did: 'did:svc:any', law: lawOf(catalogue, kind, action), resourcePrev: undefined };
        const refusal = refusalOfOther(catalogue, { request, by, network: 'devnet', home: '' }, () => undefined);
        expect(refusal?.detail, `${kind}.${action}`).to.equal(`another home may not ask for ${kind}.${action}`);
      }
    }
  });
});
