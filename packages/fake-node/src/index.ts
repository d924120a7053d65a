/**
 * `svc-node/fake-node`: a node for the unit tests of programs that use one. Machines, signatures, journal and HTTP API are
 * those of a real node; the ledger is in memory, the clock is the test's, and no chain settles.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSettlement } from '../../../src/chain/settlement/settlement.js';
import { parseDid } from '../../../src/core/codecs/did.js';
import { pause, realEnvironment } from '../../../src/core/environment.js';
import { createLog } from '../../../src/core/log.js';
import { assert, isRefusal } from '../../../src/core/refusal.js';
import { type Config, loadConfig } from '../../../src/node/config/config.js';
import type { RunningNode } from '../../../src/node/dependencies.js';
import { openNode } from '../../../src/node/node.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { Client } from '../../client/src/index.js';
import { cheapKdf } from './cheap-kdf.js';
import { MovableClock } from './movable-clock.js';

export interface FakeNodeOptions {
  /** What the node's clock shows at the start, epoch milliseconds; default the real time. */
  readonly now?: number;
}

export interface FakeNode {
  /** Without a signer; `client.as(…)` gives it one. */
  readonly client: Client;
  /** Where the node listens on this machine, for programs that take a URL. */
  readonly url: string;
  /** The node's own DID, its `home`. */
  readonly did: string;
  /** The node's clock, epoch milliseconds. It runs at the pace of the real one. */
  now(): number;
  /**
   * Puts the node's clock forward by so many milliseconds. When the promise resolves, the node has acted on the deadlines that
   * have passed: escrows have expired, for example.
   */
  advance(ms: number): Promise<void>;
  /**
   * Creates an identity. @param tokens that it has; default none
   * @returns a client that signs its writes; its `did` is the identity's
   */
  person(tokens?: number): Promise<Client>;
  /** Gives any number of Tokens to a DID, without the limits of the faucet. */
  fund(did: string, tokens: number): Promise<void>;
  /** Stops the node and forgets all of it. */
  close(): Promise<void>;
}

/** `fund` with something that is no DID, or no amount. */
export class FundingRefused extends Error {
  override name = 'FundingRefused';
}

/** How long `advance` waits for the node to act, and how often it looks. */
const mostMs = 5_000;
const stepMs = 5;

/** Starts a node in this process; nodes share nothing. */
export async function fakeNode({ now }: FakeNodeOptions = {}): Promise<FakeNode> {
  const dir = await mkdtemp(join(tmpdir(), 'svc-fake-node-'));
  const clock = new MovableClock();
  if (now !== undefined) clock.skip(now - clock.now());
  try {
    const node = await openNode({
      ...{ config: configIn(dir), world: clock, log: createLog(), kdf: cheapKdf },
      ...{ store: new MemoryStore(), settlement: noSettlement },
      onFault: (fault) => {
        throw fault;
      },
    });
    return handleOf(node, clock, dir);
  } catch (error) {
    await rm(dir, { recursive: true, force: true });
    throw error;
  }
}

/** Key files are the only thing that the node keeps on disk. */
function configIn(dir: string): Config {
  const config = loadConfig({}, { SVC_PORT: '0', SVC_DATA_DIR: dir, SVC_CHAIN: 'none' });
  assert(!Array.isArray(config), String(config));
  return config as Config;
}

function handleOf(node: RunningNode, clock: MovableClock, dir: string): FakeNode {
  const client = new Client({ url: node.url });
  let people = 0;
  const fund = async (did: string, amount: number): Promise<void> => {
    // System entries are not validated: they are the node's own.
    if (parseDid(did) === undefined) throw new FundingRefused(`${did} is not a DID`);
    if (!Number.isSafeInteger(amount) || amount < 1)
      throw new FundingRefused(`${amount} is not a whole number above 0`);
    const minted = await node.system.execute({ kind: 'account', id: did, action: 'mint', input: { amount } });
    if (isRefusal(minted)) throw new FundingRefused(`${did} can't be funded: ${minted.detail}`);
  };
  return {
    ...{ client, url: node.url, did: node.did, fund },
    now: () => clock.now(),
    async advance(ms) {
      clock.skip(ms);
      for (let waitedMs = 0; waitedMs < mostMs; waitedMs += stepMs) {
        if ((await node.store.due(clock.now(), 1)).length === 0) return;
        await pause(realEnvironment, stepMs);
      }
    },
    async person(tokens = 0) {
      const passphrase = `passphrase of person ${++people}`;
      const { did } = await client.identities.create(passphrase);
      if (tokens > 0) await fund(did, tokens);
      return client.as({ did, passphrase });
    },
    async close() {
      await node.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
