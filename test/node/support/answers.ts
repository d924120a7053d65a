/** Expectations that apply to any reply (docs/reference/requests.md). */
import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { type Code, codes } from '../../../src/core/refusal.js';
import { until } from '../../support/until.js';
import type { Body, Reply } from './client.js';

/** Expects this status and returns the body; a failure shows the reply. */
export function expectStatus(reply: Reply, status: number | readonly number[] = 200): Body {
  const wanted = typeof status === 'number' ? [status] : status;
  expect(wanted, `${reply.status}: ${reply.text.slice(0, 500)}`).to.include(reply.status);
  return reply.body;
}

/** Expects a complete problem document with this code. */
export function expectProblem(reply: Reply, code: Code, more: Body = {}): Body {
  const { body, status, headers } = reply;
  expect(`${status} ${body?.code}`, reply.text.slice(0, 500)).to.equal(`${codes[code][0]} ${code}`);
  expect(headers['content-type']).to.match(/^application\/problem\+json/);
  expect(body.type).to.match(new RegExp(`/${codes[code][1]}$`));
  expect(body).to.include({ status, ...more });
  for (const member of ['title', 'detail', 'instance', 'requestId']) {
    expect(body[member], member).to.be.a('string').that.is.not.empty;
  }
  expect(headers['x-request-id']).to.equal(body.requestId);
  if (status === 429 || status === 503) expect(Number(headers['retry-after'])).to.be.greaterThan(0);
  if (code === 'INVALID_REQUEST') {
    expect(body.errors).to.be.an('array').that.is.not.empty;
    for (const { field } of body.errors) expect(body.detail.length, field).to.be.greaterThan(0);
  }
  return body;
}

/** Waits until the value is read: on a shared database the ledger's rows follow an entry of the clock a moment later. */
export async function expectSoon(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  await until(`it is ${inspect(expected)}`, read, { is: (seen) => isDeepStrictEqual(seen, expected), everyMs: 1 });
}

/** Expects INVALID_REQUEST with the name of the field. */
export function expectInvalid(reply: Reply, field: string, code: Code = 'INVALID_REQUEST'): Body {
  const body = expectProblem(reply, code);
  expect(body.errors?.map((each: Body) => each.field)).to.include(field);
  expect(body.detail).to.include(field.split('.').at(-1));
  return body;
}

/** Expects what every write's reply has. */
export function expectWritten(body: Body, nonce?: number): void {
  expect(body.eventHash).to.match(/^[0-9a-f]{64}$/);
  expect(body.txHash).to.match(/^0x[0-9a-f]{64}$/);
  expect(body.nonce).to.be.a('number');
  if (nonce !== undefined) expect(body.nonce).to.equal(nonce);
  expect(body).not.to.have.property('data');
}

/** Expects the pagination object of a list. */
export function expectPage(pagination: Body, expected: Body = {}): void {
  expect(pagination).to.include.all.keys('total', 'limit', 'offset', 'hasMore', 'page', 'pageSize');
  expect(pagination.pageSize).to.equal(pagination.limit);
  expect(pagination).to.include(expected);
}
