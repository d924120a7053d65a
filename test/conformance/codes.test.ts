/**
 * Each operation gives every code that it lists (docs/reference/requests.md#the-description-of-the-api): its successful request
 * is spoilt in one way after another. Codes of states, roles and guards are met by the walk of each kind (states.campaign.ts);
 * those that need another situation by the tests that are named here.
 */

import { expect } from 'chai';
import type { Code } from '../../src/core/refusal.js';
import { refusalsOf } from '../../src/http/openapi/problems.js';
import { title } from '../../src/http/routes/derived-paths.js';
import { refusalsOfMachine } from '../../src/http/routes/derived-refusals.js';
import type { Route } from '../../src/http/server/route.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { hasSharedRoute } from '../../src/machines/dispute/order-actions.js';
import { FakeChain } from '../node/support/chain.js';
import { type Body, Client, type Reply, type Request, requestOf } from '../node/support/client.js';
import { OwnKey } from '../node/support/independent.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { nodeWithPeer } from '../node/support/with-peer.js';
import { withToyDeals } from '../world/toy-deal.js';
import { derivedExercises, type Exercises, ownExercises } from './exercises.js';

const notActive = ['LISTING_NOT_ACTIVE', 'INSUFFICIENT_BALANCE'] as const;
const undelivered = ['ORDER_INVALID_STATE', 'UNPROCESSABLE'] as const;

/** Codes that need more than one request, by the file of the test that makes them. */
const madeBy: { readonly [file: string]: { readonly [operation: string]: readonly Code[] } } = {
  'node/tasks': { createBid: ['LISTING_NOT_ACTIVE'], acceptBid: notActive },
  'node/market-codes': { createInfoOrder: notActive, createLease: notActive },
  'node/info-content': { getInfoDelivery: ['NOT_FOUND'], openOrder: undelivered },
  'node/erasing': { redactLeaf: ['UNPROCESSABLE'] },
  'signing/key-holders': { submitEvent: ['NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE', 'DID_INVALID'] },
  'node/other-clients': { openLease: ['NOT_FOUND'] },
  'peers/nodes/acts': { openLease: ['UNPROCESSABLE'] },
  'node/nonce': { getNonce: ['NOT_FOUND'] },
  'node/audits': { startAudit: ['CONFLICT'] },
  'node/own-api-keys': { createOwnApiKey: ['FORBIDDEN'] },
  'stories/contract/stages': { activateContract: ['INSUFFICIENT_BALANCE'] },
  'peers/reading-over-http': { getPermittedActions: ['FORBIDDEN'], getEventProof: ['UNPROCESSABLE'] },
};

/** A write that loses to other processes, or whose first request is under way in one; an id that several homes have. */
const mayConflict = ({ name, replay, method, refuses = [] }: Route): boolean =>
  replay !== undefined ||
  /^(freeze|unfreeze|withdrawFees|openOrder|openLease)/.test(name) ||
  (method === 'GET' && refuses.includes('CONFLICT'));

/** Codes that every operation may give. */
const always = [401, 429, 500, 503];
const stranger = (): string => OwnKey.fresh().did;

