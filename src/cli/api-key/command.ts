import { type Command, Option } from 'commander';
import { dayMs } from '../../core/bounds.js';
import { realEnvironment } from '../../core/environment.js';
import type { ApiKey } from '../../http/access/api-keys.js';
import { parseDidArgument } from '../accounts.js';
import { UsageFault } from '../failure.js';
import { withExamples } from '../help.js';
import { facts, note, print, printJson, printTable, timeText } from '../output.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';

const operator = () => import('./operator.js');

interface CreateOptions extends CommonOptions {
  readonly label?: string;
  readonly scope: string;
  readonly did?: string;
  readonly expires?: string;
}

export function addApiKey(program: Command): void {
  const apiKey = program
    .command('api-key')
    .description('API keys, which are stored in the database. Works with and without a running node.');
  const create = withCommonOptions(apiKey.command('create').description('Create a key. It is shown only once.'))
    .addOption(
      new Option('--scope <scope>', 'what it may do; each includes those before it')
        .choices(['read', 'write', 'admin'])
        .makeOptionMandatory(),
    )
    .option('--label <text>', 'a name to recognise it by')
    .option('--did <did>', 'bind it to a DID: it reads as that DID, and signs while the DID is unlocked')
    .option('--expires <when>', 'a time such as 90d, 12h or 2027-01-31T00:00Z; without it, never')
    .option('--url <url>', 'call the node at this URL instead, over its API (more options: --url URL --help)')
    .action(createKey);
  withExamples(
    create,
    ['api-key create --scope admin --label me', 'the first key of a new node'],
    ['api-key create --scope read --label monitoring --expires 90d', 'for a program that only reads'],
    ['api-key create --scope write --did did:svc:z6Mk… --json', 'for a program that acts for an account'],
  );
  const list = withCommonOptions(
    apiKey.command('list').description('List all keys, newest first, without their secrets.'),
  );
  withExamples(list.action(listKeys), ['api-key list', 'label, scope and status of each key']);
  const revoke = withCommonOptions(apiKey.command('revoke').description('Revoke a key.'))
    .argument('<id>', 'id of the key, from api-key list')
    .action(revokeKey);
  withExamples(revoke, ['api-key revoke key-0f3c…', 'all processes refuse it within a second']);
  withExamples(
    apiKey,
    ['api-key create --scope admin --label me', 'the first key of a new node'],
    ['api-key list', 'who has access'],
  );
}

async function createKey({ label, scope, did, expires, ...common }: CreateOptions): Promise<void> {
  const input = {
    scope,
    ...(label === undefined ? {} : { label }),
    ...(did === undefined ? {} : { did: parseDidArgument(did) }),
    ...(expires === undefined ? {} : { expiresAt: timeOf(expires) }),
  };
  const config = loadSettings(common);
  const made = await (await operator()).operate(config, 'api-key.create', input, { mayMakeDatabase: true });
  if (common.json) return printJson(made);
  const { key, ...record } = made as unknown as ApiKey & { key: string };
  const { id, expiresAt } = record;
  const ends = expiresAt === null ? 'never' : timeText(expiresAt);
  print(facts({ Key: key, Id: id, Scope: record.scope, DID: record.did, Expires: ends }));
  note('Keep the key now: it is stored as a hash, and it cannot be shown again.');
}

async function listKeys(common: CommonOptions): Promise<void> {
  const config = loadSettings(common);
  const answer = await (await operator()).operate(config, 'api-key.list', {});
  if (common.json) return printJson(answer);
  const keys = answer.apiKeys as unknown as readonly ApiKey[];
  if (keys.length === 0) return note('No API keys yet: svc-node api-key create makes one.');
  const rows = keys.map(({ id, label, scope, status, prefix, createdAt, expiresAt, lastUsedAt, did = '' }) => [
    id,
    label,
    scope,
    status,
    `${prefix}…`,
    timeText(createdAt),
    timeText(expiresAt),
    timeText(lastUsedAt),
    did,
  ]);
  printTable(['ID', 'LABEL', 'SCOPE', 'STATUS', 'KEY', 'CREATED', 'EXPIRES', 'LAST USED', 'DID'], rows);
}

async function revokeKey(id: string, common: CommonOptions): Promise<void> {
  const config = loadSettings(common);
  const record = await (await operator()).operate(config, 'api-key.revoke', { id });
  if (common.json) return printJson(record);
  note(`${id} is revoked.`);
}

const units: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: dayMs };

/** Epoch milliseconds of `90d` from now, or of an ISO 8601 time. */
function timeOf(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) return realEnvironment.now() + Number(amount) * (units[unit] ?? 0);
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new UsageFault([
      `--expires ${text} is neither a span such as 90d or 12h nor a time such as 2027-01-31T00:00Z.`,
    ]);
  }
  return time;
}
