/**
 * `npm run demo`: the main story against a node that it starts, kills and restarts; with `-- --url URL [--key KEY]`,
 * against a running node. With `-- --peers 3`, the story of several operators (peers.ts), whose
 * nodes stay on a terminal, or with `--stay`, until Ctrl+C. Exits non-zero if any result
 * is not as expected.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { ApiError, Client, UnreachableError } from '../../packages/client/src/index.js';
import { contractStory } from './contract.js';
import { informationStory } from './information.js';
import { leaseStory } from './lease.js';
import { OwnNode } from './own-node.js';
import { mostOperators, Operators } from './peers.js';
import { faucetGave } from './people.js';
import { ChainWalk } from './proof.js';
import { bold, check, checksMade, DemoFailed, green, print, red, shortName, step } from './stage.js';
import { type Cast, play } from './story.js';
import { taskStory } from './task.js';

const usage = 'usage: npm run demo [-- --url http://127.0.0.1:9528 [--key svck_…] | -- --peers 3 [--stay]]';

async function open(url: string, key: string | undefined): Promise<{ client: Client; head: number }> {
  const client = new Client({ url, ...(key === undefined ? {} : { key }) });
  const { network, version, did, height } = await client.node.status();
  print(bold(`svc-node ${version} on ${network}, ${url}, node ${shortName(did)}`));
  if (network === 'mainnet') throw new DemoFailed('the demo is not for mainnet: it has no faucet');
  return { client, head: height };
}

/** Ends the node with kill -9; everything that was acknowledged must still be there afterwards. */
async function killAndRestart(node: OwnNode, cast: Cast): Promise<Client> {
  step('kill -9, and start again');
  const before = await Promise.all([cast.ada.wallet(), cast.ben.wallet()]);
  const { pid } = node;
  check(`process ${pid} is killed`, await node.end('SIGKILL'), 'SIGKILL');
  await node.start();
  const client = new Client({ url: node.url });
  const [ada, ben] = [cast.ada.through(client), cast.ben.through(client)];
  const after = await Promise.all([ada.wallet(), ben.wallet()]);
  check('the wallets are what they were', after, before, {
    as: after.map(({ balance }) => balance).join(' and '),
    aside: `process ${node.pid}`,
  });
  const { nonce } = await ben.client.wallets.transfer({ to: ada.did, amount: 1 });
  check('Ben signs on with his next nonce', nonce, before[1].nextNonce);
  await ada.has(before[0].availableBalance + 1);
  return client;
}

/** Verifies all entries from the story's first one on: hashes, signatures, chains. */
async function checkJournal(client: Client, head: number): Promise<void> {
  step('Anybody can check the journal');
  const { events } = await client.events.list({ after: 0, limit: 1 });
  const walk = new ChainWalk(events[0]);
  for await (const entry of client.events.all({ after: Math.max(0, head - 1) })) {
    const flaw = walk.violationOf(entry);
    if (flaw) throw new DemoFailed(flaw);
  }
  check('hashes, signatures, payloads and chains hold', walk.entries > 0, true, { as: `${walk.entries} entries` });
}

async function stopAndAudit(node: OwnNode): Promise<void> {
  step('Stop, and audit offline');
  check('the node stops when asked to', await node.end('SIGTERM'), 0, { as: 'exit code 0' });
  const { exitCode, output } = await node.command('audit', '--json');
  const report = JSON.parse(output || '{}') as { entries?: number; supply?: number; flaw?: unknown };
  check('svc-node audit finds no flaw', [exitCode, report.flaw], [0, undefined], { as: `${report.entries} entries` });
  check('the supply is what the faucet gave', report.supply, faucetGave());
}

async function main(): Promise<void> {
  const { url, key, peers, stay, help } = optionsOf();
  if (help) return print(usage);
  if (peers !== undefined) return playOperators(peers, stay ?? process.stdout.isTTY);
  const own = url === undefined ? await OwnNode.start() : undefined;
  const onSignal = () => void own?.discard().finally(() => process.exit(130));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const { client, head } = await open(url ?? own!.url, key);
    const cast = await play(client, head);
    await informationStory(client, cast.ben, url ?? own!.url);
    await taskStory(client);
    await leaseStory(client);
    const contractId = await contractStory(client);
    await checkJournal(own ? await killAndRestart(own, cast) : client, head);
    if (own) await stopAndAudit(own);
    print(`\n${green('All is as expected')}: ${checksMade()} checks.`);
    if (own)
      print(
        'npm start, and then npm run demo -- --url http://127.0.0.1:9528, leaves all of it to look at in the console.',
      );
    else printLinks(`${url}/console`, cast, contractId);
  } finally {
    await own?.discard();
  }
}

function printLinks(console: string, { ada }: Cast, contractId: string): void {
  print('Look at it in the console:');
  for (const [what, view] of [
    ['all that happened', '#/ledger'],
    ['Ada, her Tokens and deals', `#/identities/${ada.did}`],
    ['the contract of Eve and Finn, step by step', `#/charts/contract/${contractId}`],
  ]) {
    print(`  ${what}: ${console}${view}`);
  }
}

async function playOperators(text: string, stays: boolean): Promise<void> {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 3 || count > mostOperators)
    throw new DemoFailed(`--peers takes 3 to ${mostOperators}\n${usage}`);
  const operators = new Operators();
  const onSignal = () => void operators.discard().finally(() => process.exit(130));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    await operators.play(count);
    print(`\n${green('All is as expected')}: ${checksMade()} checks.`);
    if (stays) await operators.stay();
  } finally {
    await operators.discard();
  }
}

function optionsOf() {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean', short: 'h' }] as const;
  try {
    return parseArgs({ options: { url: text, key: text, peers: text, stay: { type: 'boolean' }, help: flag } }).values;
  } catch (error) {
    throw new DemoFailed(`${(error as Error).message}\n${usage}`);
  }
}

try {
  await main();
} catch (error) {
  const isExpected = error instanceof DemoFailed || error instanceof UnreachableError || error instanceof ApiError;
  if (!isExpected) throw error;
  const code = error instanceof ApiError ? ` (${error.status} ${error.refusal ?? error.code})` : '';
  process.stderr.write(`\n${red('The demo failed')}: ${error.message}${code}\n`);
  process.exitCode = 1;
}
