/**
 * Processes numbered entries in order: folds them into the ledger cache, writes projections where this process is the
 * leader, resolves pending appends, and notifies listeners of other processes' entries.
 */
import { assert } from '../../core/refusal.js';
import type { EntryCore, NumberedEntry } from '../entry.js';
import { HomeRule } from '../home-rule.js';
import { payloadOf, storedPayloadOf } from '../payload.js';
import type { JournalHead, SharedStore } from '../store.js';
import type { Commands, Find } from './commands.js';
import type { Collections } from './database.js';
import {
  accountsOf,
  alarmOf,
  type EntryDocument,
  type OrderDocument,
  type ResourceDocument,
  resourceIdsOf,
  type SystemDocument,
  snapshotInDocument,
  systemId,
} from './documents.js';
import type { Inserter } from './inserter.js';
import type { AppendJob } from './job.js';
import type { EntryNames, LedgerCache } from './ledger-cache.js';
import type { Outage } from './outage.js';
import type { Projection } from './projection.js';
import { nextTurn } from './turn.js';

export type Listener = Parameters<SharedStore['follow']>[0];

/** An inserted entry that may not have a number yet. */
export interface OrderCandidate extends EntryNames {
  readonly document: EntryDocument;
  readonly core: EntryCore;
}

interface Numbered extends OrderCandidate {
  readonly order: OrderDocument;
}

export function candidateOf(document: EntryDocument): OrderCandidate {
  const core = JSON.parse(document.core) as EntryCore;
  return { document, core, accounts: accountsOf(core), resources: resourceIdsOf(core) };
}

export const ownCandidate = ({ document, core, accounts, resources }: AppendJob): OrderCandidate => {
  assert(document, 'what is inserted has its document');
  return { document, core, accounts, resources };
};

/** Parses the payload lazily, because most entries of other processes don't need it. */
function foreignEntry(document: EntryDocument, core: EntryCore, order: OrderDocument): NumberedEntry {
  const { _id: entryHash, core: coreText, payload: payloadText } = document;
  const { _id: seq, prev: prevEntry, chain: chainHash } = order;
  return {
    ...{ core, coreText, payloadText, entryHash, seq, prevEntry, chainHash },
    get payload() {
      return payloadOf(storedPayloadOf(payloadText));
    },
  };
}

const alarmsOf = (write: ResourceDocument) => (write.alarm ? [alarmOf(write)] : []);

const largestPage = 256;

export interface IngestOptions {
  readonly collections: Pick<Collections, 'entries'>;
  readonly commands: Commands;
  readonly ledger: LedgerCache;
  readonly projection: Projection;
  readonly inserter: Pick<Inserter, 'ready' | 'numbered'>;
  readonly outage: Outage;
}

export class Ingest {
  readonly listeners = new Set<Listener>();
  /** The home rule after the newest processed entry. */
  readonly homeRule = new HomeRule();
  #known: JournalHead = { seq: 0, chainHash: '' };

  constructor(private readonly options: IngestOptions) {}

  get known(): JournalHead {
    return this.#known;
  }

  async open(): Promise<void> {
    const { ledger } = this.options;
    const system = await this.#system();
    if (system) ledger.system = system;
    this.#known = { seq: ledger.system.seq, chainHash: ledger.system.chain };
    await this.#readHome(this.#known.seq);
  }

