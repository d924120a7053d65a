/**
 * Small news from each process to the others, soon forgotten and not durable: who misses some has counted a little less.
 */
import type { Timer, World } from '../../world.js';
import type { Away } from './away.js';
import type { Control } from './control.js';
import type { Collections } from './database.js';

export interface NewsDocument {
  /** `<process>/<nth>` */
  readonly _id: string;
  readonly process: string;
  readonly nth: number;
  /** Wall clock of its process, epoch ms. */
  readonly at: number;
  readonly text: string;
}

/** How often the others' news are read. */
const pollMs = 300;
/** What each process leaves lying of its own. */
const kept = 256;
const largestPage = 1_000;
/** What is older by its own process's clock is no news to one that has just started. */
const freshMs = 60_000;

export interface NewsOptions {
  readonly collections: Pick<Collections, 'news'>;
  readonly control: Control;
  readonly away: Away;
  readonly world: World;
  readonly onFault: (cause: unknown) => void;
}

export class News {
  readonly #listeners = new Set<(text: string) => void>();
  /** By process: the how-manieth piece was the last that was heard. */
  readonly #heard = new Map<string, number>();
  #nth = 0;
  #telling: Promise<void> = Promise.resolve();
  #polling: Promise<void> = Promise.resolve();
  #timer: Timer | undefined;
  #stopped = false;

  constructor(private readonly options: NewsOptions) {}

  tell(text: string): void {
    if (this.#stopped || this.options.control.living === 0) return;
    const nth = ++this.#nth;
    this.#telling = this.#telling.then(() => this.#orNot(() => this.#put(nth, text)));
  }

  hear(listener: (text: string) => void): void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#pollSoon();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await Promise.all([this.#telling, this.#polling]);
  }

  async #put(nth: number, text: string): Promise<void> {
    const { control, collections, world } = this.options;
    const process = control.id;
    await collections.news.insertOne({ _id: `${process}/${nth}`, process, nth, at: world.now(), text });
    if (nth % kept === 0) await collections.news.deleteMany({ process, nth: { $lte: nth - kept } });
  }

  #pollSoon(): void {
    if (this.#stopped) return;
    this.#timer = this.options.world.after(pollMs, () => {
      const isAlone = this.options.control.living === 0;
      this.#polling = (isAlone ? Promise.resolve() : this.#orNot(() => this.#poll())).then(() => this.#pollSoon());
    });
  }

  async #poll(): Promise<void> {
    const { control, collections } = this.options;
    const since = [...control.others.keys()].map((process) => ({
      process,
      nth: { $gt: this.#heard.get(process) ?? 0 },
    }));
    for (const process of this.#heard.keys()) if (!control.others.has(process)) this.#heard.delete(process);
    const page = collections.news.find({ $or: since }).sort({ process: 1, nth: 1 }).limit(largestPage);
    for (const { process, nth, at, text } of await page.toArray()) {
      this.#heard.set(process, nth);
      if ((control.others.get(process)?.document.now ?? 0) - at > freshMs) continue;
      for (const listener of this.#listeners) listener(text);
    }
  }

  /** Nobody waits for news: those that a server missed while it was away are lost. */
  async #orNot(work: () => Promise<void>): Promise<void> {
    try {
      await this.options.away.once(work);
    } catch (error) {
      if (!this.#stopped) this.options.onFault(error);
    }
  }
}
