/**
 * Three people, each at home at another node, deal at each other's homes: a dataset, a task, a lease, and a contract whose
 * arbiter is of the third home. First they keep their keys, then their nodes keep them.
 */
import { randomBytes } from 'node:crypto';
import { type Client, keys, type OfHome } from '../../packages/client/src/index.js';
import { claim, Person, refused } from './people.js';
import { check, DemoFailed, shortName, step, waitFor } from './stage.js';

export interface DemoHome {
  readonly name: string;
  readonly client: Client;
  readonly did: string;
}

export class Trader {
  private constructor(
    readonly name: string,
    readonly did: string,
    readonly home: DemoHome,
    /** At their own home. */
    readonly client: Client,
  ) {}

  static async keepsKey(home: DemoHome, name: string): Promise<Trader> {
    const key = await keys.fromSeed(randomBytes(32));
    const client = home.client.as({ key, home: home.did });
    check(`${name}, at home at ${home.name}`, client.did, key.did, {
      as: shortName(key.did),
      aside: 'no node has the key',
    });
    return new Trader(name, key.did, home, client);
  }

  static async keptByNode(home: DemoHome, name: string): Promise<Trader> {
    const { client, did } = await Person.join(home.client, name);
    return new Trader(name, did, home, client);
  }

  /** Signs a document with the name at home, as those do whose keys their nodes keep. */
  async takesName(): Promise<void> {
    await this.home.client.faucet.claim(this.did);
    const { docHash } = await this.client.identities.get(this.did);
    await this.client.identities.update(this.did, { document: { displayName: this.name }, prevDocHash: docHash });
  }

  /** Checks their wallet at a home. */
  async has(at: DemoHome, available: number, escrowed = 0): Promise<void> {
    const wallet = await at.client.wallets.get(this.did);
    check(`${this.name}'s wallet at ${at.name}`, [wallet.available, wallet.escrowed], [available, escrowed], {
      as: `${available} available`,
      aside: `${escrowed} escrowed`,
    });
  }
}

/** Waits until a listing of one home is found at another. */
async function found(at: DemoHome, keyword: string, id: string, of: DemoHome): Promise<OfHome> {
  const look = async () => (await at.client.search.all({ keyword })).listings.find((each) => each.id === id);
  const listing = await waitFor(look, (seen) => seen !== undefined, `${at.name} finds it`);
  check(`it is found at ${at.name}, with its home`, listing?.home, of.did, { as: shortName(of.did) });
  return listing!;
}

interface Cast {
  readonly ada: Trader;
  readonly ben: Trader;
  readonly cleo: Trader;
}

/** @param homes at least three: the others only look. @returns those who keep their keys */
export async function dealBetweenHomes(homes: readonly DemoHome[]): Promise<readonly Trader[]> {
  const [alba, brig] = homes as [DemoHome, DemoHome];
  await alba.client.faucet.claim(brig.did);
  step('Three people who keep their keys, each at home at another node');
  const traders = await deal(homes, ['Ada', 'Ben', 'Cleo'], Trader.keepsKey);
  for (const who of traders) await who.takesName();
  step('Three people whose keys their nodes keep: these sign for the other homes, and send');
  await deal(homes, ['Amy', 'Bob', 'Cai'], Trader.keptByNode);
  return traders;
}

async function deal(
  homes: readonly DemoHome[],
  names: readonly [string, string, string],
  join: (home: DemoHome, name: string) => Promise<Trader>,
): Promise<readonly Trader[]> {
  const [alba, brig, cove] = homes as [DemoHome, DemoHome, DemoHome];
  const ada = await join(alba, names[0]);
  const cast = { ada, ben: await join(brig, names[1]), cleo: await join(cove, names[2]) };
  await purchase(cast, homes.slice(1));
  await task(cast);
  await lease(cast);
  await contract(cast);
  await eachAtItsHome(cast, homes.slice(0, 3));
  return Object.values(cast);
}

/** More than the dataset costs: the rest goes back home. */
const topUp = 45;

