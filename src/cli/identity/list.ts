import type { Command } from 'commander';
import { askNode, noNodeRunning } from '../../node/control/client.js';
import { readNodeDid } from '../../node/identity.js';
import { openKeystore } from '../accounts.js';
import { must } from '../failure.js';
import { withExamples } from '../help.js';
import { note, printJson, printTable, timeText } from '../output.js';
import { type CommonOptions, loadSettings, withCommonOptions } from '../settings.js';

export function addList(parent: Command): void {
  const command = withCommonOptions(
    parent
      .command('list')
      .description('List the keys in the keystore, oldest first, and show which ones a running node keeps unlocked.'),
  ).action(list);
  withExamples(
    command,
    ['identity list', 'the keys of the default data directory'],
    ['identity list --data /srv/svc --json', 'the keys of another one, for a program'],
  );
}

async function list(common: CommonOptions): Promise<void> {
  const config = loadSettings(common);
  const own = readNodeDid(config);
  const held = await askNode(config.dataDir, 'identity.held', {});
  const unlocked = held === noNodeRunning ? [] : (must(held).dids as string[]);
  const keys = await (await openKeystore(config)).list();
  const identities = keys.map((key) => ({ ...key, isNode: key.did === own, unlocked: unlocked.includes(key.did) }));
  if (common.json) return printJson({ identities });
  if (identities.length === 0) return note('No keys yet: svc-node identity create makes one.');
  const rows = identities.map(({ did, address, createdAt, isNode, unlocked }) => [
    did,
    address,
    timeText(createdAt),
    [isNode ? 'the node’s own' : '', unlocked ? 'unlocked' : ''].filter(Boolean).join(', '),
  ]);
  printTable(['DID', 'ADDRESS', 'CREATED', ''], rows);
}
