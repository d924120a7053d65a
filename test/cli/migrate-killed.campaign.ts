import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import Database from 'libsql';
import { TestDatabase } from '../mongo/support/database.js';
import { describeMongo } from '../mongo/support/server.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { ended, spawnCommand, svcNode } from './support/command.js';
import { longJournal } from './support/long-journal.js';
import { auditOf, ok } from './support/outcome.js';

describeMongo('svc-node migrate, killed', () => {
  let database: TestDatabase;

  before(async () => {
    database = await TestDatabase.fresh();
  });
  after(() => database.dispose());
  after(tidy);

  /** Kills the command as soon as the target has grown. */
  async function killOnTheWay(words: readonly string[], length: () => number | Promise<number>): Promise<number> {
    const before = await length();
    const child = spawnCommand(words, { env: { SVC_STORE: database.url } });
    // On a busy machine it must not end before this process looks.
    setPriority(child.pid!, 10);
    const end = ended(child);
    let now = before;
    while (child.exitCode === null && now <= before) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      now = await length();
    }
    child.kill('SIGKILL');
    const { signal, stderr } = await end;
    expect(signal, stderr).to.equal('SIGKILL');
    return now;
  }

  it('is killed again and again on the way, and continues until both sides are equal', async () => {
    const entries = 1_600;
    const dir = scratch();
    await longJournal(dir, entries - 2);
    const command = (from: string, to: string) => ['migrate', '--from', from, '--to', to, '--data', dir, '--json'];
    const run = (from: string, to: string) => svcNode(command(from, to), { env: { SVC_STORE: database.url } });
    for (const part of isLong ? ['entries', 'order', 'entries', 'order'] : ['entries', 'order']) {
      // One connection for all reads, because they have to be faster than the command.
      const length = await database.raw((client, name) =>
        killOnTheWay(command('embedded', 'SVC_STORE'), () => client.db(name).collection(part).countDocuments({})),
      );
      expect(length).to.be.below(entries);
    }
    const half = await svcNode(['start', '--data', scratch(), '--port', '0'], { env: { SVC_STORE: database.url } });
    expect(half.stderr).to.include('unfinished target of a move');
    expect((await svcNode(['start', '--data', dir, '--port', '0'])).stderr).to.include('is being moved to mongodb://');
    expect(await ok(run('embedded', 'SVC_STORE'))).to.include({ now: true, entries });
    expect(await auditOf(database.url)).to.deep.equal(await auditOf(dir));

    const other = join(scratch(), 'other');
    const lengthOfFile = () => {
      if (!existsSync(join(other, 'journal.db'))) return 0;
      const file = new Database(join(other, 'journal.db'), { timeout: 1_000 });
      try {
        return Number((file.prepare('SELECT count(*) FROM journal').raw().get([]) as [number])[0]);
      } catch {
        return 0; // the tables are still being created
      } finally {
        file.close();
      }
    };
    for (let n = 0; n < (isLong ? 3 : 1); n++) {
      expect(await killOnTheWay(command('SVC_STORE', other), lengthOfFile)).to.be.below(entries);
    }
    expect(await ok(run('SVC_STORE', other))).to.include({ now: true, entries });
    expect(await auditOf(other)).to.deep.equal(await auditOf(dir));
  });
});
