/**
 * The one place where a time gets into the journal (docs/decisions/0036-the-clock.md). No entry takes the time of a wall
 * clock that jumped against the boot-time clock, which counts sleep and which no one can set. While the clock is in doubt,
 * all writes are held.
 */
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { type Refusal, refuse } from '../core/refusal.js';
import { clockGap, spanText } from '../core/span-text.js';

/** What a later process on this machine knows of the clock. */
export interface ClockState {
  /** Boot-time clock when this was kept, ms. */
  readonly uptimeMs: number;
  /** Wall clock minus boot-time clock as they should be, ms. */
  readonly offsetMs: number;
  /** Whether the clock is in doubt, or was within the last hour. */
  readonly deadlinesWait: boolean;
  /** How far blocks were ahead when the operator said that the clock is right, ms; null if the operator has not. */
  readonly overruledMs: number | null;
}

export interface ClockRecord {
  /**
   * What was kept, of an earlier boot only `deadlinesWait`.
   * @param uptimeMs of the boot-time clock
   */
  read(uptimeMs: number): Partial<ClockState>;
  keep(state: ClockState): void;
}

export interface JournalClockOptions {
  readonly world: Pick<Environment, 'now' | 'monotonic' | 'uptime'>;
  /** Clocks that differ by more than this are in doubt, ms. */
  readonly skewMs: number;
  readonly record?: ClockRecord | undefined;
  /** Time of the newest block of a chain that others run, epoch ms; undefined if there is none. */
  readonly blockTime?: (() => number | undefined) | undefined;
  readonly log?: ((message: string, detail: object) => void) | undefined;
}

/** Between two full checks, wall and monotonic clock differ by no more than this, ms: neither a jump nor a sleep. */
const steadyMs = 1_000;

/** How far the right offset follows the present one: slews and leap smears need half of this share of the uptime. */
const followShare = 0.001;

const untilAccepted =
  'nothing is written until it is set right, or its operator says that it is right (svc-node clock accept)';

export class JournalClock {
  /** Time of this node's newest entry, epoch ms. */
  #newest = 0;
  /** The right difference of wall clock and boot-time clock, ms. */
  #offset: number;
  /** Boot-time clock when the offset was determined, ms. */
  #offsetAt: number;
  /** The difference that other clocks have at a start, until this clock agrees. */
  #othersOffset: number | undefined;
  /** The most that a block was ahead since blocks put the clock in doubt, ms. */
  #slowMs = 0;
  /** See ClockState. */
  #overruledMs: number | null;
  /** Wall clock minus monotonic clock at the last full check that found no doubt, ms. */
  #steady = Number.NaN;
  #doubt: string | undefined;
  /** Deadlines wait until the boot-time clock has this time, ms. */
  #waitUntil: number;
  #kept: Partial<ClockState>;

  constructor(private readonly options: JournalClockOptions) {
    const uptime = options.world.uptime();
    this.#kept = options.record?.read(uptime) ?? {};
    this.#offset = this.#kept.offsetMs ?? this.#present;
    this.#offsetAt = this.#kept.uptimeMs ?? uptime;
    this.#overruledMs = this.#kept.overruledMs ?? null;
    this.#waitUntil = this.#kept.deadlinesWait ? uptime + bounds.clockGraceMs : 0;
  }

