/**
 * Takes numbered entries in, in their order: folds them into what this process knows, writes what follows from them
 * where this process is who writes it, answers those who wait for their own, and tells listeners of the others'.
 */
import { assert } from '../../machines/kernel/refusal.js';
import { type EntryCore, type NumberedEntry, payloadOf } from '../entry.js';
import type { Head, SharedStore } from '../store.js';
import type { Away } from './away.js';
import type { Commands, Find } from './commands.js';
import type { Collections } from './database.js';
import {
  accountsOf,
  alarmOf,
  type EntryDocument,
  type HouseDocument,
  houseId,
  type OrderDocument,
  type ResourceDocument,
  resourcesOf,
  snapshotOf,
} from './documents.js';
import type { Inserter } from './inserter.js';
import type { Job } from './job.js';
import type { Ledger, Named } from './ledger.js';
import type { Projection } from './projection.js';
import { nextTurn } from './turn.js';

/** Called with each entry of another process, in order, when what follows from it can be read. */
export type Listener = Parameters<SharedStore['follow']>[0];

/** An entry in the database that may be waiting for its number. */
export interface Candidate extends Named {
  readonly document: EntryDocument;
  readonly core: EntryCore;
}

interface Numbered extends Candidate {
  readonly order: OrderDocument;
}

export function candidateOf(document: EntryDocument): Candidate {
  const core = JSON.parse(document.core) as EntryCore;
  return { document, core, accounts: accountsOf(core), resources: resourcesOf(core) };
}

export const ownCandidate = ({ document, core, accounts, resources }: Job): Candidate => {
  assert(document, 'what is inserted has its document');
  return { document, core, accounts, resources };
};

/** Its payload is read where somebody asks for it: of most entries of others nobody does. */
function foreignEntry(document: EntryDocument, core: EntryCore, order: OrderDocument): NumberedEntry {
  const { _id: entryHash, core: coreText, payload: payloadText } = document;
  const { _id: seq, prev: prevEntry, chain: chainHash } = order;
  return {
    ...{ core, coreText, payloadText, entryHash, seq, prevEntry, chainHash },
    get payload() {
      return payloadOf(payloadText);
    },
  };
}

const alarmsOf = (write: ResourceDocument) => (write.alarm ? [alarmOf(write)] : []);

/** Entries taken in at once. */
const largestPage = 256;

export interface IntakeOptions {
  readonly collections: Pick<Collections, 'entries'>;
  readonly commands: Commands;
  readonly ledger: Ledger;
  readonly projection: Projection;
  readonly inserter: Inserter;
  readonly away: Away;
}

export class Intake {
  readonly listeners = new Set<Listener>();
  #known: Head = { seq: 0, chainHash: '' };

  constructor(private readonly options: IntakeOptions) {}

  /** The newest entry that is taken in. */
  get known(): Head {
    return this.#known;
  }

  /** Begins where the projections stand. */
  async open(): Promise<void> {
    const { ledger } = this.options;
    const house = await this.#house();
    if (house) ledger.house = house;
    this.#known = { seq: ledger.house.seq, chainHash: ledger.house.chain };
  }

  /** Takes in what is projected; as the projecting process all that has a number. */
  async follow(projecting: boolean): Promise<void> {
    const last = projecting ? await this.#lastNumber() : (await this.#house())?.seq;
    while (last !== undefined && this.#known.seq < last) {
      const from = this.#known.seq;
      const filter = { _id: { $gt: from, $lte: Math.min(last, from + largestPage) } };
      const page = await this.#find<OrderDocument>('order', { filter, sort: { _id: 1 }, limit: largestPage });
      // Whoever reads from a majority may see the house before the last numbers: the next turn sees them too.
      if (page[0]?._id !== from + 1) return;
      await this.take(page, new Map(), projecting);
    }
  }

  /** @param at hand by entry hash, so that they are not fetched */
  async take(
    page: readonly OrderDocument[],
    atHand: ReadonlyMap<string, Candidate>,
    projecting: boolean,
  ): Promise<void> {
    const { ledger, projection } = this.options;
    const entries = await this.#numbered(page, atHand);
    const last = page.at(-1)!;
    await ledger.alone(async () => {
      // Of the resources only the heads in memory matter.
      if (projecting) await ledger.know(entries.map(({ accounts }) => ({ accounts, resources: [] })));
      for (const entry of entries) {
        ledger.fold(entry, entry.order, projecting);
        for (const write of entry.document.writes) ledger.learn(write);
      }
    });
    if (projecting) {
      await projection.write(
        entries.flatMap(({ document }) => document.writes),
        ledger.unwritten(),
        ledger.house,
      );
    }
    ledger.written(last._id);
    this.#known = { seq: last._id, chainHash: last.chain };
    await this.#deliver(entries);
  }

  async #numbered(page: readonly OrderDocument[], atHand: ReadonlyMap<string, Candidate>): Promise<Numbered[]> {
    const { ready } = this.options.inserter;
    const found = new Map<string, Candidate>();
    const missing: string[] = [];
    for (const { entry } of page) {
      const own = ready.get(entry);
      const candidate = own ? ownCandidate(own) : atHand.get(entry);
      if (candidate) found.set(entry, candidate);
      else missing.push(entry);
    }
    for (const document of await this.fetch(missing)) found.set(document._id, candidateOf(document));
    return page.map((order) => ({ ...found.get(order.entry)!, order }));
  }

  /** Without their keys, which nobody asks for who numbers them. */
  async fetch(hashes: readonly string[]): Promise<EntryDocument[]> {
    if (hashes.length === 0) return [];
    const query = { _id: { $in: [...hashes] } };
    const { entries } = this.options.collections;
    return this.options.away.insist(() => entries.find(query, { projection: { keys: 0 } }).toArray());
  }

  async #deliver(entries: readonly Numbered[]): Promise<void> {
    const { inserter } = this.options;
    let answered = false;
    for (const { order, document, core } of entries) {
      if (inserter.ready.has(order.entry)) {
        inserter.numbered(order.entry, { seq: order._id, prevEntry: order.prev, chainHash: order.chain });
        answered = true;
      } else if (this.listeners.size > 0) {
        // Whoever was answered adopts its own entry first: this one may build on it.
        if (answered) await nextTurn();
        answered = false;
        const foreign = {
          entry: foreignEntry(document, core, order),
          snapshots: document.writes.map(snapshotOf),
          alarms: document.writes.flatMap(alarmsOf),
        };
        for (const listener of this.listeners) listener(foreign);
      }
    }
  }

  async #house(): Promise<HouseDocument | undefined> {
    return (await this.#find<HouseDocument>('accounts', { filter: { _id: houseId }, limit: 1 }))[0];
  }

  async #lastNumber(): Promise<number | undefined> {
    return (await this.#find<OrderDocument>('order', { filter: {}, sort: { _id: -1 }, limit: 1 }))[0]?._id;
  }

  #find<T>(collection: keyof Collections, find: Find): Promise<T[]> {
    return this.options.away.insist(() => this.options.commands.find<T>(collection, find));
  }
}
