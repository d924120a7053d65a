/** What no card shows is asked of its home when somebody reads it (docs/reference/other-homes.md#other-views). */
import { expect } from 'chai';
import { Client as ApiClient } from '../../../packages/client/src/client.js';
import { everyRoute } from '../../../scripts/generate/routes.js';
import { viewBounds } from '../../../src/core/bounds.js';
import { formatMultiaddr, parseMultiaddr } from '../../../src/core/codecs/multiaddr.js';
import { realEnvironment } from '../../../src/core/environment.js';
import type { Code } from '../../../src/core/refusal.js';
import type { ApiContext } from '../../../src/http/context/api-context.js';
import { checkOf, checkOfEntry } from '../../../src/http/routes/checked-proof.js';
import { createPath } from '../../../src/http/routes/derived-paths.js';
import { isViewable } from '../../../src/http/routes/public-views.js';
import type { Call } from '../../../src/http/server/route.js';
import { catalogue, searchedOf } from '../../../src/machines/catalogue.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { taskListing } from '../../../src/machines/task-order/listing.js';
import { tagOf } from '../../../src/peers/cards/home-tag.js';
import type { PeerAddress, PeerReply, PeerRequest, PeerTransport } from '../../../src/peers/transport/transport.js';
import { ViewServer } from '../../../src/peers/views/view-server.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Body, Reply } from '../../node/support/client.js';
import { withEvent } from '../../node/support/independent.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { elapsed, expectWithin } from '../../support/within.js';
import { anywhere, type Handle, transportOf } from '../transport/pair.js';
import { acquaint, discard, Home } from './network.js';

const api = '/api/v1';
const capability = {
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential', 'CapabilityCredential'],
  credentialSubject: { capability: 'translation' },
};

