/**
 * DIDs that move between homes (docs/reference/moving.md), with their keys at all of them and without Tokens. A home that
 * has read that one has left it lets it sign nothing.
 */
import type { Accepted } from '../../../src/actors/command.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { docHashOf, emptyIdentity, type IdentityContext } from '../../../src/machines/identity/identity.js';
import { didOf } from '../../world/people.js';
import type { Draws } from './draws.js';
import type { Home } from './home.js';
import type { Scheduler } from './scheduler.js';

const names = ['tess', 'tom'] as const;
/** After this time a home that runs knows what was on its disk before. */
const knownMs = 1_000;

export interface TravellersOptions {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly homes: readonly Home[];
  readonly onAccepted: (home: Home, accepted: Accepted) => void;
  readonly count: (what: string) => void;
}

interface Claim {
  /** DID. */
  readonly home: string;
  readonly epoch: number;
}

export class Travellers {
  /** What a home should have refused. */
  flaw: string | undefined;
  #signed = 0;

  constructor(private readonly options: TravellersOptions) {}

  /** One of them moves, or signs something, at some home. */
  act(): void {
    const { draws, homes } = this.options;
    const [home, who] = [draws.pick(homes), draws.pick(names)];
    if (draws.chance(0.4)) this.#move(home, who);
    else this.#signLater(home, who);
  }

  /** The newest claims that are on this home's disk. */
  #newest(home: Home, who: string): readonly Claim[] {
    const claims = this.options.homes.flatMap((each): Claim[] => {
      const tables = each === home ? home.disk.tables : home.disk.files.get(each.did)?.tables;
      const residence = tables?.snapshot('residence', didOf(who));
      return residence ? [residence.context as unknown as Claim] : [];
    });
    const epoch = Math.max(0, ...claims.map((each) => each.epoch));
    return claims.filter((each) => each.epoch === epoch);
  }

  #isElsewhere(home: Home, who: string): boolean {
    const claims = this.#newest(home, who);
    return claims.length > 0 && claims.every((each) => each.home !== home.did);
  }

  #move(home: Home, who: string): void {
    const { draws, homes, scheduler } = this.options;
    const to = this.#isElsewhere(home, who) ? home : draws.pick(homes);
    const epoch = (this.#newest(home, who)[0]?.epoch ?? 0) + 1;
    const action = home.disk.tables.snapshot('residence', didOf(who)) ? 'move' : 'create';
    scheduler.log(() => `${who} moves to ${to.name}, at ${home.name}, in epoch ${epoch}`);
    void this.#ask(home, { who, kind: 'residence', id: didOf(who), action, input: { to: to.did, epoch } }, 'moved');
  }

  #signLater(home: Home, who: string): void {
    const { process } = home;
    const before = this.#isElsewhere(home, who) ? JSON.stringify(this.#newest(home, who)) : undefined;
    this.options.scheduler.after(knownMs, async () => {
      const isElsewhere = home.process === process && JSON.stringify(this.#newest(home, who)) === before;
      const known = home.disk.tables.snapshot('identity', didOf(who))?.context as unknown as
        | IdentityContext
        | undefined;
      const prevDocHash = docHashOf(didOf(who), (known ?? emptyIdentity).document);
      const input = { document: { displayName: `${who} ${++this.#signed}` }, prevDocHash };
      const deal = { who, kind: 'identity', id: didOf(who), action: 'update', input };
      const isDone = await this.#ask(home, deal, 'signed by a traveller');
      if (isDone && isElsewhere) this.flaw ??= `${who} has left ${home.name}, which lets it sign`;
    });
  }

  async #ask(home: Home, deal: Parameters<Home['askAsRoutesDo']>[0], what: string): Promise<boolean> {
    const result = await home.askAsRoutesDo(deal);
    if (!result) return false;
    this.options.count(isRefusal(result) ? `not ${what}` : what);
    if (!isRefusal(result)) this.options.onAccepted(home, result);
    return !isRefusal(result);
  }
}
