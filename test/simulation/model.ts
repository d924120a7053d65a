/**
 * The ledger and its escrows once more, written from docs/reference alone and unlike the machines: people are names, evidence
 * is a set of facts, an escrow is one record.
 */

export type Name = string;

export interface ModelRule {
  readonly type: 'manual' | 'time' | 'hash' | 'signature' | 'parcel-scan';
  readonly id: string;
  readonly by?: readonly string[];
  readonly after?: number;
  readonly signers?: readonly Name[];
  readonly threshold?: number;
  readonly requiresEvidence?: boolean;
  readonly requiresReason?: boolean;
}

/** The evidence of a claim, as facts. */
export interface ModelClaim {
  readonly who: Name;
  readonly amount: number;
  readonly cites?: string;
  readonly knowsSecret: boolean;
  /** Who signed the current state, if resourcePrev is stated with it. */
  readonly signedBy: readonly Name[];
  readonly bringsEvidence: boolean;
  readonly reason: boolean;
}

export interface ModelEscrow {
  readonly depositor: Name;
  readonly beneficiary: Name;
  readonly arbiter: Name | null;
  readonly amount: number;
  readonly release: readonly ModelRule[];
  readonly refund: readonly ModelRule[];
  readonly expiresAt: number | null;
  readonly fundBy: number;
  state: 'created' | 'funded' | 'released' | 'refunded' | 'expired';
  /** How it ended if it was never funded. */
  ended: 'cancelled' | 'lapsed' | undefined;
  paid: number;
  back: number;
}

interface Purse {
  available: number;
  reserved: number;
  escrowed: number;
  frozen: boolean;
}

const monthMs = 30 * 86_400_000;
const ok = 'accepted';

export class Model {
  readonly purses = new Map<Name, Purse>();
  readonly escrows = new Map<string, ModelEscrow>();
  fees = 0;
  supply = 0;

  purse(name: Name): Purse {
    let purse = this.purses.get(name);
    if (!purse) {
      purse = { available: 0, reserved: 0, escrowed: 0, frozen: false };
      this.purses.set(name, purse);
    }
    return purse;
  }

  mint(to: Name, amount: number): string {
    this.purse(to).available += amount;
    this.supply += amount;
    return ok;
  }

  transfer(from: Name, to: Name, amount: number, fee: number): string {
    if (from === to) return 'UNPROCESSABLE';
    const refusal = this.#cannotSpend(from, amount + fee);
    if (refusal) return refusal;
    this.purse(from).available -= amount + fee;
    this.purse(to).available += amount;
    this.fees += fee;
    return ok;
  }

  freeze(who: Name, frozen: boolean): string {
    this.purse(who).frozen = frozen;
    return ok;
  }

  collect(to: Name, amount: number): string {
    if (amount > this.fees) return 'INSUFFICIENT_BALANCE';
    this.fees -= amount;
    this.purse(to).available += amount;
    return ok;
  }

  create(
    id: string,
    now: number,
    given: Omit<ModelEscrow, 'state' | 'ended' | 'paid' | 'back' | 'fundBy'>,
    fund: boolean,
  ) {
    if (this.escrows.has(id)) return 'CONFLICT';
    const parties = [given.depositor, given.beneficiary, given.arbiter].filter((each) => each !== null);
    if (new Set(parties).size < parties.length) return 'UNPROCESSABLE';
    const tooLate = (rule: ModelRule) =>
      rule.type === 'time' && given.expiresAt !== null && rule.after! >= given.expiresAt;
    if ([...given.release, ...given.refund].some(tooLate)) return 'INVALID_REQUEST';
    const refusal = this.#cannotSpend(given.depositor, given.amount);
    if (refusal) return refusal;
    const purse = this.purse(given.depositor);
    purse.available -= given.amount;
    if (fund) purse.escrowed += given.amount;
    else purse.reserved += given.amount;
    const fundBy = given.expiresAt ?? now + monthMs;
    this.escrows.set(id, { ...given, fundBy, state: fund ? 'funded' : 'created', ended: undefined, paid: 0, back: 0 });
    return ok;
  }

  fund(id: string, now: number, who: Name, amount: number): string {
    const escrow = this.escrows.get(id);
    if (!escrow) return 'ESCROW_NOT_FOUND';
    if (who !== escrow.depositor) return 'FORBIDDEN';
    if (escrow.state !== 'created' || escrow.ended !== undefined || now >= escrow.fundBy) return 'ESCROW_INVALID_STATE';
    if (amount !== escrow.amount) return 'UNPROCESSABLE';
    const purse = this.purse(who);
    purse.reserved -= amount;
    purse.escrowed += amount;
    escrow.state = 'funded';
    return ok;
  }

