/** The requests of residents: to their own home, and through it to others. Their answers go to the model. */
import type { Accepted } from '../../../src/actors/command.js';
import { isRefusal, type Refusal } from '../../../src/core/refusal.js';
import type { RemoteRequestContext } from '../../../src/machines/remote-request/machine.js';
import { nameOf } from '../../world/people.js';
import { contested, type Deal, drawDeal, drawFollowUp, drawTransfer, transfer } from './deals.js';
import type { Draws } from './draws.js';
import { accountOf, hotOf, isKnownAccount, residentsOf } from './genesis.js';
import type { Home } from './home.js';
import { Operations } from './operations.js';
import type { Sent } from './remote-asking.js';
import type { Scheduler } from './scheduler.js';
import type { SentRequest, TradeListener } from './trade-model.js';

/** A running home answers its own residents within this time in any network. */
const answerMs = 15_000;

export interface RequestsOptions {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly homes: readonly Home[];
  /** The home has acknowledged the entry of one of its residents. */
  readonly onAccepted: (home: Home, accepted: Accepted) => void;
  readonly count: (what: string) => void;
}

interface OpenRequest {
  readonly home: Home;
  readonly at: number;
  readonly what: string;
}

export class Requests {
  readonly operations = new Operations();
  readonly #open = new Set<OpenRequest>();
  /** The operations of each request by which Tokens go home, by its hash. */
  readonly #homeward = new Map<string, readonly ReturnType<Operations['call']>[]>();
  #made = 0;

  constructor(private readonly options: RequestsOptions) {}

