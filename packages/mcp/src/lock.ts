/**
 * One process at a time, for servers and commands that use one key. The lock is a file that names its process: one that was
 * killed leaves it, and the next process removes it. Where that can't be told, as of another host, it stays, and nothing is
 * signed. Its files are small, and read and written at once, without libuv's threads.
 */
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { ClientEnvironment } from '../../client/src/environment.js';
import { mcpBounds } from './bounds.js';
import { ToolRefusal } from './data-block.js';

interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

export class FolderLock {
  #turn: Promise<unknown> = Promise.resolve();
  readonly #path: string;
  /** Left where the one that removed was killed. */
  readonly #removing: string;

  constructor(
    private readonly folder: string,
    private readonly environment: ClientEnvironment,
  ) {
    this.#path = join(folder, 'lock');
    this.#removing = `${this.#path}.removing`;
  }

  hold<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() => this.#held(work));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #held<T>(work: () => Promise<T>): Promise<T> {
    const { now, wait } = this.environment;
    const last = now() + mcpBounds.lockMs;
    while (!this.#take()) {
      const holder = this.#holder();
      if (now() > last)
        throw new ToolRefusal(
          `Process ${holder?.pid} holds ${this.#path}: nothing was done. Try again, or remove it and ${this.#removing} if no such server runs.`,
        );
      if (holder && isDead(holder)) this.#removeDead();
      await wait(mcpBounds.lockPollMs);
    }
    try {
      return await work();
    } finally {
      rmSync(this.#path, { force: true });
    }
  }

  /** A link appears with its content or not at all. */
  #take(): boolean {
    const mine = join(this.folder, `lock.${this.environment.newKey()}`);
    const holder: LockHolder = { pid: process.pid, host: hostname() };
    writeFileSync(mine, JSON.stringify(holder), { mode: 0o600 });
    try {
      linkSync(mine, this.#path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    } finally {
      rmSync(mine, { force: true });
    }
  }

  #holder(): LockHolder | undefined {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as LockHolder;
    } catch {
      return undefined; // it was released
    }
  }

  /** One process looks again and removes: the lock of a living one is never taken for the dead one's. */
  #removeDead(): void {
    try {
      mkdirSync(this.#removing);
    } catch {
      return; // another process removes it
    }
    try {
      const holder = this.#holder();
      if (holder && isDead(holder)) rmSync(this.#path, { force: true });
    } finally {
      rmdirSync(this.#removing);
    }
  }
}

function isDead({ pid, host }: LockHolder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
