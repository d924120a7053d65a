/**
 * The properties that must hold whatever happens to homes, disks and network. The model reads the disks from outside, and
 * knows every entry that was ever durable at its home and every entry that the home acknowledged.
 */
import type { Tables } from '../../../src/store/memory/tables.js';
import type { JournalHead } from '../../../src/store/store.js';
import { cardsOf, publicListings } from './listings.js';
import { followedBy, type ModelHome, ModelViolation } from './model-home.js';

interface HomeFacts {
  /** Every entry that was ever on the home's disk: its number and the entry before it, by chain hash. */
  readonly entries: Map<string, { readonly seq: number; readonly prev: string }>;
  readonly acknowledged: Map<number, string>;
  /** Whether the home's journal has branched, because its disk lost entries. */
  hasFork: boolean;
  readonly bySeq: Map<number, string>;
  /** How far reachable peers have followed the journal since the start began. */
  starting: Map<string, JournalHead> | undefined;
  /** The journal as last seen on the disk. */
  seen: { tables: Tables; length: number } | undefined;
}

export class Model {
  readonly #facts = new Map<string, HomeFacts>();
  /** The violation found since the last check. */
  #noticed: string | undefined;
  /** How often the disks had changed at the last check. */
  #changes = -1;

  constructor(private readonly homes: readonly ModelHome[]) {
    for (const { did } of homes) {
      this.#facts.set(did, {
        ...{ entries: new Map(), acknowledged: new Map(), hasFork: false, bySeq: new Map() },
        ...{ starting: undefined, seen: undefined },
      });
    }
    this.check();
  }

  /** Called after every event. */
  check(): void {
    if (this.#noticed !== undefined) throw new ModelViolation(this.#noticed);
    let changes = 0;
    for (const { disk } of this.homes) changes += disk.changes;
    if (changes === this.#changes) return;
    this.#changes = changes;
    for (const home of this.homes) this.#checkJournal(home);
    for (const home of this.homes) for (const other of this.homes) this.#checkFollowed(home, other);
  }

  #checkJournal(home: ModelHome): void {
    const facts = this.#facts.get(home.did)!;
    const { tables } = home.disk;
    const { journal } = tables;
    if (facts.seen?.tables !== tables) facts.seen = { tables, length: 0 };
    for (let seq = facts.seen.length + 1; seq <= journal.length; seq++) this.#wrote(home, facts, seq);
    facts.seen.length = journal.length;
  }

  #wrote(home: ModelHome, facts: HomeFacts, seq: number): void {
    const { chainHash, prevEntry } = home.disk.tables.journal[seq - 1]!;
    if (facts.entries.has(chainHash)) return;
    if (facts.bySeq.has(seq)) {
      facts.hasFork = true;
      const reached = [...(facts.starting ?? [])].find(([, place]) => place.seq >= seq);
      if (reached)
        throw new ModelViolation(`${home.name} writes a second entry ${seq}, and ${reached[0]} has followed the first`);
    }
    facts.bySeq.set(seq, chainHash);
    facts.entries.set(chainHash, { seq, prev: prevEntry });
  }

  #checkFollowed(home: ModelHome, other: ModelHome): void {
    const followed = followedBy(home, other.did);
    if (!followed || followed.seq === 0) return;
    if (this.#facts.get(other.did)!.entries.get(followed.chainHash)?.seq === followed.seq) return;
    throw new ModelViolation(`${home.name} follows an entry ${followed.seq} that was never durable at ${other.name}`);
  }

  /** The home has confirmed to a caller that the entry is durable. */
  acknowledge(home: ModelHome, { seq, chainHash }: JournalHead): void {
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
  }

  /** A start begins while these peers are reachable. */
  starts(home: ModelHome, inReach: readonly ModelHome[]): void {
    const starting = new Map<string, JournalHead>();
    for (const peer of inReach) {
      const followed = followedBy(peer, home.did);
      if (followed) starting.set(peer.name, followed);
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
      if (seq > 0 && journal[seq - 1]?.chainHash !== chainHash) {
        this.#noticed ??= `${home.name} opens without entry ${seq}, which ${peer} in reach has followed`;
      }
    }
    facts.starting = undefined;
  }

  /** Whether the home ever had two entries with one number. Only then may a proof against it exist. */
  hasFork(did: string): boolean {
    return this.#facts.get(did)!.hasFork;
  }

  /** @returns what is not as expected once all homes are connected; undefined if all is */
  unsettled(isUp: (home: ModelHome) => boolean): string | undefined {
    for (const home of this.homes) {
      const peers = this.homes.filter((peer) => peer !== home && isUp(peer));
      const ends = peers.flatMap((peer) => {
        const end = followedBy(peer, home.did);
        return end && end.seq > 0 ? [{ peer, end }] : [];
      });
      const isForked = ends.some(({ peer, end }) =>
        ends.some(
          ({ end: other }) =>
            other.seq <= end.seq && peer.remembers(home.did, other.seq) && !this.#isOneJournal(home.did, other, end),
        ),
      );
      // A proof reaches all: the home may have shown its other journal by a checkpoint alone.
      if (isForked || peers.some((peer) => peer.proofOf(home.did))) {
        const without = peers.find((peer) => !peer.proofOf(home.did));
        if (without) return `${without.name} has no proof that ${home.name} has shown two journals`;
        continue;
      }
      if (!isUp(home)) continue;
      const { length } = home.disk.tables.journal;
      for (const peer of peers) {
        const seq = followedBy(peer, home.did)?.seq ?? 0;
        if (seq !== length) return `${peer.name} has followed ${seq} of ${length} entries of ${home.name}`;
        const difference = differenceOfCards(home, peer);
        if (difference) return difference;
      }
    }
    return undefined;
  }

  /** Whether the lower of the two is on the way to the higher one. */
  #isOneJournal(did: string, low: JournalHead, high: JournalHead): boolean {
    const { entries } = this.#facts.get(did)!;
    let { chainHash } = high;
    for (let { seq } = high; seq > low.seq; seq--) chainHash = entries.get(chainHash)!.prev;
    return chainHash === low.chainHash;
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

/** @returns in what the cards that the peer keeps differ from the listings of the home */
function differenceOfCards(home: ModelHome, peer: ModelHome): string | undefined {
  const expected = publicListings(home.disk.tables);
  const kept = peer.cards.tables ? cardsOf(peer.cards.tables, home.did) : new Map<string, string>();
  const id = [...new Set([...expected.keys(), ...kept.keys()])].find((each) => expected.get(each) !== kept.get(each));
  if (id === undefined) return undefined;
  const [here, there] = [kept.get(id) ?? 'nothing', expected.get(id) ?? 'nothing'];
  return `${peer.name} shows ${here} of ${id}, and ${home.name} has ${there}`;
}
