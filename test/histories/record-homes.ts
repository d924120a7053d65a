/** Two homes that follow each other, and the demo in one of them, as the program of this checkout writes them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from '../../packages/client/src/index.js';
import { bounds } from '../../src/core/bounds.js';
import { assert } from '../../src/core/refusal.js';
import { SqliteConnection } from '../../src/store/sqlite/connection.js';
import { databaseFile } from '../../src/store/sqlite/durable.js';
import { OwnNode } from '../../scripts/demo/own-node.js';
import { waitFor } from '../../scripts/demo/stage.js';
import { homes, type KeptPeople, pack, passphrase } from './release.js';

const listening = { SVC_LISTEN: '/ip4/127.0.0.1/tcp/0', SVC_PEERS_ALONE: '1' };

/** What runs, without the maps to its sources. @returns bytes */
export function recordProgram(release: string): number {
  const dir = mkdtempSync(join(tmpdir(), 'svc-program-'));
  try {
    const [from, to] = ['dist/program', join(dir, 'dist', 'program')];
    cpSync(from, to, { recursive: true, filter: (file) => !/\.(map|md)$/.test(file) });
    cpSync('package.json', join(dir, 'package.json'));
    return pack(release, 'program', dir, ['dist', 'package.json']);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

interface Listed {
  readonly listens: readonly [string];
  readonly peers: readonly { readonly status: string }[];
}

const listed = async (node: OwnNode): Promise<Listed> =>
  JSON.parse((await node.command('peers', 'list', '--json')).output) as Listed;

/** @returns bytes of each */
export async function recordHomes(release: string): Promise<readonly number[]> {
  const [alba, brig] = [await OwnNode.start(listening), await OwnNode.start({ ...listening, SVC_CHAIN: 'none' })];
  try {
    for (const [one, other] of [
      [alba, brig],
      [brig, alba],
    ] as const)
      await one.command('peers', 'add', (await listed(other)).listens[0], '--json');
    const demo = spawnSync(process.execPath, ['dist/scripts/demo/demo.js', '--url', alba.url], { stdio: 'inherit' });
    assert(demo.status === 0, 'the demo is played');
    await paid(alba, brig);
    await filled(alba);
    for (const node of [alba, brig]) {
      const isCurrent = ({ peers }: Listed) => peers.length === 1 && peers[0]!.status === 'current';
      await waitFor(() => listed(node), isCurrent, 'the homes follow each other');
    }
    return await Promise.all([alba, brig].map(async (node, index) => {
      assert((await node.end('SIGTERM')) === 0, 'the node stops');
      if (node === alba) emptied(node.dir);
      const lasting = readdirSync(node.dir).filter((file) => !/^(lock|api|clock)\.|-(wal|shm)$|\.sock$/.test(file));
      return pack(release, homes[index]!, node.dir, lasting);
    }));
  } finally {
    for (const node of [alba, brig]) await node.discard();
  }
}

/** A person at each home has Tokens at both. */
async function paid(alba: OwnNode, brig: OwnNode): Promise<void> {
  const people: { [home: string]: string } = {};
  const clients = [new Client({ url: alba.url }), new Client({ url: brig.url })];
  for (const [index, client] of clients.entries()) {
    const { did } = await client.identities.create(passphrase);
    await client.faucet.claim(did);
    people[homes[index]!] = did;
  }
  const { alba: ada, brig: ben } = people as unknown as KeptPeople;
  await clients[0]!.as({ did: ada, passphrase }).wallets.transfer({ to: ben, amount: 20, memo: 'for Ben' });
  await clients[1]!.as({ did: ben, passphrase }).wallets.transfer({ to: ada, amount: 20 });
  writeFileSync(join(alba.dir, 'people.json'), JSON.stringify(people));
}

/** Without the pages of entries that lie in a segment now: they don't compress. */
function emptied(dir: string): void {
  const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: 1_000 });
  connection.exec('VACUUM');
  connection.close();
}

/** So many payments that old entries lie in a segment. */
async function filled({ url }: OwnNode): Promise<void> {
  const client = new Client({ url });
  const two = [await client.identities.create(passphrase), await client.identities.create(passphrase)];
  for (const { did } of two) await client.faucet.claim(did);
  const payers = two.map(({ did }) => client.as({ did, passphrase }));
  const some = Array.from({ length: 50 }, () => 1);
  for (let entries = 0; entries < 2 * bounds.segmentEntries; entries += 100)
    for (const [index, payer] of payers.entries())
      await payer.batch(some.map((amount) => ({ wallets }: Client) => wallets.transfer({ to: two[1 - index]!.did, amount })));
}
