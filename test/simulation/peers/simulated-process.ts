/**
 * One process of a home: its clock, its randomness, and its death. A dead process is never called again and none of its
 * promises settles, so that it can die wherever the program waits.
 */
import type { Environment, Timer } from '../../../src/core/environment.js';
import { noon } from '../../world/fake-world.js';
import type { Draws } from './draws.js';
import type { Scheduler } from './scheduler.js';

/** Where a process dies: at the n-th of its next reads, writes and messages, before or after the effect. */
export interface Death {
  left: number;
  readonly isBefore: boolean;
}

export interface ProcessOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  /** Difference between its wall clock and the true time, in ms. */
  readonly skewMs: () => number;
  readonly onDeath: (why: string) => void;
}

export class SimulatedProcess implements Environment {
  isAlive = true;
  #death: Death | undefined;

  constructor(readonly options: ProcessOptions) {}

  get name(): string {
    return this.options.name;
  }

  now(): number {
    return noon + Math.floor(this.options.scheduler.now) + this.options.skewMs();
  }

  monotonic(): number {
    return this.options.scheduler.now;
  }

  uptime(): number {
    return this.monotonic();
  }

  random(bytes: number): Uint8Array {
    return this.options.draws.bytes(bytes);
  }

  after(delayMs: number, call: () => void): Timer {
    return this.options.scheduler.after(delayMs, () => {
      if (this.isAlive) call();
    });
  }

  dieAt(death: Death | undefined): void {
    this.#death = death;
  }

  /** A point at which the process may die. @returns whether it is dead */
  reaches(moment: 'before' | 'after', what: string): boolean {
    const death = this.#death;
    if (!this.isAlive || !death || death.isBefore !== (moment === 'before')) return !this.isAlive;
    if (death.left-- > 0) return false;
    this.die(`${moment} ${what}`);
    return true;
  }

  die(why: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.options.onDeath(why);
  }
}

/** The promise that a dead process gets. */
export const never = <T>(): Promise<T> => new Promise(() => {});
