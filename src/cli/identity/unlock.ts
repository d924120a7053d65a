/** `svc-node identity unlock` and `lock`: keys that a running node uses without a passphrase in each request. */
import type { Command } from 'commander';
import type { JsonObject } from '../../core/canonical.js';
import { askNode, noNodeRunning } from '../../node/control/client.js';
import { parseDidArgument } from '../accounts.js';
import { CommandFailed, must } from '../failure.js';
import { withExamples } from '../help.js';
import { note, printJson } from '../output.js';
import { type PassphraseOptions, readPassphrase } from '../passphrase.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';

export function addUnlock(parent: Command): void {
  const command = withCommonOptions(
    parent
      .command('unlock')
      .description(
        'Let the running node keep a key unlocked until you lock it or the node stops, for API keys that are bound to its DID.',
      ),
  )
    .argument('<did>', 'DID or account address')
    .option('--passphrase-file <file>', 'file whose first line is the passphrase')
    .action(unlock);
  withExamples(command, ['identity unlock did:svc:z6Mk…', 'asks for the passphrase and hands it to the node']);
}

async function unlock(account: string, { passphraseFile, ...common }: PassphraseOptions): Promise<void> {
  const did = parseDidArgument(account);
  const config = loadSettings(common);
  // Fails before the prompt for a passphrase if no node runs.
  await askRunning(config.dataDir, 'identity.held', {});
  const passphrase = await readPassphrase({ prompt: 'Passphrase', file: passphraseFile, config });
  const done = await askRunning(config.dataDir, 'identity.unlock', { did, passphrase });
  if (common.json) return printJson(done);
  note(`${did} is unlocked until svc-node identity lock, or until the node stops.`);
}

export function addLock(parent: Command): void {
  const command = withCommonOptions(parent.command('lock').description('Let the running node lock a key again.'))
    .argument('<did>', 'DID or account address')
    .action(lock);
  withExamples(command, ['identity lock did:svc:z6Mk…', 'what was signed before stays valid']);
}

async function lock(account: string, common: CommonOptions): Promise<void> {
  const did = parseDidArgument(account);
  const done = await askRunning(loadSettings(common).dataDir, 'identity.lock', { did });
  if (common.json) return printJson(done);
  note(`${did} is locked.`);
}

async function askRunning(dataDir: string, act: string, input: JsonObject): Promise<JsonObject> {
  const answer = await askNode(dataDir, act, input);
  if (answer === noNodeRunning) throw new CommandFailed(`no node runs on ${dataDir}: svc-node start starts one`);
  return must(answer);
}
