/**
 * Group commit: jobs that wait while a group is being written form the next group, so the fsync is shared by as
 * many as there are, and a lone job waits for nobody.
 */
import { StoreFault } from '../store.js';
import type { Job, Outcome } from './job.js';

/** Resolves with the outcomes after they are on disk; rejects when durability is in doubt. */
export type WriteGroup = (jobs: readonly Job[]) => Promise<readonly Outcome[]>;

/** Commits in one transaction at most, so that the first of a long queue does not wait for the last. */
const largestGroup = 1_024;

interface Waiting {
  readonly job: Job;
  readonly commits: number;
  resolve(outcome: Outcome): void;
  reject(error: StoreFault): void;
}

export class WriteQueue {
  readonly #write: WriteGroup;
  readonly #waiting: Waiting[] = [];
  #draining = false;
  #drained: Promise<void> = Promise.resolve();
  #dead: StoreFault | undefined;
  readonly stats = { entries: 0, commits: 0 };

  constructor(write: WriteGroup) {
    this.#write = write;
  }

  push(job: Job): Promise<Outcome> {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, commits: job.do === 'append' ? job.commits.length : 1, resolve, reject });
      if (!this.#draining) this.#drained = this.#drain();
    });
  }

  /** Refuses further jobs and waits for those that were pushed. */
  async end(): Promise<void> {
    await this.#drained;
    this.#dead ??= new StoreFault('the store is closed');
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#waiting.length > 0 && !this.#dead) {
      // Whoever was woken by the last group asks again within this turn of the event loop: let all of them in.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#nextGroup();
      try {
        const outcomes = await this.#write(group.map(({ job }) => job));
        this.stats.commits++;
        for (const [i, { job, resolve }] of group.entries()) {
          if (job.do === 'append') this.stats.entries += countAccepted(outcomes[i]!);
          resolve(outcomes[i]!);
        }
      } catch (cause) {
        this.#die(group, cause);
      }
    }
    this.#draining = false;
  }

  #nextGroup(): Waiting[] {
    let commits = 0;
    const end = this.#waiting.findIndex((waiting, i) => {
      commits += waiting.commits;
      return i > 0 && commits > largestGroup;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  #die(group: readonly Waiting[], cause: unknown): void {
    const why = cause instanceof Error ? cause.message : String(cause);
    this.#dead = cause instanceof StoreFault ? cause : new StoreFault(why, { cause });
    for (const { reject } of [...group, ...this.#waiting.splice(0)]) reject(this.#dead);
  }
}

const countAccepted = (outcome: Outcome): number =>
  Array.isArray(outcome) ? outcome.filter((result) => result.ok).length : 0;
