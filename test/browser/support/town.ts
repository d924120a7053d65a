/** A node with a history in every market, with hostile texts among the ordinary ones. */
import { expectStatus } from '../../node/support/answers.js';
import type { Body } from '../../node/support/client.js';
import { buys, onOrder, publishes } from '../../node/support/market.js';
import { TestNode, type TestNodeOptions } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';
import { accepts, bids, delivers, publishesTask } from '../../node/support/requester.js';

/**
 * Texts that would run, break out of their element, link elsewhere or grow without bound if they were taken as more than text.
 */
export const hostile = {
  markup: '<img src=x onerror="globalThis.caught=1"><script>globalThis.caught=1</script>',
  link: 'javascript:globalThis.caught=1',
  long: 'W'.repeat(400),
  backwards: '\u202Egnitset\u202C {{7*7}}',
} as const;

export interface Town {
  readonly node: TestNode;
  readonly ada: Person;
  readonly ben: Person;
  readonly cleo: Person;
  /** Views of the resources that they made. */
  readonly dataset: Body;
  readonly task: Body;
  readonly capability: Body;
  readonly escrow: Body;
  /** A listing with the hostile texts. */
  readonly trap: Body;
}

let shared: Promise<Town> | undefined;

/** One node for all suites that change nothing that other suites look at. */
export function sharedTown(): Promise<Town> {
  shared ??= openTown();
  return shared;
}

after(async () => {
  await (await shared)?.node.discard();
});

export async function openTown(options: TestNodeOptions = {}): Promise<Town> {
  const node = await TestNode.start(options);
  const [ada, ben, cleo] = [await node.rich(5_000), await node.rich(3_000), await node.rich(1_200)];
  await named(ada, 'Ada’s Weather Desk', 'Measurements of forty stations, since 1998.');
  const dataset = await publishes(ada, {
    ...{ title: 'Rain by the hour, 1998 to 2025', category: 'weather', tags: ['rain', 'hourly'] },
    description: 'Forty stations, one value an hour.\nGaps are marked.',
    pricing: { price: 25 },
  });
  await publishes(ada, { title: 'Wind roses', category: 'weather', tags: ['wind'], pricing: { price: 140 } });
  for (const rating of [5, 4]) await sells(ada, ben, dataset, rating);
  const task = await publishesTask(ben, {
    ...{ tags: ['japanese'], skills: ['japanese', 'english'], timeline: { deadline: Date.now() + 20 * 86_400_000 } },
  });
  const made = await bids(cleo, task, { price: 320, approach: 'By hand, with a glossary.' });
  await delivers(cleo, await accepts(ben, made));
  const capability = await cleo.does('/api/v1/markets/capabilities', {
    ...{ title: 'Speech to text', description: 'Thirty languages, a second of latency.', category: 'speech' },
    ...{ tags: ['audio'], pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } }, capabilityType: 'transcription' },
    ...{ capability: { languages: 30, docs: 'https://speech.example/docs' }, quota: {}, access: { type: 'endpoint' } },
  });
  const rules = { beneficiary: ben.did, releaseRules: [{ type: 'manual' }] };
  const escrow = await ada.does('/api/v1/escrows', { ...rules, amount: 60, autoFund: true });
  expectStatus(await ada.act(escrow, 'release', { amount: 20 }));
  await ada.does('/api/v1/escrows', { ...rules, amount: 15 });
  await ben.pays(ada.did, 12, { fee: 1, memo: 'for the stations' });
  const trap = await publishes(cleo, {
    ...{
      title: hostile.markup,
      description: `${hostile.backwards}\n${hostile.long}`,
      category: hostile.long.slice(0, 60),
    },
    ...{ tags: [hostile.markup.slice(0, 40)], license: { type: 'own', url: hostile.link } },
  });
  await named(cleo, hostile.markup, hostile.long, [{ platform: hostile.backwards, url: 'https://cleo.example/' }]);
  return { node, ada, ben, cleo, dataset, task, capability, escrow, trap };
}

/** From the purchase to the review. */
async function sells(seller: Person, buyer: Person, listing: Body, rating: number): Promise<void> {
  const order = await buys(buyer, listing);
  expectStatus(await onOrder(seller, order, 'deliver', { accessUrl: 'https://stations.example/rain' }));
  expectStatus(await onOrder(buyer, order, 'confirm'));
  expectStatus(await onOrder(buyer, order, 'review', { rating }));
}

async function named(
  who: Person,
  displayName: string,
  bio: string,
  platformLinks: readonly Body[] = [],
): Promise<void> {
  const path = `/api/v1/identities/${who.did}`;
  const { docHash } = expectStatus(await who.client.get(path));
  await who.does(`${path}/actions/update`, { document: { displayName, bio, platformLinks }, prevDocHash: docHash });
}
