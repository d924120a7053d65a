/**
 * Asks the peers for the newest entry of this node's own journal before the node writes. A restored backup would
 * otherwise start a second journal behind entries that others have, so the missing entries are fetched first.
 */
import { setMaxListeners } from 'node:events';
import { contentsOf } from '../actors/build-entry.js';
import { type Environment, pause } from '../core/environment.js';
import { messageOf } from '../core/error-message.js';
import type { Catalogue } from '../machines/kernel/step.js';
import { chainHashOf } from '../store/entry.js';
import type { JournalHead, Store } from '../store/store.js';
import { type Checkpoint, checkpointForm, contradicts, isSignedCheckpoint, parseForm } from './checkpoint.js';
import { chainHashAt } from './covers.js';
import { type FeedEntry, Replica } from './replica/replica.js';

/** The questions to one peer. All of them reject if the peer is out of reach. */
export interface OwnHeadPeer {
  readonly did: string;
  /**
   * The newest checkpoint of our home that the peer knows, that of its copy of our journal (neither is checked yet),
   * and how many of our entries it has. If our key has signed two journals, the two checkpoints may differ.
   */
  end(
    signal: AbortSignal,
  ): Promise<{ readonly checkpoint?: unknown; readonly held?: unknown; readonly adopted: number }>;
  /** Our entries after `head`, in order, up to a number or to the end of its copy. */
  entries(head: JournalHead, upTo: number, signal: AbortSignal): AsyncIterable<FeedEntry>;
}

export interface OwnHeadOptions {
  /** The home of this node's key. */
  readonly home: string;
  readonly network: string;
  /** The own store, before anything is written to it. */
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly peers: readonly OwnHeadPeer[];
  readonly world: Environment;
  /** How long to wait if no peer answers, ms. */
  readonly aloneMs: number;
  readonly log: (message: string, detail: object) => void;
}

export type OwnHeadOutcome =
  /** No peer answered within `aloneMs`. */
  | { readonly outcome: 'alone' }
  /** The journal is as long as the longest that a reachable peer knows. */
  | { readonly outcome: 'level'; readonly taken: number }
  /** Writing would start a second journal. The sentence says what to do. */
  | { readonly outcome: 'refused'; readonly why: string };

/** Time that the other peers have after the first answer. Peers that are out of reach are not waited for. */
const graceMs = 2_000;
const retryMs = 250;
/** Entries, and characters of them, per adopted batch. */
const batchEntries = 200;
const batchCharacters = 4 * 1024 * 1024;
const hashBytes = 32;

interface SignedEnd {
  readonly peer: OwnHeadPeer;
  readonly checkpoint: Checkpoint;
}

/** Why entries could not be fetched from one peer, as the end of a sentence. */
class NotTaken extends Error {
  override name = 'NotTaken';
}

/** Asks the reachable peers, and fetches the entries that this journal lacks. */
export async function catchUpOwnHead(options: OwnHeadOptions): Promise<OwnHeadOutcome> {
  const { peers, store, log } = options;
  if (peers.length === 0) return { outcome: 'level', taken: 0 };
  const { answered, ends } = await new Round(options).run();
  if (answered === 0) {
    log('no peer answers: it is unknown whether this journal is the newest; the start continues without peers', {
      waitedMs: options.aloneMs,
    });
    return { outcome: 'alone' };
  }
  const before = await store.head();
  const fork = forkAmong(ends) ?? (await forkOf(store, ends));
  if (fork) return { outcome: 'refused', why: fork };
  const why = await takeBack(options, ends);
  if (why !== undefined) return { outcome: 'refused', why };
  const { seq } = await store.head();
  return { outcome: 'level', taken: seq - before.seq };
}

/** One question to all peers, repeated until they have answered or the time is up. */
class Round {
  readonly #ends: SignedEnd[] = [];
  readonly #open: Set<OwnHeadPeer>;
  /** Peers that were out of reach at least once. */
  readonly #failed = new Set<OwnHeadPeer>();
  readonly #over = new AbortController();
  #answered = 0;
  #isGraceOver = false;

