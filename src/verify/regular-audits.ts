/**
 * Starts audits at a fixed interval (`SVC_AUDIT_EVERY_HOURS`), counted from the start of the last one, whether
 * scheduled or not. Of several processes on one database only the lease holder starts them.
 */
import { Background } from '../core/background.js';
import type { Environment } from '../core/environment.js';
import type { Audits } from './audits.js';

export interface RegularAuditsOptions {
  readonly audits: Pick<Audits, 'last' | 'start' | 'running'>;
  readonly world: Environment;
  readonly everyMs: number;
  /** Whether this process starts them; absent if it is alone on its database. */
  readonly mine?: (() => Promise<boolean>) | undefined;
  /** Whether the chain answers that an audit compares with; absent where there is none. */
  readonly ready?: (() => Promise<boolean>) | undefined;
  readonly onFailure: (error: unknown) => void;
}

/**
 * How often it is checked whether an audit is due, because another process on the database may have run one or held the
 * lease.
 */
const lookEveryMs = 60_000;

export class RegularAudits {
  readonly #rounds: Background;

  constructor({ audits, world, everyMs, mine, ready, onFailure }: RegularAuditsOptions) {
    let hasWaited = false;
    const round = async (): Promise<number> => {
      const last = await audits.last();
      const dueInMs = last ? last.startedAt + everyMs - world.now() : 0;
      if (dueInMs > 0) return Math.min(dueInMs, lookEveryMs);
      // An audit that another process is running has no result yet, so the last result does not show it: only the lease
      // holder decides.
      if (mine && !(await mine())) return lookEveryMs;
      // A running audit counts as the one that is due.
      if (audits.running) return lookEveryMs;
      // A node's own chain comes up after the node. One that stays away prevents no audit.
      const isReady = hasWaited || !ready || (await ready());
      hasWaited = !isReady;
      if (isReady) await audits.start();
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
