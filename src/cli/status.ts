import type { Command } from 'commander';
import type { JsonObject } from '../core/canonical.js';
import { isRefusal } from '../core/refusal.js';
import { withoutTrailingSlashes } from '../core/url-text.js';
import type { ApiKey } from '../http/access/api-keys.js';
import type { Readiness } from '../http/routes/system.js';
import { askNode, noNodeRunning } from '../node/control/client.js';
import { type ApiConnectionOptions, readApiKey, withoutApi } from './api/connection.js';
import { CommandFailed, UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { count, durationText, facts, print, printJson, timeText } from './output.js';
import { withProfile } from './profile/defaults.js';
import { runningNode } from './running-node.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';

type StatusOptions = CommonOptions & Omit<ApiConnectionOptions, 'timeout'>;

/** The members of `GET /api/v1/node` that are shown. */
interface StatusReply extends JsonObject {
  readonly did: string;
  readonly network: string;
  readonly version: string;
  readonly synced: boolean;
  readonly height: number;
  readonly peers: number;
  readonly uptime: number;
  readonly chain: { readonly kind: string };
  readonly store: { readonly kind: string; readonly durability: string };
}

type ExpiringKey = Pick<ApiKey, 'label' | 'prefix' | 'expiresAt' | 'expiresSoon'> & JsonObject;

interface NodeCondition {
  readonly state: string;
  readonly reasons: readonly string[];
  readonly expiringKeys: readonly ExpiringKey[] | null;
}

const timeoutMs = 10_000;

export function addStatus(program: Command): void {
  const command = withCommonOptions(
    program.command('status').description('Show the status of a node. Exit code 1 if no node answers.'),
  )
    .option('--url <url>', 'root of a node elsewhere (SVC_NODE_URL); default: the one that runs on the data directory')
    .option('--key <key>', 'API key, if the node asks for one (SVC_NODE_KEY)')
    .option('--key-file <file>', 'file whose first line is the API key (SVC_NODE_KEY_FILE)')
    .option('--profile <name>', 'profile of svc-node config (SVC_NODE_PROFILE)')
    .action(status);
  withExamples(
    command,
    ['status', 'the node on this machine'],
    ['status --url https://node.example.org --key svck_…', 'one elsewhere'],
    ['status --json | jq .height', 'for a program'],
  );
}

async function status(given: StatusOptions): Promise<void> {
  const { url, ...options } = withProfile(given);
  const key = readApiKey(options);
  const { dataDir } = loadSettings(options);
  const root = url === undefined ? runningNode(dataDir)?.url : withoutApi(url);
  if (root === undefined) throw new CommandFailed(`no node runs on ${dataDir}: svc-node start starts one`);
  // The operator on this machine needs no API key, even if the API demands one.
  const own = url === undefined && key === undefined ? await askNode(dataDir, 'status', {}) : noNodeRunning;
  const answer = own === noNodeRunning || isRefusal(own) ? await overHttp(root, key) : own;
  const expiringKeys = await expiring(dataDir, own === noNodeRunning ? { root, key } : undefined);
  const readiness = await replyOf(`${withoutTrailingSlashes(root)}/readyz`, key);
  // A proxy may keep it back.
  const { status: state = 'unknown', reasons = [] } = readiness.body as Partial<Readiness>;
  if (options.json) return printJson({ url: root, state, reasons, expiringKeys, ...answer });
  print(report(root, { state, reasons, expiringKeys }, answer as StatusReply));
}

/** API keys that expire soon; null if they cannot be known without an admin key. @param elsewhere not over the control socket */
async function expiring(
  dataDir: string,
  elsewhere?: { readonly root: string; readonly key: string | undefined },
): Promise<readonly ExpiringKey[] | null> {
  if (!elsewhere) {
    const answer = await askNode(dataDir, 'api-key.list', {});
    if (answer === noNodeRunning || isRefusal(answer)) return null;
    return (answer.apiKeys as unknown as readonly ExpiringKey[]).filter(({ expiresSoon }) => expiresSoon);
  }
  const { root, key } = elsewhere;
  if (key === undefined) return null;
  const path = '/api/v1/admin/api-keys?expiresSoon=true&limit=100';
  const { response, body } = await replyOf(`${withoutTrailingSlashes(root)}${path}`, key);
  return response.ok ? (body.apiKeys as unknown as readonly ExpiringKey[]) : null;
}

async function overHttp(root: string, key: string | undefined): Promise<JsonObject> {
  if (!URL.canParse(root)) throw new UsageFault([`--url ${root} is not a URL such as http://127.0.0.1:9528.`]);
  const url = `${withoutTrailingSlashes(root)}/api/v1/node`;
  const { response, body } = await replyOf(url, key);
  if (response.ok && typeof body.did === 'string') return body;
  throw new CommandFailed(`${url} answers ${response.status}: ${body.detail ?? 'it is not an svc-node'}`);
}

async function replyOf(url: string, key: string | undefined) {
  const headers = { Accept: 'application/json', ...(key === undefined ? {} : { 'X-Api-Key': key }) };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    const { message, cause } = error as Error;
    throw new CommandFailed(
      `${new URL(url).origin} does not answer: ${cause instanceof Error ? cause.message : message}`,
    );
  });
  const body = (await response.json().catch(() => ({}))) as JsonObject & { readonly detail?: string };
  return { response, body };
}

const report = (url: string, { state, reasons, expiringKeys }: NodeCondition, node: StatusReply): string =>
  facts({
    API: url,
    State: reasons.length > 0 ? `${state}: ${reasons.join('; ')}` : state,
    Node: node.did,
    Network: node.network,
    Version: node.version,
    Journal: `${count(node.height)} entries, ${node.synced ? 'synced' : 'catching up'}`,
    Store: `${node.store.kind}: ${node.store.durability}`,
    Chain: node.chain.kind,
    Peers: count(node.peers),
    Uptime: durationText(node.uptime),
    Keys: expiringKeys?.length
      ? expiringKeys
          .map(({ label, prefix, expiresAt }) => `${label || `${prefix}…`} expires ${timeText(expiresAt)}`)
          .join('; ')
      : undefined,
  });
