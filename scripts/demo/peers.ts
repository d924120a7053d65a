/**
 * `npm run demo -- --peers 3`: several operators on this machine, each with a keystore, database and chain. Their
 * nodes follow each other's journals and show each other's resources; in the end one of them forges an entry and is
 * detected.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type InfoOrder } from '../../packages/client/src/index.js';
import { contracted, disputed, metered, worked } from './across.js';
import { Liar } from './liar.js';
import { OwnNode } from './own-node.js';
import { Person, refused } from './people.js';
import { bold, check, DemoFailed, print, shortName, step, tell } from './stage.js';

/** The members of a peer's status that the demo uses. */
interface ShownPeer {
  readonly did: string;
  readonly status: string;
  readonly adopted: number;
  readonly violation?: { readonly seq: number; readonly what: string };
}

interface Operator {
  readonly name: string;
  readonly node: OwnNode;
  readonly client: Client;
  readonly did: string;
  /** Address at which peers reach it. */
  readonly address: string;
}

const names = ['Alba', 'Brig', 'Cove', 'Dale', 'Esk', 'Firth', 'Glen'] as const;
export const mostOperators = names.length;

const listening = { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS_ALONE: '1' };
const longestMs = 60_000;

export class Operators {
  readonly #nodes: OwnNode[] = [];
  #liar: Liar | undefined;
  /** Decides disputes, and lives at the last home. */
  #ruth: Person | undefined;

  async play(count: number): Promise<void> {
    const operators = await this.#open(count);
    const [first, second] = operators as [Operator, Operator];
    const people = await trade(first, second, operators.at(-1)!, this.#ruth!);
    await everyoneSees(operators, people);
    const { eve, order } = await buysAcrossHomes(second, first, people.listingId);
    const { ada } = people;
    const seen = () => adopted(first, [second, operators.at(-1)!]);
    const across = { ada, eve, ruth: this.#ruth!, home: first.did, seen };
    await disputed(order, across, rain);
    await worked(across);
    await contracted(across);
    await metered(across);
    await this.#lie(operators);
    await this.#audit(operators);
  }

  async #open(count: number): Promise<Operator[]> {
    step(`${count} operators, each with a keystore, database and chain`);
    const last = await this.#start(names[count - 1]!, {});
    this.#ruth = await Person.join(last.client, 'Ruth');
    const operators: Operator[] = [];
    for (const name of names.slice(0, count - 1))
      operators.push(await this.#start(name, { SVC_ARBITER_DID: this.#ruth.did }));
    operators.push(last);
    for (const { node, did } of operators)
      for (const other of operators) if (other.did !== did) await node.command('peers', 'add', other.address, '--json');
    for (const { name, node } of operators) {
      const current = (peers: readonly ShownPeer[]) =>
        peers.length === count - 1 && peers.every(({ status }) => status === 'current');
      const peers = await waitFor(async () => (await listed(node)).peers, current, `${name}'s peers are current`);
      check(`${name} follows the others`, peers.length, count - 1, { as: `${peers.length} journals, executed again` });
    }
    return operators;
  }

  async #start(name: string, variables: NodeJS.ProcessEnv): Promise<Operator> {
    const node = await OwnNode.start({ ...listening, ...variables });
    this.#nodes.push(node);
    const client = new Client({ url: node.url });
    const { did } = await client.node.status();
    const [address] = (await listed(node)).listens;
    if (address === undefined) throw new DemoFailed(`${name}'s node listens for no peers`);
    tell(`${name}'s node`, shortName(did), `${node.url}, process ${node.pid}`);
    return { name, node, client, did, address };
  }

  /**
   * The last operator appends an event that someone has signed for the first home to the operator's own journal, and
   * computes all hashes again.
   */
  async #lie(operators: readonly Operator[]): Promise<void> {
    const [victim, ...others] = operators as [Operator, ...Operator[]];
    const dishonest = others.pop()!;
    step(`${dishonest.name} lies`);
    const { seq } = await newestPayment(victim);
    check(`${dishonest.name}'s node stops`, await dishonest.node.end('SIGTERM'), 0, { as: 'exit code 0' });
    this.#liar = await Liar.open({
      dir: dishonest.node.dir,
      address: dishonest.address,
      stealFrom: victim.client,
      seq,
    });
    tell(
      'It copies a payment into its own journal',
      `signed for ${victim.name}`,
      `entry ${this.#liar.seq}, all hashes and checkpoints fit`,
    );
    for (const { name, node } of [victim, ...others]) {
      const peer = await waitFor(
        async () => (await listed(node)).peers.find(({ did }) => did === dishonest.did)!,
        ({ status }) => status === 'stopped',
        `${name} names ${dishonest.name}`,
      );
      const { violation } = peer;
      check(`${name} names ${dishonest.name}`, violation?.seq, this.#liar.seq, { as: `entry ${violation?.seq}` });
      check(
        'for the right reason',
        /signed for .*, and the home of this journal is/.test(violation?.what ?? ''),
        true,
        {
          as: 'an event for another home',
        },
      );
      check('and has adopted nothing of it', peer.adopted, this.#liar.seq - 1, { as: `entries 1 to ${peer.adopted}` });
    }
    const honest = [victim, ...others];
    for (const { name, node } of honest) {
      const rest = (await listed(node)).peers.filter(({ did }) => did !== dishonest.did);
      const isCurrent = rest.every(({ status }) => status === 'current');
      check(`${name} follows the honest as before`, isCurrent, true, {
        as: rest.map(({ did }) => shortName(did)).join(),
      });
    }
  }

  async #audit(operators: readonly Operator[]): Promise<void> {
    step('Stop, and audit each journal offline');
    await this.#liar?.close();
    for (const { name, node } of operators) {
      await node.end('SIGTERM');
      const { exitCode, output } = await node.command('audit', '--json');
      const { flaw, entries } = JSON.parse(output || '{}') as { flaw?: unknown; entries?: number };
      check(`${name}'s journal`, [exitCode, flaw], [0, undefined], { as: `${entries} entries, no flaw` });
    }
    print(bold('\nThe lie was served, and never stored: each operator’s own database is sound.'));
  }

  async discard(): Promise<void> {
    await this.#liar?.close();
    for (const node of this.#nodes) await node.discard();
  }
}

