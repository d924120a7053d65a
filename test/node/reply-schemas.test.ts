/** Every route's replies match the OpenAPI document, without any additional member. */
import { expect } from 'chai';
import { rootOf } from '../../src/chain/anchors/anchor.js';
import { dayMs } from '../../src/core/bounds.js';
import { until } from '../support/until.js';
import { withToyDeals } from '../world/toy-deal.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { FakeChain, txHash } from './support/chain.js';
import type { Body, Client, Reply } from './support/client.js';
import { finishedDeal } from './support/deals.js';
import { DescribedClient, Description, ofMarkets } from './support/described.js';
import { OwnKey } from './support/independent.js';
import { signedBy } from './support/independent-signing.js';
import { leavesProof, leavesStop } from './support/kept-evidence.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { EventStream } from './support/stream.js';

const credentialOf = (did: string): Body => ({
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential', 'CapabilityCredential'],
  issuer: did,
  credentialSubject: { id: did, capability: 'translation', languages: ['de', 'zh'] },
});

describe('Replies and their schemas', () => {
  // A chain that never settles.
  const chain = new FakeChain();
  chain.verdict = 'late';
  const node = nodeForSuite({ parts: { settlement: chain, onChain: chain, catalogue: withToyDeals } });
  let description: Description;
  let client: DescribedClient;
  let admin: Client;
  let ada: Person;
  let bob: Person;
  let eva: Person;

  before(async () => {
    description = new Description((await node().client.get('/openapi.json')).body);
    client = new DescribedClient(node().url, description);
    admin = client.keyed((await node().key({ scope: 'admin' })).key);
    [ada, bob, eva] = [await node().rich(1_000, client), await node().person(client), await node().person(client)];
  });
  after(() => client.close());
  // A write whose reply does not match the document has used its nonce.
  beforeEach(async () => {
    for (const each of [ada, bob, eva]) {
      each.nonce = (await node().client.get(`/api/v1/wallets/${each.did}`)).body.nextNonce;
    }
  });

  const api = (path: string): string => `/api/v1${path}`;
  const get = (path: string) => () => client.get(path);
  const escrow = (more: Body = {}): Promise<Body> =>
    ada.does(api('/escrows'), {
      beneficiary: bob.did,
      amount: 10,
      releaseRules: [{ type: 'manual' }],
      ...more,
    });
  const funded = (more: Body = {}): Promise<Body> => escrow({ autoFund: true, ...more });
  const newKey = async (): Promise<string> =>
    expectStatus(await admin.post(api('/admin/api-keys'), { label: 'a', scope: 'read' }), 201).id;
  /** A host without a server. */
  const nowhere = 'http://hooks.invalid/';
  const webhook = async (): Promise<string> => {
    const wanted = { url: nowhere, types: ['clock.*'], kinds: ['escrow'], did: ada.did, resource: 'escrow/esc-1' };
    const { id } = expectStatus(await admin.post(api('/webhooks'), wanted), 201);
    return api(`/webhooks/${id}`);
  };
  const ownKeyOf = async (who: Person): Promise<Body> =>
    expectStatus(await client.post(api(`/identities/${who.did}/api-keys`), { passphrase: who.passphrase }), 201);
  const review = async (more: Body = {}): Promise<Reply> => {
    const ref = await finishedDeal(node(), ada, bob);
    const body = { target: bob.did, dimension: 'quality', score: 900, ref, ...more };
    return ada.write(api(`/reputations/${bob.did}/reviews`), body);
  };
  const key = (act: (path: string) => Promise<Reply>) => async () => act(api(`/admin/api-keys/${await newKey()}`));

  /** One successful request for each operation of the document. */
  const successes: { readonly [operation: string]: () => Promise<Reply> } = {
    getNode: get(api('/node')),
    getHome: () => client.get(api(`/homes/${node().did}`)),
    listPeers: get(api('/node/peers')),
    getPeerEvidence: async () => {
      const { did } = await leavesProof(node().store);
      expectStatus(await client.get(api(`/node/peers/${did}/evidence`)));
      return admin.get(api(`/node/peers/${(await leavesStop(node().store)).did}/evidence`));
    },
    limitPeer: () => admin.post(api(`/node/peers/${ada.did}/actions/limit`), { tokens: 5 }),
    mirrorPeer: () => admin.post(api(`/node/peers/${ada.did}/actions/mirror`), { remove: true }),
    listNames: () => client.get(api(`/names?dids=${ada.did}`)),
    lookUp: () => client.get(api(`/lookup?text=${ada.did}`)),
    getNodeConfig: get(api('/node/config')),
    getNodeActivity: get(api('/node/activity')),
    getStatistics: get(api('/statistics')),

    createIdentity: () => client.post(api('/identities'), { passphrase: 'correct horse battery' }),
    getSelf: get(api('/identities/self')),
    getIdentity: () => client.get(api(`/identities/${ada.did}?source=log`)),
    updateIdentity: async () => {
      const { docHash } = (await client.get(api(`/identities/${ada.did}`))).body;
      const avatar = 'https://ada.example/a.png';
      const platformLinks = [{ platform: 'web', url: 'https://ada.example' }];
      const document = { displayName: 'Ada', bio: 'Translates.', avatar, platformLinks };
      return ada.write(api(`/identities/${ada.did}/actions/update`), { document, prevDocHash: docHash });
    },
    listCapabilities: async () => {
      await ada.does(api(`/identities/${ada.did}/capabilities`), { credential: credentialOf(ada.did) });
      return client.get(api(`/identities/${ada.did}/capabilities`));
    },
    registerCapability: () =>
      ada.write(api(`/identities/${ada.did}/capabilities`), { credential: credentialOf(ada.did) }),

    getWallet: () => client.get(api(`/wallets/${ada.address}`)),
    listHomeWallets: () => client.get(api(`/wallets/${ada.address}/homes`)),
    transfer: () => ada.write(api('/transfers'), { to: bob.did, amount: 5, fee: 2, memo: 'thanks' }),
    listTransactions: async () => {
      await ada.pays(bob.did, 1);
      await funded();
      return client.get(api(`/wallets/${ada.did}/transactions`));
    },
    withdraw: () => ada.write(api(`/wallets/${ada.did}/actions/withdraw`), { amount: 2, to: `0x${'12'.repeat(20)}` }),
    registerController: () =>
      client.post(api(`/identities/${bob.did}/actions/register-controller`), { passphrase: bob.passphrase }),
    getNonce: async () => {
      expectStatus(await client.get(api(`/nonce/0x${'12'.repeat(20)}`)));
      return client.get(api(`/nonce/${ada.did}`));
    },
    getTransaction: async () => {
      const { eventHash } = await funded();
      return client.get(api(`/transactions/${eventHash}`));
    },
    getSupply: get(api('/supply')),
    listWallets: get(api('/wallets')),
    claimFaucet: () => client.post(api('/faucet'), { did: eva.did }),

    createEscrow: () =>
      ada.write(api('/escrows'), {
        beneficiary: bob.did,
        arbiter: eva.did,
        amount: 10,
        releaseRules: [
          { type: 'manual', by: ['depositor', eva.did], requiresReason: true, requiresEvidence: true },
          { type: 'time', after: node().world.now() + dayMs },
          { type: 'hash', hash: '0'.repeat(64), id: 'the-word' },
          { type: 'signature', signers: [eva.did], threshold: 1 },
          { type: 'weather', place: { city: 'Oslo' } },
        ],
        refundRules: [{ type: 'manual' }],
        expiresAt: node().world.now() + 2 * dayMs,
        autoFund: true,
      }),
    listEscrows: async () => {
      await escrow();
      return client.get(api(`/escrows?did=${ada.did}`));
    },
    getEscrow: async () => client.get(api(`/escrows/${(await escrow()).escrowId}`)),
    fundEscrow: async () => {
      const made = await escrow();
      return ada.act(made, 'fund', { amount: 10, resourcePrev: made.resourcePrev });
    },
    releaseEscrow: async () => ada.act(await funded(), 'release', { amount: 4 }),
    refundEscrow: async () => {
      const made = await funded();
      return bob.act(made, 'refund', { amount: 10, reason: 'cannot', resourcePrev: made.resourcePrev });
    },
    expireEscrow: async () => {
      node().world.hold();
      const made = await funded({ expiresAt: node().world.now() + 60_000 });
      node().world.outrun(61_000);
      const reply = await eva.act(made, 'expire');
      node().world.skip(0);
      return reply;
    },
    cancelEscrow: async () => ada.act(await escrow(), 'cancel'),

    getReputation: async () => {
      await finishedDeal(node(), ada, bob);
      return client.get(api(`/reputations/${bob.did}?source=log`));
    },
    createReview: async () => review({ comment: 'fine', aspects: { speed: 5 } }),
    listReviews: async () => {
      expectStatus(await review({ comment: 'fine', aspects: { speed: 5 } }), 201);
      expectStatus(await review(), 201);
      return client.get(api(`/reputations/${bob.did}/reviews`));
    },

    listMachines: get(api('/machines')),
    getMachine: async () => {
      for (const kind of Object.keys(withToyDeals.definitions)) {
        for (const format of ['xstate', 'mermaid', 'csv', 'markdown']) {
          expectStatus(await client.get(api(`/machines/${kind}?format=${format}`)));
        }
      }
      return client.get(api('/machines/contract'));
    },
    getMachineHistory: async () => client.get(api(`/machines/escrow/${(await funded()).escrowId}/history`)),
    getPermittedActions: async () => client.get(api(`/machines/escrow/${(await funded()).escrowId}/permitted`)),
    getMachineState: async () => client.get(api(`/machines/escrow/${(await funded()).escrowId}/state`)),
    listEvents: get(api('/events?limit=100')),
    streamEvents: async () => {
      // Read separately, because the client waits for the end of a response.
      const path = api('/events/stream?after=0');
      const stream = await EventStream.open(node().url + path);
      for (const { data } of await stream.take(3)) description.expectValid('#/components/schemas/Entry', data);
      const { statusCode: status = 0, headers } = stream.response;
      const reply = { status, headers, text: '', body: undefined };
      description.check({ method: 'GET', path }, reply);
      stream.close();
      return reply;
    },
    getEvent: async () => client.get(api(`/events/${(await ada.pays(bob.did, 1)).eventHash}`)),

    getResourceProof: async () => client.get(api(`/machines/escrow/${(await funded()).escrowId}/proof`)),
    getEventProof: async () => {
      const { eventHash } = await ada.pays(bob.did, 1);
      chain.anchor = undefined;
      expectStatus(await client.get(api(`/events/${eventHash}/proof`)));
      const entries = await node().store.entries({ after: 0, limit: 1_000 });
      const anchor = { firstEntry: 1, lastEntry: entries.length, root: rootOf(entries), txHash, blockNumber: 3 };
      chain.anchor = { anchor, chainId: 7, contract: chain.contracts.settlement };
      return client.get(api(`/events/${eventHash}/proof`));
    },
    getSignedEvent: async () => client.get(api(`/events/${(await ada.pays(bob.did, 1)).eventHash}/signed`)),
    freezeAccount: () => admin.post(api(`/admin/accounts/${eva.did}/actions/freeze`)),
    unfreezeAccount: () => admin.post(api(`/admin/accounts/${eva.did}/actions/unfreeze`)),
    withdrawFees: async () => {
      await ada.pays(bob.did, 1, { fee: 3 });
      return admin.post(api('/admin/fees/actions/withdraw'), { to: eva.did, amount: 1 });
    },
    unlockIdentity: () =>
      admin.post(api(`/admin/identities/${eva.did}/actions/unlock`), { passphrase: eva.passphrase }),
    lockIdentity: () => admin.post(api(`/admin/identities/${eva.did}/actions/lock`)),

    createApiKey: () =>
      admin.post(api('/admin/api-keys'), {
        label: 'all of it',
        scope: 'write',
        did: ada.did,
        expiresAt: node().world.now() + dayMs,
        limits: { reads: 10, writes: 5 },
      }),
    createOwnApiKey: () => client.post(api(`/identities/${bob.did}/api-keys`), { passphrase: bob.passphrase }),
    listOwnApiKeys: async () => {
      const own = await ownKeyOf(bob);
      return client.keyed(own.key).get(api(`/identities/${bob.did}/api-keys`));
    },
    getOwnApiKey: async () => {
      const own = await ownKeyOf(bob);
      return client.keyed(own.key).get(api(`/identities/${bob.did}/api-keys/${own.id}`));
    },
    revokeOwnApiKey: async () => {
      const own = await ownKeyOf(bob);
      return client.keyed(own.key).post(api(`/identities/${bob.did}/api-keys/${own.id}/revoke`));
    },
    startAudit: () => admin.post(api('/audit')),
    getAudit: async () => {
      await until('an audit has a result', async () => (await client.get(api('/audit'))).body.last !== null);
      return client.get(api('/audit'));
    },
    listAuditReports: () => client.get(api('/audit/reports')),
    getAuditReport: async () => {
      await admin.post(api('/audit'));
      const { body } = await until('a report is kept', () => client.get(api('/audit/reports')), {
        is: ({ body: { total } }) => total > 0,
      });
      return client.get(api(`/audit/reports/${body.reports[0].id}`));
    },
    batch: () => {
      const paid = { path: api('/transfers'), body: { ...ada.signed, to: bob.did, amount: 1 } };
      ada.nonce += 1;
      return client.post(api('/batch'), { items: [paid] });
    },
    submitEvent: async () => {
      const own = OwnKey.fresh();
      await ada.pays(own.did, 1);
      const asked = { did: own.did, prepare: true, to: bob.did, amount: 1 };
      // The answer to `prepare` is described in docs/signing.md, not with each operation.
      const { prepared } = expectStatus(await node().client.post(api('/transfers'), asked));
      return client.post(api('/events'), signedBy(own, prepared));
    },
    listLeaves: async () => {
      const { eventHash } = await ada.pays(bob.did, 1, { memo: 'thanks' });
      return admin.get(api(`/admin/leaves?event=${eventHash}`));
    },
    redactLeaf: async () => {
      const { eventHash } = await ada.pays(bob.did, 1, { memo: 'a name' });
      const { leaves } = expectStatus(await admin.get(api(`/admin/leaves?event=${eventHash}`)));
      const erased = await admin.post(api(`/admin/leaves/${leaves[0].leaf}/actions/redact`), { reason: 'asked for' });
      const { payload } = expectStatus(await client.get(api(`/events/${eventHash}`)));
      expect(payload.input.memo).to.equal(null);
      return erased;
    },
    listAdminLog: async () => {
      await newKey();
      expectStatus(await admin.post(api(`/admin/accounts/${eva.did}/actions/unfreeze`)));
      return admin.get(api('/admin/log?limit=100'));
    },
    listRequests: () => admin.get(api('/admin/requests')),
    listApiKeys: async () => {
      await newKey();
      return admin.get(api('/admin/api-keys'));
    },
    getApiKey: key((path) => admin.get(path)),
    revokeApiKey: key((path) => admin.post(`${path}/revoke`)),
    deleteApiKey: key((path) => admin.delete(path)),

    createWebhook: () => admin.post(api('/webhooks'), { url: nowhere }),
    listWebhooks: () => admin.get(api('/webhooks')),
    getWebhook: async () => admin.get(await webhook()),
    listDeliveries: async () => admin.get(`${await webhook()}/deliveries`),
    enableWebhook: async () => admin.post(`${await webhook()}/actions/enable`),
    disableWebhook: async () => admin.post(`${await webhook()}/actions/disable`),
    testWebhook: async () => admin.post(`${await webhook()}/actions/test`),
    redeliverEvent: async () => admin.post(`${await webhook()}/actions/redeliver`, { seq: 1 }),
    rotateWebhookSecret: async () => admin.post(`${await webhook()}/actions/rotate-secret`, { overlapMs: 0 }),
    deleteWebhook: async () => admin.delete(await webhook()),

    health: get('/healthz'),
    readiness: get('/readyz'),
    metrics: get('/metrics'),
    listErrors: get('/errors'),
    explainError: get('/errors/conflict'),
    openApi: get('/openapi.json'),
    docs: get('/docs'),
    guide: get('/guide'),
    guidePage: get('/guide/tutorials.buyer'),
    console: get('/console'),
    async consoleFile() {
      const { text } = await client.get('/console');
      return client.get(/\/console\/assets\/[^"]+\.js/.exec(text)![0]);
    },
  };

  it('each operation of the document has a success below, or with the markets', () => {
    const here = description.operations.filter(({ tags }) => !ofMarkets(tags));
    const operations = here.map(({ operationId }) => operationId);
    expect(Object.keys(successes)).to.have.members(operations);
  });

  it('each JSON reply has a schema that names its members', () => {
    const schemas = description.operations.flatMap(({ operationId, responses }) =>
      Object.entries<Body>(responses)
        .filter(([status]) => status < '300')
        .map(([, { content }]) => [operationId, content?.['application/json']?.schema] as const),
    );
    for (const [operation, schema] of schemas) {
      if (schema) expect(schema, operation).to.have.any.keys('$ref', 'properties', 'allOf', 'anyOf');
    }
  });

  for (const [operation, succeed] of Object.entries(successes)) {
    it(`${operation} answers as described`, async () => {
      const { status, text } = await succeed();
      expect(status, text.slice(0, 500)).to.be.within(200, 204);
      expect([...description.answered]).to.include(operation);
    });
  }

  it('also what is rarer: pages, replays, remote readers, what the clock did', async () => {
    const html = { Accept: 'text/html' };
    for (const path of ['/errors', '/errors/conflict']) expectStatus(await client.get(path, html), 302);
    for (const path of ['/node', '/node/config', '/identities/self']) {
      expectStatus(await client.get(api(path), { 'X-Forwarded-For': '203.0.113.7' }));
    }
    const once = { 'Idempotency-Key': 'once' };
    const made = { label: 'one', scope: 'read' };
    expectStatus(await admin.post(api('/admin/api-keys'), made, once), 201);
    expect(expectStatus(await admin.post(api('/admin/api-keys'), made, once), 201).key).to.equal(null);
    const { nonce } = ada;
    await ada.does(api('/transfers'), { to: bob.did, amount: 1, nonce }, once);
    await ada.does(api('/transfers'), { to: bob.did, amount: 1, nonce }, once);
    const lapsing = await escrow({ expiresAt: node().world.now() + 60_000 });
    node().world.skip(61_000);
    const seen = async (): Promise<Body> => expectStatus(await client.get(api(`/escrows/${lapsing.escrowId}`)));
    await until('the clock lets it lapse', async () => (await seen()).lapsed);
    const wallets = [ada, bob, eva].map((each) => client.get(api(`/wallets/${each.did}/transactions?limit=100`)));
    for (const reply of await Promise.all(wallets)) expectStatus(reply);
    const page = expectStatus(await client.get(api('/events?limit=2')));
    expect(page.next).to.equal(2);
    for (let after = 0; after !== null; ) {
      after = expectStatus(await client.get(api(`/events?limit=100&after=${after}`))).next;
    }
  });

  it('and problems of several kinds', async () => {
    expectProblem(await client.get('/nowhere'), 'NOT_FOUND');
    expectProblem(await client.get(api('/escrows/esc-none')), 'ESCROW_NOT_FOUND');
    expectProblem(await client.get(api('/events?limit=0')), 'INVALID_REQUEST');
    expectProblem(await client.post(api('/transfers'), {}), 'INVALID_REQUEST');
    expectProblem(await client.get(api('/admin/api-keys')), 'FORBIDDEN');
    expectProblem(await ada.write(api('/transfers'), { to: bob.did, amount: 1, nonce: 1 }), 'CONFLICT');
    expectProblem(await ada.write(api('/transfers'), { to: bob.did, amount: 1e9 }), 'INSUFFICIENT_BALANCE');
  });

  it('a member too many, one missing, one of the wrong type and one that stands twice are found', async () => {
    const path = api(`/wallets/${ada.did}`);
    const reply = await client.get(path);
    const check =
      (body: Body, text = JSON.stringify(body)) =>
      () =>
        description.check({ method: 'GET', path }, { ...reply, body, text });
    expect(check(reply.body)).not.to.throw();
    expect(check({ ...reply.body, more: 1 })).to.throw(/unevaluated/);
    expect(check({ ...reply.body, frozen: 0 })).to.throw(/boolean/);
    expect(check(reply.body, reply.text.replace('{', '{"frozen":false,'))).to.throw(/each member once/);
    const { prev: _, ...less } = reply.body;
    expect(check(less)).to.throw(/'prev'/);
    const problem = '#/components/schemas/Problem';
    const { body } = await client.get('/nowhere');
    expect(() => description.expectValid(problem, { ...body, code: 'NO_SUCH_CODE' })).to.throw(/code/);
  });
});
