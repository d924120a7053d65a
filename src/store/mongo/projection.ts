/**
 * Writes what follows from numbered entries: snapshots by version, ledger rows by number, and last the house, which
 * says how far all of it has come. Each write is absolute and conditional on being newer, so it may be done twice, by
 * two processes, and after a crash in any place.
 */
import type { Away } from './away.js';
import { batches, type Commands } from './commands.js';
import type { AccountDocument, HouseDocument, ResourceDocument } from './documents.js';

interface Stored {
  readonly _id: string;
  readonly body?: string;
}

export class Projection {
  constructor(
    private readonly commands: Commands,
    private readonly away: Away,
  ) {}

  /** Resolves when all is durable. */
  async write(
    writes: Iterable<ResourceDocument>,
    rows: readonly AccountDocument[],
    house: HouseDocument,
  ): Promise<void> {
    for (const batch of batches([...newest(writes)])) await this.#replace('resources', 'version', batch);
    // The house speaks for the rows before it: it is the last of the last command.
    for (const batch of batches([...rows, house])) await this.#replace('accounts', 'seq', batch);
  }

  /** Where the stored one is as new or newer, nothing matches, and the insert that is then tried meets its `_id`. */
  async #replace<T extends Stored>(collection: string, by: keyof T, documents: readonly T[]): Promise<void> {
    let rest = documents.map((u) => ({ q: { _id: u._id, [by]: { $lt: u[by] } }, u, upsert: true }));
    while (rest.length > 0) {
      const command = { update: collection, updates: rest, ordered: true };
      const newer = await this.away.insist(() => this.commands.write(command));
      // A server that goes on after an error has done the rest, and doing it again changes nothing.
      rest = rest.slice(Math.min(...newer) + 1);
    }
  }
}

/** Of several versions of a resource the last one. */
function newest(writes: Iterable<ResourceDocument>): Iterable<ResourceDocument> {
  const byId = new Map<string, ResourceDocument>();
  for (const write of writes) if ((byId.get(write._id)?.version ?? 0) < write.version) byId.set(write._id, write);
  return byId.values();
}
