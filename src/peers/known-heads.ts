/**
 * The newest checkpoint of each known home, from whichever peer it came, compared with what lies here of that home's
 * journal. Everything that a peer says is rationed: reading it, checking a signature, looking up an entry.
 */
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { Allowance } from './allowance.js';
import {
  type Checkpoint,
  type Copy,
  checkpointForm,
  contradicts,
  type EquivocationProof,
  equivocationForm,
  flawOfEquivocation,
  isSignedCheckpoint,
  parseForm,
  proofOfEquivocation,
} from './checkpoint.js';
import { Covers, chainHashAt, type HeldJournal, type NextCover } from './covers.js';
import type { Equivocations } from './equivocation.js';

/** What became of a checkpoint or a proof that a peer has sent. */
export type Heard =
  /** Taken: it is compared with the journal as soon as that reaches it. */
  | 'news'
  | 'known'
  /** Over this peer's share; an honest peer says it again. */
  | 'too many'
  /** A home that is not followed, or another network. */
  | 'not ours'
  | 'malformed'
  | 'from the future'
  /** The signature does not verify, or the proof proves nothing. */
  | 'forged';

/** A checkpoint of our own home that this process can't have signed. */
export interface OwnHeadConflict {
  readonly checkpoint: Checkpoint;
  /** `ahead`: the journal is longer elsewhere; `fork`: another journal. */
  readonly what: 'ahead' | 'fork';
  readonly from: string;
}

export interface KnownHeadsOptions {
  readonly own: string;
  readonly network: string;
  readonly world: Environment;
  /** Homes whose checkpoints are kept, the own one aside. */
  readonly follows: (home: string) => boolean;
  /** What lies here of the home's journal: our own, or the replica while it is open. */
  readonly journalOf: (home: string) => HeldJournal | undefined;
  readonly equivocations: Equivocations;
  readonly onOwnConflict: (conflict: OwnHeadConflict) => void;
  /** Called when entries of the home are on disk together with a checkpoint that covers them. */
  readonly onCovered?: (checkpoint: Checkpoint) => void;
  readonly log: (message: string, detail: object) => void;
}

/** What a peer is to be told. */
export interface News {
  readonly checkpoints: readonly Checkpoint[];
  readonly copies: readonly Copy[];
  readonly equivocations: readonly EquivocationProof[];
}

interface Claim {
  readonly checkpoint: Checkpoint;
  readonly isVerified: boolean;
}

/** What is known of one home. */
interface KnownHome {
  newest?: Checkpoint;
  newestFrom?: string;
  /** When `newest` became known, as a number that only grows. */
  version: number;
  /** The newest that the journal here has reached and agrees with. */
  adopted?: Checkpoint | undefined;
  adoptedVersion: number;
  /** What each peer said last that is not compared yet. */
  readonly claims: Map<string, Claim>;
  /** Compared already: chain hash by number. */
  readonly agreed: Map<number, string>;
  covers?: Covers;
  opening?: Promise<Covers> | undefined;
  /** A verified checkpoint of another journal, for which no cover is there yet. */
  unproven?: Checkpoint;
  examining?: Promise<void>;
  isAgain: boolean;
}

interface KnownPeer {
  readonly reading: Allowance;
  readonly checking: Allowance;
  readonly proofs: Allowance;
  /** The newest version that it was told. */
  deliveredVersion: number;
}

interface NewsItem {
  readonly version: number;
  readonly isProof?: true;
  readonly add: (to: { [K in keyof News]: News[K][number][] }) => void;
}

/** Compared checkpoints that are remembered for each home. */
const agreedKept = 64;

export class KnownHeads {
  readonly #homes = new Map<string, KnownHome>();
  readonly #peers = new Map<string, KnownPeer>();
  /** Versions of proofs and of our own copies, by home. */
  readonly #proofs = new Map<string, number>();
  readonly #copies = new Map<string, { readonly copy: Copy; readonly version: number }>();
  readonly #counts = new Map<Heard, number>();
  #version = 0;

