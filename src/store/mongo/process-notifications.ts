/** Short-lived messages between processes. They are not durable: losing one only makes a shared counter less exact. */
import { Background } from '../../core/background.js';
import type { Environment } from '../../core/environment.js';
import type { Collections } from './database.js';
import type { Outage } from './outage.js';
import type { ProcessRegistry } from './process-registry.js';

const pollMs = 300;
const kept = 256;
const largestPage = 1_000;
/** Older messages, by their process's clock, are skipped by a process that has just started. */
const freshMs = 60_000;

export interface ProcessNotificationsOptions {
  readonly collections: Pick<Collections, 'news'>;
  readonly control: ProcessRegistry;
  readonly outage: Outage;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
}

export class ProcessNotifications {
  readonly #listeners = new Set<(text: string) => void>();
  /** By process: number of the last message read. */
  readonly #heard = new Map<string, number>();
  #nth = 0;
  #telling: Promise<void> = Promise.resolve();
  readonly #polling: Background;
  #stopped = false;

  constructor(private readonly options: ProcessNotificationsOptions) {
    const { world, log } = options;
    const onFailure = (error: unknown) =>
      log('notifications of other processes could not be read', { error: String(error) });
    this.#polling = new Background({ world, onFailure, round: () => this.#poll().then(() => pollMs) });
  }

  /** Sends a message without waiting. Messages during an outage are lost. */
  tell(text: string): void {
    const { outage, control, log } = this.options;
    if (this.#stopped || control.living === 0 || outage.forMs !== undefined) return;
    const nth = ++this.#nth;
    this.#telling = this.#telling
      .then(() => outage.once(() => this.#put(nth, text)))
      .catch((error: unknown) => log('a message to other processes was not sent', { error: String(error) }));
  }

  hear(listener: (text: string) => void): void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#polling.start(pollMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#telling, this.#polling.stop()]);
  }

  async #put(nth: number, text: string): Promise<void> {
    const { control, collections, world } = this.options;
    const process = control.id;
    await collections.news.insertOne({ _id: `${process}/${nth}`, process, nth, at: world.now(), text });
    if (nth % kept === 0) await collections.news.deleteMany({ process, nth: { $lte: nth - kept } });
  }

  async #poll(): Promise<void> {
    const { outage, control, collections } = this.options;
    if (control.living === 0) return;
    const since = [...control.others.keys()].map((process) => ({
      process,
      nth: { $gt: this.#heard.get(process) ?? 0 },
    }));
    for (const process of this.#heard.keys()) if (!control.others.has(process)) this.#heard.delete(process);
    const page = collections.news.find({ $or: since }).sort({ process: 1, nth: 1 }).limit(largestPage);
    for (const { process, nth, at, text } of await outage.read(() => page.toArray())) {
      this.#heard.set(process, nth);
      if ((control.others.get(process)?.document.now ?? 0) - at > freshMs) continue;
      for (const listener of this.#listeners) listener(text);
    }
  }
}
