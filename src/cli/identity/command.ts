import type { Command } from 'commander';
import { withExamples } from '../help.js';
import { addCreate } from './create.js';
import { addList } from './list.js';
import { addPasswd } from './passwd.js';
import { addExport, addImport } from './transfer.js';
import { addLock, addUnlock } from './unlock.js';

export function addIdentity(program: Command): void {
  const identity = program
    .command('identity')
    .description('Keys in the keystore: create, list, export, import, lock and unlock them.');
  addCreate(identity);
  addList(identity);
  addExport(identity);
  addImport(identity);
  addPasswd(identity);
  addUnlock(identity);
  addLock(identity);
  withExamples(
    identity,
    ['identity create', 'creates a key, even while a node runs'],
    ['identity list', 'the keys in the keystore'],
    ['identity unlock did:svc:z6Mk…', 'lets API keys that are bound to this DID sign'],
  );
}