describe('Resources of another home', () => {
  let homes: readonly Home[] = [];
  let [a, b] = homes as [Home, Home];
  let [ada, ben] = [] as unknown as [Person, Person];
  let tag = '';

  before(async () => {
    homes = [await Home.start(), await Home.start()];
    [a, b] = homes as [Home, Home];
    await acquaint(homes);
    [ada, ben] = [await a.node.rich(), await a.node.rich()];
    tag = tagOf(a.did, [b.did]);
  });
  after(() => discard(homes));

  const ask = (path: string): Promise<Reply> => b.node.client.get(`${api}${path}`);
  /** Asks again while the home is asked too often: some tests ask for many views, or until something is there. */
  const read = (path: string): Promise<Reply> =>
    until('the home may be asked', () => ask(path), { is: ({ status }) => status !== 429 });
  /** As at the home, and marked. */
  const expectSame = async (path: (id: string) => string, id: string, more: Body = {}): Promise<Body> => {
    const { permittedActions: _, ...there } = await a.get(path(id));
    for (const spelled of [`${id}~${tag}`, `${id}~${a.did}`]) {
      const { asOf, checked: __, ...here } = expectStatus(await read(path(spelled)));
      expect(asOf).to.be.a('number');
      expect(here).to.deep.equal({ ...there, home: a.did, ...more });
    }
    return there;
  };
  const escrow = async (): Promise<Body> =>
    expectStatus(
      await ada.write(`${api}/escrows`, { beneficiary: ben.did, amount: 5, releaseRules: [{ type: 'manual' }] }),
      201,
    );

  it('are read with their history, state, definition and events, as a reader without a DID reads them there', async () => {
    const { escrowId, eventHash } = await escrow();
    await expectSame((id) => `/escrows/${id}`, escrowId);
    for (const part of ['history', 'history?limit=1', 'state'])
      await expectSame((id) => `/machines/escrow/${id}/${part}`, escrowId);
    // With the time of the reading.
    expect(expectStatus(await read(`/machines/escrow/${escrowId}~${tag}/permitted`))).to.include({ home: a.did });
    await expectSame((id) => `/events/${id}`, eventHash);
    expectProblem(await read(`/events/${eventHash}~${tag}/proof`), 'UNPROCESSABLE'); // It settles on no chain.
    const chart = expectStatus(await read(`/machines/escrow~${tag}`));
    expect(chart).to.include({ kind: 'escrow', home: a.did });
    expectProblem(await read(`/machines/escrow~${tag}?format=svg`), 'INVALID_REQUEST');
    expectProblem(await read(`/escrows/esc-00000000000000000000000000~${tag}`), 'ESCROW_NOT_FOUND');
    expectProblem(await read(`/escrows/${escrowId}`), 'ESCROW_NOT_FOUND');
    expectProblem(await read(`/escrows/${escrowId}~11111111`), 'ESCROW_NOT_FOUND');
  });

  it('are read below a listing that is known as a card, also by its bare id', async () => {
    const more = { title: 'Far away', bidding: { closesAt: Date.now() + 3_600_000 } };
    const task = { ...taskListing.create.example, ...more } as Body;
    const { listingId } = expectStatus(await ada.write(`${api}/markets/tasks`, task), 201);
    const { bidId } = await ben.does(`${api}/markets/tasks/${listingId}/bids`, {
      ...{ price: 3, timeline: 'soon', approach: 'walk' },
    });
    await until('its card is here', () => read(`/markets/tasks/${listingId}`), { is: ({ status }) => status === 200 });
    const here = expectStatus(await read(`/markets/tasks/${listingId}/bids`));
    expect(here).to.include({ home: a.did, total: 1 });
    expect(here.bids[0]).to.include({ bidId, bidder: ben.did });
    await expectSame((id) => `/markets/tasks/${id}/bids`, listingId);
    await expectSame((id) => `/markets/tasks/bids/${id}`, bidId);
    expect(expectStatus(await read(`/machines/task-listing/${listingId}/history`))).to.include({ home: a.did });
    // The listing itself is a card.
    expect(expectStatus(await read(`/markets/tasks/${listingId}~${tag}`)).bidding).to.include({ orderId: null });
    const info = { ...infoListing.create.example };
    const sold = expectStatus(await ada.write(`${api}/markets/info`, info), 201).listingId;
    await expectSame((id) => `/markets/info/${id}/content`, sold);
    const { orderId } = expectStatus(await ben.write(`${api}/markets/info/${sold}/actions/purchase`, {}), 201);
    await expectSame((id) => `/orders/${id}`, orderId);
    for (const path of [
      `/markets/info/orders/${orderId}~${tag}/delivery`,
      `/machines/info-order/${orderId}~${tag}/state`,
    ])
      expectProblem(await read(path), 'FORBIDDEN');
  });

  it('have owners that resolve: by their cards, else at their home', async () => {
    for (const definition of searchedOf(catalogue)) {
      const owner = await a.node.rich();
      const { did } = owner;
      const { listingId } = expectStatus(
        await owner.write(createPath(definition), definition.create.example as Body),
        201,
      );
      const card = () => read(`${definition.route.path}/${listingId}`);
      await until('the card is here', card, { is: ({ status }) => status === 200 });
      const identity = `/identities/${did}`;
      const parts = ['', '?source=log', '/capabilities', '/capabilities?limit=1'];
      for (const part of parts) {
        const there = { ...(await a.get(`${identity}${part}`)), home: a.did };
        for (const home of ['', `~${tag}`, `~${a.did}`]) {
          const { asOf, ...here } = expectStatus(await read(`${identity}${home}${part}`));
          expect(asOf, part).to.be.a('number');
          expect(here, part).to.deep.equal(there);
        }
      }
      const { docHash: prevDocHash } = await a.get(identity);
      await owner.does(`${api}${identity}/actions/update`, { document: { displayName: 'Olga' }, prevDocHash });
      await owner.does(`${api}${identity}/capabilities`, {
        credential: { ...capability, issuer: did },
      });
      const named = await until('its own card is here', () => read(identity), {
        // Its home answers until the first card is here, and says when it was created.
        is: ({ body }) => body.capabilities.length === 1 && body.created === null,
      });
      expect(named.body).to.include({ displayName: 'Olga', home: a.did });
      for (const part of parts) {
        const here = expectStatus(await read(`${identity}${part}`));
        expect(here, part).to.include({ home: a.did });
        expect(here.asOf, part).to.be.a('number');
        expect(here.capabilities, part).to.have.length(1);
      }
    }
    const stranger = transportOf('stranger').did;
    for (const spelled of [stranger, `${stranger}~${tag}`, `${stranger}~11111111`])
      for (const part of ['', '?source=log', '/capabilities'])
        expectProblem(await read(`/identities/${spelled}${part}`), 'DID_NOT_FOUND');
  });

  it('that only their parties may see are as if they did not exist', async () => {
    const hidden = { ...infoListing.create.example, visibility: 'private' };
    const { listingId } = expectStatus(await ada.write(`${api}/markets/info`, hidden), 201);
    expectProblem(await read(`/markets/info/${listingId}~${tag}`), 'LISTING_NOT_FOUND');
    expectProblem(await read(`/markets/info/${listingId}~${tag}/content`), 'LISTING_NOT_FOUND');
    for (const path of [`/wallets/${ada.did}~${tag}/transactions`, `/node/peers/${b.did}~${tag}/evidence`])
      expect((await read(path)).body.home, path).to.equal(undefined);
  });

  it('belong to this node if the tag is that of its home', async () => {
    const { escrowId } = await escrow();
    const own = expectStatus(await a.node.client.get(`${api}/escrows/${escrowId}~${tagOf(a.did, [b.did])}`));
    expect(own).to.include({ escrowId });
    expect(own).not.to.have.property('home');
  });

  it('have proofs that are checked against the journal that was followed', async () => {
    const { escrowId } = await escrow();
    await b.sees(a);
    const proof = expectStatus(await read(`/machines/escrow/${escrowId}~${tag}/proof`));
    expect(proof.checked).to.include({ violation: null, isWhole: true, followed: 1 });
    expect(proof.checked.checkpoint).to.include({ home: a.did });
    const { home: _, asOf: __, checked: ___, ...body } = proof;
    const checked = (changed: Body, chainHash?: string, id = escrowId): Body => {
      const elsewhere = { followed: () => ({ checkpoint: undefined, chainHashAt: () => chainHash }) };
      const params = { kind: 'escrow', id: `${id}~${tag}` };
      const node = { elsewhere, network: 'devnet' } as unknown as ApiContext;
      return checkOf({ ...body, ...changed }, { params } as unknown as Call, a.did, node);
    };
    expect(checked({})).to.deep.equal({ violation: null, isWhole: true, followed: 0, checkpoint: null });
    expect(checked({}, 'b'.repeat(64)).violation).to.include('is not that of the journal');
    expect(checked({}, undefined, 'esc-other').violation).to.include('it is of escrow');
    expect(checked({ state: 'released' }).violation).to.include('does not lead to released');
    expect(checked({ total: 2, hasMore: true })).to.include({ violation: null, isWhole: false, followed: 0 });
  });

  it('have entries that are checked against it, so that an act is known to be there', async () => {
    const { eventHash } = await ada.pays(ben.did, 1);
    await b.sees(a);
    const entry = expectStatus(await read(`/events/${eventHash}~${tag}`));
    expect(entry.checked).to.include({ violation: null, isWhole: true, followed: 1 });
    expect(entry.checked.checkpoint).to.include({ home: a.did });
    const shown = await a.get(`/events/${eventHash}`);
    expect(shown).not.to.have.property('checked');
    const { event, checked: asNumbered } = expectStatus(await read(`/events/${shown.seq}~${tag}`));
    expect({ event, checked: asNumbered }, 'by its number').to.deep.equal({
      event: entry.event,
      checked: entry.checked,
    });
    const client = new ApiClient({ url: b.node.url });
    expect(await client.events.untilChecked(eventHash, a.did)).to.deep.include({ checked: entry.checked });
    const checked = (
      change: (entry: Body) => unknown,
      chainHash?: string,
      asked: string | number = eventHash,
    ): Body => {
      const elsewhere = { followed: () => ({ checkpoint: undefined, chainHashAt: () => chainHash }) };
      const node = { elsewhere, network: 'devnet' } as unknown as ApiContext;
      const changed = structuredClone(shown);
      change(changed);
      return checkOfEntry(changed, { params: { hash: `${asked}~${tag}` } } as unknown as Call, a.did, node);
    };
    const nothing = () => {};
    expect(checked(nothing)).to.deep.equal({ violation: null, isWhole: true, followed: 0, checkpoint: null });
    expect(checked(nothing, shown.chainHash)).to.include({ violation: null, followed: 1 });
    const lies: readonly [(entry: Body) => unknown, RegExp][] = [
      [({ payload }) => Object.assign(payload.input, { amount: 2 }), /payloadHash is not the hash/],
      [({ event }) => Object.assign(event, { nonce: 9 }), /hash/],
      [
        (each) => Object.assign(each, withEvent(each, { ...each.event, sig: 'A'.repeat(86) }, each.prevEntry)),
        /signature/,
      ],
      [(each) => Object.assign(each, { prevEntry: '0'.repeat(64) }), /chainHash/],
      [(each) => delete each.moves, /./],
      [(each) => delete each.event, /./],
    ];
    for (const [change, why] of lies) {
      const found = checked(change, shown.chainHash);
      expect(found.violation).to.match(why);
      expect(found.followed).to.equal(0);
    }
    const fork = checked(nothing, 'b'.repeat(64));
    expect(fork).to.include({ followed: 0 });
    expect(fork.violation).to.include('is not that of the journal');
    const other = (await ada.pays(ben.did, 1)).eventHash;
    const another = await a.get(`/events/${other}`);
    for (const asked of [eventHash, shown.seq])
      expect(checked((each) => Object.assign(each, another), another.chainHash, asked).violation).to.match(
        /it is of the event/,
      );
  });

  it('are never those of a third home: a home does not answer from its cards', async () => {
    const seller = await b.node.rich();
    const { listingId } = expectStatus(await seller.write(`${api}/markets/info`, infoListing.create.example), 201);
    const known = () => a.node.client.get(`${api}/markets/info/${listingId}`);
    await until('its card is there', known, { is: ({ status }) => status === 200 });
    expectProblem(await read(`/markets/info/${listingId}~${tag}`), 'LISTING_NOT_FOUND');
    expectProblem(await read(`/markets/info/${listingId}~${tag}/content`), 'LISTING_NOT_FOUND');
  });

  it('can be asked for as fast as a peer likes: it is told to wait, and stays a peer', async () => {
    const { escrowId } = await escrow();
    const asked = Array.from({ length: 2 * viewBounds.burst + 20 }, () => ask(`/escrows/${escrowId}~${tag}`));
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
    // How many are refused depends on how fast this machine is.
    expect([...statuses])
      .to.include(200)
      .and.satisfy((all: number[]) => all.every((each) => [200, 429].includes(each)));
    await b.isCurrentWith(a);
  });
});

