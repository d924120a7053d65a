/** A journal with an accepted request for each action, in which every text that can be erased is known to the test. */
import type { Ask } from '../../scripts/conformance/driver.js';
import { Stage } from '../../scripts/conformance/stage.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { finishedDeal } from '../node/support/deals.js';
import type { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { allowedTry } from './allowed.js';
import type { LeafCanaries } from './leaf-canaries.js';
import { keptKeys, NodeDriver } from './stage.js';

/** The actions that a request can ask for, with their inputs. */
export const inputs = Object.values(catalogue.definitions).flatMap((definition) => {
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
    super(node, keptKeys);
  }

  override ask(who: Person, asked: Ask): Promise<Reply> {
    const { definition, action, input } = asked;
    const scalar = action === 'create' ? definition.create.input : definition.actions[action]!.input;
    const planted = this.canaries.plant(scalar, input as JsonObject, `${definition.kind}.${action}`);
    return super.ask(who, { ...asked, input: planted as Body });
  }
}

/** An accepted request for each action of each kind. The node needs the catalogue `withToyDeals`. */
export async function carryOut(node: TestNode, canaries: LeafCanaries): Promise<void> {
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
