/**
 * The limits that an operator sets on trade with another home hold: a request that is sent puts no more Tokens at risk than allowed,
 * and no more requests are answered in a time than allowed. Both are decided before the entry is durable, so the model takes the
 * most favourable values of a short time before.
 */
import type { TradeLimit } from '../../../src/peers/trade/limits.js';
import type { Tables } from '../../../src/store/memory/tables.js';
import { type ModelHome, ModelViolation } from './model-home.js';
import type { SentRequest } from './trade-model.js';

/** The longest time from a decision to its entry. */
const decidedWithinMs = 1_000;
/** Answers that were decided under an earlier limit, or just before the start is noted. */
const underEarlier = 4;
const beforeStart = 1;

/** Values with the times from which they are valid, in ms. */
class Recent {
  #all: { readonly at: number; readonly value: number }[] = [];

  set(at: number, value: number): void {
    this.#all.push({ at, value });
  }

  /** All values since this time. */
  since(at: number): number[] {
    const first = this.#all.findLastIndex((each) => each.at <= at);
    this.#all = this.#all.slice(Math.max(0, first));
    return this.#all.map(({ value }) => value);
  }
}

interface Pair {
  /** The most Tokens at risk. */
  readonly most: Recent;
  /** Tokens of the home at the other one, by its copy. */
  readonly held: Recent;
  readonly answersPerSecond: number;
  /** Since when, and how often this limit has been used. */
  readonly since: number;
  readonly spare: number;
  answers: number;
}

export class LimitsModel {
  readonly #pairs = new Map<string, Pair>();

  constructor(
    private readonly homes: readonly ModelHome[],
    private readonly now: () => number,
  ) {}

  #pair(home: string, other: string): Pair {
    const key = `${home} ${other}`;
    const found = this.#pairs.get(key) ?? {
      ...{
        most: new Recent(),
        held: new Recent(),
        answersPerSecond: Number.POSITIVE_INFINITY,
        since: 0,
        spare: 0,
        answers: 0,
      },
    };
    this.#pairs.set(key, found);
    return found;
  }

  /** From now on; `isStart`: a process has just read it. */
  limited(home: ModelHome, other: ModelHome, { mostAtRisk, answersPerSecond }: TradeLimit, isStart = false): void {
    const pair = this.#pair(home.did, other.did);
    pair.most.set(this.now(), mostAtRisk ?? Number.POSITIVE_INFINITY);
    this.#pairs.set(`${home.did} ${other.did}`, {
      ...{ ...pair, answersPerSecond, since: this.now(), answers: 0 },
      spare: isStart ? beforeStart : underEarlier,
    });
  }

  /** The home's copy of the other one's journal has grown, or is another one. */
  copied(home: ModelHome, other: string, { accounts }: Tables): void {
    this.#pair(home.did, other).held.set(this.now(), accounts.get(home.did)?.available ?? 0);
  }

  /** @param open Tokens in the home's open requests to the other one, with this request */
  sent({ from, to, money, id }: SentRequest, open: number): void {
    if (money === 0) return;
    const { most, held } = this.#pair(from, to);
    const since = this.now() - decidedWithinMs;
    const [limit, least] = [Math.max(...most.since(since)), Math.min(...held.since(since))];
    if (least + open <= limit) return;
    throw new ModelViolation(
      `${id} of ${this.#nameOf(from)} puts ${least + open} Tokens at risk, and its limit is ${limit}`,
    );
  }

  answered(by: string, { from }: SentRequest): void {
    const pair = this.#pair(by, from);
    pair.answers++;
    const { answersPerSecond, since, answers, spare } = pair;
    const most = answersPerSecond * (2 + (this.now() - since) / 1_000) + spare;
    if (answers <= most) return;
    const says = `has answered ${answers} requests of ${this.#nameOf(from)}`;
    throw new ModelViolation(`${this.#nameOf(by)} ${says}, and at most ${most} were allowed`);
  }

  #nameOf(did: string): string {
    return this.homes.find((home) => home.did === did)!.name;
  }
}