it('Homes ask each other for reads below these resources, and for no others', () => {
  const names = everyRoute()
    .filter(isViewable)
    .map(({ name }) => name);
  expect(names.sort()).to.deep.equal([
    ...[
      'getBid',
      'getCapabilityListing',
      'getContract',
      'getDispute',
      'getEscrow',
      'getEvent',
      'getEventProof',
      'getHome',
    ],
    ...[
      'getIdentity',
      'getInfoContent',
      'getInfoDelivery',
      'getInfoListing',
      'getLease',
      'getMachine',
      'getMachineHistory',
    ],
    ...[
      'getMachineState',
      'getNonce',
      'getOrder',
      'getPermittedActions',
      'getResourceProof',
      'getTaskListing',
      'getWallet',
    ],
    ...['listCapabilities', 'listContractDisputes', 'listTaskBids'],
  ]);
});

describe('A peer that asks for views', () => {
  it('gets no others than those of resources, and no more than its share, and is not barred for it', async () => {
    const home = await Home.start();
    const transport = transportOf('greedy');
    try {
      const address = `/ip4/127.0.0.1/tcp/9/p2p/${transport.peerId}`;
      await home.operator('peers.add', { address });
      const connection = transport.dial(parseMultiaddr(await home.address()) as PeerAddress);
      const view = async (path: string): Promise<Body> => {
        const { status, body } = await connection.request('GET', `/view?path=${encodeURIComponent(path)}`);
        expect(status).to.equal(200);
        return JSON.parse(body);
      };
      for (const path of [
        ...['', '/', '/node', '/node/config', '/admin/log', '/admin/api-keys', '/wallets', '/names'],
        ...['/escrows', '/escrows/', '/escrows/../node', '/escrows/%2e%2e/node', '/escrows/%', '/escrows/a?b=%'],
        ...[`/identities/${home.did}/api-keys`, '/events/stream?x=1', '/machines/escrow/a/proof/b'],
      ]) {
        const { status, body } = await view(path);
        expect(`${status} ${body.code}`, path).to.equal('404 NOT_FOUND');
      }
      expect(await view('/machines/escrow')).to.have.nested.property('body.kind', 'escrow');
      expect((await view('/machines/escrow?format=svg')).body.code).to.equal('INVALID_REQUEST');
      const all = await Promise.all(Array.from({ length: 120 }, () => view('/escrows/esc-1')));
      expect([...new Set(all.map(({ status }) => status))].sort()).to.deep.equal([404, 429]);
      expect((await connection.request('GET', '/head')).status).to.equal(200);
    } finally {
      await transport.close();
      await discard([home]);
    }
  });
});