  constructor(private readonly options: OwnHeadOptions) {
    this.#open = new Set(options.peers);
    // Each peer's question listens to it, and Node takes more than ten listeners for a leak.
    setMaxListeners(0, this.#over.signal);
  }

  async run(): Promise<{ readonly answered: number; readonly ends: readonly SignedEnd[] }> {
    const { world, peers, aloneMs } = this.options;
    const end = world.after(aloneMs, () => this.#over.abort());
    const grace = world.after(Math.min(graceMs, aloneMs), () => {
      this.#isGraceOver = true;
      this.#endIfEnough();
    });
    await new Promise<void>((resolve) => {
      this.#over.signal.addEventListener('abort', () => resolve(), { once: true });
      for (const peer of peers) void this.#ask(peer);
    });
    for (const timer of [end, grace]) timer.cancel();
    return { answered: this.#answered, ends: this.#ends };
  }

  #endIfEnough(): void {
    const isOut = [...this.#open].every((peer) => this.#failed.has(peer));
    if (this.#open.size === 0 || (this.#isGraceOver && this.#answered > 0 && isOut)) this.#over.abort();
  }

  async #ask(peer: OwnHeadPeer): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        const { checkpoint, held } = await peer.end(signal);
        if (signal.aborted) return;
        this.#answered++;
        this.#open.delete(peer);
        for (const each of [checkpoint, held]) if (each !== undefined) this.#receive(peer, each);
        return this.#endIfEnough();
      } catch (error) {
        if (!this.#failed.has(peer) && !signal.aborted) {
          this.options.log('a peer does not answer what it knows of this journal', {
            peer: peer.did,
            error: messageOf(error),
          });
        }
        this.#failed.add(peer);
        this.#endIfEnough();
      }
      await pause(this.options.world, retryMs);
    }
  }

  /** Needs no trust: a peer can withhold what it knows, but can't forge our signature. */
  #receive(peer: OwnHeadPeer, value: unknown): void {
    const { home, network, log } = this.options;
    const checkpoint = parseForm(checkpointForm, value);
    if (typeof checkpoint !== 'string' && checkpoint.home === home && checkpoint.network === network) {
      if (isSignedCheckpoint(checkpoint)) {
        this.#ends.push({ peer, checkpoint });
        return;
      }
    }
    log('a peer shows a checkpoint of this home that its key has not signed', { peer: peer.did });
  }
}

const forked = (one: Checkpoint, by: string): string =>
  `this node's key has signed two journals that differ at entry ${one.seq} or before it (peer ${by} shows the other one, of ${new Date(one.time).toISOString()}): ` +
  'another node runs with this key, or has continued from an older backup. Stop it, restore a backup from before the two journals diverged, and start this node: it takes the later entries back from the peers';

function forkAmong(ends: readonly SignedEnd[]): string | undefined {
  for (const [index, one] of ends.entries()) {
    const other = ends.slice(index + 1).find(({ checkpoint }) => contradicts(checkpoint, one.checkpoint));
    if (other) return forked(other.checkpoint, other.peer.did);
  }
  return undefined;
}

/** Whether a peer's checkpoint contradicts this journal. */
async function forkOf(store: Store, ends: readonly SignedEnd[]): Promise<string | undefined> {
  const head = await store.head();
  for (const { peer, checkpoint } of ends) {
    const own = await chainHashAt(store, head, checkpoint.seq);
    if (own !== undefined && own !== checkpoint.chainHash) return forked(checkpoint, peer.did);
  }
  return undefined;
}

/** Fetches the missing entries, trying the peer with the longest journal first. @returns why the node must not start */
async function takeBack(options: OwnHeadOptions, ends: readonly SignedEnd[]): Promise<string | undefined> {
  const { store, log } = options;
  const longestFirst = [...ends].sort((one, other) => other.checkpoint.seq - one.checkpoint.seq);
  const longest = longestFirst[0];
  const head = await store.head();
  if (!longest || longest.checkpoint.seq <= head.seq) return undefined;
  const { seq } = longest.checkpoint;
  log('peers know entries of this journal that it lacks: the node takes them back', { from: head.seq + 1, to: seq });
  const failures: string[] = [];
  for (const end of longestFirst) {
    if (end.checkpoint.seq <= (await store.head()).seq) continue;
    try {
      await takeBackFrom(options, end);
    } catch (error) {
      failures.push(`${end.peer.did}: ${messageOf(error)}`);
      log('entries could not be taken back from a peer', { peer: end.peer.did, error: messageOf(error) });
    }
  }
  const now = await store.head();
  if (now.seq < seq)
    return `peers know entries up to ${seq} of this journal, which ends at ${now.seq}, and they could not be taken back (${failures.join('; ')}). Writing would make a second journal: restore a newer backup, or connect a peer that has these entries complete`;
  const fork = await forkOf(store, ends);
  if (fork) return fork;
  await reportContents(options, head.seq, now.seq);
  return undefined;
}

