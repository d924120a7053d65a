/**
 * The one place where a time gets into the journal (docs/decisions/0036-the-clock.md). No entry takes the time of a wall
 * clock that jumped against the boot-time clock, which counts sleep and which no one can set. While the clock is in doubt,
 * all writes are held.
 */
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { type Refusal, refuse } from '../core/refusal.js';
import { spanText } from '../core/span-text.js';

/** What a later process of the same boot knows of the clock. */
export interface ClockState {
  /** Wall clock minus boot-time clock when they last agreed, ms. */
  readonly offsetMs: number;
  /** When the clock was last found to be in doubt, or no longer, ms of the boot-time clock; null for never. */
  readonly doubtedAt: number | null;
}

export interface ClockRecord {
  /** Undefined if nothing was kept since the machine booted. */
  read(): ClockState | undefined;
  /** Must not throw. */
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

/** What the clock is compared with: the time since it was last right, other clocks at the start, or a block. */
type Reference = 'itself' | 'others' | 'chain';

const disagreements: { readonly [from in Reference]: (span: string, isAhead: boolean) => string } = {
  itself: (span, isAhead) => `has jumped ${span} ${isAhead ? 'ahead' : 'back'}`,
  others: (span, isAhead) =>
    `is ${span} ${isAhead ? 'ahead of' : 'behind'} most of the clocks of its peers and processes`,
  chain: (span) => `is ${span} behind the newest block of the chain`,
};

export class JournalClock {
  /** Time of this node's newest entry, epoch ms. */
  #newest = 0;
  /** The right difference of wall clock and boot-time clock, ms. */
  #offset: number;
  #reference: Reference = 'itself';
  /** Wall clock minus monotonic clock at the last full check that found no doubt, ms. */
  #steady = Number.NaN;
  #doubt: string | undefined;
  #doubtedAt: number | null;
  #kept: ClockState | undefined;
  /** Whether the operator has contradicted the chain, which lasts until the two agree. */
  #isChainOverruled = false;

  constructor(private readonly options: JournalClockOptions) {
    this.#kept = options.record?.read();
    this.#offset = this.#kept?.offsetMs ?? this.#present;
    this.#doubtedAt = this.#kept?.doubtedAt ?? null;
  }

  get #present(): number {
    const { world } = this.options;
    return world.now() - world.uptime();
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
    if ((doubt === undefined) !== (this.#doubt === undefined)) {
      this.#doubtedAt = world.uptime();
      if (doubt !== undefined) log?.('no entry is written: the clock is in doubt', { reason: doubt });
      else log?.('entries are written again: the clock is right', {});
    }
    this.#doubt = doubt;
    this.#steady = doubt === undefined ? world.now() - world.monotonic() : Number.NaN;
    this.#keep();
    return doubt;
  }

  #examine(): string | undefined {
    const { skewMs, world } = this.options;
    const wall = world.now();
    this.#askChain(wall);
    const aheadMs = this.#present - this.#offset;
    if (Math.abs(aheadMs) > skewMs) {
      const what = disagreements[this.#reference](spanText(aheadMs), aheadMs > 0);
      return `this machine’s clock ${what}: nothing is written until it is set right, or its operator says that it is right (svc-node clock accept)`;
    }
    this.#trust();
    if (!this.#isBehind(wall)) return undefined;
    return `this machine’s clock is ${spanText(this.#newest - wall)} behind this node’s newest entry: nothing is written until it is set right, or the operator corrects the journal’s time (svc-node clock correct)`;
  }

  /** A block is never from the future, so one that is ahead proves that this clock is slow. */
  #askChain(wall: number): void {
    const { blockTime, skewMs, world } = this.options;
    const time = blockTime?.();
    if (time === undefined) return;
    if (time - wall <= skewMs) this.#isChainOverruled = false;
    else if (!this.#isChainOverruled && this.#reference !== 'chain') {
      this.#offset = time - world.uptime();
      this.#reference = 'chain';
    }
  }

  #isBehind(wall: number): boolean {
    return this.#newest - wall > this.options.skewMs;
  }

  #trust(): void {
    this.#offset = this.#present;
    this.#reference = 'itself';
  }

  #keep(): void {
    const state = { offsetMs: this.#offset, doubtedAt: this.#doubtedAt };
    const kept = this.#kept;
    if (kept?.doubtedAt === state.doubtedAt && Math.abs(kept.offsetMs - state.offsetMs) < steadyMs) return;
    this.#kept = state;
    this.options.record?.keep(state);
  }

  /**
   * Compares the clock with others at a start: if most of at least three, this one among them, agree on another time, it
   * is in doubt.
   * @param aheadMs the other clocks minus this one
   */
  compare(aheadMs: readonly number[]): void {
    const all = [0, ...aheadMs].toSorted((one, other) => one - other);
    if (all.length < 3) return;
    const middle = [all[(all.length - 1) >> 1]!, all[all.length >> 1]!];
    const median = middle.toSorted((one, other) => Math.abs(one) - Math.abs(other))[0]!;
    if (Math.abs(median) <= this.options.skewMs) return;
    this.#offset = this.#present + median;
    this.#reference = 'others';
  }

  /** The operator says that the clock is right. @returns why nothing may be written nevertheless */
  accept(): string | undefined {
    this.#isChainOverruled = true;
    this.#trust();
    return this.doubt;
  }

  /** Whether this node's newest entry has a later time than the clock. */
  get isJournalAhead(): boolean {
    return this.#newest > this.options.world.now();
  }

  /** How long deadlines still wait, ms: callers may act first, after they could not. */
  get deadlinesWaitMs(): number {
    if (this.doubt !== undefined) return Number.POSITIVE_INFINITY;
    if (this.#doubtedAt === null) return 0;
    return Math.max(0, this.#doubtedAt + bounds.clockGraceMs - this.options.world.uptime());
  }

  /** @param time of this node's newest entry, 0 if it has none */
  begin(time: number): void {
    this.#newest = time;
  }

  /** An entry has corrected the journal's time: its operator says that the clock is right. */
  corrected(time: number): void {
    this.#newest = time;
    this.accept();
  }

  /** Takes the time of another process's entry, unless its clock is clearly wrong: later entries must not be earlier. */
  saw(time: number): void {
    if (time > this.#newest && time <= this.options.world.now() + this.options.skewMs) this.#newest = time;
  }
}
