/** Audits at a fixed interval (`SVC_AUDIT_EVERY_HOURS`), counted from the start of the last one, whoever started it. */
import { Background } from '../core/background.js';
import type { Environment } from '../core/environment.js';
import type { Audits } from './audits.js';

export interface RegularAuditsOptions {
  readonly audits: Pick<Audits, 'last' | 'start' | 'running'>;
  readonly world: Environment;
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Between two looks at whether one is due: other processes on the same database audit, too. */
const lookEveryMs = 60_000;

export class RegularAudits {
  readonly #rounds: Background;

  constructor({ audits, world, everyMs, onFailure }: RegularAuditsOptions) {
    const round = async (): Promise<number> => {
      const last = await audits.last();
      const dueInMs = last ? last.startedAt + everyMs - world.now() : 0;
      if (dueInMs > 0) return Math.min(dueInMs, lookEveryMs);
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
