/**
 * Delivers deadlines. The store keeps each deadline as an alarm, and this clock delivers it as an action by the role
 * `clock`, through the same pipeline as any command.
 */

import { Background } from '../core/background.js';
import type { Environment } from '../core/environment.js';
import { isRefusal, type Refusal } from '../core/refusal.js';
import type { Alarm, StoreReader } from '../store/store.js';

export interface AlarmsOptions {
  readonly store: StoreReader;
  readonly world: Environment;
  readonly deliver: (alarm: Alarm) => Promise<object | Refusal>;
  /** Whether this process delivers the alarms, where several processes share a store. */
  readonly mine?: () => Promise<boolean>;
  /** Leaves the alarms to another process, where several share a store. */
  readonly leave?: () => Promise<void>;
  /** How long no alarm is delivered, ms; 0 while the clock is right. */
  readonly waitMs?: () => number;
  readonly log: (message: string, detail: object) => void;
  readonly bounds: {
    readonly batch: number;
    /** Longest sleep, ms. An alarm that was set meanwhile is found this late at most. */
    readonly restMs: number;
  };
}

/** Delay before a refused alarm is delivered again. */
const refusedRestMs = 60_000;
/** Bound of the remembered refusals. Beyond it all of them are forgotten and delivered again. */
const mostResting = 10_000;
/** How often a process checks whether it delivers the alarms. */
const leaseMs = 1_000;

export class Alarms {
  readonly #rounds: Background;
  #stopped = false;
  /**
   * Earliest next delivery of alarms that were refused or failed, monotonic ms, so that one alarm cannot loop. In
   * order of that time.
   */
  readonly #notBefore = new Map<string, number>();

  constructor(private readonly options: AlarmsOptions) {
    const { world, log } = options;
    const onFailure = (error: unknown) => log('alarms failed', { error: String(error) });
    this.#rounds = new Background({ world, onFailure, round: () => this.#deliverDue() });
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#rounds.stop();
  }

  wakeBy(at: number): void {
    this.#rounds.wake(at - this.options.world.now());
  }

  /** @returns how long to sleep, ms */
  async #deliverDue(): Promise<number> {
    const { bounds, leave, mine, waitMs } = this.options;
    const leftMs = waitMs?.() ?? 0;
    if (leftMs > 0) {
      await leave?.();
      return Math.min(bounds.restMs, leftMs);
    }
    return mine && !(await mine()) ? leaseMs : this.#round();
  }

  /**
   * Delivers the alarms that are due.
   * @returns the time until the next known alarm, ms
   */
  async #round(): Promise<number> {
    const { store, world, bounds } = this.options;
    this.#forgive();
    // Refused alarms come first in the list, so the batch is enlarged by their number to reach the others.
    const soon = await store.due(world.now() + bounds.restMs, bounds.batch + this.#notBefore.size);
    const due = soon.filter((alarm) => this.#waitMs(alarm) <= 0).slice(0, bounds.batch);
    for (const alarm of due) await this.#deliver(alarm);
    return due.length > 0 ? 0 : Math.min(bounds.restMs, ...soon.map((alarm) => this.#waitMs(alarm)));
  }

  #waitMs(alarm: Alarm): number {
    const { world } = this.options;
    const againMs = (this.#notBefore.get(alarmNameOf(alarm)) ?? 0) - world.monotonic();
    return Math.max(alarm.at - world.now(), againMs);
  }

  #forgive(): void {
    for (const [name, at] of this.#notBefore) {
      if (at > this.options.world.monotonic()) return;
      this.#notBefore.delete(name);
    }
  }

  /** Delivers one alarm. A failure is logged and doesn't affect the others. */
  async #deliver(alarm: Alarm): Promise<void> {
    if (this.#stopped) return;
    const { bounds, deliver, log } = this.options;
    const resource = `${alarm.kind}/${alarm.id}`;
    try {
      const result = await deliver(alarm);
      if (!isRefusal(result)) return;
      // The resource has changed meanwhile or its guards refuse the action. Delays the next attempt to avoid a loop.
      const isOutage = result.code === 'SERVICE_UNAVAILABLE';
      this.#rest(alarm, isOutage ? Math.min(bounds.restMs, refusedRestMs) : refusedRestMs);
      log('alarm refused', { resource, action: alarm.action, code: result.code });
    } catch (error) {
      this.#rest(alarm, Math.min(bounds.restMs, refusedRestMs));
      log('alarms failed', { resource, action: alarm.action, error: String(error) });
    }
  }

  #rest(alarm: Alarm, restMs: number): void {
    if (this.#notBefore.size >= mostResting) this.#notBefore.clear();
    this.#notBefore.set(alarmNameOf(alarm), this.options.world.monotonic() + restMs);
  }
}

/** Includes the time, because another deadline of the same resource is another alarm. */
const alarmNameOf = ({ kind, id, at }: Alarm): string => `${kind}/${id}@${at}`;
