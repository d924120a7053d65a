/**
 * What is sent to each peer by `POST /news` (docs/reference/feeds.md#requests), each once: checkpoints of other homes, and
 * proofs of equivocation.
 */
import { bounds } from '../core/bounds.js';
import type { Checkpoint, EquivocationProof } from './checkpoint.js';

/** The content of one message. */
export interface NewsMessage {
  readonly checkpoints: readonly Checkpoint[];
  readonly equivocations: readonly EquivocationProof[];
}

export interface NewsDelivery {
  readonly message: NewsMessage;
  /** Call once the peer has it: the next message has the rest. */
  delivered(): void;
}

interface NewsValue<T> {
  readonly value: T;
  /** A counter: newer values have higher ones. */
  readonly version: number;
}

/** The checkpoints of one home. */
interface KnownCheckpoints {
  newest?: NewsValue<Checkpoint>;
  /** Sender of the newest, which doesn't need it; undefined if that peer may have lost it. */
  newestFrom?: string | undefined;
  /** The newest checkpoint whose entries were all followed. */
  held?: NewsValue<Checkpoint>;
}

type NewsItem = {
  [List in keyof NewsMessage]: { readonly list: List; readonly value: NewsMessage[List][number] };
}[keyof NewsMessage] & { readonly version: number };

export class News {
  readonly #checkpoints = new Map<string, KnownCheckpoints>();
  readonly #proofs = new Map<string, NewsValue<EquivocationProof>>();
  /** The newest version that was delivered to each peer. */
  readonly #delivered = new Map<string, { upTo: number }>();
  #version = 0;

  /** @param own DID of this home. Its checkpoints are in its feed, so they are not sent here */
  constructor(private readonly own: string) {}

  /** Adds the newest checkpoint of a home. @param from the peer that has sent it, or the own DID */
  newest(checkpoint: Checkpoint, from: string): void {
    if (checkpoint.home === this.own) return;
    Object.assign(this.#of(checkpoint.home), { newest: this.#numbered(checkpoint), newestFrom: from });
  }

  /** Adds the newest checkpoint up to which a home is followed. */
  held(checkpoint: Checkpoint): void {
    if (checkpoint.home === this.own) return;
    this.#of(checkpoint.home).held = this.#numbered(checkpoint);
  }

  /** Adds a proof. It is also sent to the home that it is against, whose operator has to decide. */
  proven(proof: EquivocationProof): void {
    this.#proofs.set(proof.first.home, this.#numbered(proof));
  }

  /** Removes everything about a home but the proof against it. */
  forget(home: string): void {
    this.#checkpoints.delete(home);
  }

  /** What was not delivered to the peer yet; undefined if there is nothing. */
  for(peer: string): NewsDelivery | undefined {
    const done = this.#deliveredTo(peer);
    const items = [...this.#all(peer)].filter(({ version }) => version > done.upTo);
    // Oldest first: what does not fit into this message goes into the next.
    items.sort((one, other) => one.version - other.version);
    const said = items.slice(0, bounds.newsItems);
    const proofs = said.flatMap(({ list }, index) => (list === 'equivocations' ? [index] : []));
    if (proofs.length > bounds.newsProofs) said.length = proofs[bounds.newsProofs]!;
    const upTo = said.length < items.length ? said.at(-1)!.version : this.#version;
    const delivered = () => {
      done.upTo = Math.max(done.upTo, upTo);
    };
    if (said.length === 0) {
      delivered();
      return undefined;
    }
    const message = { checkpoints: [], equivocations: [] };
    for (const { list, value } of said) (message[list] as unknown[]).push(value);
    return { message, delivered };
  }

  /** Call when the peer may have lost what it had received, and what it had sent itself: everything is sent again. */
  resend(peer: string): void {
    // A message that was sent before must not count as delivered after.
    this.#delivered.delete(peer);
    for (const known of this.#checkpoints.values()) if (known.newestFrom === peer) known.newestFrom = undefined;
  }

  *#all(peer: string): Generator<NewsItem> {
    for (const { newest, newestFrom, held } of this.#checkpoints.values()) {
      if (newest && newestFrom !== peer) yield { list: 'checkpoints', ...newest };
      // The one up to which it is followed is sent as well, because the newest may be of a second journal of the home.
      const isOther = held && !isSameEnd(held.value, newest?.value);
      if (isOther && peer !== held.value.home) yield { list: 'checkpoints', ...held };
    }
    for (const proof of this.#proofs.values()) yield { list: 'equivocations', ...proof };
  }

  #of(home: string): KnownCheckpoints {
    const known = this.#checkpoints.get(home) ?? {};
    this.#checkpoints.set(home, known);
    return known;
  }

  #deliveredTo(peer: string): { upTo: number } {
    const done = this.#delivered.get(peer) ?? { upTo: 0 };
    this.#delivered.set(peer, done);
    return done;
  }

  #numbered<T>(value: T): NewsValue<T> {
    return { value, version: ++this.#version };
  }
}

const isSameEnd = (one: Checkpoint, other: Checkpoint | undefined): boolean =>
  one.seq === other?.seq && one.chainHash === other.chainHash;
