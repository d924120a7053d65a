/** Lists with their exact totals, of a DID that has many resources, and pages of long ones. */
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment as world } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { startNode } from './support/contest.js';
import { escrows } from './support/escrows.js';
import { Line } from './support/line.js';
import type { Counters } from './support/node-process.js';
import { options } from './support/options.js';
import { founded } from './support/people.js';
import { atMost, count, median, millis, table } from './support/report.js';
import { Payers } from './support/traffic.js';

const targetMs = 100;
const targetDelayMs = 50;
/** Contracts as long as a request may be, about. */
const longContracts = 12;
const text = (characters: number, index: number) => `${index} `.padEnd(characters, 'long ');
const milestones = Array.from({ length: 50 }, (_, index) => ({
  ...{ id: `m${index}`, title: `part ${index}`, amount: 1 },
  ...{ description: text(3_900, index), criteria: text(8_000, index) },
}));

/** What lists of resources can be narrowed and sorted by, for a DID that is a party of all of them. */
const narrowed = [
  '',
  'role=depositor',
  'status=created',
  'status=funded',
  'minAmount=1',
  'createdFrom=1577836800000',
  'updatedFrom=1577836800000',
  'status=created&minAmount=1&updatedFrom=1577836800000',
];
const sorts = ['newest', 'oldest', 'updated', 'amount_desc', 'amount_asc'];

export async function lists(): Promise<void> {
  await totals();
  await longPages();
}

async function totals(): Promise<void> {
  const { dir, depositor } = await escrows();
  const { child, url } = await startNode(dir);
  const paths = [
    ...narrowed.flatMap((query) => sorts.map((sort) => `/escrows?did=${depositor.did}&${query}&sort=${sort}`)),
    ...['status=created', 'minAmount=1', 'updatedFrom=1577836800000', 'status=created&minAmount=1'].flatMap((query) =>
      ['newest', 'updated', 'amount_asc'].map((sort) => `/escrows?${query}&sort=${sort}`),
    ),
    ...['all', 'escrow', 'sent'].map((type) => `/wallets/${depositor.did}/transactions?type=${type}`),
    '/wallets?',
  ];
  const measured = new Map(paths.map((path) => [path, [] as number[]]));
  for (let round = -1; round < options.rounds; round++) {
    for (const [path, times] of measured) {
      const from = world.monotonic();
      await read(`${url}/api/v1${path}&limit=20`);
      if (round >= 0) times.push(world.monotonic() - from);
    }
  }
  await child.stop();
  table(
    `Lists with totals, ${options.resources} escrows of one DID`,
    [...measured].map(([path, times]) => atMost(path.replace(depositor.did, '…'), median(times), targetMs, millis)),
  );
}

/** Pages of long contracts, read by a party, who sees their texts: how long a page keeps other requests waiting. */
async function longPages(): Promise<void> {
  const { dir, people } = await founded(2);
  const { child, url } = await startNode(dir);
  const [{ did, passphrase }, provider] = [people[0]!, people[1]!.did];
  const payers = new Payers(people);
  const line = await Line.open(url);
  for (let index = 0; index < longContracts; index++) {
    const contract = {
      provider,
      milestones,
      terms: { scope: 'a benchmark' },
      payment: { totalAmount: milestones.length },
    };
    const { status, body } = await line.send(payers.post('/api/v1/contracts', 0, contract, line.host));
    assert(status < 300, `the node answered ${status} ${body}`);
  }
  line.close();
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${url}/api/v1/identities/${did}/api-keys`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ passphrase }) },
  });
  const { key } = (await made.json()) as { key: string };
  const page = `${url}/api/v1/contracts?did=${did}&limit=100`;
  const { length } = await read(page, { 'x-api-key': key });
  const delays: number[] = [];
  for (let round = -1; round < options.rounds; round++) {
    await child.ask<Counters>({ ask: 'counters' });
    await Promise.all(Array.from({ length: bounds.pagesPerCaller }, () => read(page, { 'x-api-key': key })));
    const { loopDelayMost } = await child.ask<Counters>({ ask: 'counters' });
    if (round >= 0) delays.push(loopDelayMost);
  }
  await child.stop();
  table(`Pages of contracts of ${milestones.length} milestones, ${bounds.pagesPerCaller} at once`, [
    { what: 'characters of a page', measured: count(length) },
    atMost('the event loop is held at most, worst round', Math.max(...delays), targetDelayMs, millis),
  ]);
}

export async function read(url: string, headers: { readonly [name: string]: string } = {}): Promise<string> {
  const reply = await fetch(url, { headers });
  const text = await reply.text();
  assert(reply.status < 300, `the node answered ${reply.status} ${text.slice(0, 500)} to ${url}`);
  return text;
}
