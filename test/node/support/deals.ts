/** Toy deals on a real node, which reviews can refer to. The node needs the catalogue `withToyDeals`. */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { signerOf } from '../../../src/keys/signing.js';
import { seedIn } from './kdf.js';
import type { TestNode } from './node.js';
import type { Person } from './person.js';

let deals = 0;

export interface ToyTerms {
  readonly price?: number;
  readonly inTime?: boolean;
  readonly loser?: string;
}

async function asks(node: TestNode, who: Person, ref: string, action: string, input: JsonObject): Promise<void> {
  const signer = signerOf(await seedIn(node.dir, who.address, who.passphrase));
  const accepted = await node.running.actors.execute({
    kind: 'toy-deal',
    id: ref,
    action,
    input,
    signer: who.did,
    unlock: () => signer,
  });
  if (isRefusal(accepted)) expect.fail(accepted.detail);
  who.nonce += 1;
}

export async function openDeal(node: TestNode, client: Person, provider: Person, price = 5): Promise<string> {
  const ref = `toy-${++deals}`;
  await asks(node, client, ref, 'open', { provider: provider.did, price });
  return ref;
}

/** @returns its id */
export async function finishedDeal(
  node: TestNode,
  client: Person,
  provider: Person,
  { price = 5, inTime = true, loser }: ToyTerms = {},
): Promise<string> {
  const ref = await openDeal(node, client, provider, price);
  await asks(node, client, ref, 'finish', { inTime, ...(loser === undefined ? {} : { loser }) });
  return ref;
}
