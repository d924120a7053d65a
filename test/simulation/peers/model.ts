/**
 * The properties that must hold whatever happens to homes, disks and network. The model reads the disks from outside, and knows
 * every entry that was ever durable at its home and every entry that the home acknowledged.
 */

import { isSystemAccount } from '../../../src/machines/kernel/ledger.js';
import { balanceViolation } from '../../../src/machines/kernel/ledger-balance.js';
import { Tables } from '../../../src/store/memory/tables.js';
import { own } from './disk.js';
import { LimitsModel } from './limits-model.js';
import { type ModelHome, ModelViolation } from './model-home.js';
import { type SentRequest, type TradeListener, TradeModel } from './trade-model.js';

interface Place {
  readonly seq: number;
  readonly chainHash: string;
}

interface HomeFacts {
  /** Every entry that was ever on the home's disk, by chain hash, with the balances after it. */
  readonly entries: Map<string, { readonly seq: number; readonly balances: string }>;
  readonly acknowledged: Map<number, string>;
  /** Whether the home's journal has branched, because its disk lost entries. */
  hasFork: boolean;
  readonly bySeq: Map<number, string>;
  /** How much of the journal reachable peers have had since the start began. */
  starting: Map<string, Place> | undefined;
}

interface SeenFile {
  tables: Tables;
  length: number;
  chainHash: string | undefined;
}

export class Model {
  readonly #facts = new Map<string, HomeFacts>();
  readonly #seen = new Map<string, SeenFile>();
  readonly trade: TradeModel;
  readonly limits: LimitsModel;
  /** The violation found since the last check. */
  #noticed: string | undefined;
  /** How often the disks had changed at the last check. */
  #changes = -1;

