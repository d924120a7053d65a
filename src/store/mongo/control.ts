/**
 * Who works on this database, and who holds what only one may hold. A process shows that it lives by a beat that
 * grows; the others judge by their own monotonic clocks, so no two clocks are ever compared. A lease names its holder
 * and a fencing token that grows with each hand-over; it passes on when its holder's beat has stood still for too long.
 */
import { pause, type World } from '../../world.js';
import { StoreFault } from '../store.js';
import { type Away, isDuplicate } from './away.js';
import type { Commands } from './commands.js';
import type { Collections } from './database.js';

export interface ProcessDocument {
  /** `process/<id>` */
  readonly _id: string;
  readonly beat: number;
  /** Hashes of its entries that are in the database and, as far as it knows, have no number; in their order. */
  readonly ready: readonly string[];
  /** All that it inserted up to its how-manieth has come to an end. */
  readonly settled: number;
  /** DID of the node, once it is known. */
  readonly home: string | null;
  /** What it settles on, in words that are the same for the same; once its home is known. */
  readonly settlesOn: string | null;
  /** Its wall clock when it beat, epoch ms. */
  readonly now: number;
}

export interface LeaseDocument {
  /** `lease/<name>` */
  readonly _id: string;
  /** Id of a process; null: free. */
  readonly holder: string | null;
  readonly token: number;
}

export interface MetaDocument {
  readonly _id: 'meta';
  readonly app: 'svc-node';
  readonly schema: number;
  readonly network: string;
}

export interface Other {
  readonly document: ProcessDocument;
  /** When its beat was last seen to have grown; monotonic ms of this process. */
  readonly seenAt: number;
  /** Its wall clock less ours, as that beat came here. */
  readonly aheadMs: number;
}

/** How often a process says that it lives, and how long it may be silent until its leases pass on. */
export const beatMs = 500;
export const silenceMs = 2_500;

export class Control {
  readonly others = new Map<string, Other>();
  readonly #leases = new Map<string, LeaseDocument>();
  #beat = 0;
  #home: string | null = null;
  #settlesOn: string | null = null;

  constructor(
    readonly id: string,
    private readonly collections: Pick<Collections, 'control'>,
    private readonly commands: Commands,
    private readonly world: World,
    private readonly away: Away,
  ) {}

  /** Reads who lives and who holds what. */
  async poll(): Promise<void> {
    const all = () => this.commands.find<ProcessDocument | LeaseDocument>('control', { filter: {} }, 'local');
    const documents = await this.away.insist(all);
    const now = this.world.monotonic();
    const found = new Set<string>();
    this.#leases.clear();
    for (const document of documents) {
      const [sort, name = ''] = split(document._id);
      if (sort === 'lease') this.#leases.set(name, document as LeaseDocument);
      if (sort !== 'process' || name === this.id) continue;
      found.add(name);
      const known = this.others.get(name);
      const process = document as ProcessDocument;
      const isNews = known?.document.beat !== process.beat;
      // A clock is compared with a beat that has just come: how old the first one is that we see, nobody knows.
      const aheadMs = known && isNews ? process.now - this.world.now() : (known?.aheadMs ?? 0);
      this.others.set(name, { document: process, seenAt: isNews ? now : known.seenAt, aheadMs });
    }
    for (const name of this.others.keys()) if (!found.has(name)) this.others.delete(name);
  }

