/** Three homes in this process that trade with each other: one shared clock, no alarms, and no waiting for more entries. */
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import { feedBounds } from '../../../src/core/bounds.js';
import type { Timer } from '../../../src/core/environment.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import type { AnyDefinition } from '../../../src/machines/kernel/resource.js';
import type { Catalogue } from '../../../src/machines/kernel/step.js';
import { acquaint, discard, Home } from '../../peers/nodes/network.js';

/** Feeds send each entry at once: the walk makes one request at a time. */
class PromptClock extends MovableClock {
  override after(delayMs: number, call: () => void): Timer {
    return super.after(delayMs <= feedBounds.gatherMs ? 0 : delayMs, call);
  }
}

/** The walk takes late actions itself, before any alarm. */
const withoutAlarm = (definition: AnyDefinition): AnyDefinition =>
  definition.form === 'machine' ? { ...definition, alarm: () => null } : definition;

const withoutAlarms = (given: Catalogue): Catalogue => ({
  ...given,
  definitions: Object.fromEntries(
    Object.entries(given.definitions).map(([kind, definition]) => [kind, withoutAlarm(definition)]),
  ),
});

/** Tokens of each home at each other one. */
export const deposit = 100_000_000;

export class ThreeHomes {
  /** Called when any home has adopted entries. */
  readonly #waiting = new Set<() => void>();

  private constructor(
    readonly homes: readonly Home[],
    readonly clock: MovableClock,
  ) {
    for (const { node } of homes) {
      node.running.peering!.listenAdopted(() => {
        for (const look of this.#waiting) look();
      });
    }
  }

  static async start(): Promise<ThreeHomes> {
    const clock = new PromptClock();
    // The walk moves the clock past the time in which a peer must say something, so a request may wait for its connection.
    const variables = { SVC_SETTLEMENT_WAIT_MS: '25000' };
    const options = { world: clock, variables, parts: { catalogue: withoutAlarms(catalogue) } };
    const homes = [await Home.start(options), await Home.start(options), await Home.start(options)];
    await acquaint(homes);
    for (const home of homes) for (const other of homes) if (home !== other) await home.node.fund(other, deposit);
    const three = new ThreeHomes(homes, clock);
    await three.settled();
    return three;
  }

  /** Resolves when each home has a complete copy of the others. */
  async settled(): Promise<void> {
    for (const home of this.homes) {
      const { seq } = await home.node.store.head();
      for (const other of this.homes) if (other !== home) await this.#adopted(other, home.did, seq);
    }
  }

  #adopted({ node }: Home, of: string, seq: number): Promise<void> {
    const isThere = () =>
      node.running.peering!.foreignHomes.all().some(({ home, asOf }) => home === of && asOf().seq >= seq);
    if (isThere()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (!isThere()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  discard(): Promise<void> {
    return discard(this.homes);
  }
}
