/** `svc-node peers`: the peers of a running node, and the evidence kept against a home. */
import { type Command, Option } from 'commander';
import { bounds } from '../core/bounds.js';
import type { JsonObject } from '../core/canonical.js';
import { parsePeerAddress } from '../core/codecs/multiaddr.js';
import { didOfPeerId } from '../core/codecs/peer-id.js';
import { pauseAwake, realEnvironment } from '../core/environment.js';
import { clockGap } from '../core/span-text.js';
import type { PeerView } from '../peers/peering/peer-view.js';
import { parseDidArgument } from './accounts.js';
import { formatsForPrograms, printForPrograms } from './api/output-format.js';
import { askRunningNode } from './ask-node.js';
import { UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { count, note, printJson, printTable } from './output.js';
import { type CommonOptions, withCommonOptions } from './settings.js';

interface ListedPeers {
  readonly listens: readonly string[];
  readonly peerId: string | null;
  readonly peers: readonly PeerView[];
}

export function addPeers(program: Command): void {
  const peers = program
    .command('peers')
    .description('Peers of the running node: other homes that it follows, and that follow it.');
  const list = withCommonOptions(
    peers.command('list').description('List all peers, and how far the node has followed their journals.'),
  ).addOption(
    new Option('--output <format>', 'table for people, tab-separated in a pipe; json, yaml').choices([
      'table',
      ...formatsForPrograms,
    ]),
  );
  withExamples(
    list.action(listPeers),
    ['peers list', 'state, entries and lag of each, and the address of this node'],
    ['peers list --output yaml', 'every member, for programs'],
  );
  const add = withCommonOptions(
    peers.command('add').description('Add a peer, or follow a peer again whose feed was stopped.'),
  )
    .argument('<address>', 'its address with its peer id, as shown by peers list at its operator')
    .action(addPeer);
  withExamples(add, ['peers add /dns4/node.example/tcp/9529/p2p/12D3KooW…', 'its operator must add this node too']);
  const remove = withCommonOptions(
    peers.command('remove').description('Remove a peer. How far its journal was followed stays known.'),
  )
    .argument('<did>', 'DID of the peer')
    .action((did: string, common: CommonOptions) => change(common, 'peers.remove', named(did), 'is no longer a peer'));
  withExamples(remove, ['peers remove did:svc:z6Mk…', 'neither node reads the other’s feed any more']);
  const limit = withCommonOptions(
    peers
      .command('limit')
      .description('Set how many Tokens of a peer’s home this node takes in, and pays as many here.'),
  )
    .argument('<did>', 'DID of the peer')
    .argument('<tokens>', 'the most, beyond those that it has paid out there; 0: none')
    .action((did: string, tokens: string, common: CommonOptions) =>
      change(common, 'peers.limit', { ...named(did), tokens: tokensOfArgument(tokens) }, 'has this limit'),
    );
  withExamples(limit, ['peers limit did:svc:z6Mk… 500', 'at most 500 Tokens of that home are at risk beside its own']);
  const mirror = mayRemove(
    peers
      .command('mirror')
      .description('Have a peer keep this node’s journal, encrypted; the node restores itself from it.')
      .option('--remove', 'send it nothing more; it keeps what it has'),
    ['peers.mirror', 'is a mirror', 'is no longer a mirror'],
  );
  withExamples(mirror, ['peers mirror did:svc:z6Mk…', 'its operator runs peers keep with the DID of this node']);
  const keep = mayRemove(
    peers
      .command('keep')
      .description('Keep the journal of a peer for it, as its mirror; this node cannot read it.')
      .option('--remove', 'delete what is kept'),
    ['peers.keep', 'may have its journal kept here', 'has nothing here any more'],
  );
  withExamples(keep, ['peers keep did:svc:z6Mk…', 'its operator runs peers mirror with the DID of this node']);
  const forget = withCommonOptions(
    peers
      .command('forget')
      .description(
        'Forget how far a home’s journal was followed. If the home is still a peer, the node follows it again from its first entry.',
      ),
  )
    .argument('<did>', 'DID of the home')
    .action((did: string, common: CommonOptions) => change(common, 'peers.forget', named(did), 'is forgotten'));
  withExamples(forget, ['peers forget did:svc:z6Mk…', 'after a change of mind, or a repaired feed']);
  const accept = withCommonOptions(
    peers.command('accept').description('Decide which of two journals of a home the node follows from now on.'),
  )
    .argument('<did>', 'DID of the home')
    .argument('<hash>', 'chain hash of the journal at the entry that the proof names')
    .action((did: string, chainHash: string, common: CommonOptions) =>
      change(common, 'peers.accept', { ...named(did), chainHash: hashOfArgument(chainHash) }, 'is followed again'),
    );
  withExamples(accept, ['peers accept did:svc:z6Mk… 5f1c…', 'as the two operators have agreed']);
  const evidence = withCommonOptions(
    peers.command('evidence').description('Print, as JSON, why the node no longer follows a home, with the evidence.'),
  )
    .argument('<did>', 'DID of the home')
    .action(showEvidence);
  withExamples(evidence, ['peers evidence did:svc:z6Mk… > proof.json', 'for verify-equivocation, or for its operator']);
  withExamples(
    peers,
    ['peers list', 'who is connected, and how far behind'],
    ['peers add /dns4/node.example/tcp/9529/p2p/12D3KooW…', 'add a peer'],
  );
}

/** A command that names a peer for a purpose, or with `--remove` ends that. */
function mayRemove(command: Command, [act, done, ended]: readonly [string, string, string]): Command {
  return withCommonOptions(command)
    .argument('<did>', 'DID of the peer')
    .action((did: string, { remove = false, ...common }: CommonOptions & { readonly remove?: boolean }) =>
      change(common, act, { ...named(did), remove }, remove ? ended : done),
    );
}

const named = (did: string): { readonly did: string } => ({ did: parseDidArgument(did) });

function didOfPeerAddress(text: string): string | undefined {
  const parsed = parsePeerAddress(text);
  if (typeof parsed === 'string') throw new UsageFault([`'${text}' ${parsed}.`]);
  return didOfPeerId(parsed.peerId);
}

function hashOfArgument(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new UsageFault([`'${text}' is not a chain hash, which has 64 hexadecimal digits.`]);
}

function tokensOfArgument(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageFault([`'${text}' is not a number of Tokens.`]);
}

async function change(common: CommonOptions, act: string, input: JsonObject, what: string): Promise<void> {
  const done = await askRunningNode(common, act, input);
  if (common.json) return printJson(done);
  note(`${String(done.did)} ${what}.`);
}

async function addPeer(address: string, common: CommonOptions): Promise<void> {
  const did = didOfPeerAddress(address);
  await change(common, 'peers.add', { address }, 'is a peer');
  const until = realEnvironment.monotonic() + answersWithinMs;
  for (;;) {
    const { peers } = (await askRunningNode(common, 'peers.list', {})) as unknown as ListedPeers;
    const peer = peers.find((each) => each.did === did);
    if (!peer || peer.clockAheadMs !== null) return;
    if (peer.violation) return noteViolation(peer);
    if (realEnvironment.monotonic() > until) break;
    await pauseAwake(100);
  }
  note('Nothing was read from it yet: its operator must add this node too. svc-node peers list shows how it stands.');
}

/** Connecting to a new peer and reading its first checkpoint takes some milliseconds. */
const answersWithinMs = 2_000;

function noteViolation({ did, violation }: PeerView): void {
  if (violation) note(`${did} is not followed: entry ${count(violation.seq)}: ${violation.what}`);
}

async function showEvidence(did: string, common: CommonOptions): Promise<void> {
  printJson(await askRunningNode(common, 'peers.evidence', named(did)));
}

async function listPeers(options: CommonOptions & { readonly output?: string }): Promise<void> {
  const answer = await askRunningNode(options, 'peers.list', {});
  if (printForPrograms(answer, options)) return;
  const { listens, peers } = answer as unknown as ListedPeers;
  note(`Address  ${listens.length > 0 ? listens.join(', ') : 'none: set SVC_LISTEN or SVC_PEERS'}`);
  if (peers.length === 0) note('No peers yet: svc-node peers add adds one.');
  printTable(
    ['PEER', 'STATUS', 'CONNECTED', 'FOLLOWED', 'BEHIND', 'LAG MS', 'MIRRORED', 'KEPT', 'LIMIT'],
    peers.map(rowOf),
  );
  for (const peer of peers) {
    const { did, clockAheadMs, status } = peer;
    if (status === 'unreachable')
      note(`${did}: this node cannot reach it, or waits for the other side to add this node`);
    noteViolation(peer);
    if (Math.abs(clockAheadMs ?? 0) > bounds.clockSkewMs) {
      note(`${did}: its clock is ${clockGap(clockAheadMs!)} this one`);
    }
  }
}

const rowOf = ({
  did,
  status,
  direction,
  followed,
  head,
  lagMs,
  mirrored,
  kept,
  limit,
}: PeerView): readonly string[] => [
  ...[did, status, direction, String(followed), String(Math.max(0, head - followed))],
  ...[lagMs, mirrored, kept, limit].map((value) => String(value ?? '–')),
];