  /** @param now simulated time @param onTrade notes requests by which Tokens go home */
  constructor(
    private readonly homes: readonly ModelHome[],
    now: () => number,
    onTrade: Pick<TradeListener, 'sent' | 'closed'>,
  ) {
    for (const { did } of homes) {
      this.#facts.set(did, {
        ...{ entries: new Map(), acknowledged: new Map(), hasFork: false, bySeq: new Map(), starting: undefined },
      });
    }
    const limits = new LimitsModel(homes, now);
    this.limits = limits;
    const sent = (request: SentRequest, open: number): void => {
      limits.sent(request, open);
      onTrade.sent(request, open);
    };
    const answered = (by: string, request: SentRequest) => limits.answered(by, request);
    this.trade = new TradeModel(homes, (did) => this.hasFork(did), { ...onTrade, sent, answered });
    this.check();
  }

  /** Called after every event. Reads only files that have grown. */
  check(): void {
    if (this.#noticed !== undefined) throw new ModelViolation(this.#noticed);
    let changes = 0;
    for (const { disk } of this.homes) changes += disk.changes;
    if (changes === this.#changes) return;
    this.#changes = changes;
    // Own journals first, because a replica's entries must be in them already.
    for (const home of this.homes) this.#checkFile(home, own, home.disk.files.get(own)!.tables);
    this.trade.check();
    for (const home of this.homes) {
      for (const [name, { tables }] of home.disk.files) if (name !== own) this.#checkFile(home, name, tables);
    }
  }

  #checkFile(home: ModelHome, name: string, tables: Tables): void {
    const id = `${home.name} ${name}`;
    const { journal } = tables;
    let seen = this.#seen.get(id);
    if (seen?.tables !== tables) {
      seen = { tables, length: 0, chainHash: undefined };
      this.#seen.set(id, seen);
    }
    if (journal.length === seen.length) return;
    if (name !== own) {
      this.limits.copied(home, name, tables);
      this.trade.copied(home, journal.slice(seen.length));
    }
    if (journal.length < seen.length || (seen.length > 0 && journal[seen.length - 1]!.chainHash !== seen.chainHash)) {
      throw new ModelViolation(`${id}: entries that were durable are gone or others`);
    }
    const facts = this.#facts.get(name === own ? home.did : name)!;
    for (let seq = seen.length + 1; seq <= journal.length; seq++) {
      const { chainHash } = journal[seq - 1]!;
      if (name === own) this.#wrote(home, facts, { seq, chainHash }, tables);
      else this.#copied(home, name, facts, { seq, chainHash });
    }
    this.#checkLedger(id, facts, journal.at(-1)!.chainHash, tables);
    seen.length = journal.length;
    seen.chainHash = journal.at(-1)!.chainHash;
  }

  #wrote(home: ModelHome, facts: HomeFacts, { seq, chainHash }: Place, tables: Tables): void {
    const known = facts.entries.get(chainHash);
    if (known) return;
    const before = facts.bySeq.get(seq);
    if (before !== undefined) {
      facts.hasFork = true;
      const reached = [...(facts.starting ?? [])].find(([, place]) => place.seq >= seq);
      if (reached)
        throw new ModelViolation(`${home.name} writes a second entry ${seq}, and ${reached[0]} has the first`);
    }
    facts.bySeq.set(seq, chainHash);
    // The tables have only the newest balances.
    const isNewest = seq === tables.journal.length;
    facts.entries.set(chainHash, { seq, balances: isNewest ? balancesOf(tables) : '' });
  }

  #copied(home: ModelHome, did: string, facts: HomeFacts, { seq, chainHash }: Place): void {
    if (facts.entries.get(chainHash)?.seq !== seq) {
      throw new ModelViolation(`${home.name} has an entry ${seq} of ${this.#nameOf(did)} that was never durable there`);
    }
  }

  #checkLedger(id: string, facts: HomeFacts, chainHash: string, tables: Tables): void {
    const { house, accounts } = tables;
    const sums = { fees: house.fees, available: 0, reserved: 0, escrowed: 0 };
    for (const account of accounts.values()) {
      if (isSystemAccount(account.did)) continue;
      for (const part of ['available', 'reserved', 'escrowed'] as const) sums[part] += account[part];
    }
    const flaw = balanceViolation({ supply: 0 - house.supply, ...sums });
    if (flaw !== undefined) throw new ModelViolation(`${id}: ${flaw}`);
    const known = facts.entries.get(chainHash)?.balances;
    if (known && known !== balancesOf(tables)) throw new ModelViolation(`${id}: other balances than its home had`);
  }

  /** The home has confirmed to a caller that the entry is durable. */
  acknowledge(home: ModelHome, { seq, chainHash }: Place): void {
    this.#facts.get(home.did)!.acknowledged.set(seq, chainHash);
    if (home.disk.tables.journal[seq - 1]?.chainHash !== chainHash) {
      this.#noticed ??= `${home.name} has acknowledged entry ${seq}, and it is not on its disk`;
    }
  }

  /** The home's disk was set back: its lost entries are no longer expected. */
  setBack(home: ModelHome): void {
    const { acknowledged } = this.#facts.get(home.did)!;
    const { length } = home.disk.tables.journal;
    for (const seq of [...acknowledged.keys()]) if (seq > length) acknowledged.delete(seq);
    for (const file of [own, ...home.disk.files.keys()]) this.#seen.delete(`${home.name} ${file}`);
  }

  /** A start begins while these peers are reachable. */
  starts(home: ModelHome, inReach: readonly ModelHome[]): void {
    const starting = new Map<string, Place>();
    for (const peer of inReach) {
      const tables = peer.disk.files.get(home.did)?.tables;
      const last = tables && placesOf(tables).at(-1);
      if (last) starting.set(peer.name, last);
    }
    this.#facts.get(home.did)!.starting = starting;
  }

  /** The peer was briefly unreachable. */
  outOfReach(home: ModelHome, peer: ModelHome): void {
    this.#facts.get(home.did)!.starting?.delete(peer.name);
  }

  /** The home accepts writes from now on. */
  opened(home: ModelHome): void {
    const facts = this.#facts.get(home.did)!;
    const { journal } = home.disk.tables;
    for (const [seq, chainHash] of facts.acknowledged) {
      if (journal[seq - 1]?.chainHash !== chainHash) {
        this.#noticed ??= `${home.name} opens without entry ${seq}, which it has acknowledged`;
      }
    }
    for (const [peer, { seq, chainHash }] of facts.starting ?? []) {
      if (journal[seq - 1]?.chainHash !== chainHash) {
        this.#noticed ??= `${home.name} opens without entry ${seq}, which ${peer} in reach has had all the while`;
      }
    }
    facts.starting = undefined;
  }

  /** Whether the home ever had two entries with one number. Only then may a proof against it exist. */
  hasFork(did: string): boolean {
    return this.#facts.get(did)!.hasFork;
  }

  #nameOf(did: string): string {
    return this.homes.find((home) => home.did === did)!.name;
  }

  /** @returns what is not as expected once all homes are connected; undefined if all is */
  unsettled(isUp: (home: ModelHome) => boolean): string | undefined {
    const up = this.homes.filter(isUp);
    for (const home of this.homes) {
      const copies = up.map((peer) => this.#copyAt(home, peer));
      // A home that may not start because it would continue another journal has shown that journal to no one.
      const isOne = copies.every(({ places }) => copies.every((other) => isPrefix(places, other.places)));
      const without = copies.find(({ peer }) => peer !== home && !peer.proofOf(home.did));
      // A proof reaches all, also where each has the same copy: the home may have shown its other journal by a checkpoint alone.
      const isProven = up.some((peer) => peer.proofOf(home.did));
      if ((!isOne || isProven) && without)
        return `${without.peer.name} has no proof that ${home.name} has shown two journals`;
      const longest = Math.max(...copies.map(({ places }) => places.length));
      const short = copies.find(({ places }) => places.length < longest);
      if (isOne && short && isUp(home)) {
        return `${short.peer.name} has ${short.places.length} of ${longest} entries of ${home.name}`;
      }
    }
    return this.trade.unsettled(isUp);
  }

  #copyAt(home: ModelHome, peer: ModelHome) {
    const tables = peer === home ? home.disk.tables : peer.disk.files.get(home.did)?.tables;
    return { peer, places: placesOf(tables ?? new Tables()) };
  }

  /** There may be no proof against a home that never had two journals. */
  checkProofs(): void {
    for (const home of this.homes) {
      for (const { did, name } of this.homes) {
        if (home.proofOf(did) && !this.hasFork(did)) {
          throw new ModelViolation(`${home.name} holds a proof against ${name}, which has one journal`);
        }
      }
    }
  }
}

const isPrefix = (one: readonly Place[], other: readonly Place[]): boolean => {
  const common = Math.min(one.length, other.length);
  return common === 0 || one[common - 1]!.chainHash === other[common - 1]!.chainHash;
};

const placesOf = ({ journal }: Tables): readonly Place[] =>
  journal.map(({ chainHash }, index) => ({ seq: index + 1, chainHash }));

/** All balances as one text. */
function balancesOf({ accounts, house }: Tables): string {
  const rows = [...accounts.values()].map((row) => [row.did, row.available, row.reserved, row.escrowed, row.nonce]);
  return JSON.stringify([rows.sort(([one], [other]) => (one! < other! ? -1 : 1)), house]);
}
