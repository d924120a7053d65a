/** The text output of replies: a sentence after a write, tables in a pipe and on a terminal, names and values. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { parse } from 'yaml';
import { scratch, tidy } from '../../support/scratch.js';
import { runHere } from '../support/here.js';

const did = `did:svc:z6Mk${'a'.repeat(44)}`;
const ben = `did:svc:z6Mk${'b'.repeat(44)}`;
const at = Date.UTC(2026, 10, 21, 4, 20);
const hash = 'f'.repeat(64);
const txHash = `0x${'c'.repeat(64)}`;
const escrow = {
  ...{ escrowId: 'esc-1', id: 'esc-1', status: 'created', lapsed: true, amount: 40, remaining: 3, createdAt: at },
  ...{ depositor: did, beneficiary: ben, releaseRules: [{ id: 'rule-1', type: 'manual' }] },
};

describe('svc-node, answers for people', () => {
  let answer: object;
  /** What DIDs call themselves; undefined: the node does not say. */
  let names:
    | readonly { did: string; displayName: string | null; home?: string | null; part?: string | null }[]
    | undefined;
  const server: Server = createServer((request, response) => {
    const isEntry = request.url?.startsWith(`/api/v1/events/${hash}`);
    const said = isEntry ? { seq: 9971 } : request.url?.endsWith('/nonce') ? { nextNonce: 1 } : answer;
    if (/^\/api\/v1\/(names|lookup)\?/.test(request.url ?? '')) {
      const matches = names?.map((each) => ({ ...each, what: 'identity', id: each.did }));
      return response.writeHead(names ? 200 : 503).end(JSON.stringify({ names, matches }));
    }
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(said));
  });
  let preferences: string;
  before(async () => {
    preferences = join(scratch(), 'cli.json');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await tidy();
  });

  async function run(words: string, reply: object, more: NodeJS.ProcessEnv = {}) {
    answer = reply;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { SVC_NODE_DID: did, SVC_PASSPHRASE: 'a passphrase of nobody', ...more };
    const end = await runHere([...words.split(' '), '--url', url, '--data', scratch()], env);
    expect(end.code, end.stderr).to.equal(0);
    return end;
  }
  const said = async (words: string, reply: object) => (await run(words, reply)).stdout.trimEnd().split('\n');

  /** Output as on a terminal of this width, without colours. */
  async function seen(words: string, reply: object, columns: number) {
    const { isTTY, columns: before } = process.stdout;
    Object.assign(process.stdout, { isTTY: true, columns });
    try {
      const { stdout, stderr } = await run(words, reply, { NO_COLOR: '1', SVC_NODE_PREFERENCES: preferences });
      return { lines: stdout.trimEnd().split('\n'), stderr };
    } finally {
      Object.assign(process.stdout, { isTTY: before === undefined ? undefined : isTTY, columns: before });
    }
  }

  it('are a sentence after a write: what happened, what is left, and where it is recorded', async () => {
    const released = { eventHash: hash, txHash, amount: 2, to: ben, status: 'confirmed', blockNumber: 7 };
    expect(
      await said('escrow release esc-1 --amount 2 --resource-prev x', {
        ...released,
        escrow: { remaining: 3, status: 'funded' },
      }),
    ).to.deep.equal([`Released 2 to ${ben}; 3 remain (funded). Entry 9971, transaction ${txHash} confirmed.`]);
    const paused = { eventHash: hash, txHash: `0x${hash}`, listingId: 'lst-1', status: 'paused', ignored: ['colour'] };
    expect(await said('info pause lst-1 --resource-prev x', paused)).to.deep.equal([
      'Paused listing lst-1 (paused). Entry 9971. Ignored: colour.',
    ]);
    // A secret that is shown only once is never left out.
    const made = { ...paused, ignored: [], status: 'active', contentKeyHex: 'ab12' };
    const full = await said('info pause lst-1 --resource-prev x --output full', made);
    expect(full).to.include('contentKeyHex  ab12');
    expect(await said('info resume lst-1 --resource-prev x', made)).to.deep.equal([
      'Resumed listing lst-1 (active). Entry 9971.',
      'contentKeyHex: ab12',
    ]);
  });

  it('are whole values between tabs in a pipe', async () => {
    expect(await said('escrow list', { escrows: [escrow], total: 1 })).to.deep.equal([
      'ESCROW\tSTATUS\tAMOUNT\tLEFT\tFROM\tTO\tCREATED',
      `esc-1\tcreated · lapsed\t40\t3\t${did}\t${ben}\t2026-11-21T04:20:00.000Z`,
    ]);
    const event = { type: 'escrow.created', issuer: did, hash, sig: 'x' };
    expect(await said('event list', { events: [{ seq: 7, time: at, home: did, event }], next: null })).to.deep.equal([
      'ENTRY\tTYPE\tBY\tHASH\tTIME',
      `7\tescrow.created\t${did}\t${hash}\t2026-11-21T04:20:00.000Z`,
    ]);
    const listing = (pricing: object) => ({ listingId: 'lst-1', title: '雨\t量', status: 'active', pricing });
    const prices = [
      { price: 3 },
      { usagePrice: { unit: 'call', pricePerUnit: 2 } },
      { subscriptionPrice: { period: 'month', price: 9 } },
      { priceRange: { min: 1, max: 5 } },
    ];
    expect(await said('info list', { listings: prices.map(listing), total: 4 })).to.deep.equal([
      'LISTING\tSTATUS\tTITLE\tPRICE',
      ...['3', '2 / call', '9 / month', '1 – 5'].map((price) => `lst-1\tactive\t雨\ufffd量\t${price}`),
    ]);
    const foreign = { ...listing({ price: 3 }), home: ben };
    expect(await said('info list', { listings: [listing({ price: 2 }), foreign], total: 2 })).to.deep.equal([
      'LISTING\tSTATUS\tTITLE\tPRICE\tHOME',
      ...['2\t', `3\t${ben}`].map((rest) => `lst-1\tactive\t雨\ufffd量\t${rest}`),
    ]);
  });

  it('show nested members in words, and their times', async () => {
    const dispute = {
      ...{
        disputeId: 'dsp-1',
        status: 'open',
        fallbackFrom: at,
        dimensions: { quality: { score: 900, updatedAt: at } },
      },
      ...{ parties: [{ role: 'client' }, { role: 'provider', since: null }], rule: [{ type: 'time', after: at }] },
    };
    expect(await said('dispute get dsp-1', dispute)).to.deep.equal([
      ...['disputeId                     dsp-1', 'status                        open'],
      'fallbackFrom                  2026-11-21 04:20:00Z',
      ...['dimensions.quality.score      900', 'dimensions.quality.updatedAt  2026-11-21 04:20:00Z'],
      'parties                       role client; role provider',
      'rule                          type time, after 2026-11-21 04:20:00Z',
    ]);
  });

  it('say what is reserved and agreed where nothing is locked yet', async () => {
    const reserved = { escrowId: 'esc-1', status: 'created', lapsed: false, amount: 25, remaining: 0 };
    expect((await said('escrow list', { escrows: [reserved], total: 1 }))[1]).to.equal('esc-1\tcreated\t25\t25');
    const draft = { contractId: 'ctr-1', status: 'draft', amount: 0, payment: { totalAmount: 17 }, released: 0 };
    expect((await said('contract list', { contracts: [draft], total: 1 }))[1]).to.match(/^ctr-1\tdraft\t17\t0/);
  });

  it('say where a text was erased', async () => {
    const listing = { listingId: 'lst-1', status: 'active', title: null, pricing: { price: 3 }, erased: ['title'] };
    expect((await said('info list', { listings: [listing], total: 1 }))[1]).to.equal('lst-1\tactive\terased\t3');
    const delivered = {
      erased: ['title', 'evidence/0'],
      evidence: [null, 'a receipt'],
      delivery: { note: null, erased: ['note'] },
    };
    expect(await said('info get lst-1', { ...listing, ...delivered })).to.deep.equal([
      ...['listingId      lst-1', 'status         active', 'title          erased', 'pricing.price  3'],
      ...['evidence       erased, a receipt', 'delivery.note  erased'],
    ]);
    const input = { memo: null, amount: 7 };
    const entry = {
      seq: 7,
      payload: { kind: 'account', input },
      leaves: { '/memo': { leaf: hash, size: 5, erased: true } },
    };
    expect(await said(`event get ${'e'.repeat(64)}`, entry)).to.include('payload.input.memo    erased');
  });

  it('are columns on a terminal, with names of the address book, and say what did not fit', async () => {
    writeFileSync(preferences, JSON.stringify({ addresses: { ben } }));
    const { lines } = await seen('escrow list', { escrows: [escrow], total: 1 }, 120);
    expect(lines).to.deep.equal([
      'ESCROW  STATUS            AMOUNT  LEFT  FROM          TO   CREATED',
      'esc-1   created · lapsed      40     3  z6Mkaaa…aaaa  ben  2026-11-21 04:20:00Z',
    ]);
    const narrow = await seen('escrow list', { escrows: [escrow], total: 1 }, 60);
    expect(narrow.lines[0]).to.equal('ESCROW  STATUS            AMOUNT  LEFT  FROM          TO');
    expect(narrow.stderr).to.equal('Not shown: CREATED. --wide shows all columns.\n');
    const wide = await seen('escrow list --wide', { escrows: [escrow], total: 1 }, 60);
    expect(wide.lines[1]).to.include(did).and.include('2026-11-21 04:20:00Z');
  });

  it('show what DIDs call themselves with the end of the DID and another home, on a terminal alone', async () => {
    const other = `did:svc:z6Mk${'d'.repeat(44)}`;
    const home = `did:svc:z6MkTagOfHome${'h'.repeat(35)}`;
    names = [
      { did: other, displayName: '\u202eDora\u0007', home, part: null },
      { did, displayName: null, home: null, part: 'node' },
    ];
    const reply = { escrows: [{ ...escrow, beneficiary: other }], total: 1 };
    const { lines } = await seen('escrow list', reply, 160);
    expect(lines[1]).to.include('this node').and.include('\ufffdDora\ufffd …dddd ~TagOfHom');
    const { lines: facts } = await seen('escrow get esc-1', reply.escrows[0]!, 160);
    expect(facts.join('\n')).to.include(`${other} (\ufffdDora\ufffd …dddd ~TagOfHom)`);
    expect((await said('escrow list', reply))[1])
      .to.include(other)
      .and.not.include('Dora');
    names = undefined;
    expect((await seen('escrow list', reply, 160)).lines[1]).to.include('z6Mkddd…dddd');
  });

  it('say of a name that a DID takes that it looks like that of another one, if the node answers', async () => {
    const other = `did:svc:z6Mk${'d'.repeat(44)}`;
    for (const [known, isAlike] of [
      [[{ did: other, displayName: 'dora' }], true],
      [[{ did: other, displayName: 'Theodora' }], false],
      [[{ did, displayName: 'Dora' }], false],
      [undefined, false],
    ] as const) {
      names = known;
      const document = JSON.stringify({ displayName: 'Dora' });
      const update = `identity update ${did} --document ${document} --prev-doc-hash ${hash}`;
      const { stderr } = await run(update, { did, docHash: hash });
      expect(stderr.includes(`“Dora” looks like the name of ${other}.`), JSON.stringify(known)).to.equal(isAlike);
    }
    names = undefined;
  });

  it('mark a name that looks like that of another DID', async () => {
    const other = `did:svc:z6Mk${'d'.repeat(44)}`;
    const reply = { escrows: [{ ...escrow, beneficiary: other }], total: 1 };
    const [dora, node] = [
      { did: other, displayName: 'Dora', home: null, part: null },
      { did, displayName: null, home: null, part: 'node' },
    ];
    for (const [own, isMarked] of [
      [{ did, displayName: 'Dоra', home: null, part: null }, true],
      [{ did, displayName: 'Theodora', home: null, part: null }, false],
      [node, false],
    ] as const) {
      names = [dora, own];
      const { lines, stderr } = await seen('escrow list', reply, 160);
      expect(lines[1]!.includes('Dora …dddd ≈'), own.displayName ?? 'none').to.equal(isMarked);
      expect(stderr.includes('≈ another DID has a name that looks like it.')).to.equal(isMarked);
    }
    names = [{ ...dora, displayName: 'Thіs node' }, node];
    expect((await seen('escrow list', reply, 160)).lines[1])
      .to.include('Thіs node …dddd ≈')
      .and.not.include('this node ≈');
    names = undefined;
  });

  it('give nested values their path as a name, and long lists a table', async () => {
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
      'ACTION\tPERMITTED\tREFUSED\tWHY',
      'fund\tdepositor\t\t',
      'release\t\tarbiter, claimant\tESCROW_INVALID_STATE',
    ]);
    const permittedActions = {
      depositor: [
        { action: 'release', open: [] },
        { action: 'refund', open: [] },
      ],
    };
    const one = await said('escrow get esc-1', { ...escrow, permittedActions });
    expect(one).to.include('permittedActions  depositor: release, refund').and.not.include('id                esc-1');
  });

  it('are JSON or YAML where that is asked for', async () => {
    const odd = { a: 'yes', b: '1', c: 'x: y', d: [], e: [{ f: null, g: [[1, 'z']] }], h: '', 'i j': 'k\n"l"', m: {} };
    expect(JSON.parse((await run('escrow get esc-1 --output json', odd)).stdout)).to.deep.equal(odd);
    expect(parse((await run('escrow get esc-1 --output yaml', odd)).stdout)).to.deep.equal(odd);
  });
});