const rain = 'hour,mm\n0,1.2\n';

/** Ada sells at the first home and pays there; Ben locks an escrow at the second. */
async function trade(
  first: Operator,
  second: Operator,
  last: Operator,
  ruth: Person,
): Promise<{ ada: Person; listingId: string; escrowId: string }> {
  step(`Ada and Cyd live at ${first.name}, Ben at ${second.name}, Dan at ${last.name}`);
  const [ada, cyd] = [await Person.join(first.client, 'Ada'), await Person.join(first.client, 'Cyd')];
  const ben = await Person.join(second.client, 'Ben');
  const dan = await Person.join(last.client, 'Dan');
  for (const person of [ada, cyd, ben, dan, ruth]) await person.claims();
  // A DID lives where it has signed an event, and its home gets what its parties may read.
  await ruth.client.wallets.transfer({ to: dan.did, amount: 1 });
  await dan.client.wallets.transfer({ to: last.did, amount: 3 });
  const { listingId } = await ada.client.markets.info.create({
    title: 'Rain of the north',
    description: 'Hourly rain, ten years.',
    category: 'weather',
    pricing: { price: 12 },
    infoType: 'dataset',
    content: { format: 'text/csv', data: rain, preview: 'hour,mm' },
    accessMethod: { type: 'download' },
    license: { type: 'CC-BY-4.0' },
    tags: ['rain'],
  });
  tell(`Ada offers at ${first.name}`, 'Rain of the north', String(listingId));
  const { escrowId } = await ben.client.escrows.create({
    beneficiary: ada.did,
    amount: 25,
    releaseRules: [{ type: 'manual' }],
    autoFund: true,
  });
  tell(`Ben locks at ${second.name}`, '25 Tokens for Ada', String(escrowId));
  await ada.client.wallets.transfer({ to: cyd.did, amount: 7, memo: 'for lunch' });
  return { ada, listingId: String(listingId), escrowId: String(escrowId) };
}