it('An answer that is too large for a peer is refused with UNPROCESSABLE', async () => {
  const text = JSON.stringify({ a: 'x'.repeat(viewBounds.bytes) });
  const server = new ViewServer(realEnvironment, async () => ({ status: 200, text }));
  const sent: unknown[] = [];
  const reply = { send: async (status: number, body: string) => sent.push(status, JSON.parse(body)) };
  const request = { method: 'GET', did: 'did:svc:x', query: new URLSearchParams({ path: '/escrows/a' }) };
  await server.serve(request as unknown as PeerRequest, reply as unknown as PeerReply);
  const written = { method: 'POST', did: 'did:svc:x', body: async () => '{"path":"/events","body":{}}' };
  await server.serve(written as unknown as PeerRequest, reply as unknown as PeerReply);
  expect([sent[0], sent[2]]).to.deep.equal([200, 200]);
  expect(sent[1]).to.have.nested.property('body.code', 'UNPROCESSABLE');
  expect(sent[1]).not.to.have.nested.property('body.committed');
  // Else its signer would take it for refused.
  expect(sent[3]).to.have.nested.property('body.committed', true);
});

describe('A hostile home that is asked for a view', () => {
  let b: Home;
  let transport: PeerTransport;
  let answer: Handle;
  let did: string;
  let stolen: string;

  before(async () => {
    b = await Home.start();
    transport = transportOf('hostile');
    ({ did } = transport);
    const listener = await transport.listen([anywhere], {
      admit: () => true,
      handle: (request, reply) =>
        request.path === '/view' ? answer(request, reply) : reply.send(503).then(() => undefined),
      onFault: () => {},
    });
    await b.operator('peers.add', { address: formatMultiaddr(listener.addresses[0]!) });
    stolen = 'a'.repeat(64);
  });
  after(async () => {
    await transport.close();
    await discard([b]);
  });

  const asked = (handle: Handle, path = '/escrows/esc-1'): Promise<Reply> => {
    answer = handle;
    return b.node.client.get(`${api}${path}~${did}`);
  };
  const says = (body: string, path?: string): Promise<Reply> =>
    asked(async (_, reply) => void (await reply.send(200, body)), path);
  const shown = (body: Body, status = 200): Promise<Reply> => says(JSON.stringify({ status, body }));
  const memberOf = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

  it('with no JSON, hostile JSON or too much of it is 503', async () => {
    for (const body of [
      '',
      '<html><script>alert(1)</script></html>',
      '[]',
      'null',
      '{"status":200}',
      '{"status":"200","body":{}}',
      '{"status":200,"body":[]}',
      '{"status":200,"body":{},"headers":{"Set-Cookie":"a=b"}}',
      `{"status":200,"body":{"a":${memberOf(10_000)}}}`,
      `{"status":200,"body":{"a":[${'{},'.repeat(30_000)}{}]}}`,
      '{"status":200,"body":{"__proto__":{"a":1}}}',
      '{"status":200,"body":{"a":1,"a":2}}',
      '{"status":200,"body":{"a":"\\ud800"}}',
      JSON.stringify({ status: 200, body: { a: 'x'.repeat(viewBounds.bytes) } }),
    ])
      expectProblem(await says(body), 'SERVICE_UNAVAILABLE');
    const endless = await asked(async (request, reply) => {
      const lines = reply.open();
      while (!request.signal.aborted && (await lines.write(['x'.repeat(60_000)])));
    });
    expectProblem(endless, 'SERVICE_UNAVAILABLE');
  });

  it('keeps its code where the operation has it, and no other', async () => {
    const kept: readonly [Code, Code][] = [
      ['ESCROW_NOT_FOUND', 'ESCROW_NOT_FOUND'],
      ['INVALID_REQUEST', 'INVALID_REQUEST'],
      ['RATE_LIMITED', 'RATE_LIMITED'],
      ['UNAUTHORIZED', 'SERVICE_UNAVAILABLE'],
      ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
      ['INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'],
    ];
    for (const [code, expected] of kept) expectProblem(await shown({ code, detail: 'because' }, 404), expected);
    expectProblem(await shown({ code: 'constructor', detail: { a: 1 } }, 500), 'SERVICE_UNAVAILABLE');
    const status = await asked(async (_, reply) => void (await reply.send(404, '{}')));
    expectProblem(status, 'SERVICE_UNAVAILABLE');
  });

  it('cannot pass its answer off as this node’s, nor have a text of this node shown', async () => {
    const { body, headers } = await shown({
      ...{ home: b.did, asOf: 1, permittedActions: { all: [] }, checked: { violation: null } },
      text: { leaf: stolen, size: 3 },
    });
    expect(body).to.include({ home: did });
    expect(body.asOf).to.be.greaterThan(1);
    expect(body).not.to.have.any.keys('permittedActions', 'checked');
    expect(body.text).to.deep.equal({ leaf: stolen, size: 3 });
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  });

  it('has names and values of any database shown as they are, and kept in none', async () => {
    const odd = { $where: '1', 'a.b': { $ne: null, $gt: '' }, n: Number.MAX_SAFE_INTEGER, f: 1e308 };
    const local = async () => {
      const { store } = b.node;
      const tables = await store.localTables();
      return JSON.stringify(await Promise.all(tables.map((table) => store.listLocal(table))));
    };
    expect((await shown({ ...odd, escrowId: 'esc-1' })).body).to.deep.include(odd);
    expect(await local()).not.to.include('$where');
  });

  it('is told apart by its proof', async () => {
    const proof = { v: 1, type: 'resource-proof', network: 'devnet', kind: 'escrow', id: 'esc-1', state: 'created' };
    const entry = { entry: { seq: 1, event: { issuer: did } }, anchor: null };
    const whole = { ...proof, total: 1, first: entry, entries: [entry], corrections: [], definitions: {} };
    for (const each of [{}, { ...whole, id: 'esc-2' }, { ...whole, network: 'mainnet' }, whole]) {
      const text = JSON.stringify({ status: 200, body: { ...each, next: null, hasMore: false } });
      answer = async (_, reply) => void (await reply.send(200, text));
      const { body } = await b.node.client.get(`${api}/machines/escrow/esc-1~${did}/proof`);
      expect(body.checked.violation, JSON.stringify(body)).to.be.a('string');
    }
  });

  it('that does not answer is 503 after its time, and others are answered meanwhile', async () => {
    await expectWithin(viewBounds.timeMs + 3_000, async () => {
      const tookMs = await elapsed(async () => {
        const silent = Array.from({ length: 6 }, () =>
          asked((request) =>
            until('the reader has gone', () => request.signal.aborted, { is: (gone) => gone }).then(() => undefined),
          ),
        );
        expectStatus(await b.node.client.get(`${api}/node`));
        for (const reply of await Promise.all(silent)) expectProblem(reply, 'SERVICE_UNAVAILABLE');
      });
      expect(tookMs).to.be.above(viewBounds.timeMs - 500);
      return tookMs;
    });
    expect((await shown({ a: 1 })).body).to.include({ a: 1 });
  });
});
