/** The lock of an agent's folder: one that a killed process left is removed, and nothing waits for ever. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { realEnvironment } from '../../packages/client/src/environment.js';
import { mcpBounds } from '../../packages/mcp/src/bounds.js';
import { FolderLock } from '../../packages/mcp/src/lock.js';

describe('The lock of a server of MCP', () => {
  let folder: string;
  let turns: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-mcp-'));
    turns = 0;
    const pid = Number(spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).stdout);
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid, host: hostname() }));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Its time passes with its turns. */
  const lock = () => {
    const now = () => (turns * mcpBounds.lockMs) / 10;
    const wait = async () => {
      if (++turns > 20) throw new RangeError('it waits for ever');
    };
    return new FolderLock(folder, { ...realEnvironment, now, wait });
  };

  it('is removed where its process was killed', async () => {
    expect(await lock().hold(async () => 'held')).to.equal('held');
    expect(await readdir(folder)).to.deep.equal([]);
  });

  it('is refused, with the names of both files, where one that removed it was killed too', async () => {
    await mkdir(join(folder, 'lock.removing'));
    const thrown = await lock()
      .hold(async () => 'held')
      .catch((error: unknown) => error);
    expect(String(thrown)).to.include(join(folder, 'lock.removing')).and.to.include('nothing was done');
  });
});
