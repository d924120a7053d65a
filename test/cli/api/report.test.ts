/** What people read of an answer: names and values, tables with what they look for. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { scratch, tidy } from '../../support/scratch.js';
import { runHere } from '../support/here.js';

const did = `did:svc:z6Mk${'a'.repeat(44)}`;
const at = Date.UTC(2026, 10, 21, 4, 20);

describe('svc-node, answers for people', () => {
  let answer: object;
  const server: Server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  });
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await tidy();
  });

  async function said(words: string, reply: object): Promise<string[]> {
    answer = reply;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const end = await runHere([...words.split(' '), '--url', url, '--data', scratch()]);
    expect(end.code, end.stderr).to.equal(0);
    return end.stdout.trimEnd().split('\n');
  }

  it('show of an event what it says, and of a listing what it costs', async () => {
    const event = { type: 'escrow.created', issuer: did, hash: 'f'.repeat(64), sig: 'x' };
    const events = [{ seq: 7, time: at, salt: 'x', home: did, event }];
    expect(await said('event list', { events, next: null, head: 7 })).to.deep.equal([
      'SEQ  HASH           TYPE            ISSUER                 TIME',
      '7    ffffffffffff…  escrow.created  did:svc:z6Mkaa…aaaaaa  2026-11-21 04:20:00Z',
    ]);
    const listing = (pricing: object) => ({ listingId: 'lst-1', title: '雨量', status: 'active', pricing });
    const prices = [
      { price: 3 },
      { usagePrice: { unit: 'call', pricePerUnit: 2 } },
      { subscriptionPrice: { period: 'month', price: 9 } },
      { priceRange: { min: 1, max: 5 } },
    ];
    expect(await said('info list', { listings: prices.map(listing), total: 4 })).to.deep.equal([
      'LISTING ID  TITLE  STATUS  PRICE',
      ...['3', '2 / call', '9 / month', '1 – 5'].map((price) => `lst-1       雨量   active  ${price}`),
    ]);
  });

  it('give what lies deeper its way for a name, and many things a table of their own', async () => {
    const actions = [
      { action: 'fund', summary: 'x', event: 'y', roles: [{ role: 'depositor', permitted: true, open: [] }] },
      {
        ...{ action: 'release', summary: 'x', event: 'y' },
        roles: ['arbiter', 'claimant'].map((role) => ({ role, permitted: false, code: 'ESCROW_INVALID_STATE' })),
      },
    ];
    const reply = { kind: 'escrow', label: '', types: ['a', 'b'], chain: { kind: 'none', lag: 0 }, actions };
    expect(await said('machine permitted escrow esc-1', reply)).to.deep.equal([
      'kind        escrow',
      'label       –',
      'types       a, b',
      'chain.kind  none',
      'chain.lag   0',
      '',
      'ACTIONS',
      'ACTION   PERMITTED  REFUSED            WHY',
      'fund     depositor  –                  –',
      'release  –          arbiter, claimant  ESCROW_INVALID_STATE',
    ]);
  });
});
