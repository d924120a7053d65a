/** The model's paths, walked as an integrator does: over HTTP, with only what the steps say. */
import { expect } from 'chai';
import { fill, kept, kinds, type Path, paths, type Step } from '../../packages/model/src/index.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';

/** For these kinds, also the actions that must be refused at the end of each path. */
const withRefusals = ['bid', 'info-order', 'lease'];

describe('Paths of the model, over HTTP', () => {
  let node: TestNode;
  const people = new Map<string, Person>();
  /** The values of placeholders. */
  let values: { [name: string]: unknown } = {};

  before(async () => {
    node = await TestNode.start();
    node.world.hold();
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });

  async function sent(step: Step, label: string): Promise<Body> {
    const person = people.get(step.by)!;
    const own = {
      [step.by]: person.did,
      [`${step.by}.passphrase`]: person.passphrase,
      [`${step.by}.nonce`]: person.nonce,
    };
    const given = { ...values, ...own, now: node.world.now() };
    const { status, body, text } = await node.client.post(fill(step.path, given), fill(step.body, given), step.headers);
    expect({ status, code: body.code }, `${label}: ${step.by} ${step.action}: ${text}`).to.deep.equal({
      status: step.expects.status,
      code: step.expects.code,
    });
    if (status < 300) person.nonce += 1;
    values = { ...values, ...kept(step, body) };
    return body;
  }

  async function arrived(
    { read }: Path,
    { state, substate }: Pick<Path, 'state' | 'substate'>,
    label: string,
  ): Promise<void> {
    const { body } = await node.client.get(fill(read.path, values));
    expect(body[read.member], label).to.equal(state);
    // Listings without bids have no substate.
    if ('substate' in body) expect(body.substate, label).to.equal(substate);
  }

  async function walked(path: Path): Promise<void> {
    const label = `${path.kind}, ${path.setting}: ${path.name}`;
    values = {};
    for (const name of path.cast) {
      const person = people.get(name) ?? (await node.rich(1_000_000));
      people.set(name, person);
      values[name] = person.did;
    }
    for (const step of path.setUp) await sent(step, label);
    let isLate = false;
    for (const step of path.steps) {
      if (step.late && !isLate) node.world.outrun(path.laterMs);
      isLate ||= step.late;
      await sent(step, label);
      await arrived(path, step.expects, label);
    }
    if (!withRefusals.includes(path.kind)) return;
    for (const step of path.refusals) await sent(step, label);
    await arrived(path, path, label);
  }

  for (const kind of kinds()) {
    it(`of ${kind} lead where they say`, async () => {
      for (const path of paths(kind, { late: !withRefusals.includes(kind) })) await walked(path);
    });
  }
});
