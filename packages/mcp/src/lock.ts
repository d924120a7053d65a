/**
 * One process at a time, for servers and commands that use one key. The lock is the newest of numbered files: it names its process,
 * and is empty once it is released. Then, or where that process was killed, the next number is the next lock. The newest file is
 * never removed, so a process that looked earlier finds its number taken or a newer one. Where it can't be told whether the
 * process lives, as on another host, nothing is signed. The files are small, and read and written at once, without libuv's threads.
 */
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { makeFolder } from '../../../src/core/durable-file.js';
import type { ClientEnvironment } from '../../client/src/environment.js';
import { mcpBounds } from './bounds.js';
import { ToolRefusal } from './data-block.js';

interface LockHolder {
  readonly pid: number;
  readonly host: string;
}

export class FolderLock {
  #turn: Promise<unknown> = Promise.resolve();
  readonly #folder: string;

  constructor(
    folder: string,
    private readonly environment: ClientEnvironment,
  ) {
    this.#folder = join(folder, 'locks');
    makeFolder(this.#folder);
  }

  hold<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(() => this.#held(work));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #held<T>(work: () => Promise<T>): Promise<T> {
    const { now, wait } = this.environment;
    const last = now() + mcpBounds.lockMs;
    let taken = this.#take();
    for (; taken === undefined; taken = this.#take()) {
      if (now() > last)
        throw new ToolRefusal(
          `Process ${this.#holderOf(this.#newest())?.pid} holds ${this.#folder}: nothing was done. Try again, or remove it if no such server runs.`,
        );
      await wait(mcpBounds.lockPollMs);
    }
    try {
      return await work();
    } finally {
      writeFileSync(this.#path(taken), '');
    }
  }

  /** @returns its number; undefined if another process has it */
  #take(): number | undefined {
    const before = this.#newest();
    const holder = this.#holderOf(before);
    if (holder && !isDead(holder)) return undefined;
    const taken = before + 1;
    if (!this.#make(taken)) return undefined;
    const all = this.#numbers();
    // Others have had this number, and those after it, since it looked.
    if (Math.max(...all) > taken) {
      rmSync(this.#path(taken), { force: true });
      return undefined;
    }
    for (const each of all) if (each < taken) rmSync(this.#path(each), { force: true });
    return taken;
  }

  /** A link appears with its content or not at all. */
  #make(number: number): boolean {
    const mine = join(this.#folder, `new.${this.environment.newKey()}`);
    const holder: LockHolder = { pid: process.pid, host: hostname() };
    writeFileSync(mine, JSON.stringify(holder), { mode: 0o600 });
    try {
      linkSync(mine, this.#path(number));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return false;
    } finally {
      rmSync(mine, { force: true });
    }
  }

  #path(number: number): string {
    return join(this.#folder, String(number));
  }

  #numbers(): readonly number[] {
    return readdirSync(this.#folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  }

  #newest(): number {
    return Math.max(0, ...this.#numbers());
  }

  #holderOf(number: number): LockHolder | undefined {
    try {
      return JSON.parse(readFileSync(this.#path(number), 'utf8')) as LockHolder;
    } catch {
      return undefined; // it is free: the next number tells whether it is still the newest
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