  constructor(private readonly options: KnownHeadsOptions) {
    for (const { proof } of options.equivocations.all()) this.#proofs.set(proof.first.home, ++this.#version);
    options.equivocations.listen(({ proof, accepted }) => {
      this.#proofs.set(proof.first.home, ++this.#version);
      if (accepted) delete this.#homes.get(proof.first.home)?.unproven;
    });
  }

  /** How many checkpoints and proofs ended how, for metrics. */
  get counts(): ReadonlyMap<Heard, number> {
    return this.#counts;
  }

  /** The newest verified checkpoint of a home: entries beyond it are not adopted, because no one has signed them. */
  newest(home: string): Checkpoint | undefined {
    return this.#homes.get(home)?.newest;
  }

  /** The newest checkpoint that the journal here has reached: what readers are shown as `asOf`. */
  adopted(home: string): Checkpoint | undefined {
    return this.#homes.get(home)?.adopted;
  }

  /** Whether the home's feed may be followed: no second journal of it is known. */
  mayFollow(home: string): boolean {
    return this.options.equivocations.mayFollow(home) && this.#homes.get(home)?.unproven === undefined;
  }

  /** Takes a checkpoint as a peer has sent it. Never throws; what follows from it may come later. */
  hear(value: unknown, from: string): Heard {
    const heard = this.#hear(value, from);
    this.#counts.set(heard, (this.#counts.get(heard) ?? 0) + 1);
    return heard;
  }

  #hear(value: unknown, from: string): Heard {
    const peer = this.#peer(from);
    if (!peer.reading.take()) return 'too many';
    const checkpoint = parseForm(checkpointForm, value);
    if (typeof checkpoint === 'string') return 'malformed';
    if (!this.#isOurs(checkpoint)) return 'not ours';
    if (checkpoint.time > this.options.world.now() + bounds.clockSkewMs) return 'from the future';
    const known = this.#home(checkpoint.home);
    if (!known) return 'too many';
    if (isToldBy(known, checkpoint)) return 'known';
    if (!peer.checking.take()) return 'too many';
    const isAhead = isNewer(checkpoint, known.newest);
    // An older one is first compared with the journal: most are equal, and then no one needs the signature.
    if (isAhead && !isSignedCheckpoint(checkpoint)) return 'forged';
    if (isAhead) {
      known.newest = checkpoint;
      known.newestFrom = from;
      known.version = ++this.#version;
    }
    this.#claim(known, { checkpoint, isVerified: isAhead }, from);
    return 'news';
  }

  /** Takes a proof of equivocation as a peer has sent it. */
  hearProof(value: unknown, from: string): Heard {
    const heard = this.#hearProof(value, from);
    this.#counts.set(heard, (this.#counts.get(heard) ?? 0) + 1);
    return heard;
  }

  #hearProof(value: unknown, from: string): Heard {
    if (!this.#peer(from).proofs.take()) return 'too many';
    const proof = parseForm(equivocationForm, value);
    if (typeof proof === 'string') return 'malformed';
    if (!this.#isOurs(proof.first)) return 'not ours';
    const { equivocations } = this.options;
    if (equivocations.of(proof.first.home)?.accepted) return this.#hearBoth(proof, from);
    const taken = equivocations.take(proof, from);
    if (typeof taken === 'object') return 'forged';
    if (taken === 'new' && proof.first.home === this.options.own) this.#ownFork(proof, from);
    return taken === 'new' ? 'news' : 'known';
  }

  /** After the operator's decision, only the journal here tells which of the two is signed against it. */
  #hearBoth(proof: EquivocationProof, from: string): Heard {
    const known = this.#home(proof.first.home);
    if (!known || flawOfEquivocation(proof) !== undefined) return 'forged';
    for (const [index, checkpoint] of [proof.first, proof.second].entries()) {
      this.#claim(known, { checkpoint, isVerified: true }, `${from} ${index}`);
    }
    return 'known';
  }