  get areOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The process that would have answered is gone. */
  died(home: Home): void {
    for (const each of [...this.#open]) if (each.home === home) this.#open.delete(each);
  }

  /** @returns which home has not answered in time */
  late(): string | undefined {
    const { scheduler } = this.options;
    const late = [...this.#open].find(({ at }) => scheduler.now - at > answerMs);
    return late && `${late.home.name} has not answered for ${answerMs / 1_000} s: ${late.what}`;
  }

  /** Sends one request of a resident. @returns false while the home accepts none */
  write(home: Home): boolean {
    const { draws, homes } = this.options;
    this.#read(home);
    const drawn = draws.chance(0.5) ? this.#drawFollowUp(home) : undefined;
    if (drawn) return this.#ask(home, ...drawn);
    const at = draws.chance(0.65) ? draws.pick(homes.filter((each) => each !== home)) : home;
    const deal = draws.chance(0.8) ? this.#draw(home, at) : undefined;
    return deal ? this.#ask(home, at, deal) : this.transfer(home);
  }

  #ask(home: Home, at: Home, deal: Deal): boolean {
    return at === home ? this.#askHome(home, deal) : this.#askOther(home, at, deal);
  }

  #drawFollowUp(home: Home): [Home, Deal] | undefined {
    const { draws, homes } = this.options;
    const start = draws.below(homes.length);
    for (const at of [...homes.slice(start), ...homes.slice(0, start)]) {
      const place = this.#placeAt(home, at);
      const deal = place && drawFollowUp(place);
      if (deal) return [at, deal];
    }
    return undefined;
  }

  #placeAt(home: Home, at: Home) {
    const seen = at === home ? home.disk.tables : home.disk.files.get(at.did)?.tables;
    return seen && { ...this.#placeOf(home), at: at.name, seen };
  }

  /** Sends a request of a resident to its own home. @returns false while it accepts none */
  transfer(home: Home): boolean {
    return this.#askHome(home, this.#drawTransfer(home));
  }

  /** Residents of several homes act on one resource of this home at the same time. */
  rush(at: Home): void {
    const { draws, homes } = this.options;
    const [about] = [contested(at.disk.tables)].map((keys) => (keys.length > 0 ? draws.pick(keys) : undefined));
    if (about === undefined) return;
    for (let left = draws.between(2, 5); left > 0; left--) {
      const home = draws.pick(homes);
      const deal = this.#draw(home, at, about);
      if (deal && home === at) this.#askHome(home, deal);
      else if (deal) this.#askOther(home, at, deal);
    }
  }

  /**
   * A resident of the first home earns Tokens at the other one, and then spends them there, with a few more from home, at about
   * the time at which they go home.
   */
  earnAndSpend(home: Home, at: Home): void {
    const { draws, scheduler } = this.options;
    const who = draws.pick(residentsOf(home.name).filter((each) => each !== hotOf(home.name)));
    const [payer, payee] = residentsOf(at.name) as [string, string];
    const amount = draws.between(2, 8);
    if (!this.#askHome(at, transfer(payer, who, amount))) return;
    scheduler.after(Math.max(0, at.homewardMs + draws.between(-150, 150)), () => {
      this.#made++;
      this.#askOther(home, at, transfer(who, payee, amount + draws.between(1, 3)));
    });
  }

  /** Tokens that go home change accounts without a call: the operations begin when the request is durable. */
  readonly onTrade: Pick<TradeListener, 'sent' | 'closed'> = {
    sent: (request) => {
      if (request.owner === undefined || this.#homeward.has(request.hash)) return;
      this.#homeward.set(request.hash, this.#homewardOf(request));
    },
    closed: ({ hash }, code) => {
      const [credit, ...others] = this.#homeward.get(hash) ?? [];
      if (code === null) for (const each of [credit, ...others]) this.operations.returned(each, 'done');
      // The other home may still accept what was given up.
      else for (const each of code === undefined ? [credit] : [credit, ...others]) this.operations.drop(each);
    },
  };

  #homewardOf({ from, to, owner, money: amount }: SentRequest) {
    const [home, other] = [from, to].map((did) => this.options.homes.find((each) => each.did === did)!.name);
    const { operations } = this;
    const name = nameOf(owner!);
    return [
      operations.call(home!, accountOf(other!), { do: 'credit', amount }),
      operations.call(other!, accountOf(home!), { do: 'debit', amount }),
      ...(isKnownAccount(name) ? [operations.call(other!, accountOf(name), { do: 'credit', amount })] : []),
    ];
  }

  #draw(home: Home, at: Home, about?: string): Deal | undefined {
    const place = this.#placeAt(home, at);
    return place && drawDeal({ ...place, ...(about ? { about } : {}) });
  }

  #drawTransfer(home: Home): Deal {
    return drawTransfer(this.#placeOf(home));
  }

  #askHome(home: Home, deal: Deal): boolean {
    const asked = home.ask(deal);
    if (!asked) return false;
    const pending = this.#operationsOf(home, deal);
    this.#await(home, deal, asked, (result) => {
      for (const operation of pending) this.operations.answered(operation, result);
    });
    return true;
  }

  #operationsOf({ name: home }: Home, { who, kind, action, input, operation }: Deal) {
    const calls = operation ? [this.operations.call(home, operation.on, operation.asked)] : [];
    if (kind !== 'account' || action !== 'transfer') return calls;
    const hot = hotOf(home);
    const amount = Number(input.amount);
    if (who === hot) calls.push(this.operations.call(home, accountOf(hot), { do: 'debit', amount }));
    return calls;
  }

  #askOther(home: Home, at: Home, deal: Deal): boolean {
    const { operations } = this;
    const isHot = deal.who === hotOf(home.name);
    const there = deal.operation && operations.call(at.name, deal.operation.on, deal.operation.asked);
    const pays: ReturnType<Operations['call']>[] = [];
    const onMoney = (amount: number): void => {
      if (amount === 0) return;
      const own = accountOf(hotOf(home.name));
      // Later answers decide which of these happen; a request that never returns may have done any of them.
      pays.push(
        operations.call(at.name, accountOf(home.name), { do: 'debit', amount }),
        operations.call(home.name, accountOf(at.name), { do: 'credit', amount }),
        ...(isHot
          ? (['debit', 'credit'] as const).map((what) => operations.call(home.name, own, { do: what, amount }))
          : []),
      );
    };
    const asked = home.askElsewhere(deal, at, { id: `rem-${this.#made}`, onMoney });
    if (!asked) {
      operations.drop(there);
      return this.transfer(home);
    }
    this.options.scheduler.log(() => `${home.name} asks ${at.name}: ${deal.kind} ${deal.id} ${deal.action}`);
    this.#await(home, deal, asked, (result) => {
      const [debit, credit, own, back] = pays;
      if (isRefusal(result)) {
        operations.answered(own, result);
        if (result.code === 'SERVICE_UNAVAILABLE') return;
        // What the own home has refused by its copy of the other one says nothing about that one.
        for (const each of [there, debit, credit, back]) operations.drop(each);
        return;
      }
      operations.returned(own, 'done');
      void result.closed.then(({ state, context }) => {
        const { code } = context as unknown as RemoteRequestContext;
        this.options.count(`remote ${state}`);
        this.options.scheduler.log(
          () => `${home.name}: ${deal.kind} ${deal.id} ${deal.action} is ${state} ${code ?? ''}`,
        );
        if (state === 'given-up' || state === 'answered-late') {
          // The other home may have accepted it, or may do so still.
          operations.drop(credit);
          operations.returned(back, 'done');
          return;
        }
        operations.answered(there, { code });
        const [done, undone] = state === 'accepted' ? [[debit, credit], [back]] : [[back], [debit, credit]];
        for (const each of done) operations.returned(each, 'done');
        for (const each of undone) operations.drop(each);
      });
    });
    return true;
  }

  #placeOf(home: Home) {
    const { draws, homes } = this.options;
    const names = homes.map(({ name }) => name);
    return { draws, number: ++this.#made, from: home.name, at: home.name, seen: home.disk.tables, homes: names };
  }

  #await<T extends Accepted | Sent>(
    home: Home,
    { kind, id, action }: Deal,
    asked: Promise<T | Refusal>,
    then: (result: T | Refusal) => void,
  ): void {
    const { scheduler, count, onAccepted } = this.options;
    // It has died before its first read.
    if (!home.isOpen) return;
    const request = { home, at: scheduler.now, what: `${kind} ${id} ${action}` };
    this.#open.add(request);
    void asked.then((result) => {
      this.#open.delete(request);
      then(result);
      count(isRefusal(result) ? `refused ${result.code}` : 'accepted');
      if (!isRefusal(result)) onAccepted(home, 'accepted' in result ? result.accepted : result);
    });
  }

  /** Reads the balance of the hot resident, or of another home's account. */
  #read(home: Home): void {
    const { draws, homes } = this.options;
    const others = homes.filter((each) => each !== home).map(({ name }) => name);
    const name = draws.pick([hotOf(home.name), ...others]);
    const balance = home.balanceOf(name);
    if (!balance) return;
    const operation = this.operations.call(home.name, accountOf(name), { do: 'read' });
    void balance.then((found) => this.operations.returned(operation, found));
  }
}