/** Reads the entries twice: none is written before the hash chain is known to lead to what our key has signed. */
async function takeBackFrom(options: OwnHeadOptions, { peer, checkpoint }: SignedEnd): Promise<void> {
  const { store, home, network, catalogue, world } = options;
  const over = new AbortController();
  try {
    const head = await store.head();
    const proven = await provenLinks(peer, head, checkpoint, over.signal);
    const replica = await Replica.open({ store, home, network, catalogue, world });
    let batch: FeedEntry[] = [];
    let characters = 0;
    const adopt = async () => {
      const { stop } = await replica.adopt(batch);
      if (stop?.cause === 'unknown-version') {
        throw new NotTaken(`entry ${stop.seq} was written by a later release than this one: ${stop.what}`);
      }
      if (stop) throw new NotTaken(`entry ${stop.seq} is not valid: ${stop.what}`);
      batch = [];
      characters = 0;
    };
    for await (const fed of peer.entries(head, checkpoint.seq, over.signal)) {
      const at = (fed.entry.seq - head.seq - 1) * hashBytes;
      const isSame = proven.subarray(at, at + hashBytes).toString('hex') === fed.entry.chainHash;
      if (!isSame) throw new NotTaken('it has shown two journals');
      batch.push(fed);
      characters += fed.entry.coreText.length + (fed.entry.payloadText?.length ?? 0);
      if (batch.length >= batchEntries || characters >= batchCharacters) await adopt();
      if (fed.entry.seq === checkpoint.seq) break;
    }
    if (batch.length > 0) await adopt();
  } finally {
    over.abort();
    // The record that a replica keeps about itself does not belong into the own journal's store.
    await store.deleteLocal('replica', 'state');
  }
}

/** Follows the chain of hashes from the head to the checkpoint. @returns the chain hashes on the way, 32 bytes each */
async function provenLinks(
  peer: OwnHeadPeer,
  head: JournalHead,
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<Buffer> {
  const links = Buffer.alloc((checkpoint.seq - head.seq) * hashBytes);
  let { seq, chainHash } = head;
  for await (const { entry } of peer.entries(head, checkpoint.seq, signal)) {
    seq++;
    if (entry.seq !== seq) throw new NotTaken(`entry ${entry.seq} comes where entry ${seq} is expected`);
    chainHash = chainHashOf(seq, chainHash, entry.entryHash);
    if (entry.chainHash !== chainHash) throw new NotTaken(`the chain hash of entry ${seq} does not fit`);
    if (entry.payloadText === null)
      throw new NotTaken(`the payload of entry ${seq} is confidential, and it has only the rest of it`);
    links.write(chainHash, (seq - head.seq - 1) * hashBytes, 'hex');
    if (seq === checkpoint.seq) break;
  }
  if (seq < checkpoint.seq) throw new NotTaken(`it has only the entries up to ${seq}`);
  if (chainHash !== checkpoint.chainHash) throw new NotTaken('its entries are not those that this node has signed');
  return links;
}

/** Logs which published contents are missing: they are not part of entries, so no peer has them. */
async function reportContents({ store, catalogue, log }: OwnHeadOptions, from: number, to: number): Promise<void> {
  const missing: string[] = [];
  for (let after = from; after < to; ) {
    const page = await store.entries({ after, limit: batchEntries });
    if (page.length === 0) break;
    for (const { core } of page) {
      for (const { kind, id } of core.versions) {
        const resource = await store.load(kind, id);
        for (const hash of contentsOf(catalogue.definitions[kind], resource?.context ?? {})) {
          if (!(await store.contentPart(hash, 0, 1))) missing.push(`${kind}/${id}`);
        }
      }
    }
    after = page.at(-1)!.seq;
  }
  if (missing.length === 0) return;
  const resources = [...new Set(missing)];
  log('contents that were published after the backup are lost: no peer has them', {
    count: resources.length,
    resources: resources.slice(0, 20),
  });
}
