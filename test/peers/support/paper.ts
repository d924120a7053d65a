/** Simplified homes: journals that consist of numbers and hashes, and their followers. */

import { feedBounds } from '../../../src/core/bounds.js';
import { canonical, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import type { Did } from '../../../src/core/codecs/did.js';
import type { Environment } from '../../../src/core/environment.js';
import type { SeedSigner } from '../../../src/keys/signing.js';
import { type Checkpoint, signCheckpoint } from '../../../src/peers/checkpoint.js';
import { Equivocations } from '../../../src/peers/equivocation.js';
import type { ChainLink } from '../../../src/peers/feed/feed-batch.js';
import { FollowedChain } from '../../../src/peers/followed-chain.js';
import { KnownHeads, type OwnHeadConflict } from '../../../src/peers/known-heads.js';
import { chainHashOf, type NumberedEntry, noHash } from '../../../src/store/entry.js';
import { type EventQuery, type JournalHead, type LocalRecord, StoreFault } from '../../../src/store/store.js';
import { signer } from '../../world/people.js';

export const network = 'devnet';

/** The local records of a store. */
export class Records {
  readonly #tables = new Map<string, Map<string, LocalRecord>>();
  writes = 0;
  attempts = 0;
  isFull = false;

  async getLocal(table: string, id: string): Promise<LocalRecord | undefined> {
    return this.#tables.get(table)?.get(id);
  }

  async listLocal(table: string): Promise<readonly LocalRecord[]> {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }

  async deleteLocal(table: string, id: string): Promise<boolean> {
    return this.#tables.get(table)?.delete(id) ?? false;
  }

  async putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean> {
    this.attempts++;
    if (this.isFull) throw new StoreFault('the disk is full');
    this.writes++;
    const of = this.#tables.get(table) ?? new Map<string, LocalRecord>();
    this.#tables.set(table, of);
    if ((of.get(id)?.revision ?? 0) !== revision) return false;
    of.set(id, { id, revision: revision + 1, value: JSON.parse(canonical(value)) });
    return true;
  }
}

export class PaperJournal {
  readonly #entries: NumberedEntry[] = [];
  reads = 0;

  get end(): JournalHead {
    const { seq, chainHash } = this.#entries.at(-1) ?? { seq: 0, chainHash: noHash };
    return { seq, chainHash };
  }

  async entries({ after, limit }: Pick<EventQuery, 'after' | 'limit'>): Promise<readonly NumberedEntry[]> {
    this.reads++;
    return this.#entries.slice(after, after + limit);
  }

  at(seq: number): JournalHead {
    return seq === 0 ? { seq, chainHash: noHash } : this.#entries[seq - 1]!;
  }

  /** Adds entries, which differ from those of another branch. */
  grow(count: number, branch: string): void {
    for (let left = count; left > 0; left--) {
      const { seq, chainHash: prevEntry } = this.end;
      const entryHash = sha256Hex(`${branch} ${seq + 1}`);
      const chainHash = chainHashOf(seq + 1, prevEntry, entryHash);
      this.#entries.push({ seq: seq + 1, prevEntry, entryHash, chainHash } as NumberedEntry);
    }
  }

  /** Copies entries from another journal, up to a number. */
  copy(other: PaperJournal, upTo: number): void {
    this.#entries.push(...other.#entries.slice(this.#entries.length, upTo));
  }
}

/** A home that signs any checkpoint. */
export class PaperHome {
  readonly signer: SeedSigner;
  readonly journal = new PaperJournal();

  constructor(
    readonly name: string,
    readonly world: Environment,
  ) {
    this.signer = signer(name);
  }

  get did(): Did {
    return this.signer.did;
  }

  checkpoint(seq = this.journal.end.seq, journal = this.journal): Checkpoint {
    return signCheckpoint(this.signer, journal.at(seq), { network, time: this.world.now() });
  }

  /** Another journal of the same home, as after restoring a backup. */
  fork(at: number): PaperJournal {
    const other = new PaperJournal();
    other.copy(this.journal, at);
    return other;
  }
}

export interface PaperFollower {
  readonly did: string;
  readonly heads: KnownHeads;
  readonly equivocations: Equivocations;
  readonly records: Records;
  /** What was followed of each home. */
  readonly chains: Map<string, FollowedChain>;
  readonly journal: PaperJournal;
  readonly conflicts: OwnHeadConflict[];
  readonly logged: string[];
  /** Reads a journal up to an entry, as from the home's feed. */
  follow(home: PaperHome, upTo: number, journal?: PaperJournal): Promise<void>;
}

export async function paperFollower(
  name: string,
  world: Environment,
  { follows, records = new Records() }: { follows: readonly Did[]; records?: Records },
): Promise<PaperFollower> {
  const { did } = signer(name);
  const journal = new PaperJournal();
  const chains = new Map<string, FollowedChain>();
  const conflicts: OwnHeadConflict[] = [];
  const logged: string[] = [];
  const log = (message: string): void => {
    logged.push(message);
  };
  const equivocations = await Equivocations.open({ store: records, world, log, hasRoom: () => !records.isFull });
  const heads = new KnownHeads({
    ...{ own: did, network, world, equivocations, log },
    follows: (home) => follows.some((each) => each === home),
    chainOf: (home) => chains.get(home),
    ownJournal: () => journal,
    onOwnConflict: (conflict) => conflicts.push(conflict),
  });
  for (const home of follows) {
    const chain = await FollowedChain.open(records, home, network);
    chains.set(home, chain);
    if (chain.checkpoint) heads.followed(chain.checkpoint);
  }
  return {
    ...{ did, heads, equivocations, records, chains, journal, conflicts, logged },
    async follow(home, upTo, from = home.journal) {
      const chain = chains.get(home.did)!;
      for (let { seq } = chain.head; seq < upTo; seq = chain.head.seq) {
        const end = Math.min(upTo, seq + feedBounds.batchEntries);
        const links = (await from.entries({ after: seq, limit: end - seq })) as readonly ChainLink[];
        const checkpoint = home.checkpoint(end, from);
        await chain.extend(links, checkpoint);
        heads.followed(checkpoint);
      }
    },
  };
}

/** Sends one exchange of checkpoints from one follower to the other. */
export function sendNews(from: PaperFollower, to: PaperFollower): void {
  const news = from.heads.news.for(to.did);
  if (!news) return;
  const message = JSON.parse(JSON.stringify(news.message)) as typeof news.message;
  for (const checkpoint of message.checkpoints) to.heads.receive(checkpoint, from.did);
  for (const proof of message.equivocations) to.heads.receiveProof(proof, from.did);
  news.delivered();
}