  /** Says that this process lives, and what it waits for. Throws StoreFault where it was taken off the list. */
  async beat(ready: readonly string[], settled: number): Promise<void> {
    const beat = ++this.#beat;
    const who = { home: this.#home, settlesOn: this.#settlesOn };
    const state = { beat, ready, settled, ...who, now: this.world.now() };
    const { matchedCount } = await this.away.insist(() =>
      this.collections.control.updateOne({ _id: `process/${this.id}` }, { $set: state }, { upsert: beat === 1 }),
    );
    if (matchedCount === 0 && beat > 1) {
      throw new StoreFault('this process was silent for so long that another one has taken its place');
    }
  }

  isSilent(process: string): boolean {
    const other = this.others.get(process);
    return other === undefined || this.world.monotonic() - other.seenAt > silenceMs;
  }

  /** How far the wall clock of another living process is from ours at most. */
  get skewMs(): number {
    const living = [...this.others].filter(([process]) => !this.isSilent(process));
    return Math.max(0, ...living.map(([, { aheadMs }]) => Math.abs(aheadMs)));
  }

  /** Others that beat. */
  get living(): number {
    return [...this.others.keys()].filter((process) => !this.isSilent(process)).length;
  }

  /** The token under which this process holds the lease, as of the last poll. */
  token(lease: string): number | undefined {
    const document = this.#leases.get(lease);
    return document?.holder === this.id ? document.token : undefined;
  }

  /** Takes the lease where nobody holds it, or its holder is silent. @returns whether this process holds it */
  async take(lease: string): Promise<boolean> {
    const _id = `lease/${lease}`;
    const found = this.#leases.get(lease);
    if (found?.holder === this.id) return true;
    if (found?.holder && !this.isSilent(found.holder)) return false;
    const next = { holder: this.id, token: (found?.token ?? 0) + 1 };
    const won = found ? await this.#replace(found, next) : await this.#create({ _id, ...next });
    if (won) this.#leases.set(lease, { _id, ...next });
    return won;
  }

  async #create(document: LeaseDocument): Promise<boolean> {
    try {
      await this.away.insist(() => this.collections.control.insertOne(document));
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return (await this.away.insist(() => this.collections.control.findOne({ ...document }))) !== null;
    }
  }

  async #replace({ _id, holder, token }: LeaseDocument, next: Omit<LeaseDocument, '_id'>): Promise<boolean> {
    const { control } = this.collections;
    const { matchedCount } = await this.away.insist(() => control.updateOne({ _id, holder, token }, { $set: next }));
    // Also where the reply of a first try was lost.
    return matchedCount === 1 || (await this.away.insist(() => control.findOne({ _id, ...next }))) !== null;
  }

  /** Processes of this node that died before this one. */
  predecessors(): readonly string[] {
    const same = [...this.others].filter(([, { document }]) => document.home === this.#home);
    return this.#home === null ? [] : same.map(([process]) => process);
  }

  /** Says which node this is, and what it settles on. @returns who lives already and can't live beside it, if anybody */
  async announce(home: string, settlesOn: string): Promise<ProcessDocument | undefined> {
    const clashes = (other: ProcessDocument) =>
      other.home === home || (typeof other.settlesOn === 'string' && other.settlesOn !== settlesOn);
    await this.poll();
    const other = await this.#living(clashes);
    if (other !== undefined) return other;
    this.#home = home;
    this.#settlesOn = settlesOn;
    const { control } = this.collections;
    const who = { home, settlesOn };
    await this.away.insist(() => control.updateOne({ _id: `process/${this.id}` }, { $set: who }));
    // Of two that announce at once, each sees the other now.
    await this.poll();
    return this.#living(clashes);
  }

  /** Whether no other process works here. */
  async isAlone(): Promise<boolean> {
    await this.poll();
    return (await this.#living(() => true)) === undefined;
  }

  /** One that was killed a moment ago still looks alive until it has been silent for long enough. */
  async #living(which: (document: ProcessDocument) => boolean): Promise<ProcessDocument | undefined> {
    const same = [...this.others].filter(([, { document }]) => which(document));
    while (same.some(([process]) => !this.isSilent(process))) {
      const grown = same.find(([process, { document }]) => {
        const beat = this.others.get(process)?.document.beat;
        return beat !== undefined && beat !== document.beat;
      });
      if (grown) return grown[1].document;
      await pause(this.world, beatMs / 4);
      await this.poll();
    }
    return undefined;
  }

  /** Gives back what this process holds, and takes its name off the list. */
  async leave(): Promise<void> {
    const { control } = this.collections;
    for (const { _id, holder, token } of this.#leases.values()) {
      if (holder === this.id) await control.updateOne({ _id, holder, token }, { $set: { holder: null } });
    }
    await control.deleteOne({ _id: `process/${this.id}` });
  }

  /** Takes the name of a process off the list that is gone and has left nothing. */
  async forget(process: string): Promise<void> {
    const { document } = this.others.get(process) ?? {};
    if (!document) return;
    await this.away.insist(() => this.collections.control.deleteOne({ _id: document._id, beat: document.beat }));
  }
}

const split = (id: string): readonly string[] => {
  const slash = id.indexOf('/');
  return slash === -1 ? [id] : [id.slice(0, slash), id.slice(slash + 1)];
};