/** Waits until a person has as much at a home. */
async function holds({ did, name }: Trader, at: DemoHome, amount: number, what: string): Promise<void> {
  const look = async () => (await at.client.wallets.get(did)).available;
  const seen = await waitFor(look, (available) => available === amount, what);
  check(what, seen, amount, { as: `${seen} available`, aside: `${name} at ${at.name}` });
}

const rain = 'station,hour,mm\nAlpha,2020-01-01T00,0.4\n';

/** @param others where the listing is found, too */
async function purchase({ ada, ben }: Cast, others: readonly DemoHome[]): Promise<void> {
  const { home } = ada;
  step(`A dataset of ${home.name}, bought by ${ben.name} of ${ben.home.name}`);
  const { listingId } = await ada.client.markets.info.create({
    title: 'Rainfall of Wales',
    description: 'Hourly, of one station.',
    category: 'weather',
    pricing: { price: 40 },
    infoType: 'dataset',
    content: { format: 'text/csv', data: rain },
    accessMethod: { type: 'download' },
    license: { type: 'CC-BY-4.0' },
  });
  for (const other of others) await found(other, 'rainfall', listingId, home);
  const here = ben.client.infoOrders.create({ listingId });
  await refused(`${ben.name} deals where it lives`, here, 422, 'UNPROCESSABLE');
  const there = await ben.client.at(await found(ben.home, 'rainfall', listingId, home));
  const buys = () => there.infoOrders.create({ listingId, expectedPrice: 40 }, { most: 40 });
  await ben.client.faucet.claim(ben.did);
  await refused(`${ben.name}'s Tokens of ${ben.home.name} do not count`, buys(), 402, 'INSUFFICIENT_BALANCE');
  const node = ben.home.did;
  await ben.client.wallets.transfer({ to: node, amount: topUp, onward: { home: home.did, to: ben.did } });
  await holds(ben, home, topUp, `${ben.home.name} pays ${ben.name} there`);
  const order = await buys();
  check('with Tokens there the order is paid', order.status, 'paid', { aside: shortName(order.id) });
  await ben.has(home, topUp - 40, 40);
  const delivered = await ada.client.infoOrders.deliver(order, {});
  check(`${ada.name} delivers`, delivered.status, 'delivered');
  const { content } = await there.information.open(order.id);
  check(`${ben.name} opens it`, content, rain, { as: `${rain.length} bytes` });
  check('and confirms', (await there.infoOrders.confirm(delivered)).status, 'confirmed');
  await ada.has(home, 40);
  await there.wallets.transfer({ to: node, amount: topUp - 40, onward: { home: node, to: ben.did } });
  await holds(ben, ben.home, claim - 40, `${ben.home.name} pays ${ben.name} for what comes back`);
  await ben.has(home, 0);
}

async function task({ ben, cleo }: Cast): Promise<void> {
  const { home } = ben;
  step(`A task of ${home.name}, done by ${cleo.name} of ${cleo.home.name}`);
  const { listingId: taskId } = await ben.client.markets.tasks.create({
    title: 'Translate a manual',
    description: 'Two pages, from Welsh.',
    category: 'translation',
    pricing: { budget: 30 },
    taskType: 'translation',
    task: { pages: 2 },
    timeline: {},
  });
  const there = await cleo.client.at(await found(cleo.home, 'manual', taskId, home));
  const bid = await there.bids.create({ taskId, price: 25, timeline: 'a day', approach: 'by hand' }, { most: 0 });
  const order = await ben.client.bids.accept(bid);
  check(`${ben.name} accepts the bid`, [order.status, order.price], ['accepted', 25], { as: `${order.price} Tokens` });
  const envelope = { type: 'text', transport: { method: 'inline', data: 'Two pages.' } } as const;
  const done = await there.taskOrders.deliver(order, { taskId, deliverables: [], delivery: { envelope } });
  const { producer } = done.submissions[0]?.envelope ?? {};
  check(`${cleo.name} delivers, in an envelope with a signature`, [done.status, producer], ['delivered', cleo.did], {
    as: done.status,
  });
  const { status } = await ben.client.taskOrders.confirm(done, { taskId, approved: true });
  check(`${ben.name} confirms`, status, 'confirmed');
  await cleo.has(home, 25);
  await ben.has(home, claim - 40 - 25);
}

