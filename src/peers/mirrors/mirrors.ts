/** The mirrors that this home's operator has named (docs/reference/mirrors.md). */
import { mirrorBounds } from '../../core/bounds.js';
import type { Did } from '../../core/codecs/did.js';
import { Feed } from '../../core/feed.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import type { NumberedEntry } from '../../store/entry.js';
import { putNewest } from '../../store/local-record.js';
import type { Store } from '../../store/store.js';
import type { MirrorLink } from './mirror-requests.js';
import { MirrorSender, type MirrorSenderOptions } from './mirror-sender.js';

/** Records of the mirrors. */
const table = 'mirrors';

export interface MirrorsOptions
  extends Omit<MirrorSenderOptions, 'link' | 'store' | 'feed' | 'onOther' | 'onMirrored'> {
  readonly store: Store;
  /** How many mirrors must have an entry on disk before its write is answered. */
  readonly copies: number;
  /** Undefined for a DID that is no peer. */
  readonly linkTo: (did: Did) => MirrorLink | undefined;
  /** Called when a mirror has entries of this home that are not in the own journal. */
  readonly onOther: (what: 'ahead' | 'fork', seq: number, mirror: Did) => void;
}

export class Mirrors {
  readonly #named = new Set<Did>();
  readonly #senders = new Map<Did, MirrorSender>();
  /** Its head is the last entry that enough mirrors have. */
  readonly #copied = new Feed(0);
  #feed: Feed | undefined;

  private constructor(private readonly options: MirrorsOptions) {}

  static async open(options: MirrorsOptions): Promise<Mirrors> {
    const mirrors = new Mirrors(options);
    for (const { id } of await options.store.listLocal(table)) mirrors.#named.add(id as Did);
    return mirrors;
  }

  has(did: Did): boolean {
    return this.#named.has(did);
  }

  /** How many mirrors must answer at a start, so that one of them has whatever was acknowledged. */
  get mustAnswer(): number {
    const { copies } = this.options;
    return copies === 0 || this.#named.size === 0 ? 0 : Math.max(1, this.#named.size - copies + 1);
  }

  /**
   * Sends the journal to all mirrors from now on.
   * @param feed its head is on disk
   * @returns what others may be shown: a journal that lost what it has shown could not be continued
   */
  serve(feed: Feed): Feed {
    this.#feed = feed;
    for (const did of this.#named) this.begin(did);
    return this.options.copies > 0 ? this.#copied : feed;
  }

  /** The sender to a mirror; undefined if the peer is none. */
  of(did: Did): MirrorSender | undefined {
    return this.#senders.get(did);
  }

  /** Names a peer as a mirror. Durable when it resolves. */
  async add(did: Did): Promise<Refusal | undefined> {
    const { mirrors } = mirrorBounds;
    if (!this.#named.has(did) && this.#named.size >= mirrors) {
      return refuse('CONFLICT', `the node has ${mirrors} mirrors already, which is the most`);
    }
    await putNewest(this.options.store, table, did, {});
    this.#named.add(did);
    this.begin(did);
    return undefined;
  }

  /** Sends nothing to it any more; what it has stays there. @returns false if it was no mirror */
  async remove(did: Did): Promise<boolean> {
    const sender = this.#senders.get(did);
    this.#senders.delete(did);
    this.#named.delete(did);
    await sender?.close();
    return this.options.store.deleteLocal(table, did);
  }

  /** Call when a mirror has become a peer. */
  begin(did: Did): void {
    const { linkTo, onOther } = this.options;
    const link = this.#named.has(did) ? linkTo(did) : undefined;
    if (!link || !this.#feed || this.#senders.has(did)) return;
    const sender = new MirrorSender({
      ...{ ...this.options, link, feed: this.#feed },
      onOther: (what, seq) => onOther(what, seq, did),
      onMirrored: () => this.#mirrored(),
    });
    this.#senders.set(did, sender);
    sender.start();
  }

  #mirrored(): void {
    const { copies } = this.options;
    const ends = [...this.#senders.values()].map(({ mirrored }) => mirrored ?? 0).sort((one, other) => other - one);
    if (copies > 0 && ends.length >= copies) this.#copied.advance(ends[copies - 1]!);
  }

  /** Why no write can be acknowledged; undefined if it can. */
  refusal(): Refusal | undefined {
    const { copies } = this.options;
    const unless = (count: number, what: string, retryAfter: number) =>
      count < copies
        ? refuse('SERVICE_UNAVAILABLE', `SVC_PEER_COPIES is ${copies}, and this node has ${count} mirrors${what}`, {
            retryAfter,
          })
        : undefined;
    const takers = [...this.#senders.values()].filter((each) => each.mirrored !== undefined && !each.problem);
    return (
      unless(this.#named.size, ': name more (svc-node peers mirror)', 60) ??
      unless(takers.length, ' in reach that take its journal', 5)
    );
  }

  /**
   * Waits until enough mirrors have an entry of the own journal.
   * @returns SERVICE_UNAVAILABLE after a bounded wait: the entry stands, and mirrors may get it later
   */
  async copied({ seq, core: { event } }: NumberedEntry): Promise<Refusal | undefined> {
    const { copies, world } = this.options;
    if (copies === 0 || this.#copied.head >= seq) return undefined;
    if (await this.#copied.beyondWithin(seq - 1, mirrorBounds.copiesMs, world)) return undefined;
    const why = `the event is committed, and fewer mirrors than SVC_PEER_COPIES=${copies} have it yet`;
    const { hash: eventHash, nonce } = event;
    return refuse('SERVICE_UNAVAILABLE', why, { eventHash, nonce, committed: true, retryAfter: 5 });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#senders.values()].map((sender) => sender.close()));
  }
}
