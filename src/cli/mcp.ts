/** `svc-node mcp`: an MCP server that gives the assistant of this user a wallet (docs/mcp.md). */
import process from 'node:process';
import type { Command } from 'commander';
import type { AgentLimits, AgentOptions, AgentPayments } from '../../packages/mcp/src/agent.js';
import { messageOf } from '../core/error-message.js';
import { version } from '../core/version.js';
import { type ApiConnectionOptions, connectToApi } from './api/connection.js';
import { CommandFailed, UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { facts, note, print } from './output.js';
import { readPassphrase } from './passphrase.js';
import { withProfile } from './profile/defaults.js';
import { loadSettings, withData } from './settings.js';
import { stopSignal } from './stop-signal.js';

interface McpOptions extends ApiConnectionOptions {
  readonly signingKey?: string;
  readonly passphraseFile?: string;
  readonly networkArbiter?: string;
  readonly allow?: string;
  readonly askAbove?: string;
  readonly askAboveDaily?: string;
  readonly payHosts?: string;
  readonly http?: string;
  readonly data?: string;
  readonly network?: string;
}

const withKey = (command: Command): Command =>
  command.option('--signing-key <file>', 'the agent’s key file; svc-node key create makes one (SVC_NODE_SIGNING_KEY)');

export const addMcp = (program: Command): void => describeMcp(program.command('mcp'), 'mcp ');

/** @param words before its options in examples */
export function describeMcp(command: Command, words = ''): void {
  withKey(command)
    .option('--passphrase-file <file>', 'its first line opens the key file')
    .description('Give your assistant a wallet: an MCP server on standard input and output, with a key of its own.')
    .option('--allow <actions>', 'only these, such as info-order.*,bid.create; without it all actions of the markets')
    .option('--ask-above <tokens>', 'ask you before an act that costs more; 0: before every act', '0')
    .option('--ask-above-daily <tokens>', 'likewise for the sum of a day (default: as --ask-above)')
    .option('--pay-hosts <hosts>', 'hosts of HTTP APIs that may be paid, such as weather.example; without it none')
    .option('--http <port>', 'serve on 127.0.0.1 instead, for callers with the token in a file')
    .option('--network-arbiter <did>', 'the arbiter of the network that the agent accepts')
    .option('--profile <name>', 'profile of svc-node config (SVC_NODE_PROFILE)')
    .option('--url <url>', 'root of the node (SVC_NODE_URL); default: the node that runs on the data directory')
    .option('--key <key>', 'API key; SVC_NODE_KEY is safer, because other users cannot read it')
    .option('--key-file <file>', 'file whose first line is the API key (SVC_NODE_KEY_FILE)')
    .action((options: McpOptions) => serve(options));
  withData(command);
  withExamples(
    command,
    ['key create agent.json', 'first: a key for the agent; then pay its DID what it may spend'],
    [`${words}--signing-key agent.json --passphrase-file agent.pass`, 'what the host of your assistant starts'],
    [`${words}approve 0123456789abcdef-1 --signing-key agent.json`, 'confirm an act, where the host can’t ask you'],
  );
  const approve = withKey(command.command('approve'))
    .description('Confirm an act that the agent has proposed, with the passphrase of its key, typed at a terminal.')
    .argument('<proposal>', 'its handle, as the assistant tells it')
    .action((handle: string, _: object, its: Command) => confirm(handle, its.optsWithGlobals()));
  withExamples(approve, [
    'mcp approve 0123456789abcdef-1 --signing-key agent.json',
    'asks for the passphrase of the key',
  ]);
}

async function serve(given: McpOptions): Promise<void> {
  const options = withProfile(given);
  const config = loadSettings(options);
  const limits = limitsOf(options);
  const http = connectToApi(options, config);
  const { ownKey } = await import('./api/own-key.js');
  const { path, file, key } = await ownKey(keyOf(options), config, undefined);
  const { networkArbiter, payHosts, http: port } = options;
  const onError = (error: Error) => note(`svc-node mcp: ${messageOf(error)}`);
  const agent: AgentOptions = {
    ...{ key, http, folder: folderOf(path), network: file.network, networkArbiter, limits },
    ...(payHosts !== undefined && { payments: paymentsTo(payHosts, file.network) }),
  };
  if (port === undefined) {
    const { serveOverStdio } = await import('../../packages/mcp/src/serve.js');
    return serveOverStdio(agent, version, onError);
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageFault([`--http ${port} is not a port.`]);
  const { serveOverHttp } = await import('../../packages/mcp/src/http.js');
  const served = await serveOverHttp(agent, { version, port: Number(port), onError });
  print(facts({ URL: served.url, Token: served.tokenFile }));
  await stopSignal();
  await served.close();
}

/** What the agent keeps beside its key. */
const folderOf = (path: string): string => `${path}.mcp`;

function keyOf({ signingKey, passphraseFile }: McpOptions) {
  if (signingKey === undefined) throw new UsageFault(['mcp needs --signing-key FILE: svc-node key create makes one.']);
  return { signingKey, ...(passphraseFile === undefined ? {} : { passphraseFile }) };
}

/** On devnet also a port of this machine, if it is named: to try things out. */
function paymentsTo(payHosts: string, network: string | undefined): AgentPayments {
  const hosts = payHosts.split(',').map((each) => each.trim());
  return { hosts, loopback: network === 'devnet' && hosts.some((each) => /^127\.0\.0\.1:\d+$/.test(each)) };
}

function limitsOf({ allow, askAbove = '0', askAboveDaily = askAbove }: McpOptions): AgentLimits {
  const actions = allow?.split(',').map((each) => each.trim());
  const strange = actions?.find((each) => !/^(\*|[a-z-]+\.(\*|[a-z-]+))$/.test(each));
  if (strange !== undefined)
    throw new UsageFault([`--allow: ${strange} is no action, such as info-order.create, nor info-order.*.`]);
  const tokens = {
    askAbove: tokensIn('--ask-above', askAbove),
    askAboveDaily: tokensIn('--ask-above-daily', askAboveDaily),
  };
  return { ...tokens, ...(actions && { allow: actions }) };
}

function tokensIn(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageFault([`${option} ${text} is not a whole number of Tokens.`]);
}

/** With a passphrase that is typed, and not one that is in a file or the environment: so the server itself was started. */
async function confirm(handle: string, options: McpOptions): Promise<void> {
  if (options.passphraseFile !== undefined || !process.stdin.isTTY)
    throw new UsageFault([
      'approve reads the passphrase at a terminal alone: run it there, without --passphrase-file.',
    ]);
  const { signingKey } = keyOf(withProfile(options));
  const { keyFileAt, openKey } = await import('./key/key-file.js');
  const { Proposals } = await import('../../packages/mcp/src/proposals.js');
  const { approvalOf, askedHash, questionOf } = await import('../../packages/mcp/src/limits.js');
  const { realEnvironment } = await import('../../packages/client/src/environment.js');
  const file = await keyFileAt(signingKey);
  const proposals = new Proposals(folderOf(signingKey), realEnvironment);
  const waiting = async () => {
    const found = await proposals.find(handle);
    if (found?.state !== 'open') throw new CommandFailed(`${handle} is no proposal that waits for you`);
    return found;
  };
  const shown = await waiting();
  print(questionOf(shown));
  const prompt = 'Passphrase of the agent’s key, to approve';
  const key = await openKey(file, await readPassphrase({ prompt }));
  await proposals.hold(async () => {
    const now = await waiting();
    if (askedHash(now) !== askedHash(shown)) throw new CommandFailed(`${handle} has changed: look again`);
    await proposals.save({ ...now, approval: await approvalOf(now, key, realEnvironment.now()) });
  });
  note(`Approved for an hour: the assistant can commit ${handle} now.`);
}
