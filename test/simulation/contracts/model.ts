import { dayMs } from '../../../src/core/bounds.js';
/**
 * The rules of contracts and their disputes once more, without machines: whose request is accepted, and the state after it.
 * Written from docs/reference/contracts-and-disputes.md; the sessions compare the node with it.
 */

export const hourMs = 3_600_000;

export type Side = 'client' | 'provider';
export type Outcome = 'release' | 'refund' | 'split' | 'resume';

export interface Ruling {
  readonly outcome: Outcome;
  readonly paid: number;
  readonly back: number;
}

export interface Stage {
  readonly id: string;
  readonly amount: number;
  readonly deadline: number | null;
  state: 'pending' | 'submitted' | 'approved' | 'rejected';
  /** Until when the client has to answer, or the provider may submit again; null: without limit. */
  waits: number | null;
  /** Whether the newest submission met the deadlines. */
  byDeadline: boolean;
}

/** A request; `resolution` and the amounts of a ruling are as a caller states them. */
export type Asked =
  | { readonly do: 'sign'; readonly stale: boolean }
  | { readonly do: 'complete' | 'consent' | 'terminate' | 'dispute' }
  /** With milestones that cost too much, or a party as arbiter. */
  | { readonly do: 'update'; readonly flaw: 'cost' | 'arbiter' | null }
  | { readonly do: 'activate'; readonly amount: number }
  | { readonly do: 'approve' | 'reject'; readonly stage: string }
  /** With an envelope that is not signed. */
  | { readonly do: 'submit'; readonly stage: string; readonly forged: boolean }
  | { readonly do: 'resolve'; readonly resolution: Outcome | 'fallback'; readonly toProvider: number };

interface OpenDispute {
  readonly since: number;
  readonly rest: number;
  readonly asked: { client?: Ruling; provider?: Ruling };
}

export interface Agreed {
  readonly client: string;
  readonly provider: string;
  /** The arbiter in the terms; without one the network's arbiter decides. */
  readonly arbiter: string | null;
  readonly networkArbiter: string;
  readonly deadline: number | null;
  readonly total: number;
  readonly fallback: 'refund' | 'release' | 'split';
  readonly stages: readonly Omit<Stage, 'state' | 'waits' | 'byDeadline'>[];
}

export class ModelContract {
  state: 'draft' | 'signed' | 'active' | 'completed' | 'terminated' | 'disputed' = 'draft';
  paid = 0;
  refunded = 0;
  amount = 0;
  readonly stages: Stage[];
  readonly #signed = new Set<Side>();
  #consented = false;
  /** Deadlines up to this time have been recorded. */
  #noted = 0;
  #dispute: OpenDispute | undefined;

  constructor(
    readonly agreed: Agreed,
    private readonly wallets: Map<string, number>,
  ) {
    this.stages = agreed.stages.map((each) => ({ ...each, state: 'pending', waits: null, byDeadline: false }));
  }

  get rest(): number {
    return this.amount - this.paid - this.refunded;
  }

  sideOf(who: string): Side | undefined {
    return who === this.agreed.client ? 'client' : who === this.agreed.provider ? 'provider' : undefined;
  }