  /** Our own checkpoint, just signed: what `newest` answers for our own home. */
  signed(checkpoint: Checkpoint): void {
    const known = this.#home(checkpoint.home);
    if (!known || !isNewer(checkpoint, known.newest)) return;
    known.newest = checkpoint;
    known.adopted = checkpoint;
    known.newestFrom = this.options.own;
  }

  /** A copy that we have signed for a home: its home is told. */
  copied(copy: Copy): void {
    this.#copies.set(copy.home, { copy, version: ++this.#version });
  }

  /**
   * Entries of a followed home are about to be adopted: the checkpoint behind them is on disk first, so that no entry is here
   * without one. @param next verified. Rejects as the store does
   */
  async adopting(next: NextCover): Promise<void> {
    const { home } = next.checkpoint;
    const [known, journal] = [this.#home(home), this.options.journalOf(home)];
    if (known && journal) await (await this.#coversOf(known, journal)).expect(next);
  }

  /** The home's journal here has grown, or was opened. */
  async advanced(home: string): Promise<void> {
    const known = this.#home(home);
    if (known) await this.#examine(home, known);
  }

  /** The home is followed no longer: everything but a proof is forgotten. */
  forget(home: string): void {
    this.#homes.delete(home);
    this.#copies.delete(home);
  }

  /** What the peer has not been told yet; undefined if there is nothing. It was told once `delivered` is called. */
  news(peer: string): { readonly message: News; delivered(): void } | undefined {
    const known = this.#peer(peer);
    if (known.deliveredVersion === this.#version) return undefined;
    const { deliveredVersion } = known;
    const items: NewsItem[] = [];
    for (const home of this.#homes.values()) {
      for (const { version, checkpoint } of this.#toTell(home, peer)) {
        if (version > deliveredVersion) items.push({ version, add: ({ checkpoints }) => checkpoints.push(checkpoint) });
      }
    }
    for (const [home, version] of this.#proofs) {
      const found = version > deliveredVersion ? this.options.equivocations.of(home) : undefined;
      if (found && found.from !== peer)
        items.push({ version, isProof: true, add: (to) => to.equivocations.push(found.proof) });
    }
    const own = this.#copies.get(peer);
    if (own && own.version > deliveredVersion)
      items.push({ version: own.version, add: ({ copies }) => copies.push(own.copy) });
    // The oldest first: what finds no room in this message comes with the next.
    items.sort((one, other) => one.version - other.version);
    const said = items.slice(0, bounds.newsItems);
    const proofs = said.flatMap(({ isProof }, index) => (isProof ? [index] : []));
    if (proofs.length > bounds.newsProofs) said.length = proofs[bounds.newsProofs]!;
    const upTo = said.length < items.length ? said.at(-1)!.version : this.#version;
    if (said.length === 0) {
      known.deliveredVersion = upTo;
      return undefined;
    }
    const message = { checkpoints: [], copies: [], equivocations: [] };
    for (const { add } of said) add(message);
    return {
      message,
      delivered: () => {
        known.deliveredVersion = Math.max(known.deliveredVersion, upTo);
      },
    };
  }

  /** The peer has disconnected: it will be told everything again. What it has used up of its share stays used. */
  dropPeer(peer: string): void {
    const known = this.#peers.get(peer);
    if (known) known.deliveredVersion = 0;
    for (const { claims } of this.#homes.values()) {
      for (const from of [peer, `${peer} 0`, `${peer} 1`]) claims.delete(from);
    }
  }

  /** The newest checkpoint, and the one of our replica: a newer one of another journal must not hide it. */
  *#toTell({ newest, newestFrom, version, adopted, adoptedVersion }: KnownHome, peer: string) {
    if (newest === undefined || newest.home === this.options.own) return;
    if (newestFrom !== peer) yield { version, checkpoint: newest };
    const isOther = adopted && (adopted.seq !== newest.seq || adopted.chainHash !== newest.chainHash);
    if (isOther && peer !== newest.home) yield { version: adoptedVersion, checkpoint: adopted };
  }

  #isOurs({ home, network }: Checkpoint): boolean {
    const { own, follows } = this.options;
    return network === this.options.network && (home === own || follows(home));
  }

  #peer(did: string): KnownPeer {
    const known = this.#peers.get(did);
    if (known) return known;
    // The longest known one starts anew.
    if (this.#peers.size >= bounds.knownPeers) this.#peers.delete(this.#peers.keys().next().value!);
    const { world } = this.options;
    const made: KnownPeer = {
      reading: new Allowance(world, bounds.checkpointsPerSecond),
      checking: new Allowance(world, bounds.checkpointChecksPerSecond),
      proofs: new Allowance(world, bounds.equivocationsPerSecond),
      deliveredVersion: 0,
    };
    this.#peers.set(did, made);
    return made;
  }

  #home(did: string): KnownHome | undefined {
    const known = this.#homes.get(did);
    if (known) return known;
    if (this.#homes.size >= bounds.knownHomes) return undefined;
    const made: KnownHome = {
      ...{ version: 0, adoptedVersion: 0, isAgain: false },
      ...{ claims: new Map(), agreed: new Map() },
    };
    this.#homes.set(did, made);
    return made;
  }

  #claim(known: KnownHome, claim: Claim, from: string): void {
    const { checkpoint } = claim;
    for (const other of [...known.claims.values()]) {
      if (!contradicts(other.checkpoint, checkpoint)) continue;
      // Both are beyond the journal here, or it is not open: they contradict each other without it.
      if (!isVerified(claim) || !isVerified(other)) continue;
      this.#prove(proofOfEquivocation(other.checkpoint, checkpoint), from);
    }
    known.claims.set(from, claim);
    void this.#examine(checkpoint.home, known);
  }

