/**
 * Tokens between homes (docs/reference/other-homes.md#tokens-between-homes): what each node was sent to be paid onward is paid
 * once or given back once, never both, and no node takes in more than its limit.
 */
import type { EntryCore } from '../../../src/store/entry.js';
import type { MemoryEntryRow } from '../../../src/store/memory/tables.js';
import { signer } from '../../world/people.js';
import type { Draws } from './draws.js';
import { residentsOf, visitorOf } from './genesis.js';
import type { Home } from './home.js';
import { ModelViolation } from './model-home.js';

export interface Transfer {
  readonly at: Home;
  readonly event: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly onward?: { readonly home: string; readonly to: string };
  readonly onwardOf?: { readonly home: string; readonly event: string };
}

/** Tokens of each other home that a node takes in at most. */
export const limitOfHomes = 4;

/** What was read of each entry. */
const read = new WeakMap<MemoryEntryRow, readonly Transfer[]>();

/** The transfers in a home's journal. */
export function transfersAt(at: Home): readonly Transfer[] {
  return at.disk.tables.journal.flatMap((row) => {
    const found = read.get(row) ?? transferIn(row, at);
    read.set(row, found);
    return found;
  });
}

function transferIn({ coreText, payloadText }: MemoryEntryRow, at: Home): readonly Transfer[] {
  const { kind, action, input } = JSON.parse(payloadText).public;
  if (kind !== 'account' || action !== 'transfer') return [];
  const { issuer, hash } = (JSON.parse(coreText) as EntryCore).event;
  return [{ ...input, at, event: hash, from: issuer }];
}

const isSound = (home: Home, liar: Home | undefined): boolean => home !== liar && home.disk.cuts === 0;

export interface TopUpsOptions {
  readonly homes: readonly Home[];
  readonly liar: Home | undefined;
  readonly draws: Draws;
  readonly count: (what: string) => void;
}

export class TopUps {
  constructor(private readonly options: TopUpsOptions) {}

  /** A resident sends Tokens to its home's node, to be paid to a resident of that home at another one. */
  step(home: Home): void {
    const { draws, homes } = this.options;
    const other = draws.pick(homes.filter((each) => each !== home));
    const onward = { home: other.did, to: signer(visitorOf(home.name)).did };
    const input = { to: home.did, amount: draws.between(1, 4), onward };
    void home.pay(draws.pick(residentsOf(home.name)), input)?.catch(() => {});
  }

  /** @returns what is neither paid nor given back, though all its homes can be relied on */
  unsettled(): string | undefined {
    const all = this.#all();
    const open = this.#received(all).find(
      (each) =>
        this.#isSafe(each) && this.#ends(each).every((home) => home.isOpen) && paymentsOf(each, all).length === 0,
    );
    return open && `${this.#payer(open)!.name} has not paid for ${open.event.slice(0, 6)} of ${open.at.name}`;
  }

  verify(): void {
    const { homes, liar, count } = this.options;
    const all = this.#all();
    for (const each of this.#received(all)) {
      const payments = paymentsOf(each, all);
      const flaw = this.#isSafe(each) ? flawOf(each, payments) : undefined;
      const journals = payments.map(({ at }) => at);
      const twice = journals.find((at, index) => journals.indexOf(at) !== index);
      if (flaw !== undefined || twice)
        throw new ModelViolation(
          `${each.event.slice(0, 6)} of ${each.at.name}: ${flaw ?? `paid twice at ${twice!.name}`}`,
        );
      count(payments[0]?.at === each.at ? 'given back' : 'paid onward');
    }
    for (const payer of homes.filter((home) => isSound(home, undefined))) {
      for (const paid of all.filter(({ from, to }) => from === payer.did && to !== payer.did))
        if (!this.#isOwed(paid, all))
          throw new ModelViolation(`${payer.name} pays ${paid.amount} that it was not sent`);
      for (const home of homes) {
        const takenIn = takenInBy(payer, home, all);
        if (home !== payer && takenIn > limitOfHomes)
          throw new ModelViolation(`${payer.name} has taken in ${takenIn} of ${home.name}`);
      }
    }
    if (liar) count('with a liar');
  }

  #all(): readonly Transfer[] {
    return this.options.homes.flatMap(transfersAt);
  }

  #payer({ to }: Transfer): Home | undefined {
    return this.options.homes.find(({ did }) => did === to);
  }

  #received(all: readonly Transfer[]): readonly Transfer[] {
    return all.filter((each) => each.onward && each.to !== each.from && this.#payer(each));
  }

  /** The homes that take part in it. */
  #ends(each: Transfer): readonly Home[] {
    return this.options.homes.filter(({ did }) => [each.at.did, each.to, each.onward!.home].includes(did));
  }

  #isSafe(each: Transfer): boolean {
    return this.#ends(each).every((home) => isSound(home, this.options.liar));
  }

  /** What a home has shown may be lost there, or a lie. */
  #isOwed({ onwardOf, amount, from }: Transfer, all: readonly Transfer[]): boolean {
    const { homes, liar } = this.options;
    const home = homes.find(({ did }) => did === onwardOf?.home);
    const asked = all.find(({ event, at }) => event === onwardOf?.event && at === home);
    return home !== undefined && (!isSound(home, liar) || (asked?.to === from && asked.amount === amount));
  }
}

const paymentsOf = ({ at, event, to }: Transfer, all: readonly Transfer[]): readonly Transfer[] =>
  all.filter(({ from, onwardOf }) => from === to && onwardOf?.home === at.did && onwardOf.event === event);

/** Of a transfer that is safe. */
function flawOf({ at, from, amount, onward }: Transfer, payments: readonly Transfer[]): string | undefined {
  const [paid] = payments;
  // Of a home that does not run.
  if (!paid) return undefined;
  if (payments.length > 1) return `paid ${payments.length} times`;
  const isRight = paid.at === at ? paid.to === from : paid.at.did === onward!.home && paid.to === onward!.to;
  return isRight && paid.amount === amount ? undefined : `paid ${paid.amount} to ${paid.to} at ${paid.at.name}`;
}

/** What a node has paid at its home for Tokens of another one, less what it was sent for Tokens there. */
function takenInBy({ did }: Home, other: Home, all: readonly Transfer[]): number {
  const here = all.filter(({ at }) => at.did === did);
  const wasFor = (event: string): string | undefined => here.find((each) => each.event === event)?.onward?.home;
  return here.reduce((sum, { from, to, amount, onward, onwardOf, event }) => {
    if (to === did && onward?.home === other.did) return sum - amount;
    if (from !== did || to === did || !onwardOf || event === undefined) return sum;
    const isFor = onwardOf.home === did ? wasFor(onwardOf.event) : onwardOf.home;
    return isFor === other.did ? sum + amount : sum;
  }, 0);
}