  get #present(): number {
    const { world } = this.options;
    return world.now() - world.uptime();
  }

  /** How far the newest block is ahead, ms. */
  get #blockAheadMs(): number {
    return (this.options.blockTime?.() ?? Number.NEGATIVE_INFINITY) - this.options.world.now();
  }

  /** The time of the next entry, never decreasing; or why there can be none now. */
  take(): number | Refusal {
    // Read once, because the clock may jump between two readings.
    const wall = this.options.world.now();
    const refusal = this.#refusalAt(wall);
    if (refusal) return refusal;
    this.#newest = Math.max(this.#newest, wall);
    return this.#newest;
  }

  /** The time of an entry that corrects the journal's, which may be later than the clock; or why the clock is in doubt. */
  takeCorrection(): number | Refusal {
    const doubt = this.#disagreement();
    return doubt === undefined ? this.options.world.now() : refuse('SERVICE_UNAVAILABLE', doubt, { retryAfter: 60 });
  }

  /** The time that the next entry would have; while the clock is in doubt, that of the newest. */
  get now(): number {
    const wall = this.options.world.now();
    return this.#refusalAt(wall) ? this.#newest : Math.max(this.#newest, wall);
  }

  /** SERVICE_UNAVAILABLE while the clock is in doubt. */
  get refusal(): Refusal | undefined {
    return this.#refusalAt(this.options.world.now());
  }

  /** Reads the boot-time clock only if the others have moved against each other, because that takes a system call. */
  #refusalAt(wall: number): Refusal | undefined {
    const isSteady = Math.abs(wall - this.options.world.monotonic() - this.#steady) < steadyMs;
    const doubt = isSteady && !this.#isBehind(wall) ? undefined : this.doubt;
    return doubt === undefined ? undefined : refuse('SERVICE_UNAVAILABLE', doubt, { retryAfter: 60 });
  }

  /** Why nothing may be written, in a sentence for callers; undefined while the clock is right. Checks it again. */
  get doubt(): string | undefined {
    const { world, log } = this.options;
    const doubt = this.#examine();
    if (doubt !== undefined && this.#doubt === undefined)
      log?.('no entry is written: the clock is in doubt', { reason: doubt });
    if (doubt === undefined && this.#doubt !== undefined) log?.('entries are written again: the clock is right', {});
    if ((doubt ?? this.#doubt) !== undefined) this.#waitUntil = world.uptime() + bounds.clockGraceMs;
    this.#doubt = doubt;
    this.#steady = doubt === undefined ? world.now() - world.monotonic() : Number.NaN;
    this.#keep();
    return doubt;
  }

  #examine(): string | undefined {
    const disagreement = this.#disagreement();
    if (disagreement !== undefined) return disagreement;
    this.#follow();
    const wall = this.options.world.now();
    if (!this.#isBehind(wall)) return undefined;
    return `this machine’s clock is ${spanText(this.#newest - wall)} behind this node’s newest entry: nothing is written until it is set right, or the operator corrects the journal’s time (svc-node clock correct)`;
  }

  /** What contradicts the clock, apart from the journal. */
  #disagreement(): string | undefined {
    const { skewMs } = this.options;
    // A block is never from the future, so one that is ahead shows that this clock is slow.
    const blockAheadMs = this.#blockAheadMs;
    const isSlow = blockAheadMs > skewMs + (this.#overruledMs ?? 0);
    if (isSlow) this.#slowMs = Math.max(this.#slowMs, blockAheadMs);
    if (this.#othersOffset !== undefined) {
      const aheadMs = this.#present - this.#othersOffset;
      if (Math.abs(aheadMs) > skewMs)
        return `this machine’s clock is ${clockGap(aheadMs)} most of the clocks of its peers and processes: ${untilAccepted}`;
      this.#trust();
    }
    const aheadMs = this.#present - this.#offset;
    if (Math.abs(aheadMs) > skewMs) {
      // A slow clock that now agrees with the block was set right.
      if (this.#slowMs === 0 || Math.abs(blockAheadMs) > skewMs)
        return `this machine’s clock has jumped ${spanText(aheadMs)} ${aheadMs > 0 ? 'ahead' : 'back'}: ${untilAccepted}`;
      this.#trust();
    }
    if (isSlow)
      return `this machine’s clock is ${spanText(blockAheadMs)} behind the newest block of the chain: ${untilAccepted}`;
    this.#slowMs = 0;
    return undefined;
  }

  #isBehind(wall: number): boolean {
    return this.#newest - wall > this.options.skewMs;
  }

  /** Takes the present offset as the right one. */
  #trust(): void {
    this.#offset = this.#present;
    this.#offsetAt = this.options.world.uptime();
    this.#othersOffset = undefined;
  }

  /** Follows slews and smears, which are slow, but no steps: those add up. */
  #follow(): void {
    const uptime = this.options.world.uptime();
    const most = (uptime - this.#offsetAt) * followShare;
    this.#offset += Math.min(most, Math.max(-most, this.#present - this.#offset));
    this.#offsetAt = uptime;
  }

  #keep(): void {
    // A start that others hold may be the first of this boot, and the clock wrong since then.
    if (this.#othersOffset !== undefined) return;
    const uptimeMs = this.options.world.uptime();
    const state = {
      ...{ uptimeMs, offsetMs: this.#offset, overruledMs: this.#overruledMs },
      deadlinesWait: this.#waitUntil > uptimeMs,
    };
    const { offsetMs = Number.NaN, deadlinesWait, overruledMs } = this.#kept;
    const isKept = deadlinesWait === state.deadlinesWait && overruledMs === state.overruledMs;
    if (isKept && Math.abs(offsetMs - state.offsetMs) < steadyMs) return;
    this.#kept = state;
    this.options.record?.keep(state);
  }

  /**
   * Compares the clock with others at a start: if most of at least three, this one among them, agree on another time, it
   * is in doubt, unless the operator has accepted it since the boot.
   * @param aheadMs the other clocks minus this one
   */
  compare(aheadMs: readonly number[]): void {
    const all = [0, ...aheadMs].toSorted((one, other) => one - other);
    if (all.length < 3 || this.#overruledMs !== null) return;
    const middle = [all[(all.length - 1) >> 1]!, all[all.length >> 1]!];
    const median = middle.toSorted((one, other) => Math.abs(one) - Math.abs(other))[0]!;
    if (Math.abs(median) <= this.options.skewMs) return;
    this.#othersOffset = this.#present + median;
  }

  /** The operator says that the clock is right. @returns why nothing may be written nevertheless */
  accept(): string | undefined {
    this.#disagreement();
    this.#overruledMs = Math.max(0, this.#slowMs, this.#blockAheadMs);
    this.#trust();
    this.#waitUntil = this.options.world.uptime() + bounds.clockGraceMs;
    return this.doubt;
  }

  /** Whether this node's newest entry is so far ahead of the clock that nothing may be written. */
  get isJournalAhead(): boolean {
    return this.#isBehind(this.options.world.now());
  }

  /** Whether deadlines wait, for every view: seldom a system call. */
  get deadlinesWait(): boolean {
    if (this.refusal) return true;
    return this.#waitUntil > 0 && this.#waitUntil > this.options.world.uptime();
  }

  /** How long deadlines still wait, ms, so that callers who could not act before may act first. */
  get deadlinesWaitMs(): number {
    if (this.doubt !== undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#waitUntil - this.options.world.uptime());
  }

  /** At a start, and after a correction. @param time of this node's newest entry, 0 if it has none */
  begin(time: number): void {
    this.#newest = time;
  }

  /** Takes the time of another process's entry, unless its clock is clearly wrong: later entries must not be earlier. */
  saw(time: number): void {
    if (time > this.#newest && time <= this.options.world.now() + this.options.skewMs) this.#newest = time;
  }
}