  /** Compares what the peers claim with the journal; one run at a time for each home. */
  #examine(home: string, known: KnownHome): Promise<void> {
    known.isAgain = true;
    known.examining ??= this.#examineAll(home, known).finally(() => {
      delete known.examining;
    });
    return known.examining;
  }

  async #examineAll(home: string, known: KnownHome): Promise<void> {
    try {
      while (known.isAgain) {
        known.isAgain = false;
        await this.#compare(home, known);
      }
    } catch (error) {
      // The store reports its own failures; the claims stay, and are compared with the next one.
      this.options.log('checkpoints could not be compared with the journal', { home, error: String(error) });
    }
  }

  async #compare(home: string, known: KnownHome): Promise<void> {
    const journal = this.options.journalOf(home);
    if (!journal) return;
    await this.#coversOf(known, journal);
    const head = await journal.head();
    for (const [from, claim] of [...known.claims]) {
      const { checkpoint } = claim;
      const ours = await chainHashAt(journal, head, checkpoint.seq);
      if (ours === undefined) {
        if (home === this.options.own) this.#ownAhead(known, claim, from);
        continue;
      }
      const isOther = ours !== checkpoint.chainHash && isVerified(claim);
      if (isOther && !(await this.#disagree(known, checkpoint, from))) continue;
      if (known.claims.get(from) === claim) known.claims.delete(from);
      if (ours === checkpoint.chainHash) this.#agree(known, claim);
    }
  }

  async #coversOf(known: KnownHome, journal: HeldJournal): Promise<Covers> {
    while (known.opening) await known.opening.catch(() => {});
    if (known.covers?.journal === journal) return known.covers;
    known.opening = this.#openCovers(known, journal).finally(() => {
      known.opening = undefined;
    });
    return known.opening;
  }

  /**
   * After a restart readers see how old the replica is before any peer answers, and the peers are told: a home that has lost
   * its newest entries learns of them from whoever has them, or has a part of them.
   */
  async #openCovers(known: KnownHome, journal: HeldJournal): Promise<Covers> {
    const covers = await Covers.open(journal);
    known.covers = covers;
    // Told as such: where a newer one of another journal is heard, this one shows that there are two.
    if (!known.adopted && covers.newest) {
      known.adopted = covers.newest;
      known.adoptedVersion = ++this.#version;
    }
    const kept = (await covers.torn()) ?? covers.newest;
    if (kept && isNewer(kept, known.newest)) {
      known.newest = kept;
      known.newestFrom = this.options.own;
      known.version = ++this.#version;
    }
    return covers;
  }

  #agree(known: KnownHome, claim: Claim): void {
    const { checkpoint } = claim;
    const isNews = isNewer(checkpoint, known.adopted);
    // A forged one must not hide the one that is signed.
    if (isNews && !isVerified(claim)) return;
    known.agreed.set(checkpoint.seq, checkpoint.chainHash);
    if (known.agreed.size > agreedKept) known.agreed.delete(known.agreed.keys().next().value!);
    if (!isNews) return;
    known.adopted = checkpoint;
    known.adoptedVersion = ++this.#version;
    if (checkpoint.home === this.options.own || checkpoint.seq === 0) return;
    const { covers } = known;
    const isNew = checkpoint.seq > (covers?.newest?.seq ?? 0);
    if (!covers || !isNew) return;
    covers.keep(checkpoint).then(
      () => {
        this.options.onCovered?.(checkpoint);
        if (known.unproven) void this.#examine(checkpoint.home, known);
      },
      (error: unknown) => {
        this.options.log('a checkpoint could not be kept', { home: checkpoint.home, error: String(error) });
      },
    );
  }

  /** @returns false while the cover that would prove it is still to come */
  async #disagree(known: KnownHome, checkpoint: Checkpoint, from: string): Promise<boolean> {
    const { own } = this.options;
    if (checkpoint.home === own) {
      this.options.onOwnConflict({ checkpoint, what: 'fork', from });
      return true;
    }
    if (this.options.equivocations.isKnown(checkpoint.home, checkpoint.time)) return true;
    const proof = await known.covers!.proofAgainst(checkpoint);
    if (!proof) {
      known.unproven = checkpoint;
      return false;
    }
    this.options.equivocations.take(proof, own, checkpoint.time);
    delete known.unproven;
    return true;
  }

  #ownAhead({ claims }: KnownHome, claim: Claim, from: string): void {
    claims.delete(from);
    if (isVerified(claim)) this.options.onOwnConflict({ checkpoint: claim.checkpoint, what: 'ahead', from });
  }

  #ownFork({ first, second }: EquivocationProof, from: string): void {
    const checkpoint = first.time > second.time ? first : second;
    this.options.onOwnConflict({ checkpoint, what: 'fork', from });
  }

  #prove(proof: EquivocationProof, from: string): void {
    const taken = this.options.equivocations.take(proof, from);
    if (taken === 'new' && proof.first.home === this.options.own) this.#ownFork(proof, from);
  }
}

/** Whether the signature was checked, or is now. */
const isVerified = (claim: Claim): boolean => claim.isVerified || isSignedCheckpoint(claim.checkpoint);

const isNewer = ({ seq, time }: Checkpoint, known: Checkpoint | undefined): boolean =>
  known === undefined || seq > known.seq || (seq === known.seq && time > known.time);

/** Whether the checkpoint tells nothing that was not compared, or is about to be. */
function isToldBy({ newest, agreed, claims }: KnownHome, checkpoint: Checkpoint): boolean {
  if (!newest || isNewer(checkpoint, newest)) return false;
  const { seq, chainHash } = checkpoint;
  if (agreed.get(seq) === chainHash) return true;
  // Beyond the journal here. One that is not verified proves nothing, and must not hide one that would.
  for (const { checkpoint: other, isVerified: verified } of claims.values()) {
    if (verified && other.seq === seq && other.chainHash === chainHash) return true;
  }
  return false;
}
