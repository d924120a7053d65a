/**
 * Group commit, the caller's side: jobs gather and are sent to the writer together; each answers when it is on disk.
 */
import type { World } from '../../world.js';
import { StoreFault } from '../store.js';
import { messageOf } from './connection.js';
import type { Job, Outcome } from './job.js';
import type { WriterHandle } from './writer-handle.js';

interface Waiting {
  readonly job: Job;
  resolve(outcome: Outcome): void;
  reject(error: StoreFault): void;
}

type Writing = Pick<WriterHandle, 'write' | 'gathering'>;

export class WriteQueue {
  readonly #writer: Writing;
  readonly #world: Pick<World, 'monotonic'>;
  #waiting: Waiting[] = [];
  /** When the first of them came, and how many there were when the last turn ended. */
  #since = 0;
  #before = 0;
  /** One of them is what somebody has waited for since long before. */
  #isUrgent = false;
  /** How many were sent together the last time. */
  #last = 1;
  readonly #sent = new Set<Promise<void>>();
  #scheduled = false;
  #dead: StoreFault | undefined;

  readonly stats = { entries: 0, commits: 0 };

  constructor(writer: Writing, world: Pick<World, 'monotonic'>) {
    this.#writer = writer;
    this.#world = world;
  }

  push(job: Job): Promise<Outcome> {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#since = this.#world.monotonic();
      this.#waiting.push({ job, resolve, reject });
      this.#isUrgent ||= job.do === 'receipts';
      if (this.#waiting.length >= this.#writer.gathering.enough) this.#send();
      else this.#sendSoon();
    });
  }

  /** Refuses further jobs and waits for those that were pushed. */
  async end(): Promise<void> {
    this.#send();
    this.#dead ??= new StoreFault('the store is closed');
    await Promise.all(this.#sent);
  }

  /** After this turn of the event loop, or a later one: whoever was woken together with the caller may ask too. */
  #sendSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#expectsMore()) this.#sendSoon();
      else this.#send();
    });
  }

  /**
   * As long as every turn brings another job, the main thread is busy making them: whoever waits for those would hardly
   * be answered sooner, and they share an fsync. Who came alone, after one who was alone, doesn't wait, and nobody does
   * beside receipts: requests wait for those.
   */
  #expectsMore(): boolean {
    const now = this.#waiting.length;
    const brought = now > this.#before;
    this.#before = now;
    if (!brought || this.#isUrgent || (now === 1 && this.#last === 1)) return false;
    return this.#world.monotonic() - this.#since < this.#writer.gathering.patienceMs;
  }

  #send(): void {
    const chunk = this.#waiting;
    if (chunk.length === 0) return;
    this.#waiting = [];
    this.#before = 0;
    this.#isUrgent = false;
    this.#last = chunk.length;
    const sent = this.#settle(chunk).finally(() => this.#sent.delete(sent));
    this.#sent.add(sent);
  }

  async #settle(chunk: readonly Waiting[]): Promise<void> {
    try {
      const { outcomes, commits } = await this.#writer.write(chunk.map(({ job }) => job));
      this.stats.commits = commits;
      this.stats.entries += accepted(outcomes);
      for (const [i, { resolve }] of chunk.entries()) resolve(outcomes[i]!);
    } catch (cause) {
      this.#dead = cause instanceof StoreFault ? cause : new StoreFault(messageOf(cause), { cause });
      for (const { reject } of [...chunk, ...this.#waiting.splice(0)]) reject(this.#dead);
    }
  }
}

const accepted = (outcomes: readonly Outcome[]): number =>
  outcomes.reduce((sum, outcome) => sum + (Array.isArray(outcome) ? outcome.filter(({ ok }) => ok).length : 0), 0);
