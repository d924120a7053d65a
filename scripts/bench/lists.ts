/** Lists with their exact totals, of a DID that has many resources. */
import { realEnvironment as world } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { startNode } from './support/contest.js';
import { escrows } from './support/escrows.js';
import { options } from './support/options.js';
import { atMost, median, millis, table } from './support/report.js';

const targetMs = 100;

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

export async function read(url: string): Promise<string> {
  const reply = await fetch(url);
  const text = await reply.text();
  assert(reply.status < 300, `the node answered ${reply.status} ${text.slice(0, 500)} to ${url}`);
  return text;
}
