/**
 * The order of refusals (docs/reference/errors.md#order-of-refusals): a request with every fault at once, then with one fault
 * fewer each time. Each must be refused for the first of its faults.
 */
import { expect } from 'chai';
import type { Code } from '../../src/core/refusal.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { until } from '../support/until.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Client, Headers } from './support/client.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const hash = 'f'.repeat(64);
const disk = { isFull: false };

async function storeOnFullDisk(dir: string): Promise<SqliteStore> {
  const store = await SqliteStore.open({ dir });
  const real = store.freeBytes.bind(store);
  store.freeBytes = async () => (disk.isFull ? 0 : real());
  return store;
}

/** In the order of docs/reference/errors.md#order-of-refusals. Without any fault the request is accepted. */
const faults: readonly (readonly [name: string, code: Code, says: RegExp])[] = [
  ['target', 'INVALID_REQUEST', /percent-encoding/],
  ['limit per address', 'RATE_LIMITED', /address/],
  ['unknown key', 'UNAUTHORIZED', /unknown/],
  ['limit per key', 'RATE_LIMITED', /key/],
  ['unknown route', 'NOT_FOUND', /unknown route/],
  ['wrong method', 'METHOD_NOT_ALLOWED', /has no GET/],
  ['scope', 'FORBIDDEN', /scope/],
  ['too large', 'PAYLOAD_TOO_LARGE', /bytes/],
  ['media type', 'UNSUPPORTED_MEDIA_TYPE', /json/],
  ['malformed JSON', 'INVALID_REQUEST', /JSON/],
  ['hostile JSON', 'INVALID_REQUEST', /__proto__/],
  ['missing field', 'INVALID_REQUEST', /reason/],
  ['disk full', 'SERVICE_UNAVAILABLE', /disk/],
  ['unknown resource', 'ESCROW_NOT_FOUND', /esc-none/],
  ['wrong passphrase', 'TRANSFER_NOT_ALLOWED', /passphrase/],
  ['another body under this Idempotency-Key', 'UNPROCESSABLE', /Idempotency-Key/],
  ['used nonce', 'CONFLICT', /nonce/],
  ['stale prev', 'CONFLICT', /^prev/],
  ['stale resourcePrev', 'CONFLICT', /^resourcePrev/],
  ['no party', 'FORBIDDEN', /escrow/],
  ['wrong state', 'ESCROW_INVALID_STATE', /is released/],
  ['rule not met', 'ESCROW_RULE_NOT_MET', /rule/],
  ['more than remains', 'UNPROCESSABLE', /remains/],
];

type Faults = ReadonlySet<string>;

