/**
 * Audits at a fixed interval (`SVC_AUDIT_EVERY_HOURS`), counted from the start of the last one, whoever started it. Of
 * several processes on one database only the holder of a lease starts them.
 */
import { Background } from '../core/background.js';
import type { Environment } from '../core/environment.js';
import type { Audits } from './audits.js';

export interface RegularAuditsOptions {
  readonly audits: Pick<Audits, 'last' | 'start' | 'running'>;
  readonly world: Environment;
  readonly everyMs: number;
  /** Whether this process starts them; absent where it is alone on its database. */
  readonly mine?: (() => Promise<boolean>) | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** Between two looks at whether one is due: another process on the same database may audit, or have held the lease. */
const lookEveryMs = 60_000;

export class RegularAudits {
  readonly #rounds: Background;

  constructor({ audits, world, everyMs, mine, onFailure }: RegularAuditsOptions) {
    const round = async (): Promise<number> => {
      const last = await audits.last();
      const dueInMs = last ? last.startedAt + everyMs - world.now() : 0;
      if (dueInMs > 0) return Math.min(dueInMs, lookEveryMs);
      // The result of one that runs elsewhere is known when it ends, so the last one doesn't tell.
      if (mine && !(await mine())) return lookEveryMs;
      // One that runs already is as good as the one that is due.
      if (!audits.running) await audits.start();
      return lookEveryMs;
    };
    this.#rounds = new Background({ world, round, onFailure });
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }
}