async function lease({ cleo, ada }: Cast): Promise<void> {
  const { home } = cleo;
  step(`A capability of ${home.name}, leased by ${ada.name} of ${ada.home.name}`);
  const { listingId } = await cleo.client.markets.capabilities.create({
    title: 'Speech to text',
    description: 'Thirty languages.',
    category: 'speech',
    pricing: { usagePrice: { unit: 'minute of audio', pricePerUnit: 2 } },
    capabilityType: 'transcription',
    capability: { languages: 30 },
    quota: {},
    access: { type: 'endpoint' },
  });
  const there = await ada.client.at(await found(ada.home, 'speech', listingId, home));
  await there.faucet.claim(ada.did);
  const { id } = await there.leases.create({ listingId, plan: { budget: 20 } }, { most: 20 });
  await ada.has(home, claim - 20, 20);
  const used = await there.leases.invoke(id, { latency: 180, success: true, units: 3 });
  check('three minutes of audio', [used.status, used.accrued], ['active', 6], { as: `${used.accrued} Tokens` });
  const ended = await there.leases.terminate(id);
  check(`${ada.name} ends it`, [ended.status, ended.released, ended.refunded], ['terminated', 6, 14], {
    as: ended.status,
    aside: 'the rest comes back',
  });
  await cleo.has(home, 6);
  await ada.has(home, claim - 6);
}

async function contract({ ada, ben, cleo }: Cast): Promise<void> {
  const { home } = ada;
  step(`A contract at ${home.name}, with a provider of ${ben.home.name} and an arbiter of ${cleo.home.name}`);
  const [bens, cleos] = [await ben.client.at(home.did), await cleo.client.at(home.did)];
  const draft = await ada.client.contracts.create({
    provider: ben.did,
    terms: { title: 'A poster', arbiter: cleo.did },
    payment: { totalAmount: 30 },
    milestones: [{ id: 'prints', title: 'Prints', amount: 30 }],
  });
  const { id, termsHash } = draft;
  for (const { contracts } of [bens, ada.client]) await contracts.sign(id, { termsHash });
  const { state, remaining } = await ada.client.contracts.activate(id, { amount: 30 }, { most: 30 });
  check('both sign it, and it is activated', [state, remaining], ['active', 30], { as: '30 are locked' });
  await bens.contracts.submit(id, { milestoneId: 'prints', notes: 'A4' });
  const { status } = await ada.client.contracts.dispute(id, { reason: 'quality', description: 'one print' });
  check(`${ada.name} disputes what ${ben.name} submits`, status, 'open');
  const split = { resolution: 'split', clientRefund: 10, providerPayment: 20 } as const;
  const ended = await cleos.contracts.resolve(id, split);
  check(`${cleo.name} splits it`, [ended.state, ended.released, ended.refunded], ['completed', 20, 10], {
    as: ended.state,
  });
  await ada.has(home, 40 - 20);
  await ben.has(home, 20);
}

/** Each journal has what was signed for it, and no event of another home. */
async function eachAtItsHome({ ada, ben, cleo }: Cast, homes: readonly DemoHome[]): Promise<void> {
  step('Each journal has its own events, and each wallet its nonces');
  const cast = [ada, ben, cleo];
  for (const { name, client, did } of homes) {
    const counts = new Map(cast.map((who) => [who.did, 0]));
    for await (const { event } of client.events.all()) {
      if (event.home !== did) throw new DemoFailed(`${name} has an event of ${event.home}`);
      const count = counts.get(event.issuer);
      if (count !== undefined) counts.set(event.issuer, count + 1);
    }
    const found = await Promise.all(cast.map(async (who) => (await client.wallets.get(who.did)).nextNonce - 1));
    check(`${name}'s journal`, [...counts.values()], found, {
      as: cast.map((who, at) => `${who.name} ${found[at]}`).join(', '),
    });
  }
}
