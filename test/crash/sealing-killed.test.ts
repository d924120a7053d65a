import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { EntryBuilder } from '../contract/entries.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { below } from './support/random.js';
import { segmentsIn } from './support/segments.js';

const kills = 6;
const child = fileURLToPath(new URL('./support/sealing-child.js', import.meta.url));

describe('a process that is killed while it seals', () => {
  after(tidy);

  it(`keeps each acknowledged entry once, through ${kills} kills`, async () => {
    const dir = scratch();
    const builder = new EntryBuilder();
    const made: string[] = [];
    for (let kill = 1, last = 0; kill <= kills; kill++) {
      const running = spawn(process.execPath, [child, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(running, 'close');
      running.stdout.on('data', (text: Buffer) => {
        last = Math.max(last, ...text.toString().split('\n').map(Number));
      });
      const [enough, sealed] = [last + 30 + below(90), segmentsIn(dir)];
      const hasMore = () => last >= enough && segmentsIn(dir) > sealed;
      await until('it acknowledges and seals entries', hasMore, { everyMs: 1 + below(20) });
      running.kill('SIGKILL');
      await ended;
      const store = await SqliteStore.open({ dir, writer: 'inline' });
      const entries = await store.entries({ after: 0, limit: 10_000 });
      await store.close();
      expect(entries.length).to.be.at.least(last);
      while (made.length < entries.length) made.push(builder.mint('did:svc:ada', 1).entry.coreText);
      expect(entries.map(({ coreText }) => coreText)).to.deep.equal(made);
    }
  });
});
