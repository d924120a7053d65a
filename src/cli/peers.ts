/** `svc-node peers`: the peers of a running node, and the evidence kept against a home. */
import { type Command, Option } from 'commander';
import type { JsonObject } from '../core/canonical.js';
import { parsePeerAddress } from '../core/codecs/multiaddr.js';
import { realEnvironment } from '../core/environment.js';
import { newId } from '../core/new-id.js';
import { askNode, ControlFailed, noNodeRunning } from '../node/control/client.js';
import type { PeerView } from '../peers/peering/peer-view.js';
import type { PeerAccount } from '../peers/trade/accounts.js';
import type { TradeLimit } from '../peers/trade/limits.js';
import type { WithdrawalState } from '../peers/trade/trade.js';
import { didOfArgument } from './accounts.js';
import { formatsForPrograms, printForPrograms } from './api/output-format.js';
import { CommandFailed, must, UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { count, note, printJson, printTable } from './output.js';
import { type CommonOptions, settingsOf, withCommonOptions } from './settings.js';

interface ListedPeers {
  readonly listens: readonly string[];
  readonly peerId: string | null;
  readonly peers: readonly PeerView[];
  /** Homes with a copy on disk. */
  readonly homes: readonly string[];
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
    .action((address: string, common: CommonOptions) =>
      change(common, 'peers.add', { address: addressOfArgument(address) }, 'is a peer'),
    );
  withExamples(add, ['peers add /dns4/node.example/tcp/9529/p2p/12D3KooW…', 'its operator must add this node too']);
  const remove = withCommonOptions(
    peers.command('remove').description('Remove a peer. The copy of its journal stays on disk.'),
  )
    .argument('<did>', 'DID of the peer')
    .action((did: string, common: CommonOptions) => change(common, 'peers.remove', named(did), 'is no longer a peer'));
  withExamples(remove, ['peers remove did:svc:z6Mk…', 'its resources are no longer shown']);
  const forget = withCommonOptions(
    peers
      .command('forget')
      .description(
        'Delete the copy of a home’s journal. If the home is still a peer, the node follows it again from its first entry.',
      ),
  )
    .argument('<did>', 'DID of the home')
    .action((did: string, common: CommonOptions) => change(common, 'peers.forget', named(did), 'is forgotten'));
  withExamples(forget, ['peers forget did:svc:z6Mk…', 'nothing of its journal stays on this disk']);
  const accept = withCommonOptions(
    peers.command('accept').description('Decide which of two journals of a home the node follows from now on.'),
  )
    .argument('<did>', 'DID of the home')
    .argument('<hash>', 'chain hash of the journal at the entry that the proof names')
    .action((did: string, chainHash: string, common: CommonOptions) =>
      change(common, 'peers.accept', { ...named(did), chainHash: hashOfArgument(chainHash) }, 'is followed again'),
    );
  withExamples(accept, ['peers accept did:svc:z6Mk… 5f1c…', 'as the two operators have agreed']);
  const accounts = withCommonOptions(
    peers.command('accounts').description('List what this home and each of its peers hold at each other, in Tokens.'),
  ).action(listAccounts);
  withExamples(accounts, ['peers accounts', 'what other homes have to answer for, and what is on its way']);
  const limit = withCommonOptions(
    peers.command('limit').description('Set the limits of trade with a peer, or show them.'),
  )
    .argument('<did>', 'DID of the peer')
    .option('--at-risk <tokens>', 'the most Tokens held there and in open requests to it; none: any', atRiskOfOption)
    .option('--answers <number>', 'the most requests of it that are answered in a second', answersOfOption)
    .action(limitPeer);
  withExamples(
    limit,
    ['peers limit did:svc:z6Mk… --at-risk 500', 'no request is sent that would put more at risk'],
    ['peers limit did:svc:z6Mk… --answers 20', 'more of its requests wait'],
  );
  const giveUp = withCommonOptions(
    peers
      .command('give-up')
      .description(
        'Give up a remote request whose home does not answer any more: its Tokens go back to their owner, and this home loses them if it was accepted.',
      ),
  )
    .argument('<id>', 'id of the remote request')
    .option('--i-accept-the-loss', 'confirm that this home bears the loss, if there is one')
    .option('--reason <text>', 'why, for the journal', 'the other home does not answer')
    .action(giveUpRequest);
  withExamples(giveUp, ['peers give-up rem-01J… --i-accept-the-loss', 'for a home that never comes back']);
  const withdraw = withCommonOptions(
    peers
      .command('withdraw')
      .description(
        'Ask a peer to pay out Tokens that this home holds there: its vault on chain pays them to an EVM address.',
      ),
  )
    .argument('<did>', 'DID of the peer')
    .argument('<amount>', 'Tokens', (text: string) => numberOf(text, 1, 'a number of Tokens'))
    .requiredOption('--to <address>', 'EVM address that is paid on the chain of the peer')
    .option('--fee <tokens>', 'Tokens for the operator of the peer, in addition to the amount', feeOfOption)
    .option('--idempotency-key <text>', 'identifies this withdrawal: if you send it again, it still takes effect once')
    .action(withdrawFrom);
  withExamples(
    withdraw,
    ['peers withdraw did:svc:z6Mk… 500 --to 0x5290…', 'what its residents have paid to yours'],
    ['peers withdraw did:svc:z6Mk… 500 --to 0x5290… --idempotency-key may', 'pays once, however often it is run'],
  );
  const evidence = withCommonOptions(
    peers
      .command('evidence')
      .description('Print, as JSON, the evidence against a home that the node no longer follows.'),
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

const named = (did: string): { readonly did: string } => ({ did: didOfArgument(did) });

function addressOfArgument(text: string): string {
  const parsed = parsePeerAddress(text);
  if (typeof parsed === 'string') throw new UsageFault([`'${text}' ${parsed}.`]);
  return text;
}

function hashOfArgument(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new UsageFault([`'${text}' is not a chain hash, which has 64 hexadecimal digits.`]);
}

const numberOf = (text: string, least: number, what: string): number => {
  const number = Number(text);
  if (/^\d{1,15}$/.test(text) && number >= least) return number;
  throw new UsageFault([`'${text}' is not ${what}.`]);
};
const atRiskOfOption = (text: string): number | 'none' =>
  text === 'none' ? text : numberOf(text, 0, "a number of Tokens, and not 'none'");
const answersOfOption = (text: string): number => numberOf(text, 1, 'a number of requests');

const feeOfOption = (text: string): number => numberOf(text, 1, 'a number of Tokens');

interface LimitOptions extends CommonOptions {
  readonly atRisk?: number | 'none';
  readonly answers?: number;
}

async function limitPeer(did: string, { atRisk, answers, ...common }: LimitOptions): Promise<void> {
  const change = {
    ...(atRisk === undefined ? {} : { mostAtRisk: atRisk === 'none' ? null : atRisk }),
    ...(answers === undefined ? {} : { answersPerSecond: answers }),
  };
  const now = (await ask(common, 'peers.limit', { ...named(did), ...change })) as unknown as TradeLimit;
  if (common.json) return printJson(now as unknown as JsonObject);
  const most = now.mostAtRisk === null ? 'any number of' : `at most ${count(now.mostAtRisk)}`;
  note(`${did}: ${most} Tokens at risk, at most ${count(now.answersPerSecond)} of its requests answered in a second.`);
}

interface GiveUpOptions extends CommonOptions {
  readonly iAcceptTheLoss?: true;
  readonly reason: string;
}

async function giveUpRequest(id: string, { iAcceptTheLoss, reason, ...common }: GiveUpOptions): Promise<void> {
  if (!iAcceptTheLoss) {
    throw new UsageFault([
      'If the other home has accepted the request, this home loses its Tokens: say --i-accept-the-loss.',
    ]);
  }
  const done = await ask(common, 'peers.give-up', { id, reason });
  if (common.json) return printJson(done);
  note(`${id} is given up: its Tokens are back, and this home loses ${count(Number(done.loss))} if it was accepted.`);
}

interface WithdrawOptions extends CommonOptions {
  readonly to: string;
  readonly fee?: number;
  readonly idempotencyKey?: string;
}

async function withdrawFrom(did: string, amount: number, options: WithdrawOptions): Promise<void> {
  const { to, fee, idempotencyKey = newId(realEnvironment, 'key-'), ...common } = options;
  const input = { ...named(did), amount, to, ...(fee === undefined ? {} : { fee }), idempotencyKey };
  const again = `--idempotency-key ${idempotencyKey}`;
  const done = await ask(common, 'peers.withdraw', input).catch((error: unknown) => {
    if (!(error instanceof ControlFailed)) throw error;
    const says = `${error.message}: the withdrawal may have been sent`;
    throw new CommandFailed(`${says}; repeat the command with ${again} to find out, without paying twice`);
  });
  const { id, replayed, state, code, detail } = done as unknown as WithdrawalState;
  if (state === 'refused') throw new CommandFailed(`${did} has refused the withdrawal ${id}: ${detail} (${code})`);
  if (common.json) return printJson({ ...done, idempotencyKey });
  const paid = `its vault pays ${count(amount)} Tokens to ${to}`;
  const earlier = replayed ? ', sent by an earlier command with this key and not again' : '';
  note(
    state === 'accepted'
      ? `${did} has accepted ${id}${earlier}: ${paid}.`
      : `${did} has not answered ${id} yet${earlier}: svc-node remote-request get ${id} shows whether it has since.`,
  );
  if (!replayed) note(`Repeated with ${again}, the command shows this withdrawal and sends no other.`);
}

async function listAccounts(common: CommonOptions): Promise<void> {
  const answer = await ask(common, 'peers.accounts', {});
  if (common.json) return printJson(answer);
  const { accounts } = answer as unknown as { readonly accounts: readonly PeerAccount[] };
  printTable(['PEER', 'HELD', 'OWED', 'SENT', 'RECEIVED', 'GIVEN UP', 'AT RISK', 'LIMIT'], accounts.map(accountRowOf));
}

const accountRowOf = (account: PeerAccount): readonly string[] => {
  const { did, held, owed, sent, received, givenUp, atRisk, mostAtRisk } = account;
  const limit = mostAtRisk === null ? '–' : String(mostAtRisk);
  return [did, ...[held, owed, sent, received, givenUp, atRisk].map(String), limit];
};

async function ask(common: CommonOptions, act: string, input: JsonObject): Promise<JsonObject> {
  const { dataDir } = settingsOf(common);
  const answer = await askNode(dataDir, act, input);
  if (answer === noNodeRunning) throw new CommandFailed(`no node runs on ${dataDir}: start it first`);
  return must(answer);
}

async function change(common: CommonOptions, act: string, input: JsonObject, what: string): Promise<void> {
  const done = await ask(common, act, input);
  if (common.json) return printJson(done);
  note(`${String(done.did)} ${what}.`);
}

async function showEvidence(did: string, common: CommonOptions): Promise<void> {
  printJson(await ask(common, 'peers.evidence', named(did)));
}

async function listPeers(options: CommonOptions & { readonly output?: string }): Promise<void> {
  const answer = await ask(options, 'peers.list', {});
  if (printForPrograms(answer, options)) return;
  const { listens, peers, homes } = answer as unknown as ListedPeers;
  note(`Address  ${listens.length > 0 ? listens.join(', ') : 'none: set SVC_LISTEN or SVC_PEERS'}`);
  if (peers.length === 0) note('No peers yet: svc-node peers add adds one.');
  printTable(['PEER', 'STATUS', 'CONNECTED', 'ADOPTED', 'BEHIND', 'LAG MS', 'WITHHELD', 'LIMIT'], peers.map(rowOf));
  for (const { did, violation } of peers)
    if (violation) note(`${did}: entry ${count(violation.seq)}: ${violation.what}`);
  const left = homes.filter((home) => !peers.some(({ did }) => did === home));
  if (left.length > 0) note(`Copies of homes that are not peers: ${left.join(', ')}`);
}

const rowOf = ({ did, status, direction, adopted, head, lagMs, withheld, limits }: PeerView): readonly string[] => [
  ...[did, status, direction, String(adopted), String(Math.max(0, head - adopted))],
  ...[lagMs === null ? '–' : String(lagMs), String(withheld)],
  limits.mostAtRisk === null ? '–' : String(limits.mostAtRisk),
];
