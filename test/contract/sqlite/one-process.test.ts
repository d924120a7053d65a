import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { StoreRefused } from '../../../src/store/store.js';
import { rejection } from '../fixture.js';
import { Directory, writers } from './support.js';

/** A program that opens the store, mints repeatedly, and prints the number of each acknowledged entry. */
const minting = `
  import { SqliteStore } from '${new URL('../../../src/store/sqlite/sqlite-store.js', import.meta.url)}';
  import { EntryBuilder } from '${new URL('../entries.js', import.meta.url)}';
  const [dir, writer] = process.argv.slice(1);
  const store = await SqliteStore.open({ dir, writer });
  const builder = new EntryBuilder();
  for (;;) {
    const [result] = await store.append([builder.mint('did:svc:ada', 1)]);
    process.stdout.write(result.seq + '\\n');
  }
`;

describe('one process for each data directory', () => {
  const directory = new Directory();
  let child: ChildProcess | undefined;

  afterEach(() => child?.kill('SIGKILL'));

  async function mint(writer: string): Promise<{ pid: number; acknowledged: () => number }> {
    const node = spawn(process.execPath, ['--input-type=module', '-e', minting, directory.path, writer]);
    child = node;
    let printed = '';
    node.stdout.on('data', (text) => {
      printed += text;
    });
    node.stderr.pipe(process.stderr);
    await once(node.stdout, 'data');
    const whole = () => printed.slice(0, printed.lastIndexOf('\n')).split('\n');
    return { pid: node.pid!, acknowledged: () => Number(whole().at(-1)) };
  }

  for (const writer of writers) {
    it(`refuses a second one by the pid of the first, and accepts it after a kill -9, writer ${writer}`, async () => {
      const { pid, acknowledged } = await mint(writer);
      const error = await rejection(directory.open(writer));
      expect(error).to.be.instanceOf(StoreRefused);
      expect(error.message).to.match(new RegExp(`in use by process ${pid}: stop that one first`));

      const exited = once(child!, 'exit');
      child!.kill('SIGKILL');
      await exited;
      const store = await directory.open(writer);
      const { seq } = await store.head();
      expect(seq).to.be.at.least(acknowledged());
      expect(await store.account('did:svc:ada')).to.include({ available: seq, seq });
      expect(await store.entries({ after: 0, limit: 100_000 })).to.have.length(seq);
    });
  }

  it('refuses a second store in the same process, and accepts it after the first was closed', async () => {
    const first = await directory.open();
    expect(await rejection(directory.open())).to.be.instanceOf(StoreRefused);
    await first.close();
    await directory.open();
  });
});
