/** This program on the data of each release, and beside a node of the newest one (docs/upgrades.md#what-stays-compatible). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { homes, type KeptPeople, passphrase, releasesWith, unpack, unpackProgram } from '../histories/release.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { ended, json, type RunOptions, spawnCommand } from './support/command.js';
import { type NodeProcess, startNode } from './support/node.js';

const listening = { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS_ALONE: '1' };
/** The local chain, which other tests of commands go without. */
const withChain = { ...listening, SVC_CHAIN: undefined };

// biome-ignore lint/suspicious/noExplicitAny: replies of two versions are compared as they are
type Reply = any;

async function get(url: string, path: string): Promise<Reply> {
  const reply = await fetch(`${url}${path}`);
  expect(reply.status, path).to.equal(200);
  return reply.json();
}

async function post(url: string, path: string, body: object): Promise<Reply> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const said = await reply.json();
  expect(reply.status, JSON.stringify(said)).to.be.within(200, 201);
  return said;
}

async function entriesOf(url: string): Promise<Reply[]> {
  const all: Reply[] = [];
  for (let after = 0; ; after = all.at(-1).seq) {
    const { events } = await get(url, `/api/v1/events?after=${after}&limit=100`);
    if (events.length === 0) return all;
    all.push(...events);
  }
}

/** The resources in the lists of a node's API, by list and id. */
async function resourcesOf(url: string): Promise<ReadonlyMap<string, Reply>> {
  const { paths } = await get(url, '/openapi.json');
  const found = new Map<string, Reply>();
  for (const [path, { get: read }] of Object.entries<Reply>(paths)) {
    if (!read || path.includes('{')) continue;
    const reply = await fetch(`${url}${path}?limit=100`);
    if (!reply.headers.get('content-type')?.startsWith('application/json') || !reply.ok) continue;
    const items = Object.values<Reply>(await reply.json())
      .filter(Array.isArray)
      .flat();
    for (const item of items) if (item?.resourcePrev && item.id) found.set(`${path} ${item.id}`, item);
  }
  return found;
}

/** Without the deadlines that 0.1.0 showed although nothing waited for them any more: they are null now. */
function corrected(old: Reply, now: Reply): Reply {
  if (typeof old !== 'object' || old === null) return old;
  if (Array.isArray(old)) return old.map((each, index) => corrected(each, now?.[index]));
  const isOver = (name: string) => ['reviewBy', 'resubmitBy', 'confirmBy'].includes(name) && now?.[name] === null;
  const members = Object.entries(old).filter(([name]) => !isOver(name));
  return Object.fromEntries(members.map(([name, value]) => [name, corrected(value, now?.[name])]));
}

async function run(words: readonly string[], options: RunOptions = {}): Promise<Reply> {
  const end = await ended(spawnCommand([...words, '--json'], options));
  expect(end.code, end.stderr).to.equal(0);
  return end.stdout ? json(end) : undefined;
}

const peopleOf = (dir: string): KeptPeople => JSON.parse(readFileSync(join(dir, 'people.json'), 'utf8')) as KeptPeople;

async function nonceOf(url: string, name: string): Promise<number> {
  return (await get(url, `/api/v1/wallets/${name}`)).nextNonce;
}

describe('Data of a release', () => {
  after(tidy);

  for (const release of releasesWith('alba'))
    it(`${release} is opened, served, written and audited by this program`, async () => {
      const dir = scratch();
      unpack(release, 'alba', dir);
      const { alba: ada, brig: ben } = peopleOf(dir);
      const before = await run(['audit', '--full', '--data', dir]);
      const node = await startNode(dir, [], { env: withChain });
      expect(await get(node.url, '/readyz')).to.include({ status: 'ready' });
      const { available } = await get(node.url, `/api/v1/wallets/${ada}`);
      expect(available).to.be.above(1);
      const signed = { did: ada, passphrase, nonce: await nonceOf(node.url, ada) };
      await post(node.url, '/transfers', { ...signed, to: ben, amount: 1 });
      expect((await get(node.url, `/api/v1/wallets/${ada}`)).available).to.equal(available - 1);
      expect(await node.stop()).to.include({ code: 0 });
      const audited = await run(['audit', '--full', '--data', dir]);
      expect(audited.flaw).to.equal(undefined);
      expect(audited.entries).to.be.above(before.entries);
      expect((await run(['rebuild', '--data', dir])).entries).to.equal(audited.entries);
    });
});

describe('A node of the newest release', () => {
  const [release] = releasesWith('program');
  let program: string;
  let [alba, brig] = [] as unknown as [NodeProcess, NodeProcess];
  const dirs = { alba: '', brig: '' };

  before(() => {
    program = unpackProgram(release!, scratch());
    for (const home of homes) {
      dirs[home] = scratch();
      unpack(release!, home, dirs[home]);
    }
  });
  after(tidy);

  it('serves what this program serves after it', async () => {
    const old = await startNode(dirs.alba, [], { program, env: listening });
    expect((await get(old.url, '/api/v1/node')).version).to.equal(release);
    const [entries, resources] = [await entriesOf(old.url), await resourcesOf(old.url)];
    expect(await old.stop()).to.include({ code: 0 });
    alba = await startNode(dirs.alba, [], { env: listening });
    expect((await entriesOf(alba.url)).slice(0, entries.length)).to.deep.equal(entries);
    // The clock may have changed some since.
    const same = [...(await resourcesOf(alba.url))].filter(
      ([name, { resourcePrev }]) => resources.get(name)?.resourcePrev === resourcePrev,
    );
    expect(same.length).to.be.above(10);
    for (const [name, resource] of same)
      expect(resource, name).to.containSubset(corrected(resources.get(name), resource));
  });

  it('and one of this program follow each other, and people of each act at the other', async () => {
    brig = await startNode(dirs.brig, [], { program, env: listening });
    const sides = [
      { node: alba, dir: dirs.alba, options: {} },
      { node: brig, dir: dirs.brig, options: { program } },
    ] as const;
    const peersOf = ({ dir, options }: (typeof sides)[number]) => run(['peers', 'list', '--data', dir], options);
    for (const [index, { dir, options }] of sides.entries()) {
      const [address] = (await peersOf(sides[1 - index]!)).listens;
      await run(['peers', 'add', address, '--data', dir], options);
    }
    const follow = () =>
      Promise.all(
        sides.map((side, index) =>
          until(`${side.node.did} follows`, () => peersOf(side), {
            is: ({ peers }) => peers.find(({ did }: Reply) => did === sides[1 - index]!.node.did)?.status === 'current',
          }),
        ),
      );
    await follow();
    const people = peopleOf(dirs.alba);
    for (const [index, { node }] of sides.entries()) {
      const there = sides[1 - index]!.node;
      const [own, other] = [people[homes[index]!], people[homes[1 - index]!]];
      const before = (await get(there.url, `/api/v1/wallets/${other}`)).available;
      const signed = { did: own, passphrase, nonce: await nonceOf(node.url, `${own}~${there.did}`) };
      await post(node.url, '/transfers', { ...signed, to: other, amount: 2, home: there.did });
      expect((await get(there.url, `/api/v1/wallets/${other}`)).available).to.equal(before + 2);
    }
    await follow();
    for (const { node } of sides) expect(await node.stop()).to.include({ code: 0 });
    for (const home of homes) expect((await run(['audit', '--data', dirs[home]])).flaw).to.equal(undefined);
  });
});
