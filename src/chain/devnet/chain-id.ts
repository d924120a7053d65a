/**
 * The id of a chain that the node runs itself. It differs per network and per data directory, so that a transaction of
 * one can't be replayed on another, and so that whoever answers on a port can be told from everybody else.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileDurably } from '../../durable-file.js';
import { sha256Hex } from '../../machines/kernel/canonical.js';
import type { World } from '../../world.js';

/** Far above the ids of public chains, below what wallets take (2^52). */
const firstOf: { readonly [network: string]: number } = { devnet: 1e14, testnet: 2e14, mainnet: 3e14 };
const idBytes = 16;
const isId = /^[0-9a-f]{32}$/;

/** @param folder the chain's own in the data directory; made where it is missing */
export async function localChainId(folder: string, network: string, world: World): Promise<number> {
  const id = await directoryId(folder, world);
  return (firstOf[network] ?? 4e14) + Number.parseInt(sha256Hex(`svc:chain:v1:${network}:${id}`).slice(0, 10), 16);
}

/** A random name that the directory keeps. One that can't be read is made anew: the chain is a cache, and starts again. */
async function directoryId(folder: string, world: World): Promise<string> {
  const file = join(folder, 'id');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (isId.test(found)) return found;
  const made = Buffer.from(world.random(idBytes)).toString('hex');
  await writeFileDurably(file, `${made}\n`);
  return made;
}
