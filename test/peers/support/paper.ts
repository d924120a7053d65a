/** Simplified homes: journals that consist of numbers and hashes, and their followers. */
import { canonical, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import type { Environment } from '../../../src/core/environment.js';
import type { SeedSigner } from '../../../src/keys/signing.js';
import { type Checkpoint, signCheckpoint } from '../../../src/peers/checkpoint.js';
import type { HeldJournal } from '../../../src/peers/covers.js';
import { Equivocations } from '../../../src/peers/equivocation.js';
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

export class PaperJournal extends Records implements HeldJournal {
  readonly #entries: NumberedEntry[] = [];
  reads = 0;

  async head(): Promise<JournalHead> {
    return this.end;
  }

  get end(): JournalHead {
    const { seq, chainHash } = this.#entries.at(-1) ?? { seq: 0, chainHash: noHash };
    return { seq, chainHash };
  }

  async entries({ after, limit }: EventQuery): Promise<readonly NumberedEntry[]> {
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

  get did(): string {
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
  readonly replicas: Map<string, PaperJournal>;
  readonly conflicts: OwnHeadConflict[];
  readonly logged: string[];
  /** Reads a journal up to an entry, with the checkpoint of that entry, as from the home's feed. */
  follow(home: PaperHome, upTo: number, journal?: PaperJournal): Promise<void>;
}

export async function paperFollower(
  name: string,
  world: Environment,
  { follows, records = new Records() }: { follows: readonly string[]; records?: Records },
): Promise<PaperFollower> {
  const { did } = signer(name);
  const replicas = new Map<string, PaperJournal>([[did, new PaperJournal()]]);
  const conflicts: OwnHeadConflict[] = [];
  const logged: string[] = [];
  const log = (message: string): void => {
    logged.push(message);
  };
  const equivocations = await Equivocations.open({ store: records, world, log, hasRoom: () => !records.isFull });
  const heads = new KnownHeads({
    ...{ own: did, network, world, equivocations, log },
    follows: (home) => follows.includes(home),
    journalOf: (home) => replicas.get(home),
    onOwnConflict: (conflict) => conflicts.push(conflict),
  });
  return {
    ...{ did, heads, equivocations, records, replicas, conflicts, logged },
    async follow(home, upTo, journal = home.journal) {
      const replica = replicas.get(home.did) ?? new PaperJournal();
      replicas.set(home.did, replica);
      heads.receive(home.checkpoint(upTo, journal), home.did);
      replica.copy(journal, upTo);
      await heads.advanced(home.did);
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
