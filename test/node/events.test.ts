/**
 * The journal over HTTP (docs/reference/events-and-entries.md#reading-events). Its signatures are verified with the test's own
 * code.
 */
import { expect } from 'chai';
import { ChainWalk, violationOf } from '../../scripts/demo/proof.js';
import { eventTypes } from '../../scripts/generate/events/event-types.js';
import { everyRoute } from '../../scripts/generate/routes.js';
import type { Route } from '../../src/http/server/route.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { hex, jcs, OwnKey, signedAnew, withEvent } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { EventStream } from './support/stream.js';

describe('Events', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let escrow: Body;

  const page = async (query = ''): Promise<Body> => expectStatus(await node().client.get(`/api/v1/events?${query}`));
  const all = async (query = ''): Promise<Body[]> => {
    const events: Body[] = [];
    for (let after = 0; ; ) {
      const { events: some, next } = await page(`${query}&limit=7&after=${after}`);
      events.push(...some);
      if (next === null) return events;
      after = next;
    }
  };

  before(async () => {
    [ada, ben] = [await node().rich(500), await node().person()];
    for (let i = 0; i < 20; i++) await ada.pays(ben.did, 1, { memo: `nr ${i}` });
    await ben.pays(ada.address, 2);
    const rules = [{ type: 'manual' }];
    escrow = await ada.does('/api/v1/escrows', {
      beneficiary: ben.did,
      amount: 9,
      releaseRules: rules,
      autoFund: true,
    });
    await ada.does(`/api/v1/escrows/${escrow.escrowId}/actions/release`, { amount: 9 });
  });

  it('is continued only after an entry that it has, in each read that takes its number', async () => {
    const { head } = await page();
    const admin = await node().keyed({ scope: 'admin' });
    const isPlace = ({ query }: Route): boolean => [query?.fields?.after?.schema.type].flat().includes('integer');
    const reads = everyRoute().filter((route) => route.method === 'GET' && isPlace(route));
    expect(reads.map(({ name }) => name)).to.include.members(['getMachineHistory', 'getResourceProof', 'listLeaves']);
    const resource = `escrow/${escrow.escrowId}`;
    const checked = reads.map(async ({ path, query }) => {
      const filter = query?.fields?.resource ? `resource=${resource}&` : '';
      const from = (after: number) => admin.get(`${path.replace(':kind/:id', resource)}?${filter}after=${after}`);
      expectProblem(await from(head + 1), 'CONFLICT', { head });
      if (!path.endsWith('/stream')) expectStatus(await from(head));
    });
    await Promise.all(checked);
  });

  it('pages over the numbered journal without a gap', async () => {
    const first = await page();
    expect(first).to.include.all.keys('events', 'next', 'hasMore', 'head');
    expect(first.events).to.have.length(20);
    const events = await all();
    expect(events.map(({ seq }) => seq)).to.deep.equal(Array.from({ length: first.head }, (_, i) => i + 1));
    expect((await page(`after=${first.head}`)).events).to.deep.equal([]);
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['after=-1', 'after'],
      ['after=x', 'after'],
    ]) {
      expectInvalid(await node().client.get(`/api/v1/events?${query}`), field!);
    }
  });

  it('every event verifies: hash, signature, key inside the issuer, payload, chain of its signer', async () => {
    const last = new Map<string, Body>();
    for (const entry of await all()) {
      const { event, payload, leaves } = entry;
      expect(violationOf(entry as never)).to.equal(undefined);
      if (payload.input.memo) expect(leaves['/memo'].salt).to.match(/^[0-9a-f]{32}$/);
      expect(event).to.have.all.keys([
        ...['v', 'type', 'issuer', 'home', 'nonce', 'ts', 'prev', 'network', 'payloadHash', 'pub', 'hash', 'sig'],
      ]);
      expect(event).to.include({ v: 3, network: 'devnet', home: node().did });
      expect(event.type).to.match(/^[a-z-]+\.[a-z]+$/);
      const before = last.get(event.issuer);
      expect(event.nonce).to.equal((before?.nonce ?? 0) + 1);
      expect(event.prev).to.equal(before?.hash ?? null);
      last.set(event.issuer, event);
    }
    expect([...last.keys()]).to.include.members([ada.did, ben.did, node().did]);
  });

  it('an auditor from outside believes only what was signed for this home', async () => {
    const events = await all();
    expect(expectStatus(await node().client.get('/api/v1/node'))).to.include({ home: node().did });
    const flawOf = (entries: readonly Body[]) => {
      const walk = new ChainWalk();
      return entries.map((each) => walk.violationOf(each as never)).find((each) => each);
    };
    expect(flawOf(events)).to.equal(undefined);
    // The newest entry with an event of a new signer: for this home, for another one, and for none.
    const before = events.at(-2)!;
    const key = OwnKey.fresh();
    const pub = key.publicKey.toString('hex');
    const flawWith = (change: Body, { home: _, ...event } = events.at(-1)!.event) => {
      const signed = signedAnew(key, event, { issuer: key.did, pub, nonce: 1, prev: null, ...change });
      return flawOf([...events.slice(0, -1), withEvent(events.at(-1)!, signed, before.chainHash)]);
    };
    const entry = `entry ${events.length}`;
    expect(flawWith({ home: node().did })).to.equal(undefined);
    expect(flawWith({ home: key.did })).to.equal(`${entry}: it was signed for another home`);
    expect(flawWith({})).to.equal(`${entry}: it was signed for another home`);
    const other = { home: node().did, pub: 'f'.repeat(64) };
    expect(flawWith(other)).to.equal(`${entry}: its public key is not that of its issuer`);
  });

  it('entries chain, and their postings sum to zero', async () => {
    let chain = '0'.repeat(64);
    for (const entry of await all()) {
      expect(entry.prevEntry).to.equal(chain);
      chain = hex(`svc:journal:v1:${entry.seq}:${chain}:${entry.entryHash}`);
      expect(entry.chainHash).to.equal(chain);
      expect(entry.postings.reduce((sum: number, [, delta]: [string, number]) => sum + delta, 0)).to.equal(0);
      expect(entry.home).to.equal(node().did);
      expect(entry.time).to.be.a('number');
    }
  });

  it('filters by several types and by patterns, in both directions', async () => {
    const whole = await all();
    for (const [filter, fits] of [
      ['escrow.*', /^escrow\./],
      ['transfer.sent,escrow.released', /^(transfer\.sent|escrow\.released)$/],
      ['faucet.*, escrow.*,clock.corrected', /^(faucet|escrow)\./],
    ] as const) {
      const expected = whole.filter(({ event }) => fits.test(event.type)).map(({ seq }) => seq);
      expect(expected.length, filter).to.be.greaterThan(1);
      expect(
        (await all(`type=${filter}`)).map(({ seq }) => seq),
        filter,
      ).to.deep.equal(expected);
      const newest = await page(`type=${filter}&order=newest&limit=3`);
      expect(
        newest.events.map(({ seq }: Body) => seq),
        filter,
      ).to.deep.equal(expected.slice(-3).reverse());
      const stream = await EventStream.open(
        `${node().url}/api/v1/events/stream?after=0&type=${encodeURIComponent(filter)}`,
      );
      expect(
        (await stream.take(expected.length)).map(({ data }) => data.seq),
        filter,
      ).to.deep.equal(expected);
      stream.close();
    }
  });

  it('refuses types and kinds that match nothing, the same in lists, streams and webhooks', async () => {
    const admin = await node().keyed({ scope: 'admin' });
    const asked = (type: string) => [
      admin.get(`/api/v1/events?type=${type}`),
      admin.get(`/api/v1/events/stream?type=${type}`),
    ];
    for (const [type, near] of [
      ['escrow.release', 'escrow.released'],
      ['escrow.released,escrw.*', 'escrow.*'],
      ['xyzzy.qwertyuiopasdfgh', undefined],
    ] as const) {
      const refused = await Promise.all(asked(type));
      for (const reply of refused) {
        const { detail } = expectInvalid(reply, 'type');
        expect(detail).to.match(
          near === undefined ? /is no type of event$/ : new RegExp(`did you mean ${near.replace('*', '\\*')}\\?`),
        );
      }
      const hook = await admin.post('/api/v1/webhooks', { url: 'http://hooks.invalid/', types: type.split(',') });
      expect(expectInvalid(hook, 'types').errors[0].message).to.equal(refused[0]!.body.errors[0].message);
    }
    const hook = { url: 'http://hooks.invalid/' };
    expectInvalid(await admin.post('/api/v1/webhooks', { ...hook, kinds: ['nope'] }), 'kinds');
    expectInvalid(await admin.post('/api/v1/webhooks', { ...hook, resource: 'nope/1' }), 'resource');
    for (const path of ['/api/v1/events', '/api/v1/events/stream']) {
      expectInvalid(await admin.get(`${path}?resource=nope/1`), 'resource');
      const twice = await admin.get(`${path}?type=escrow.released&type=escrow.*`);
      expect(expectInvalid(twice, 'type').detail).to.include('with commas between several values');
    }
    const types = [...new Set(eventTypes().map((each) => each.type))];
    expectStatus(await admin.post('/api/v1/webhooks', { ...hook, types: types.slice(0, 50) }), 201);
    for (const type of types) expectStatus(await admin.get(`/api/v1/events?limit=1&type=${type}`));
  });

  it('filters by issuer, type and resource, alone and together', async () => {
    const types = (events: Body[]) => events.map(({ event }) => event.type);
    const mine = await all(`issuer=${ada.address}`);
    expect(mine).to.have.length(22);
    for (const { event } of mine) expect(event.issuer).to.equal(ada.did);
    expect(await all('type=transfer.sent')).to.have.length(21);
    expect(await all(`type=transfer.sent&issuer=${ben.did}`)).to.have.length(1);
    const resource = `resource=escrow/${escrow.escrowId}`;
    expect(types(await all(resource))).to.deep.equal(['escrow.created', 'escrow.released']);
    expect(types(await all(`${resource}&type=escrow.released`))).to.deep.equal(['escrow.released']);
    const moved = await all(`resource=account/${ben.did}`);
    expect(moved).to.have.length(22);
    expect(await all('type=clock.corrected')).to.deep.equal([]);
    expect(await all('resource=escrow/none')).to.deep.equal([]);
    expectInvalid(await node().client.get('/api/v1/events?resource=escrow'), 'resource');
    expectInvalid(await node().client.get('/api/v1/events?issuer=ada'), 'issuer');
  });

  it('one event by its hash or the number of its entry', async () => {
    const [entry] = await all(`resource=escrow/${escrow.escrowId}`);
    expect(expectStatus(await node().client.get(`/api/v1/events/${entry!.event.hash}`))).to.deep.equal(entry);
    expect(entry!.versions).to.deep.include({
      ...{ kind: 'escrow', id: escrow.escrowId, version: 1, prev: null, path: ['created.open', 'funded'] },
      ...{ machine: entry!.versions[0].machine, stateHash: entry!.versions[0].stateHash },
    });
    expect(expectStatus(await node().client.get(`/api/v1/events/${entry!.seq}`)), 'by its number').to.deep.equal(entry);
    for (const hash of [
      'f'.repeat(64),
      'abc',
      entry!.event.hash.toUpperCase(),
      '0',
      '01',
      '999999999',
      '1'.repeat(64),
    ]) {
      expectProblem(await node().client.get(`/api/v1/events/${hash}`), 'NOT_FOUND');
    }
  });

  it('nothing secret is in any of it', async () => {
    const text = JSON.stringify(await all());
    expect(text).not.to.include(ada.passphrase);
    expect(text).not.to.include('passphrase');
    expect(jcs(JSON.parse(text))).to.be.a('string');
  });
});
