/**
 * The node's alarm clock: deadlines lie in the store and are delivered as actions by role `clock` through the front
 * door. A wrong clock must not expire everything: alarms stop when the wall clock jumps against the monotonic one.
 */
import { isRefusal, type Refusal } from '../machines/kernel/refusal.js';
import type { Alarm, StoreReader } from '../store/store.js';
import type { Timer, World } from '../world.js';
import type { Accepted } from './command.js';

export interface AlarmsOptions {
  readonly store: StoreReader;
  readonly world: World;
  /** Delivers one alarm as the system signer's command. */
  readonly deliver: (alarm: Alarm) => Promise<Accepted | Refusal>;
  /** Whether it is this process whose alarms ring, where several share a store. */
  readonly mine?: () => Promise<boolean>;
  /** How far another process's wall clock is from ours, ms. */
  readonly skewMs?: () => number;
  readonly log: (message: string, detail: object) => void;
  readonly bounds: {
    /** Alarms delivered in one round. */
    readonly batch: number;
    /** The longest sleep, ms; also how late an alarm set meanwhile may be found. */
    readonly restMs: number;
    /** A jump of the wall clock against the monotonic one, or another process's clock, beyond this stops the alarms, ms. */
    readonly jumpMs: number;
  };
}

/** An alarm that was refused rings again after so long. */
const refusedRestMs = 60_000;
/** Refused alarms that are remembered; with one more all of them ring again. */
const mostResting = 10_000;
/** How soon a process notices that the alarms are its own now. */
const leaseMs = 1_000;

export class Alarms {
  #timer: Timer | undefined;
  /** When the timer rings, epoch ms. */
  #wakesAt = 0;
  #running: Promise<void> | undefined;
  /** The nearest deadline that came while a round was running, epoch ms. */
  #nudged = Number.POSITIVE_INFINITY;
  #stopped = false;
  #jumped = false;
  /** Wall minus monotonic, ms, as the clock stood at start. */
  readonly #offset: number;
  /** Alarms that were refused or failed: not before this monotonic time again, so that one cannot spin. In order of their ringing. */
  readonly #notBefore = new Map<string, number>();

  constructor(private readonly options: AlarmsOptions) {
    this.#offset = options.world.now() - options.world.monotonic();
  }

  /** Why alarms do not ring, for /readyz. */
  get halted(): string | undefined {
    if (this.#jumped) return 'the wall clock jumped; alarms stopped until the node restarts';
    return this.#isSkewed ? 'the wall clock of another process differs; alarms rest until they agree' : undefined;
  }

  get #isSkewed(): boolean {
    return (this.options.skewMs?.() ?? 0) > this.options.bounds.jumpMs;
  }

  start(): void {
    this.#sleep(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  /** A nearer deadline may have come: look again soon. */
  nudge(at: number): void {
    if (this.#running) this.#nudged = Math.min(this.#nudged, at);
    else if (at < this.#wakesAt && this.#timer && !this.#jumped) this.#sleep(at - this.options.world.now());
  }

  #sleep(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#wakesAt = this.options.world.now() + Math.max(0, delayMs);
    this.#timer = this.options.world.after(Math.max(0, delayMs), () => {
      this.#running = this.#ring().then((restMs) => {
        // In one go: whoever nudges finds a round that will look at it, or the timer that it has set.
        this.#running = undefined;
        if (restMs !== undefined) this.#sleep(Math.min(restMs, this.#nudged - this.options.world.now()));
      });
    });
  }

  /** @returns how long to sleep, ms; undefined: for good */
  async #ring(): Promise<number | undefined> {
    const { world, bounds, log } = this.options;
    this.#nudged = Number.POSITIVE_INFINITY;
    try {
      if (Math.abs(world.now() - world.monotonic() - this.#offset) > bounds.jumpMs) {
        this.#jumped = true;
        log('alarms stopped: the wall clock jumped', {});
        return undefined;
      }
      if (this.options.mine && !(await this.options.mine())) return leaseMs;
      if (this.#isSkewed) {
        log('alarms rest: the wall clock of another process differs', { byMs: this.options.skewMs?.() });
        return bounds.restMs;
      }
      return await this.#round();
    } catch (error) {
      // The next round tries again; a store that failed has ended the process by itself.
      log('alarms failed', { error: String(error) });
      return bounds.restMs;
    }
  }

  /** Delivers what is due. @returns how long nothing else will be, as far as is known now, ms */
  async #round(): Promise<number> {
    const { store, world, bounds } = this.options;
    this.#forgive();
    // Those that were refused lie in front, and must not keep the others from being found.
    const soon = await store.due(world.now() + bounds.restMs, bounds.batch + this.#notBefore.size);
    const due = soon.filter((alarm) => this.#waitMs(alarm) <= 0).slice(0, bounds.batch);
    for (const alarm of due) await this.#deliver(alarm);
    return due.length > 0 ? 0 : Math.min(bounds.restMs, ...soon.map((alarm) => this.#waitMs(alarm)));
  }

  #waitMs(alarm: Alarm): number {
    const { world } = this.options;
    const againMs = (this.#notBefore.get(nameOf(alarm)) ?? 0) - world.monotonic();
    return Math.max(alarm.at - world.now(), againMs);
  }

  /** Whose time is over may ring again, or is none any more. */
  #forgive(): void {
    for (const [name, at] of this.#notBefore) {
      if (at > this.options.world.monotonic()) return;
      this.#notBefore.delete(name);
    }
  }

  /** One that fails keeps no other from ringing. */
  async #deliver(alarm: Alarm): Promise<void> {
    if (this.#stopped) return;
    const { bounds, deliver, log } = this.options;
    const resource = `${alarm.kind}/${alarm.id}`;
    try {
      const result = await deliver(alarm);
      if (!isRefusal(result)) return;
      // It moved meanwhile, or its law refuses it: another look later, and not in a loop.
      this.#rest(alarm, refusedRestMs);
      log('alarm refused', { resource, action: alarm.action, code: result.code });
    } catch (error) {
      this.#rest(alarm, Math.min(bounds.restMs, refusedRestMs));
      log('alarms failed', { resource, action: alarm.action, error: String(error) });
    }
  }

  #rest(alarm: Alarm, restMs: number): void {
    if (this.#notBefore.size >= mostResting) this.#notBefore.clear();
    this.#notBefore.set(nameOf(alarm), this.options.world.monotonic() + restMs);
  }
}

/** With its time: another deadline of the same resource is another alarm. */
const nameOf = ({ kind, id, at }: Alarm): string => `${kind}/${id}@${at}`;
