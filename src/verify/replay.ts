/**
 * Replays a journal with all of its state in memory: an audit replays everything, a read with `source=log` one
 * resource.
 */
import { assert } from '../core/refusal.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import type { Resource } from '../machines/kernel/resource.js';
import type { NumberedEntry } from '../store/entry.js';
import type { Account } from '../store/store.js';
import { violationOfPlace } from './beginning.js';
import { Reexecution } from './reexecution.js';

export class Replay extends Reexecution {
  resources(): IterableIterator<Resource> {
    return this.state.resources.values();
  }

  accounts(): IterableIterator<Account> {
    return this.state.accounts.values();
  }

  /** The lengths of resources() and accounts(). */
  get counts(): { resources: number; accounts: number } {
    return { resources: this.state.resources.size, accounts: this.state.accounts.size };
  }

  get totals(): { supply: number; fees: number } {
    const { supply, fees } = this.state.system;
    return { supply: 0 - supply, fees };
  }
}

export interface ReplayOptions {
  readonly catalogue: Catalogue;
  readonly network: string;
  /** Home of the journal. */
  readonly home: string;
  readonly kind: string;
  readonly id: string;
}

/**
 * Replays the entries of one plain reducer (`source=log`), whose steps depend on nothing else. Yields to the event loop
 * between pages, because an entry takes about 0.4 ms.
 * @throws AssertionError if an entry is invalid
 */
export async function replayOne(
  { catalogue, network, home, kind, id }: ReplayOptions,
  pages: AsyncIterable<readonly NumberedEntry[]>,
): Promise<Resource | undefined> {
  const replay = new Replay(catalogue, network);
  for await (const page of pages) {
    for (const entry of page) {
      const flaw = replay.violationAlone(entry) ?? violationOfPlace(entry, home) ?? replay.fold(entry)?.what;
      assert(flaw === undefined, `entry ${entry.seq}: ${flaw}`);
    }
  }
  return replay.resource(kind, id);
}