  /** Reads the home from the first entry, and from the newest one whether events contain it by now. */
  async #readHome(seq: number): Promise<void> {
    const filter = { _id: { $in: [1, seq] } };
    const places = await this.#find<OrderDocument>('order', { filter, sort: { _id: 1 } });
    for (const { entry } of places) {
      const [document] = await this.fetch([entry]);
      if (document) this.homeRule.saw(JSON.parse(document.core) as EntryCore);
    }
  }

  /** Processes projected entries; as the leader, all numbered entries. */
  async follow(projecting: boolean): Promise<void> {
    const last = projecting ? await this.#lastNumber() : (await this.#system())?.seq;
    while (last !== undefined && this.#known.seq < last) {
      const from = this.#known.seq;
      const filter = { _id: { $gt: from, $lte: Math.min(last, from + largestPage) } };
      const page = await this.#find<OrderDocument>('order', { filter, sort: { _id: 1 }, limit: largestPage });
      // A majority read may show the system document before the last numbers; the next round sees both.
      if (page[0]?._id !== from + 1) return;
      await this.take(page, new Map(), projecting);
    }
  }

  async take(
    page: readonly OrderDocument[],
    atHand: ReadonlyMap<string, OrderCandidate>,
    projecting: boolean,
  ): Promise<void> {
    const { ledger, projection } = this.options;
    const entries = await this.#numbered(page, atHand);
    const last = page.at(-1)!;
    await ledger.exclusively(async () => {
      // Only cached heads of resources need an update.
      if (projecting) await ledger.load(entries.map(({ accounts }) => ({ accounts, resources: [] })));
      for (const entry of entries) {
        ledger.fold(entry, entry.order, projecting);
        this.homeRule.saw(entry.core);
        for (const write of entry.document.writes) ledger.learn(write);
      }
    });
    if (projecting) {
      await projection.write(
        {
          writes: entries.flatMap(({ document }) => document.writes),
          erasures: entries.flatMap(({ document }) => document.erases ?? []),
        },
        ledger.unwritten(),
        ledger.system,
      );
    }
    ledger.written(last._id);
    this.#known = { seq: last._id, chainHash: last.chain };
    await this.#deliver(entries);
  }

  async #numbered(page: readonly OrderDocument[], atHand: ReadonlyMap<string, OrderCandidate>): Promise<Numbered[]> {
    const { ready } = this.options.inserter;
    const found = new Map<string, OrderCandidate>();
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

  /** Reads entries without their keys, which numbering doesn't need. */
  async fetch(hashes: readonly string[]): Promise<EntryDocument[]> {
    if (hashes.length === 0) return [];
    const query = { _id: { $in: [...hashes] } };
    const { entries } = this.options.collections;
    return this.options.outage.retry(() => entries.find(query, { projection: { keys: 0 } }).toArray());
  }

  async #deliver(entries: readonly Numbered[]): Promise<void> {
    const { inserter } = this.options;
    let answered = false;
    for (const { order, document, core } of entries) {
      if (inserter.ready.has(order.entry)) {
        inserter.numbered(order.entry, { seq: order._id, prevEntry: order.prev, chainHash: order.chain });
        answered = true;
      } else if (this.listeners.size > 0) {
        // The writer that was just answered adopts its entry first, because its next one may build on it.
        if (answered) await nextTurn();
        answered = false;
        const foreign = {
          entry: foreignEntry(document, core, order),
          snapshots: document.writes.map(snapshotInDocument),
          alarms: document.writes.flatMap(alarmsOf),
        };
        for (const listener of this.listeners) listener(foreign);
      }
    }
  }

  /** Whether the database still has this number and its projections, in a read without majority. */
  async isThere(seq: number, chain: string): Promise<boolean> {
    if (seq === 0) return true;
    const { outage, commands } = this.options;
    const now = <T>(collection: keyof Collections, _id: string | number) =>
      outage.retry(() => commands.find<T>(collection, { filter: { _id }, limit: 1 }, 'local'));
    const [[place], [system]] = await Promise.all([
      now<OrderDocument>('order', seq),
      now<SystemDocument>('accounts', systemId),
    ]);
    return place?.chain === chain && (system?.seq ?? 0) >= seq;
  }

  async #system(): Promise<SystemDocument | undefined> {
    return (await this.#find<SystemDocument>('accounts', { filter: { _id: systemId }, limit: 1 }))[0];
  }

  async #lastNumber(): Promise<number | undefined> {
    return (await this.#find<OrderDocument>('order', { filter: {}, sort: { _id: -1 }, limit: 1 }))[0]?._id;
  }

  #find<T>(collection: keyof Collections, find: Find): Promise<T[]> {
    return this.options.outage.retry(() => this.options.commands.find<T>(collection, find));
  }
}
