/** A peer that floods a node, in a separate process. */
import { connect } from 'node:net';
import { feedBounds } from '../../src/core/bounds.js';
import { sha256Hex } from '../../src/core/canonical.js';
import { parseMultiaddr } from '../../src/core/codecs/multiaddr.js';
import { pause, realEnvironment as world } from '../../src/core/environment.js';
import { type SeedSigner, signerOf } from '../../src/keys/signing.js';
import { signCheckpoint } from '../../src/peers/checkpoint.js';
import { lineOfEnd, lineOfEntry } from '../../src/peers/feed/line.js';
import { TlsTransport } from '../../src/peers/transport/tls-transport.js';
import type { PeerAddress, PeerReply } from '../../src/peers/transport/transport.js';
import { chainHashOf, noHash } from '../../src/store/entry.js';
import { answerParent } from './child.js';

export type Attack = 'line' | 'signatures' | 'dials' | 'checkpoints';
export type OffenderQuestion =
  | { readonly ask: 'listen'; readonly port: number; readonly seed: string }
  /** @param seconds after which it rests at the latest */
  | {
      readonly ask: 'attack';
      readonly attack: Attack;
      readonly target: string;
      readonly seconds: number;
    };

/** What the node did about it. */
export interface Attacked {
  /** From the first offence until the node had ended the connection, ms; undefined if it did not. */
  readonly closedMs?: number | undefined;
  readonly sent: number;
}

const dials = 1_000;
const checkpointsPerMessage = 500;
const checkpointsPerSecond = 10_000;

let own: SeedSigner;
let transport: TlsTransport;
let feed: (reply: PeerReply) => Promise<unknown> = (reply) => reply.send(503);

async function listen({ port, seed }: OffenderQuestion & { ask: 'listen' }): Promise<null> {
  own = signerOf(Buffer.from(seed, 'hex'));
  transport = new TlsTransport({ world, signer: own });
  await transport.listen([{ family: 'ip4', host: '127.0.0.1', port }], {
    admit: () => true,
    onFault: () => {},
    handle: async ({ path }, reply) => void (await (path === '/feed' ? feed(reply) : reply.send(204))),
  });
  return null;
}

/** Writes lines to each stream that the node opens, until it ends one. */
async function serve(lines: () => readonly string[], seconds: number): Promise<Attacked> {
  let since: number | undefined;
  let closedMs: number | undefined;
  let sent = 0;
  feed = async (reply) => {
    const writer = reply.open();
    since ??= world.monotonic();
    const end = world.monotonic() + seconds * 1_000;
    while (world.monotonic() < end && (await writer.write(lines()))) sent++;
    closedMs ??= world.monotonic() - since;
    writer.end();
  };
  await pause(world, seconds * 1_000);
  feed = (reply) => reply.send(503);
  return { closedMs, sent };
}

async function attack({ attack: kind, target, seconds }: OffenderQuestion & { ask: 'attack' }): Promise<Attacked> {
  const address = parseMultiaddr(target) as PeerAddress;
  if (kind === 'line') {
    const line = 'x'.repeat(64 * 2 ** 20);
    return serve(() => [line], seconds);
  }
  if (kind === 'signatures') return serve(forgedBatch, seconds);
  if (kind === 'checkpoints') return forge(address, seconds);
  const end = world.monotonic() + seconds * 1_000;
  let sent = 0;
  while (world.monotonic() < end) {
    const sockets = Array.from({ length: dials }, () => connect(address.port, '127.0.0.1').on('error', () => {}));
    sent += sockets.length;
    await pause(world, 1_000);
    for (const socket of sockets) socket.destroy();
  }
  return { sent };
}

/** As many entries as a batch may have, with a checkpoint that another key has signed. */
function forgedBatch(): readonly string[] {
  const lines: string[] = [];
  let chainHash = noHash;
  for (let seq = 1; seq <= feedBounds.batchEntries; seq++) {
    const entryHash = sha256Hex(String(seq));
    chainHash = chainHashOf(seq, chainHash, entryHash);
    lines.push(lineOfEntry({ seq, entryHash }));
  }
  const head = { seq: feedBounds.batchEntries, chainHash };
  const forged = signCheckpoint(signerOf(world.random(32)), head, { network: 'devnet', time: world.now() });
  return [...lines, lineOfEnd({ checkpoint: { ...forged, home: own.did }, head: head.seq })];
}

async function forge(address: PeerAddress, seconds: number): Promise<Attacked> {
  const other = signerOf(world.random(32));
  const connection = transport.dial(address);
  const since = world.monotonic();
  let sent = 0;
  let closedMs: number | undefined;
  const everyMs = (checkpointsPerMessage * 1_000) / checkpointsPerSecond;
  while (world.monotonic() < since + seconds * 1_000) {
    const { sig } = signCheckpoint(other, { seq: 1, chainHash: 'a'.repeat(64) }, { network: 'devnet', time: 1 });
    const checkpoints = Array.from({ length: checkpointsPerMessage }, (_, index) => ({
      ...{ home: transport.did, network: 'devnet', seq: 1_000_000 + sent + index, chainHash: 'b'.repeat(64) },
      ...{ time: world.now(), sig },
    }));
    const isTaken = await connection.request('POST', '/news', { body: JSON.stringify({ checkpoints }) }).then(
      () => true,
      () => false,
    );
    sent += checkpointsPerMessage;
    if (!isTaken) closedMs ??= world.monotonic() - since;
    await pause(world, everyMs);
  }
  connection.close();
  return { closedMs, sent };
}

answerParent<OffenderQuestion>((question) => (question.ask === 'listen' ? listen(question) : attack(question)));