async function everyoneSees(
  operators: readonly Operator[],
  { listingId, escrowId }: { readonly listingId: string; readonly escrowId: string },
): Promise<void> {
  step('Everyone sees it, verified by executing it again');
  const [first, second] = operators as [Operator, Operator];
  for (const { name, did, node } of operators) {
    if (did !== first.did) {
      const listing = await readAt(node, `/markets/info/${listingId}`);
      check(`${name} shows Ada's listing`, [listing.title, listing.home], ['Rain of the north', first.did], {
        as: `of ${first.name}`,
      });
    }
    if (did !== second.did) {
      const escrow = await readAt(node, `/escrows/${escrowId}`);
      check(`${name} shows Ben's escrow`, [escrow.amount, escrow.home], [25, second.did], { as: `of ${second.name}` });
    }
  }
}

async function buysAcrossHomes(
  buyers: Operator,
  sellers: Operator,
  listingId: string,
): Promise<{ readonly eve: Person; readonly order: InfoOrder }> {
  step(`Eve buys at ${buyers.name} what Ada offers at ${sellers.name}`);
  const eve = await Person.join(buyers.client, 'Eve');
  await eve.claims();
  await refused(
    `${buyers.name} holds nothing at ${sellers.name} yet`,
    eve.client.infoOrders.create({ listingId }),
    402,
    'INSUFFICIENT_BALANCE',
  );
  await sellers.client.faucet.claim(buyers.did);
  const held = `/wallets/${buyers.did}?home=${sellers.did}`;
  await waitFor(
    () => readAt(buyers.node, held),
    ({ balance }) => Number(balance) > 0,
    `${buyers.name} sees what it holds at ${sellers.name}`,
  );
  const order = await eve.client.infoOrders.create({ listingId });
  check('one request to her own node buys it', [order.status, order.home], ['paid', sellers.did], {
    as: `order ${order.orderId} of ${sellers.name}`,
  });
  return { eve, order };
}

/** Waits until these homes have adopted the journal of a home as it is now. */
async function adopted({ client, did, name }: Operator, readers: readonly Operator[]): Promise<void> {
  const { head } = await client.events.list({ limit: 1 });
  for (const { node, name: reader } of readers) {
    const isSeen = (peer: ShownPeer | undefined) => (peer?.adopted ?? 0) >= head;
    const look = async () => (await listed(node)).peers.find((each) => each.did === did);
    await waitFor(look, isSeen, `${reader} has adopted ${name}'s journal`);
  }
}

/** Reads a resource of another home, once it has been replicated. */
async function readAt({ url }: OwnNode, path: string): Promise<{ readonly [member: string]: unknown }> {
  const read = async () => {
    const reply = await fetch(`${url}/api/v1${path}`);
    return reply.ok ? ((await reply.json()) as { readonly [member: string]: unknown }) : undefined;
  };
  return (await waitFor(read, (body) => body !== undefined, `${path} is readable at ${url}`))!;
}

async function newestPayment({ client, name }: Operator): Promise<{ readonly seq: number }> {
  const { events } = await client.events.list({ type: 'transfer.sent', limit: 1 });
  const [newest] = events;
  if (!newest) throw new DemoFailed(`${name}'s journal has a payment`);
  return newest;
}

async function listed(
  node: OwnNode,
): Promise<{ readonly listens: readonly string[]; readonly peers: readonly ShownPeer[] }> {
  const { exitCode, output } = await node.command('peers', 'list', '--json');
  if (exitCode !== 0) throw new DemoFailed(`peers list ended with exit code ${exitCode}`);
  return JSON.parse(output);
}

async function waitFor<T>(look: () => Promise<T>, is: (seen: T) => boolean, what: string): Promise<T> {
  for (const end = performance.now() + longestMs; ; await pause(100)) {
    const seen = await look();
    if (is(seen)) return seen;
    if (performance.now() > end) throw new DemoFailed(`waited ${longestMs / 1_000} s for: ${what}`);
  }
}
