/** The lock of an agent's folder: one that a killed process left is taken over by one process, and nothing waits for ever. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { realEnvironment } from '../../packages/client/src/environment.js';
import { mcpBounds } from '../../packages/mcp/src/bounds.js';
import { FolderLock } from '../../packages/mcp/src/lock.js';

describe('The lock of a server of MCP', () => {
  let folder: string;
  let turns: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-mcp-'));
    mkdirSync(join(folder, 'locks'));
    turns = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const heldBy = (pid: number, host = hostname(), number = 7) =>
    writeFileSync(join(folder, 'locks', String(number)), JSON.stringify({ pid, host }));
  const killed = () => Number(spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).stdout);

  /** Its time passes with its turns. */
  const lock = (looked: () => void = () => {}) => {
    const now = () => (turns * mcpBounds.lockMs) / 10;
    const wait = async () => {
      if (++turns > 20) throw new RangeError('it waits for ever');
    };
    const newKey = () => {
      looked();
      return realEnvironment.newKey();
    };
    return new FolderLock(folder, { ...realEnvironment, now, wait, newKey });
  };

  it('is taken over where its process was killed, and again where that one was', async () => {
    heldBy(killed());
    expect(await lock().hold(async () => 'held')).to.equal('held');
    heldBy(killed(), hostname(), 9);
    expect(await lock().hold(async () => 'held')).to.equal('held');
    expect(readdirSync(join(folder, 'locks'))).to.deep.equal(['10']);
    expect(readFileSync(join(folder, 'locks', '10'), 'utf8')).to.equal('');
  });

  it('is refused where its process lives, or where that can’t be told', async () => {
    for (const [pid, host] of [
      [process.ppid, hostname()],
      [killed(), 'another.example'],
    ] as const) {
      turns = 0;
      heldBy(pid, host);
      const thrown = await lock()
        .hold(async () => 'held')
        .catch((error: unknown) => error);
      expect(String(thrown)).to.include(`Process ${pid}`).and.to.include('nothing was done');
    }
  });

  it('is not taken by a process that looked before others took it over', async () => {
    heldBy(killed());
    let isLate = true;
    let held = false;
    const late = lock(() => {
      if (!isLate) return;
      isLate = false;
      // Others have taken and released it meanwhile, and one has it.
      rmSync(join(folder, 'locks', '7'));
      heldBy(process.ppid, hostname(), 9);
    });
    const thrown = await late
      .hold(async () => {
        held = true;
      })
      .catch((error: unknown) => error);
    expect(held).to.equal(false);
    expect(String(thrown)).to.include('nothing was done');
  });

  it('is held by one process at a time, also while others are killed', async () => {
    const program = fileURLToPath(new URL('support/locking.js', import.meta.url));
    const processes: ChildProcess[] = [];
    const start = () => processes.push(fork(program, [folder]));
    try {
      for (let each = 0; each < 3; each++) start();
      for (let kill = 0; kill < 5; kill++) {
        await once(processes[kill]!, 'message');
        processes[kill]!.kill('SIGKILL');
        start();
      }
      await once(processes.at(-1)!, 'message');
    } finally {
      for (const each of processes) {
        const exit = each.exitCode === null && each.signalCode === null ? once(each, 'exit') : undefined;
        each.kill('SIGKILL');
        await exit;
      }
    }
    expect(existsSync(join(folder, 'twice'))).to.equal(false);
  });
});
