/**
 * The newest checkpoint of each known home, from any peer, compared with the local copy of that home's
 * journal. Everything that a peer can cause is rate-limited: parsing, checking a signature, looking up an entry.
 */
import { bounds, feedBounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
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
import { Covers, chainHashAt, type HeldJournal, type NextCover } from './covers.js';
import type { Equivocation, Equivocations } from './equivocation.js';
import { News } from './news.js';
import { PeerAllowances } from './peer-allowances.js';
import { keepUnproven, keptUnproven } from './unproven.js';

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

export interface KnownHeadsOptions {
  readonly own: string;
  readonly network: string;
  readonly world: Environment;
  /** Homes whose checkpoints are kept, except our own. */
  readonly follows: (home: string) => boolean;
  /** The local copy of the home's journal: our own journal, or the replica while it is open. */
  readonly journalOf: (home: string) => HeldJournal | undefined;
  readonly equivocations: Equivocations;
  readonly onOwnConflict: (conflict: OwnHeadConflict) => void;
  /** Called when entries of the home are on disk together with a checkpoint that covers them. */
  readonly onCovered?: (checkpoint: Checkpoint) => void;
  readonly log: (message: string, detail: object) => void;
}

interface Claim {
  readonly checkpoint: Checkpoint;
  readonly isVerified: boolean;
}

/** What is known of one home. */
interface KnownHome {
  newest?: Checkpoint;
  /** The newest checkpoint that the local journal has reached and agrees with. */
  adopted?: Checkpoint | undefined;
  /**
   * What is not compared yet of each peer: the lowest checkpoint and the last. It may send two at once: its newest, and that
   * of its replica.
   */
  readonly claims: Map<string, readonly Claim[]>;
  /** Checkpoints that agreed with the local journal: chain hash by number. */
  readonly agreed: Map<number, string>;
  covers?: Covers;
  opening?: Promise<Covers> | undefined;
  /** A verified checkpoint of another journal, kept until there is a cover to prove it with. */
  unproven?: { readonly checkpoint: Checkpoint; readonly isKept: boolean };
  examining?: Promise<void>;
  isAgain: boolean;
}

/** Agreeing checkpoints remembered for each home. */
const agreedKept = 64;

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

  /** The newest verified checkpoint of a home. Entries beyond it are not adopted, because they are not signed yet. */
  newest(home: string): Checkpoint | undefined {
    return this.#homes.get(home)?.newest;
  }

  /** The newest checkpoint that the local journal has reached: the `asOf` of reads. */
  adopted(home: string): Checkpoint | undefined {
    return this.#homes.get(home)?.adopted;
  }

  /** Whether the home's feed may be followed: no second journal of it is known. */
  mayFollow(home: string): boolean {
    return this.options.equivocations.mayFollow(home) && this.#homes.get(home)?.unproven === undefined;
  }

  /**
   * Takes a checkpoint as a peer has sent it. Never throws. Comparing it with the journal continues in the background.
   */
  receive(value: unknown, from: string): HeadOutcome {
    return this.#counted(this.#receive(value, from));
  }

  /**
   * Takes a checkpoint of a home's own feed, whose form and signature its follower has checked. `advanced` compares it with
   * the journal.
   */
  followed(checkpoint: Checkpoint): void {
    const known = this.#home(checkpoint.home);
    if (!known || isKnownTo(known, checkpoint)) return;
    this.#take(known, { checkpoint, isVerified: true }, checkpoint.home);
    this.#counted('news');
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
    if (isKnownTo(known, checkpoint)) return 'known';
    if (!peer.checking.take()) return 'too many';
    const isAhead = isNewer(checkpoint, known.newest);
    // An older one is first compared with the journal: most agree, and then the signature need not be checked.
    if (isAhead && !isSignedCheckpoint(checkpoint)) return 'forged';
    this.#take(known, { checkpoint, isVerified: isAhead }, from);
    void this.#examine(checkpoint.home, known);
    return 'news';
  }

  #take(known: KnownHome, claim: Claim, from: string): void {
    const { checkpoint } = claim;
    if (isNewer(checkpoint, known.newest)) {
      known.newest = checkpoint;
      this.news.newest(checkpoint, from);
    }
    this.#claim(known, claim, from);
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

  /** After the operator's decision, only a comparison with the local journal shows which of the two contradicts it. */
  #receiveBoth(proof: EquivocationProof, from: string): HeadOutcome {
    const known = this.#home(proof.first.home);
    if (!known || violationOfEquivocation(proof) !== undefined) return 'forged';
    for (const [index, checkpoint] of [proof.first, proof.second].entries()) {
      this.#claim(known, { checkpoint, isVerified: true }, `${from} ${index}`);
    }
    void this.#examine(proof.first.home, known);
    return 'known';
  }

  /** Takes our own checkpoint, just signed, as the newest of our own home. */
  signed(checkpoint: Checkpoint): void {
    const known = this.#home(checkpoint.home);
    if (!known || !isNewer(checkpoint, known.newest)) return;
    known.newest = checkpoint;
    known.adopted = checkpoint;
  }

  /**
   * Prepares to write the checkpoint behind a batch, so that no adopted entry lacks one (see Covers.expect).
   * @param next verified
   */
  async adopting(next: NextCover): Promise<() => Promise<void>> {
    const { home } = next.checkpoint;
    const [known, journal] = [this.#home(home), this.options.journalOf(home)];
    return known && journal ? (await this.#coversOf(known, journal)).expect(next) : async () => {};
  }

  /** Call when the local copy of the home's journal has grown or was opened. */
  async advanced(home: string): Promise<void> {
    const known = this.#home(home);
    if (known) await this.#examine(home, known);
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
    const made: KnownHome = { claims: new Map(), agreed: new Map(), isAgain: false };
    this.#homes.set(did, made);
    return made;
  }

  #claim(known: KnownHome, claim: Claim, from: string): void {
    const { checkpoint } = claim;
    for (const other of [...known.claims.values()].flat()) {
      if (!contradicts(other.checkpoint, checkpoint)) continue;
      // They contradict each other whatever the local journal contains, so the proof need not wait for it.
      if (!isVerified(claim) || !isVerified(other)) continue;
      this.options.equivocations.take(proofOfEquivocation(other.checkpoint, checkpoint), from);
    }
    const before = known.claims.get(from) ?? [];
    const lowest = before.toSorted((one, other) => one.checkpoint.seq - other.checkpoint.seq).slice(0, 1);
    known.claims.set(from, [...lowest, claim]);
  }

  /** Compares the peers' checkpoints with the journal, one run at a time for each home. */
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
      // The store reports its own failures. The checkpoints stay, and are compared at the next run.
      const { log, world } = this.options;
      log('checkpoints could not be compared with the journal', { home, error: String(error) });
      world.after(feedBounds.storeRetryMs, () => {
        if (this.#homes.get(home) === known) void this.#examine(home, known);
      });
    }
  }

  async #compare(home: string, known: KnownHome): Promise<void> {
    const journal = this.options.journalOf(home);
    if (!journal) return;
    await this.#coversOf(known, journal);
    const head = await journal.head();
    const claimed = [...known.claims].flatMap(([from, claims]) => claims.map((claim) => ({ from, claim })));
    for (const { from, claim } of claimed) {
      const { checkpoint } = claim;
      const ours = await chainHashAt(journal, head, checkpoint.seq);
      if (ours === undefined) {
        if (home === this.options.own) this.#ownAhead(known, claim, from);
        continue;
      }
      const isOther = ours !== checkpoint.chainHash && isVerified(claim);
      if (isOther && !(await this.#disagree(known, checkpoint, from))) continue;
      settle(known, claim, from);
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
   * Loads the stored covers. After a restart, reads have an `asOf` before any peer answers; and peers receive the
   * stored checkpoint, so that a home that has lost its newest entries learns of them even from a node that has only
   * some of them.
   */
  async #openCovers(known: KnownHome, journal: HeldJournal): Promise<Covers> {
    const covers = await Covers.open(journal);
    known.covers = covers;
    const kept = await keptUnproven(journal);
    const fork = known.unproven?.checkpoint ?? kept;
    if (fork && !this.options.equivocations.isKnown(fork.home, fork.time)) {
      known.unproven = { checkpoint: fork, isKept: kept !== undefined };
      known.claims.set(this.options.own, [{ checkpoint: fork, isVerified: true }]);
    }
    // Sent to peers in addition to `newest`: if that one is of another journal, this one shows that there are two.
    if (!known.adopted && covers.newest) {
      known.adopted = covers.newest;
      this.news.held(covers.newest);
    }
    const newest = (await covers.torn()) ?? covers.newest;
    if (newest && isNewer(newest, known.newest)) {
      known.newest = newest;
      this.news.newest(newest, this.options.own);
    }
    return covers;
  }

  #agree(known: KnownHome, claim: Claim): void {
    const { checkpoint } = claim;
    const isNews = isNewer(checkpoint, known.adopted);
    // A forged checkpoint must not hide the signed one.
    if (isNews && !isVerified(claim)) return;
    known.agreed.set(checkpoint.seq, checkpoint.chainHash);
    if (known.agreed.size > agreedKept) known.agreed.delete(known.agreed.keys().next().value!);
    if (!isNews) return;
    known.adopted = checkpoint;
    this.news.held(checkpoint);
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

  /** @returns false while there is no cover yet that would prove it */
  async #disagree(known: KnownHome, checkpoint: Checkpoint, from: string): Promise<boolean> {
    const { own } = this.options;
    if (this.options.equivocations.isKnown(checkpoint.home, checkpoint.time)) return true;
    if (checkpoint.home === own) {
      this.options.onOwnConflict({ checkpoint, what: 'fork', from });
      return true;
    }
    const proof = await known.covers!.proofAgainst(checkpoint);
    const { journal } = known.covers!;
    if (!proof) {
      known.unproven ??= { checkpoint, isKept: false };
      if (!known.unproven.isKept) await keepUnproven(journal, known.unproven.checkpoint);
      known.unproven = { ...known.unproven, isKept: true };
      return false;
    }
    this.options.equivocations.take(proof, own, checkpoint.time);
    if (known.unproven) await keepUnproven(journal);
    delete known.unproven;
    return true;
  }

  #ownAhead(known: KnownHome, claim: Claim, from: string): void {
    settle(known, claim, from);
    if (isVerified(claim)) this.options.onOwnConflict({ checkpoint: claim.checkpoint, what: 'ahead', from });
  }

  /** The own home stays stopped, also after a restart, until its operator has decided. */
  #proven({ proof, from, accepted }: Equivocation): void {
    const { first, second } = proof;
    this.news.proven(proof);
    if (accepted) delete this.#homes.get(first.home)?.unproven;
    else if (first.home === this.options.own) {
      this.options.onOwnConflict({ checkpoint: first.time > second.time ? first : second, what: 'fork', from });
    }
  }
}

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

/** Whether the checkpoint adds nothing to those that were compared, or are about to be. */
function isKnownTo({ newest, agreed, claims }: KnownHome, checkpoint: Checkpoint): boolean {
  if (!newest || isNewer(checkpoint, newest)) return false;
  const { seq, chainHash } = checkpoint;
  if (agreed.get(seq) === chainHash) return true;
  // Checkpoints that the local journal has not reached. Only verified ones count, because a forged one must not hide
  // one that proves something.
  for (const { checkpoint: other, isVerified: verified } of [...claims.values()].flat()) {
    if (verified && other.seq === seq && other.chainHash === chainHash) return true;
  }
  return false;
}
