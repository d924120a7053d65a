/**
 * The newest checkpoint of each known home, from any peer, compared with what was followed of that home's journal.
 * Everything that a peer can cause is rate-limited: parsing, checking a signature, looking up an entry.
 */
import { bounds, feedBounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import { noHash } from '../store/entry.js';
import { entryAt, type StoreReader } from '../store/store.js';
import {
  type Checkpoint,
  checkpointForm,
  contradicts,
  type EquivocationProof,
  equivocationForm,
  isSignedCheckpoint,
  parseForm,
  proofOfEquivocation,
  violationOfEquivocation,
} from './checkpoint.js';
import type { Equivocation, Equivocations } from './equivocation.js';
import type { FollowedChain } from './followed-chain.js';
import { News } from './news.js';
import { PeerAllowances } from './peer-allowances.js';

/** The outcome for a checkpoint or a proof that a peer has sent. */
export type HeadOutcome =
  /** Accepted: it is compared with the journal as soon as that reaches its entry. */
  | 'news'
  | 'known'
  /** Over this peer's rate limit; an honest peer sends it again. */
  | 'too many'
  /** A home that is not followed, or another network. */
  | 'not ours'
  | 'malformed'
  | 'from the future'
  /** The signature does not verify, or the proof proves nothing. */
  | 'forged';

/** A checkpoint with our own home's signature that this process can't have made. */
export interface OwnHeadConflict {
  readonly checkpoint: Checkpoint;
  /** `ahead`: a peer has a longer journal; `fork`: the key has signed another journal. */
  readonly what: 'ahead' | 'fork';
  readonly from: string;
}

export type OwnJournal = Pick<StoreReader, 'entries'>;

export interface KnownHeadsOptions {
  readonly own: string;
  readonly network: string;
  readonly world: Environment;
  /** Homes whose checkpoints are kept, except our own. */
  readonly follows: (home: string) => boolean;
  /** What was followed of another home's journal. */
  readonly chainOf: (home: string) => FollowedChain | undefined;
  /** Our own journal; undefined until the start has asked the peers for its head. */
  readonly ownJournal: () => OwnJournal | undefined;
  readonly equivocations: Equivocations;
  readonly onOwnConflict: (conflict: OwnHeadConflict) => void;
  readonly log: (message: string, detail: object) => void;
}

interface Claim {
  readonly checkpoint: Checkpoint;
  readonly isVerified: boolean;
}

/** What is known of one home. */
interface KnownHome {
  newest?: Checkpoint;
  /**
   * What is not compared yet of each peer: the lowest checkpoint and the last. It may send two at once: its newest, and the
   * one up to which it follows the home.
   */
  readonly claims: Map<string, readonly Claim[]>;
  examining?: Promise<void>;
  isAgain: boolean;
}

/** The chain hash of an entry of our own journal; undefined beyond its end. */
export async function chainHashAt(journal: OwnJournal, seq: number): Promise<string | undefined> {
  return seq === 0 ? noHash : (await entryAt(journal, seq))?.chainHash;
}

export class KnownHeads {
  /** What the peers are sent. */
  readonly news: News;
  readonly #homes = new Map<string, KnownHome>();
  readonly #allowances: PeerAllowances;
  readonly #counts = new Map<HeadOutcome, number>();

  constructor(private readonly options: KnownHeadsOptions) {
    this.news = new News(options.own);
    this.#allowances = new PeerAllowances(options.world);
    for (const each of options.equivocations.all()) this.#proven(each);
    options.equivocations.listen((each) => this.#proven(each));
  }

  /** How many checkpoints and proofs had each outcome, for metrics. */
  get counts(): ReadonlyMap<HeadOutcome, number> {
    return this.#counts;
  }

  /** The newest verified checkpoint of a home. */
  newest(home: string): Checkpoint | undefined {
    return this.#homes.get(home)?.newest;
  }

  /** Whether the home's feed may be followed: no second journal of it is known. */
  mayFollow(home: string): boolean {
    return this.options.equivocations.mayFollow(home);
  }

  /**
   * Takes a checkpoint as a peer has sent it. Never throws. Comparing it with the journal continues in the background.
   */
  receive(value: unknown, from: string): HeadOutcome {
    return this.#counted(this.#receive(value, from));
  }

  #receive(value: unknown, from: string): HeadOutcome {
    const peer = this.#allowances.of(from);
    if (!peer.reading.take()) return 'too many';
    const checkpoint = parseForm(checkpointForm, value);
    if (typeof checkpoint === 'string') return 'malformed';
    if (!this.#isOurs(checkpoint)) return 'not ours';
    if (checkpoint.time > this.options.world.now() + bounds.clockSkewMs) return 'from the future';
    const known = this.#home(checkpoint.home);
    if (!known) return 'too many';
    if (this.#isKnown(known, checkpoint)) return 'known';
    if (!peer.checking.take()) return 'too many';
    const isAhead = isNewer(checkpoint, known.newest);
    // An older one is first compared with the journal: most agree, and then the signature need not be checked.
    if (isAhead && !isSignedCheckpoint(checkpoint)) return 'forged';
    this.#renew(known, checkpoint, from);
    this.#claim(known, { checkpoint, isVerified: isAhead }, from);
    void this.#examine(checkpoint.home, known);
    return 'news';
  }

  /**
   * Call when a home is followed up to this checkpoint, which is verified. Compares it with what the peers have sent.
   */
  followed(checkpoint: Checkpoint): void {
    const { home } = checkpoint;
    const known = this.#home(home);
    if (!known) return;
    this.#renew(known, checkpoint, home);
    this.news.held(checkpoint);
    this.#counted('news');
    this.#compare(home, known);
  }

  #renew(known: KnownHome, checkpoint: Checkpoint, from: string): void {
    if (!isNewer(checkpoint, known.newest)) return;
    known.newest = checkpoint;
    this.news.newest(checkpoint, from);
  }

  /** Takes a proof of equivocation as a peer has sent it. */
  receiveProof(value: unknown, from: string): HeadOutcome {
    return this.#counted(this.#receiveProof(value, from));
  }

  #counted(outcome: HeadOutcome): HeadOutcome {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    return outcome;
  }

  #receiveProof(value: unknown, from: string): HeadOutcome {
    if (!this.#allowances.of(from).proofs.take()) return 'too many';
    const proof = parseForm(equivocationForm, value);
    if (typeof proof === 'string') return 'malformed';
    if (!this.#isOurs(proof.first)) return 'not ours';
    const { equivocations } = this.options;
    if (equivocations.of(proof.first.home)?.accepted) return this.#receiveBoth(proof, from);
    const taken = equivocations.take(proof, from);
    if (typeof taken === 'object') return 'forged';
    return taken === 'new' ? 'news' : 'known';
  }

  /** After the operator's decision, only a comparison with the followed journal shows which of the two contradicts it. */
  #receiveBoth(proof: EquivocationProof, from: string): HeadOutcome {
    const known = this.#home(proof.first.home);
    if (!known || violationOfEquivocation(proof) !== undefined) return 'forged';
    for (const [index, checkpoint] of [proof.first, proof.second].entries()) {
      this.#claim(known, { checkpoint, isVerified: true }, `${from} ${index}`);
    }
    void this.#examine(proof.first.home, known);
    return 'known';
  }

  /** Takes a proof that this node has found itself. */
  proves(proof: EquivocationProof): void {
    this.options.equivocations.take(proof, this.options.own);
  }

  /** Takes our own checkpoint, just signed, as the newest of our own home. */
  signed(checkpoint: Checkpoint): void {
    const known = this.#home(checkpoint.home);
    if (known && isNewer(checkpoint, known.newest)) known.newest = checkpoint;
  }

  /** Compares what was received of our own journal, which is known from now on. */
  async ownJournalKnown(): Promise<void> {
    const { own } = this.options;
    const known = this.#homes.get(own);
    if (known) await this.#examine(own, known);
  }

  /** Call when the home is no longer followed: forgets everything but a proof. */
  forget(home: string): void {
    this.#homes.delete(home);
    this.news.forget(home);
  }

  /** Call when the peer has disconnected: everything is sent to it again. Its rate limits are not reset. */
  dropPeer(peer: string): void {
    this.news.resend(peer);
    for (const { claims } of this.#homes.values()) {
      for (const from of [peer, `${peer} 0`, `${peer} 1`]) claims.delete(from);
    }
  }

  #isOurs({ home, network }: Checkpoint): boolean {
    const { own, follows } = this.options;
    return network === this.options.network && (home === own || follows(home));
  }

  #home(did: string): KnownHome | undefined {
    const known = this.#homes.get(did);
    if (known) return known;
    if (this.#homes.size >= bounds.knownHomes) return undefined;
    const made: KnownHome = { claims: new Map(), isAgain: false };
    this.#homes.set(did, made);
    return made;
  }

  /** Whether the checkpoint adds nothing to what is followed, or is about to be compared. */
  #isKnown({ newest, claims }: KnownHome, checkpoint: Checkpoint): boolean {
    if (!newest || isNewer(checkpoint, newest)) return false;
    const { home, seq, chainHash } = checkpoint;
    if (this.options.chainOf(home)?.chainHashAt(seq) === chainHash) return true;
    // Only verified ones count, because a forged one must not hide one that proves something.
    return [...claims.values()]
      .flat()
      .some((each) => each.isVerified && each.checkpoint.seq === seq && each.checkpoint.chainHash === chainHash);
  }

  #claim(known: KnownHome, claim: Claim, from: string): void {
    const { checkpoint } = claim;
    for (const other of [...known.claims.values()].flat()) {
      if (!contradicts(other.checkpoint, checkpoint)) continue;
      // They contradict each other whatever the journal contains, so the proof need not wait for it.
      if (!isVerified(claim) || !isVerified(other)) continue;
      this.options.equivocations.take(proofOfEquivocation(other.checkpoint, checkpoint), from);
    }
    const before = known.claims.get(from) ?? [];
    const lowest = before.toSorted((one, other) => one.checkpoint.seq - other.checkpoint.seq).slice(0, 1);
    known.claims.set(from, [...lowest, claim]);
  }

  /** Compares the peers' checkpoints with the journal. */
  #examine(home: string, known: KnownHome): Promise<void> {
    if (home === this.options.own) return this.#examineOwn(home, known);
    this.#compare(home, known);
    return Promise.resolve();
  }

  /** One run at a time: another one that is asked for meanwhile follows it. */
  #examineOwn(home: string, known: KnownHome): Promise<void> {
    known.isAgain = true;
    known.examining ??= this.#examineAll(home, known);
    return known.examining;
  }

  async #examineAll(home: string, known: KnownHome): Promise<void> {
    try {
      while (known.isAgain) {
        known.isAgain = false;
        await this.#compareOwn(known);
      }
    } catch (error) {
      // The store reports its own failures. The checkpoints stay, and are compared at the next run.
      const { log, world } = this.options;
      log('checkpoints could not be compared with the journal', { home, error: String(error) });
      world.after(feedBounds.storeRetryMs, () => {
        if (this.#homes.get(home) === known) void this.#examine(home, known);
      });
    } finally {
      delete known.examining;
    }
  }

  #compare(home: string, known: KnownHome): void {
    const chain = this.options.chainOf(home);
    if (!chain) return;
    for (const { from, claim } of claimsOf(known)) {
      const { checkpoint } = claim;
      if (checkpoint.seq > chain.head.seq) continue;
      settle(known, claim, from);
      // A peer that is too far behind to be compared here compares our checkpoint, once it has followed the home that far.
      const followed = chain.chainHashAt(checkpoint.seq);
      if (followed === undefined || followed === checkpoint.chainHash || !isVerified(claim)) continue;
      this.options.equivocations.take(chain.proofAgainst(checkpoint), this.options.own, checkpoint.time);
    }
  }

  async #compareOwn(known: KnownHome): Promise<void> {
    const journal = this.options.ownJournal();
    if (!journal) return;
    const { equivocations, onOwnConflict } = this.options;
    for (const { from, claim } of claimsOf(known)) {
      const { checkpoint } = claim;
      const ours = await chainHashAt(journal, checkpoint.seq);
      settle(known, claim, from);
      if (ours === checkpoint.chainHash || !isVerified(claim)) continue;
      if (ours === undefined) onOwnConflict({ checkpoint, what: 'ahead', from });
      else if (!equivocations.isKnown(checkpoint.home, checkpoint.time))
        onOwnConflict({ checkpoint, what: 'fork', from });
    }
  }

  /** The own home stays stopped, also after a restart, until its operator has decided. */
  #proven({ proof, from, accepted }: Equivocation): void {
    const { first, second } = proof;
    this.news.proven(proof);
    if (!accepted && first.home === this.options.own) {
      this.options.onOwnConflict({ checkpoint: first.time > second.time ? first : second, what: 'fork', from });
    }
  }
}

const claimsOf = ({ claims }: KnownHome): { readonly from: string; readonly claim: Claim }[] =>
  [...claims].flatMap(([from, all]) => all.map((claim) => ({ from, claim })));

/** Whether the signature is valid. Checks it if that was not done yet. */
const isVerified = (claim: Claim): boolean => claim.isVerified || isSignedCheckpoint(claim.checkpoint);

/** Removes a claim that was compared. */
function settle({ claims }: KnownHome, claim: Claim, from: string): void {
  const left = claims.get(from)?.filter((each) => each !== claim) ?? [];
  if (left.length > 0) claims.set(from, left);
  else claims.delete(from);
}

const isNewer = ({ seq, time }: Checkpoint, known: Checkpoint | undefined): boolean =>
  known === undefined || seq > known.seq || (seq === known.seq && time > known.time);