describe('The order of refusals', () => {
  let node: TestNode;
  let depositor: Person;
  let beneficiary: Person;
  let eve: Person;
  let open: Body;
  let ended: Body;
  const keys: { [name: string]: string } = {};
  const spent = '203.0.113.66';

  before(async () => {
    node = await TestNode.start({
      store: storeOnFullDisk,
      variables: { SVC_NETWORK: 'testnet', SVC_TRUSTED_PROXIES: '127.0.0.1' },
    });
    const admin = await node.keyed({ scope: 'admin' });
    [depositor, beneficiary, eve] = [
      await node.rich(1_000, admin),
      await node.rich(10, admin),
      await node.rich(10, admin),
    ];
    for (const who of [depositor, beneficiary, eve]) {
      const used = { to: node.did, amount: 1 };
      await who.does('/api/v1/transfers', used, { 'Idempotency-Key': 'taken' });
    }
    const rules = {
      beneficiary: beneficiary.did,
      amount: 10,
      releaseRules: [{ type: 'manual' }],
      refundRules: [{ type: 'oracle' }],
      autoFund: true,
    };
    open = await depositor.does('/api/v1/escrows', rules);
    ended = await depositor.does('/api/v1/escrows', rules);
    ended.resourcePrev = (
      await depositor.does(`/api/v1/escrows/${ended.escrowId}/actions/release`, { amount: 10 })
    ).resourcePrev;
    keys.write = (await node.key({ scope: 'write' })).key;
    keys.read = (await node.key({ scope: 'read' })).key;
    keys.spent = (await node.key({ scope: 'read', limits: { reads: 1, writes: 1 } })).key;
    const tired = node.client.with({ 'X-Forwarded-For': '198.51.100.1' }).keyed(keys.spent);
    for (const method of ['GET', 'POST']) await tired.send({ method, path: '/api/v1/nowhere' });
    const guesser = node.client.with({ 'X-Forwarded-For': spent }).keyed('svck_guess');
    for (let i = 0; i < 60; i++) expectProblem(await guesser.post('/api/v1/transfers'), 'UNAUTHORIZED');
    for (let i = 0; i < 300; i++) expectProblem(await guesser.get('/api/v1/events'), 'UNAUTHORIZED');
  });
  after(async () => {
    disk.isFull = false;
    await node.discard();
  });

  const signerOf = (has: Faults): Person =>
    has.has('no party') ? eve : has.has('rule not met') ? depositor : beneficiary;

  function bodyOf(has: Faults): Body {
    if (has.has('too large')) return 'x'.repeat(1024 * 1024 + 1);
    if (has.has('malformed JSON')) return '{"amount":';
    const signer = signerOf(has);
    const escrow = has.has('wrong state') ? ended : open;
    const body = {
      ...signer.signed,
      amount: has.has('more than remains') ? 11 : 1,
      resourcePrev: has.has('stale resourcePrev') ? hash : escrow.resourcePrev,
      ...(has.has('missing field') ? {} : { reason: 'x' }),
      ...(has.has('wrong passphrase') ? { passphrase: 'a wrong passphrase' } : {}),
      ...(has.has('used nonce') ? { nonce: 1 } : {}),
      ...(has.has('stale prev') ? { prev: hash } : {}),
    };
    const text = JSON.stringify(body);
    return has.has('hostile JSON') ? `{"__proto__":{},${text.slice(1)}` : text;
  }

  function headersOf(has: Faults): Headers {
    const key = has.has('unknown key')
      ? 'svck_unknown'
      : has.has('limit per key')
        ? keys.spent!
        : has.has('scope')
          ? keys.read!
          : keys.write!;
    return {
      'X-Forwarded-For': has.has('limit per address') ? spent : '198.51.100.1',
      'X-Api-Key': key,
      'Content-Type': has.has('media type') ? 'text/plain' : 'application/json',
      ...(has.has('another body under this Idempotency-Key') ? { 'Idempotency-Key': 'taken' } : {}),
    };
  }

  async function send(client: Client, has: Faults) {
    const escrow = has.has('unknown resource') ? { escrowId: 'esc-none' } : has.has('wrong state') ? ended : open;
    const root = has.has('unknown route') ? '/api/v1/escrow' : '/api/v1/escrows';
    disk.isFull = has.has('disk full');
    // The node checks the disk every five seconds.
    node.world.skip(6_000);
    await until('the node has looked', async () => {
      const { reasons = [] } = (await node.client.get('/readyz')).body;
      return /disk/.test(reasons.join()) === disk.isFull;
    });
    return client.send({
      method: has.has('wrong method') ? 'GET' : 'POST',
      path: `${root}/${escrow.escrowId}/actions/refund${has.has('target') ? '%zz' : ''}`,
      headers: headersOf(has),
      ...(has.has('wrong method') ? {} : { body: bodyOf(has) }),
    });
  }

  for (const [index, [name, code, says]] of faults.entries()) {
    it(`${name}: ${code}, whatever else is wrong`, async () => {
      const before = await node.state();
      const has = new Set(faults.slice(index).map(([each]) => each));
      const problem = expectProblem(await send(node.client, has), code);
      expect(problem.detail).to.match(says);
      expect(await node.state()).to.deep.equal(before);
    });

    it(`${name} alone: ${code}`, async () => {
      // The limit per address counts wrong keys.
      const has = new Set(name === 'limit per address' ? [name, 'unknown key'] : [name]);
      expect(expectProblem(await send(node.client, has), code).detail).to.match(says);
    });
  }

  it('funds come last', async () => {
    const create = { amount: 5_000, releaseRules: [{ type: 'manual' }] };
    expectProblem(await eve.write('/api/v1/escrows', { ...create, beneficiary: eve.did }), 'UNPROCESSABLE');
    expectProblem(await eve.write('/api/v1/escrows', { ...create, beneficiary: node.did }), 'INSUFFICIENT_BALANCE');
    expectProblem(await eve.write('/api/v1/transfers', { to: eve.did, amount: 5_000 }), 'UNPROCESSABLE');
    const taken = { ...create, beneficiary: node.did, escrowId: open.escrowId };
    expectProblem(await eve.write('/api/v1/escrows', taken), 'CONFLICT');
  });

  it('without a fault it is accepted', async () => {
    expectStatus(await send(node.client, new Set()));
  });
});
