/**
 * One successful request for each route, by the route's name. Requests of kinds with a machine are derived from their
 * definitions; the others are here. A route without one fails routes.test.ts.
 */

import http from 'node:http';
import { title } from '../../src/http/routes/derived-paths.js';
import { catalogue, requestedOf } from '../../src/machines/catalogue.js';
import { hasSharedRoute } from '../../src/machines/dispute/order-actions.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Client, Reply } from '../node/support/client.js';
import { finishedDeal } from '../node/support/deals.js';
import { OwnKey, sha256 } from '../node/support/independent.js';
import { signedBy } from '../node/support/independent-signing.js';
import { leavesProof } from '../node/support/kept-evidence.js';
import type { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { publishesTask } from '../node/support/requester.js';
import { until } from '../support/until.js';
import { allowedTry } from './allowed.js';
import { type NodeStage, openStage } from './stage.js';

export type Exercises = { readonly [route: string]: () => Promise<Reply> };

export interface Hands {
  readonly node: TestNode;
  readonly ada: Person;
  readonly ben: Person;
  readonly admin: Client;
}

/** The report of an earlier audit, or of one started here. */
async function reportOf(admin: Client): Promise<Reply> {
  const reports = '/api/v1/audit/reports';
  if (expectStatus(await admin.get(reports)).total === 0) await admin.post('/api/v1/audit');
  const { body } = await until('a report is kept', () => admin.get(reports), { is: (seen) => seen.body.total > 0 });
  return admin.get(`${reports}/${body.reports[0].id}`);
}

export function ownExercises({ node, ada, ben, admin }: Hands): Exercises {
  const { client } = node;
  const passphrase = 'a good long passphrase';
  const get = (path: string) => () => client.get(path);
  const keyId = async (): Promise<string> =>
    expectStatus(await admin.post('/api/v1/admin/api-keys', { scope: 'read' }), 201).id;
  const ownKeyId = async (): Promise<string> =>
    expectStatus(await client.post(`/api/v1/identities/${ada.did}/api-keys`, { passphrase: ada.passphrase }), 201).id;
  /** A host without a server. */
  const nowhere = 'http://hooks.invalid/';
  const webhook = async (): Promise<string> => {
    const { id } = expectStatus(
      await admin.post('/api/v1/webhooks', { url: nowhere, types: ['clock.corrected'] }),
      201,
    );
    return `/api/v1/webhooks/${id}`;
  };
  /** The text of a new memo. */
  const memo = async (): Promise<Reply> => {
    const { eventHash } = await ada.pays(ben.did, 1, { memo: 'my number is 555 0100' });
    return admin.get(`/api/v1/admin/leaves?event=${eventHash}`);
  };
  const credential = {
    type: ['VerifiableCredential', 'CapabilityCredential'],
    issuer: ada.did,
    credentialSubject: { capability: 'counting' },
  };
  const turn =
    (what: string, action: string, body: Body = {}) =>
    () =>
      admin.post(`/api/v1/admin/${what}/${ben.did}/actions/${action}`, body);
  return {
    getNode: get('/api/v1/node'),
    getHome: get(`/api/v1/homes/${node.did}`),
    listPeers: get('/api/v1/node/peers'),
    async getPeerEvidence() {
      const { did } = await leavesProof(node.store);
      return client.get(`/api/v1/node/peers/${did}/evidence`);
    },
    limitPeer: () => admin.post(`/api/v1/node/peers/${ben.did}/actions/limit`, { tokens: 500 }),
    mirrorPeer: () => admin.post(`/api/v1/node/peers/${ben.did}/actions/mirror`),
    listNames: get(`/api/v1/names?dids=${ada.did}`),
    lookUp: get('/api/v1/lookup?text=1'),
    searchMarkets: get('/api/v1/markets/search?includeFacets=true'),
    getNodeConfig: get('/api/v1/node/config'),
    getNodeActivity: get('/api/v1/node/activity'),
    getStatistics: get('/api/v1/statistics?period=month'),
    createIdentity: () => client.post('/api/v1/identities', { passphrase }),
    getSelf: get('/api/v1/identities/self'),
    getIdentity: get(`/api/v1/identities/${ada.did}`),
    async updateIdentity() {
      const { docHash } = expectStatus(await client.get(`/api/v1/identities/${ada.did}`));
      const body = { document: { displayName: 'Ada' }, prevDocHash: docHash };
      return ada.write(`/api/v1/identities/${ada.did}/actions/update`, body);
    },
    registerCapability: () => ada.write(`/api/v1/identities/${ada.did}/capabilities`, { credential }),
    listCapabilities: get(`/api/v1/identities/${ada.did}/capabilities`),
    createOwnApiKey: () => client.post(`/api/v1/identities/${ada.did}/api-keys`, { passphrase: ada.passphrase }),
    listOwnApiKeys: () => admin.get(`/api/v1/identities/${ada.did}/api-keys`),
    getOwnApiKey: async () => admin.get(`/api/v1/identities/${ada.did}/api-keys/${await ownKeyId()}`),
    revokeOwnApiKey: async () => admin.post(`/api/v1/identities/${ada.did}/api-keys/${await ownKeyId()}/revoke`),
    getWallet: get(`/api/v1/wallets/${ada.did}`),
    transfer: () => ada.write('/api/v1/transfers', { to: ben.did, amount: 2, fee: 1 }),
    withdraw: () => ada.write(`/api/v1/wallets/${ada.did}/actions/withdraw`, { amount: 3, to: `0x${'12'.repeat(20)}` }),
    getNonce: get(`/api/v1/nonce/${ada.did}`),
    async getTransaction() {
      const { eventHash } = await ada.pays(ben.did, 1);
      return client.get(`/api/v1/transactions/${eventHash}`);
    },
    getSupply: get('/api/v1/supply'),
    listWallets: get('/api/v1/wallets'),
    registerController: () =>
      client.post(`/api/v1/identities/${ada.did}/actions/register-controller`, { passphrase: ada.passphrase }),
    listTransactions: get(`/api/v1/wallets/${ada.did}/transactions`),
    listHomeWallets: get(`/api/v1/wallets/${ada.did}/homes`),
    getReputation: async () => {
      await finishedDeal(node, ada, ben);
      return client.get(`/api/v1/reputations/${ben.did}`);
    },
    listReviews: async () => {
      await finishedDeal(node, ada, ben);
      return client.get(`/api/v1/reputations/${ben.did}/reviews`);
    },
    async createReview() {
      const body = { target: ben.did, dimension: 'quality', score: 900, ref: await finishedDeal(node, ada, ben) };
      return ada.write(`/api/v1/reputations/${ben.did}/reviews`, body);
    },
    claimFaucet: () => client.post('/api/v1/faucet', { did: ben.did }),
    async listTaskBids() {
      const { listingId } = await publishesTask(ada);
      return client.get(`/api/v1/markets/tasks/${listingId}/bids`);
    },
    listEvents: get('/api/v1/events'),
    streamEvents: () => streamed(`${node.url}/api/v1/events/stream`),
    async getEvent() {
      const { events } = expectStatus(await client.get('/api/v1/events?limit=1'));
      return client.get(`/api/v1/events/${events[0].event.hash}`);
    },
    async getEventProof() {
      const { events } = expectStatus(await client.get('/api/v1/events?limit=1'));
      return client.get(`/api/v1/events/${events[0].event.hash}/proof`);
    },
    async getSignedEvent() {
      const { events } = expectStatus(await client.get('/api/v1/events?limit=1'));
      return client.get(`/api/v1/events/${events[0].event.hash}/signed`);
    },
    async listContractDisputes() {
      const { id } = await ada.does('/api/v1/contracts', { provider: ben.did, terms: {} });
      return client.get(`/api/v1/contracts/${id}/disputes`);
    },
    listMachines: get('/api/v1/machines'),
    getMachine: get('/api/v1/machines/escrow'),
    async getMachineHistory() {
      const { id } = await ada.does('/api/v1/contracts', { provider: ben.did, terms: {} });
      return client.get(`/api/v1/machines/contract/${id}/history`);
    },
    async getPermittedActions() {
      const { id } = await ada.does('/api/v1/contracts', { provider: ben.did, terms: {} });
      return client.get(`/api/v1/machines/contract/${id}/permitted`);
    },
    async getMachineState() {
      const { id } = await ada.does('/api/v1/contracts', { provider: ben.did, terms: {} });
      return (await node.keyed({ scope: 'read', did: ada.did })).get(`/api/v1/machines/contract/${id}/state`);
    },
    async getResourceProof() {
      const { id } = await ada.does('/api/v1/contracts', { provider: ben.did, terms: {} });
      return client.get(`/api/v1/machines/contract/${id}/proof`);
    },
    freezeAccount: turn('accounts', 'freeze'),
    unfreezeAccount: turn('accounts', 'unfreeze'),
    async withdrawFees() {
      await ada.pays(ben.did, 1, { fee: 1 });
      return admin.post('/api/v1/admin/fees/actions/withdraw', { to: ben.did, amount: 1 });
    },
    batch() {
      const paid = { ...ada.signed, to: ben.did, amount: 1 };
      const items = [paid, { ...paid, nonce: ada.nonce + 1, amount: 1_000_000 }].map((body) => ({
        path: '/api/v1/transfers',
        body,
      }));
      ada.nonce += 1;
      return client.post('/api/v1/batch', { items });
    },
    async submitEvent() {
      const holder = OwnKey.of(sha256('an agent that keeps its key'));
      await ada.pays(holder.did, 2);
      const asked = { did: holder.did, to: ben.did, amount: 1, memo: 'thanks', most: 1, prepare: true };
      const { prepared } = expectStatus(await client.post('/api/v1/transfers', asked));
      return client.post('/api/v1/events', signedBy(holder, prepared));
    },
    listLeaves: memo,
    async redactLeaf() {
      const [{ leaf }] = expectStatus(await memo()).leaves;
      return admin.post(`/api/v1/admin/leaves/${leaf}/actions/redact`, { reason: 'asked for by its author' });
    },
    unlockIdentity: turn('identities', 'unlock', { passphrase: ben.passphrase }),
    lockIdentity: turn('identities', 'lock'),
    startAudit: () => admin.post('/api/v1/audit'),
    getAudit: get('/api/v1/audit'),
    listAuditReports: get('/api/v1/audit/reports'),
    getAuditReport: () => reportOf(admin),
    listAdminLog: () => admin.get('/api/v1/admin/log'),
    listRequests: () => admin.get('/api/v1/admin/requests?method=POST&route=/api/v1/batch'),
    createApiKey: () => admin.post('/api/v1/admin/api-keys', { scope: 'read', label: 'a test' }),
    listApiKeys: () => admin.get('/api/v1/admin/api-keys'),
    getApiKey: async () => admin.get(`/api/v1/admin/api-keys/${await keyId()}`),
    revokeApiKey: async () => admin.post(`/api/v1/admin/api-keys/${await keyId()}/revoke`),
    deleteApiKey: async () => admin.delete(`/api/v1/admin/api-keys/${await keyId()}`),
    createWebhook: () => admin.post('/api/v1/webhooks', { url: nowhere }),
    listWebhooks: () => admin.get('/api/v1/webhooks'),
    getWebhook: async () => admin.get(await webhook()),
    listDeliveries: async () => admin.get(`${await webhook()}/deliveries`),
    enableWebhook: async () => admin.post(`${await webhook()}/actions/enable`),
    disableWebhook: async () => admin.post(`${await webhook()}/actions/disable`),
    rotateWebhookSecret: async () => admin.post(`${await webhook()}/actions/rotate-secret`, {}),
    testWebhook: async () => admin.post(`${await webhook()}/actions/test`),
    redeliverEvent: async () => admin.post(`${await webhook()}/actions/redeliver`, { seq: 1 }),
    deleteWebhook: async () => admin.delete(await webhook()),
    async getInfoContent() {
      const { listingId } = await dataset(ben);
      return client.get(`/api/v1/markets/info/${listingId}/content`);
    },
    async getInfoDelivery() {
      const { orderId } = await delivered(ada, ben);
      return (await node.keyed({ scope: 'read', did: ada.did })).get(`/api/v1/markets/info/orders/${orderId}/delivery`);
    },
    async openLease() {
      const pricing = { usagePrice: { unit: 'call', pricePerUnit: 2 } };
      const offer = { ...capabilityListing.create.example, pricing, quota: {} };
      const { listingId } = await ben.does('/api/v1/markets/capabilities', offer);
      const asked = { plan: { budget: 9 }, credentials: { token: 'let me in' } };
      const { leaseId } = await ada.does(`/api/v1/markets/capabilities/${listingId}/leases`, asked);
      const { did, passphrase } = ben;
      return client.post(`/api/v1/markets/capabilities/leases/${leaseId}/actions/open`, { did, passphrase });
    },
    async openOrder() {
      const { orderId } = await delivered(ada, ben);
      const { did, passphrase } = ada;
      return client.post(`/api/v1/orders/${orderId}/actions/open`, { did, passphrase });
    },
    async getOrder() {
      const { orderId } = await delivered(ada, ben);
      return client.get(`/api/v1/orders/${orderId}`);
    },
    listOrders: get('/api/v1/orders'),
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
}

async function dataset(seller: Person): Promise<Body> {
  const content = { format: 'text/csv', data: 'station,hour,mm' };
  return expectStatus(await seller.write('/api/v1/markets/info', { ...infoListing.create.example, content }), 201);
}

async function delivered(buyer: Person, seller: Person): Promise<Body> {
  const { listingId } = await dataset(seller);
  const base = `/api/v1/markets/info/${listingId}/actions`;
  const { orderId } = expectStatus(await buyer.write(`${base}/purchase`), 201);
  return expectStatus(await seller.write(`${base}/deliver`, { orderId }));
}

/** Create, list, read and each action of every kind, by the names of the derived routes. */
export async function derivedExercises(node: TestNode): Promise<Exercises> {
  const exercises: { [route: string]: () => Promise<Reply> } = {};
  for (const definition of requestedOf(catalogue)) {
    const stage = await openStage(node, definition);
    const name = title(definition.kind);
    if (!definition.create.internal) exercises[`create${name}`] = () => stage.tryToCreate();
    if (!definition.route.ownReads) exercises[`list${name}s`] = () => node.client.get(stage.base);
    if (!definition.route.ownReads)
      exercises[`get${name}`] = async () => node.client.get(`${stage.base}/${(await stage.create()).id}`);
    for (const action of stage.fixture.actions) {
      const route = hasSharedRoute(definition, action) ? `${action}Order` : `${action}${name}`;
      exercises[route] = () => anyAllowed(stage, action);
    }
  }
  return exercises;
}

async function anyAllowed(stage: NodeStage, action: string): Promise<Reply> {
  const [view, asked] = await allowedTry(stage, action);
  return stage.ask(view, asked);
}

/** The head of a stream's response; the stream itself has no end. */
function streamed(url: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, (answer) => {
      request.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: '', body: undefined });
    });
    request.on('error', reject);
  });
}
