/** A process that takes the lock of a folder again and again, and says so. It notes if another living one has it as well. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { realEnvironment } from '../../../packages/client/src/environment.js';
import { FolderLock } from '../../../packages/mcp/src/lock.js';

const folder = process.argv[2]!;
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const lock = new FolderLock(folder, realEnvironment);
process.on('disconnect', () => process.exit());
for (;;)
  await lock.hold(async () => {
    const mine = join(folder, `held.${process.pid}`);
    writeFileSync(mine, '');
    const holders = readdirSync(folder).filter((name) => name.startsWith('held.'));
    const isTwice = holders.filter((name) => lives(Number(name.slice('held.'.length)))).length > 1;
    if (isTwice) writeFileSync(join(folder, 'twice'), '');
    await new Promise((resolve) => process.send!('held', resolve));
    rmSync(mine);
  });