describe('Every listed code', () => {
  let node: TestNode;
  let exercises: Exercises;
  let admin: string;
  let reader: string;
  let ada: Person;
  let ben: Person;
  const met = new Map<string, Set<Code>>();

  before(async () => {
    for (const definition of machinesOf(catalogue)) {
      for (const name of Object.keys(definition.actions)) {
        const route = hasSharedRoute(definition, name) ? `${name}Order` : `${name}${title(definition.kind)}`;
        met.set(route, new Set([...(met.get(route) ?? []), ...refusalsOfMachine(definition, name)]));
      }
    }
    for (const codes of Object.values(madeBy)) {
      for (const [name, some] of Object.entries(codes)) met.set(name, new Set([...(met.get(name) ?? []), ...some]));
    }
    const chain = new FakeChain();
    chain.verdict = 'late';
    node = await TestNode.start({ parts: { settlement: chain, onChain: chain, catalogue: withToyDeals } });
    node.world.hold();
    [ada, ben] = [await node.rich(1_000), await node.person()];
    admin = (await node.key({ scope: 'admin' })).key;
    reader = (await node.key({ scope: 'read' })).key;
    const hands = { node, ada, ben, admin: node.client.keyed(admin) };
    exercises = { ...(await derivedExercises(node)), ...ownExercises(hands) };
  });
  after(() => node?.discard());

  it('of an operation that needs a chain is given without one', async () => {
    const chainless = await TestNode.start();
    const { did, passphrase } = await chainless.person();
    const { body } = await chainless.client.post(`/api/v1/identities/${did}/actions/register-controller`, {
      passphrase,
    });
    await chainless.discard();
    expect(body.code).to.equal('UNPROCESSABLE');
    met.set('registerController', new Set(['UNPROCESSABLE']));
  });

  it('of an operation on a peer is given without peers, and for a stranger', async () => {
    const nodes = [await nodeWithPeer(), await TestNode.start({ parts: { peerActs: undefined } })];
    for (const [name, action, body] of [
      ['limitPeer', 'limit', { tokens: 1 }],
      ['mirrorPeer', 'mirror', {}],
    ] as const) {
      const path = `/api/v1/node/peers/${stranger()}/actions/${action}`;
      const replies = nodes.map(async (each) => (await each.keyed({ scope: 'admin' })).post(path, body));
      const codes = (await Promise.all(replies)).map((reply) => reply.body.code as Code);
      expect(codes).to.deep.equal(['NOT_FOUND', 'UNPROCESSABLE']);
      met.set(name, new Set(codes));
    }
    for (const each of nodes) await each.discard();
  });

  it('is given, and no other code', async () => {
    const sent = new Map<Route, Request>();
    for (const route of node.running.routes) {
      const request = requestOf.get(await exercises[route.name]!());
      if (request) sent.set(route, request);
    }
    const [never, unlisted]: string[][] = [[], []];
    for (const [route, request] of sent) {
      const listed = refusalsOf(route);
      const given = await codesGiven(route, request);
      for (const code of listed) {
        const isMet = given.has(code) || met.get(route.name)?.has(code) || (code === 'CONFLICT' && mayConflict(route));
        if (!isMet) never!.push(`${route.name} ${code}`);
      }
      for (const code of given) if (!listed.includes(code)) unlisted!.push(`${route.name} ${code}`);
    }
    expect(sent.size, 'operations').to.be.above(150);
    expect(never!.join('\n'), 'listed, and never given').to.equal('');
    expect(unlisted!.join('\n'), 'given, and not listed').to.equal('');
  });

  async function codesGiven(route: Route, sent: Request): Promise<Set<Code>> {
    const given = new Set<Code>();
    const isOperators = route.scope === 'admin' || route.name.includes('OwnApiKey');
    const client = new Client(node.url, isOperators ? { 'X-Api-Key': admin } : {});
    const send = async (request: Request): Promise<Reply> => {
      const body = typeof request.body === 'object' ? await withNextNonce(request.body) : request.body;
      const reply = await client.send({ ...request, ...(body === undefined ? {} : { body }) });
      if (reply.status >= 400 && !always.includes(reply.status)) given.add(reply.body.code);
      return reply;
    };
    for (const request of spoiltPaths(route, sent)) await send(request);
    if (sent.method === 'DELETE') {
      await send({ ...sent, body: JSON.stringify('x'.repeat(1 << 20)) });
      await send({ ...sent, body: 'x', headers: { 'Content-Type': 'text/plain' } });
    }
    if (sent.method === 'POST') {
      for (const request of spoiltBodies(route, sent)) await send(request);
      await sendAnotherWithItsKey(route, sent, send);
    }
    client.close();
    return given;
  }

  /** Replaces the nonce by the signer's next one, which has advanced since the request was made. */
  async function withNextNonce(body: Body): Promise<Body> {
    if (typeof body.nonce !== 'number' || body.nonce === tooHigh || typeof body.did !== 'string') return body;
    const reply = await node.client.get(`/api/v1/wallets/${body.did}`);
    return reply.status === 200 ? { ...body, nonce: reply.body.nextNonce } : body;
  }
  const tooHigh = 1_000_000;

  function* spoiltPaths(route: Route, { method, path, body }: Request): Generator<Request> {
    const [plain = path] = path.split('?');
    const parts = plain.split('/');
    const isWrite = method === 'POST';
    yield { method, path: plain, ...(isWrite ? { body } : {}), headers: { 'X-Api-Key': reader } };
    for (const [i, part] of route.path.split('/').entries()) {
      if (!part.startsWith(':')) continue;
      const { [part.slice(1)]: _, ...others } = body ?? {};
      for (const value of ['%zz', 'none', `${parts[i]}x`, 'did:svc:zNo', stranger(), ben.did, node.did]) {
        const elsewhere = parts.map((each, j) => (i === j ? value : each)).join('/');
        yield { method, path: elsewhere, ...(isWrite ? { body: others } : {}) };
      }
    }
    const isOfAnyKind = route.path.includes(':kind/');
    for (const { kind } of isOfAnyKind ? machinesOf(catalogue) : []) {
      yield { method, path: route.path.replace(':kind', kind).replace(':id', 'none') };
    }
    for (const name of Object.keys(route.query?.refused ?? {}).slice(0, 1))
      yield { method, path: `${plain}?${name}=x` };
    for (const name of Object.keys(route.query?.fields ?? {})) {
      for (const value of ['did:svc:zNo', '%00', '-1', 'f'.repeat(64)])
        yield { method, path: `${plain}?${name}=${value}` };
    }
  }

  function* spoiltBodies(route: Route, { method, path, body = {} }: Request): Generator<Request> {
    yield { method, path, body: JSON.stringify('x'.repeat(1 << 20)) };
    yield { method, path, body: 'x', headers: { 'Content-Type': 'text/plain' } };
    yield { method, path, body: '{' };
    const members = Object.keys(route.body?.fields ?? {});
    const spoilt: Body = [
      { did: 'did:svc:zNo' },
      { did: stranger() },
      { to: 'did:svc:zNo' },
      { target: stranger() },
      { nonce: tooHigh },
      { resourcePrev: 'f'.repeat(64) },
      { prevDocHash: 'f'.repeat(64) },
      { orderId: 'ord-none' },
      { orderId: 'task-ord-none' },
      { amount: 2 ** 50, expiresAt: undefined },
      { milestones: [{ id: 'all', title: 'All', amount: 2 ** 50 }], payment: { totalAmount: 1 } },
      { credential: { ...body.credential, issuer: stranger() } },
      ...members.map((name) => ({ [name]: -1 })),
    ];
    for (const change of spoilt) {
      if (members.includes(Object.keys(change)[0]!)) yield { method, path, body: { ...body, ...change } };
    }
  }

  /** Sends another request with the Idempotency-Key that this request has used. */
  async function sendAnotherWithItsKey(
    { name, body: taken }: Route,
    { method, path, body = {} }: Request,
    send: (request: Request) => Promise<Reply>,
  ): Promise<void> {
    const isSigned = body.nonce !== undefined;
    const headers = { 'Idempotency-Key': isSigned ? 'of-a-contract' : `of-${name}` };
    const { did, passphrase, nonce } = body;
    const contract = { did, passphrase, nonce, provider: did === ben.did ? ada.did : ben.did, terms: {} };
    await send(
      isSigned ? { method, path: '/api/v1/contracts', body: contract, headers } : { method, path, body, headers },
    );
    const others: Body = {
      createIdentity: { passphrase: 'another good passphrase' },
      createWebhook: { url: 'http://another.invalid/' },
      claimFaucet: { did: ada.did },
      withdrawFees: { to: ada.did },
    };
    const another = others[name] ?? (taken?.fields?.label ? { label: 'another' } : {});
    const turned = name === 'rotateWebhookSecret' ? requestOf.get(await exercises[name]!())!.path : path;
    await send({
      method,
      path: turned.replace(`${ben.did}/actions`, `${ada.did}/actions`),
      body: { ...body, ...another },
      headers,
    });
  }
});