  /** @returns whether the request is accepted; if so, it has taken effect */
  ask(who: string, asked: Asked, time: number): boolean {
    const side = this.sideOf(who);
    switch (asked.do) {
      case 'update':
        return side === 'client' && this.state === 'draft' && this.#signed.size === 0 && asked.flaw === null;
      case 'sign':
        return side !== undefined && !asked.stale && this.#sign(side);
      case 'activate':
        return side === 'client' && this.state === 'signed' && this.#activate(asked.amount);
      case 'submit':
        if (asked.forged) return false;
        return this.state === 'active' && side !== undefined && this.#onStage(side, asked, time);
      case 'approve':
      case 'reject':
        return this.state === 'active' && side !== undefined && this.#onStage(side, asked, time);
      case 'complete':
        if (side !== 'client' || this.state !== 'active') return false;
        return this.stages.every(({ state }) => state === 'approved') && this.#end('completed', this.rest, 0);
      case 'consent':
        if (side !== 'provider' || this.state !== 'active' || this.#consented) return false;
        this.#consented = true;
        return true;
      case 'terminate':
        return side !== undefined && this.#mayLeave(side, time) && this.#end('terminated', 0, this.rest);
      case 'dispute':
        if (side === undefined || this.state !== 'active') return false;
        this.state = 'disputed';
        this.#dispute = { since: time, rest: this.rest, asked: {} };
        return true;
      case 'resolve':
        return this.#dispute !== undefined && this.#resolve(this.#dispute, who, asked, time);
    }
  }

  /** Whether the clock has a deadline to record; if so, it has taken effect. */
  notes(time: number): boolean {
    const open = this.stages.filter(({ state }) => state === 'pending' || state === 'rejected');
    const ahead = [this.agreed.deadline, ...open.map(({ deadline }) => deadline)];
    if (this.state !== 'active' || !ahead.some((at) => at !== null && at > this.#noted && at <= time)) return false;
    this.#noted = time;
    return true;
  }

  /** Whether the clock has milestones to approve; if so, they are paid. */
  settles(time: number): boolean {
    const over = this.stages.filter(({ state, waits }) => state === 'submitted' && waits !== null && waits <= time);
    if (this.state !== 'active' || over.length === 0) return false;
    for (const stage of over) {
      Object.assign(stage, { state: 'approved', waits: null });
      this.#pay(stage.amount, 0);
    }
    return true;
  }

  #sign(side: Side): boolean {
    if (this.state !== 'draft' || this.#signed.has(side)) return false;
    this.#signed.add(side);
    if (this.#signed.size === 2) this.state = 'signed';
    return true;
  }

  #activate(amount: number): boolean {
    const has = this.wallets.get(this.agreed.client)!;
    if (amount !== this.agreed.total || has < amount) return false;
    this.wallets.set(this.agreed.client, has - amount);
    this.amount = amount;
    this.state = 'active';
    return true;
  }

  #onStage(side: Side, { do: action, stage: id }: Extract<Asked, { readonly stage: string }>, time: number): boolean {
    const stage = this.stages.find((each) => each.id === id);
    if (!stage || (action === 'submit') !== (side === 'provider')) return false;
    const isOpen = stage.state === 'pending' || stage.state === 'rejected';
    if (action === 'submit' ? !isOpen : stage.state !== 'submitted') return false;
    const isInTime = [this.agreed.deadline, stage.deadline].every((at) => at === null || time <= at);
    const isAgain = stage.state === 'rejected' && stage.waits !== null && time < stage.waits;
    if (action === 'submit') stage.byDeadline = isInTime;
    const isHeld = action === 'submit' ? isInTime || isAgain : action === 'reject' && stage.byDeadline;
    stage.waits = isHeld ? time + 7 * dayMs : null;
    stage.state = action === 'submit' ? 'submitted' : action === 'approve' ? 'approved' : 'rejected';
    if (action === 'submit') this.#consented = false;
    if (action === 'approve') this.#pay(stage.amount, 0);
    return true;
  }

  #mayLeave(side: Side, time: number): boolean {
    if (this.state === 'draft' || this.state === 'signed') return true;
    if (this.state !== 'active') return false;
    if (side === 'provider' || this.#consented) return true;
    if (this.stages.some(({ state, waits }) => waits !== null && (state === 'submitted' || time < waits))) return false;
    const { deadline } = this.agreed;
    const isLate = (at: number | null) => at !== null && at <= time;
    if (isLate(deadline)) return true;
    if (this.stages.some(({ state, deadline: own }) => state !== 'approved' && isLate(own))) return true;
    return deadline === null && !this.stages.some(({ state }) => /submitted|rejected/.test(state));
  }

  #ruling(dispute: OpenDispute, resolution: Outcome | 'fallback', toProvider: number): Ruling | undefined {
    const { rest } = dispute;
    if (resolution === 'fallback') {
      const { fallback } = this.agreed;
      return this.#ruling(dispute, fallback, Math.floor(rest / 2));
    }
    if (resolution === 'resume') return { outcome: 'resume', paid: 0, back: 0 };
    if (resolution === 'release') return { outcome: 'release', paid: rest, back: 0 };
    if (resolution === 'refund') return { outcome: 'refund', paid: 0, back: rest };
    return toProvider <= rest ? { outcome: 'split', paid: toProvider, back: rest - toProvider } : undefined;
  }

  #resolve(dispute: OpenDispute, who: string, asked: Extract<Asked, { do: 'resolve' }>, time: number): boolean {
    const { arbiter, networkArbiter } = this.agreed;
    const side = this.sideOf(who);
    const judges =
      who === (arbiter ?? networkArbiter) || (who === networkArbiter && time >= dispute.since + 30 * dayMs);
    const isLong = time >= dispute.since + 60 * dayMs;
    if ((side === undefined && !judges) || (asked.resolution === 'fallback' && !isLong)) return false;
    const ruling = this.#ruling(dispute, asked.resolution, asked.toProvider);
    if (!ruling) return false;
    if (side) dispute.asked[side] = ruling;
    const equals = (other: Ruling | undefined) => JSON.stringify(other) === JSON.stringify(ruling);
    const other = side && dispute.asked[side === 'client' ? 'provider' : 'client'];
    const isDue = isLong && (asked.resolution === 'fallback' || equals(this.#ruling(dispute, 'fallback', 0)));
    return judges || isDue || equals(other) ? this.#rule(ruling, time) : true;
  }

  #rule({ outcome, paid, back }: Ruling, time: number): boolean {
    this.#dispute = undefined;
    if (outcome === 'resume') {
      for (const stage of this.stages) if (stage.waits !== null) stage.waits = time + 7 * dayMs;
      this.state = 'active';
      return true;
    }
    return this.#end(outcome === 'refund' ? 'terminated' : 'completed', paid, back);
  }

  #end(state: 'completed' | 'terminated', paid: number, back: number): boolean {
    this.#pay(paid, back);
    this.state = state;
    return true;
  }

  #pay(paid: number, back: number): void {
    const { client, provider } = this.agreed;
    this.paid += paid;
    this.refunded += back;
    this.wallets.set(provider, this.wallets.get(provider)! + paid);
    this.wallets.set(client, this.wallets.get(client)! + back);
  }
}