  /** By its depositor, or by the clock after the deadline. */
  giveUp(id: string, now: number, who: Name | 'clock'): string {
    const escrow = this.escrows.get(id);
    if (!escrow) return 'ESCROW_NOT_FOUND';
    if (who !== 'clock' && who !== escrow.depositor) return 'FORBIDDEN';
    if (escrow.state !== 'created' || escrow.ended !== undefined) return 'ESCROW_INVALID_STATE';
    if (who === 'clock' && now < escrow.fundBy) return 'ESCROW_INVALID_STATE';
    const purse = this.purse(escrow.depositor);
    purse.reserved -= escrow.amount;
    purse.available += escrow.amount;
    escrow.ended = who === 'clock' ? 'lapsed' : 'cancelled';
    return ok;
  }

  release(id: string, now: number, claim: ModelClaim): string {
    const escrow = this.escrows.get(id);
    if (!escrow) return 'ESCROW_NOT_FOUND';
    const { depositor, beneficiary, arbiter } = escrow;
    const unaided = escrow.release.some(({ type }) => type === 'time' || type === 'hash' || type === 'signature');
    const named = escrow.release
      .filter(({ type, by }) => type === 'manual' && by)
      .flatMap((rule) => this.#named(rule, escrow));
    const may = [depositor, arbiter, ...(unaided ? [beneficiary] : []), ...named];
    if (!may.includes(claim.who)) return 'FORBIDDEN';
    if (escrow.state !== 'funded') return 'ESCROW_INVALID_STATE';
    if (!this.#anyMet(escrow.release, escrow, claim, now)) return 'ESCROW_RULE_NOT_MET';
    return this.#pay(escrow, claim.amount, beneficiary, 'released');
  }

  refund(id: string, now: number, claim: ModelClaim): string {
    const escrow = this.escrows.get(id);
    if (!escrow) return 'ESCROW_NOT_FOUND';
    const { depositor, beneficiary, arbiter, refund } = escrow;
    const revocable = refund.length === 0;
    const mayTakeBack =
      revocable || refund.some((rule) => rule.type !== 'manual' || this.#named(rule, escrow).includes(depositor));
    const may = [beneficiary, arbiter, ...(mayTakeBack ? [depositor] : [])];
    if (!may.includes(claim.who)) return 'FORBIDDEN';
    if (escrow.state !== 'funded') return 'ESCROW_INVALID_STATE';
    const needsRule = claim.who === depositor && !revocable;
    if (needsRule && !this.#anyMet(refund, escrow, claim, now)) return 'ESCROW_RULE_NOT_MET';
    return this.#pay(escrow, claim.amount, depositor, 'refunded');
  }

  expire(id: string, now: number): string {
    const escrow = this.escrows.get(id);
    if (!escrow) return 'ESCROW_NOT_FOUND';
    if (escrow.state !== 'funded' || escrow.expiresAt === null || now < escrow.expiresAt) return 'ESCROW_INVALID_STATE';
    const rest = escrow.amount - escrow.paid - escrow.back;
    this.#pay(escrow, rest, escrow.depositor, 'refunded');
    escrow.state = 'expired';
    return ok;
  }

  #pay(escrow: ModelEscrow, amount: number, to: Name, end: 'released' | 'refunded'): string {
    const rest = escrow.amount - escrow.paid - escrow.back;
    if (amount > rest) return 'UNPROCESSABLE';
    this.purse(escrow.depositor).escrowed -= amount;
    this.purse(to).available += amount;
    if (end === 'released') escrow.paid += amount;
    else escrow.back += amount;
    if (amount === rest) escrow.state = end;
    return ok;
  }

  #named(rule: ModelRule, { depositor, beneficiary, arbiter }: ModelEscrow): (Name | null)[] {
    const roles: { [role: string]: Name | null } = { depositor, beneficiary, arbiter };
    return (rule.by ?? ['depositor', 'arbiter']).map((each) => (each in roles ? roles[each]! : each));
  }

  #anyMet(rules: readonly ModelRule[], escrow: ModelEscrow, claim: ModelClaim, now: number): boolean {
    const { cites } = claim;
    let asked = rules;
    if (cites !== undefined) {
      asked = rules.filter(({ id }) => id === cites);
      if (asked.length === 0) asked = rules.filter(({ type }) => type === cites);
    }
    return asked.some((rule) => this.#met(rule, escrow, claim, now));
  }

  #met(rule: ModelRule, escrow: ModelEscrow, claim: ModelClaim, now: number): boolean {
    if (rule.requiresReason && !claim.reason) return false;
    if (rule.requiresEvidence && !claim.bringsEvidence) return false;
    if (rule.type === 'manual') return this.#named(rule, escrow).includes(claim.who);
    if (rule.type === 'time') return now >= rule.after!;
    if (rule.type === 'hash') return claim.knowsSecret;
    if (rule.type === 'signature') {
      const counted = rule.signers!.filter((name) => claim.signedBy.includes(name));
      return counted.length >= (rule.threshold ?? rule.signers!.length);
    }
    return claim.cites !== undefined && [escrow.depositor, escrow.arbiter].includes(claim.who);
  }

  #cannotSpend(who: Name, amount: number): string | undefined {
    const { frozen, available } = this.purse(who);
    if (frozen) return 'TRANSFER_NOT_ALLOWED';
    return available < amount ? 'INSUFFICIENT_BALANCE' : undefined;
  }
}
