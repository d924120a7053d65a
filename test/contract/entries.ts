/** Builds commits as the actors do, with real canonical forms and hashes; only the signature is a dummy. */
import { canonical, hashOf, sha256Hex } from '../../src/core/canonical.js';
import { type Move, postingsOf } from '../../src/machines/kernel/posting.js';
import type { Request } from '../../src/machines/kernel/resource.js';
import type { Ranked, Searched } from '../../src/machines/kernel/searched.js';
import type { Entry, EntryCore, SignedEvent } from '../../src/store/entry.js';
import { entryVersion, eventVersion } from '../../src/store/journal-form.js';
import { payloadHashOf } from '../../src/store/payload.js';
import type { SearchWrite } from '../../src/store/search.js';
import type { Commit, Snapshot, SnapshotWrite } from '../../src/store/store.js';

/** What one entry changes in a resource. Absent members stay as they are. */
export interface ResourceChange {
  readonly kind: string;
  readonly id: string;
  readonly state?: string;
  readonly context?: Snapshot['context'];
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
  readonly alarm?: SnapshotWrite['alarm'];
  readonly found?: Searched;
  readonly ranked?: Ranked;
}

export interface Draft {
  readonly issuer: string;
  readonly type?: string;
  /** Home in the event. */
  readonly home?: string;
  readonly time?: number;
  readonly moves?: readonly Move[];
  readonly resources?: readonly ResourceChange[];
  readonly idem?: { readonly principal: string; readonly key: string };
}

interface Signer {
  readonly nonce: number;
  readonly hash: string | null;
}

/** Midnight, UTC. */
export const firstDay = 19_700 * 86_400_000;

const debited = (move: Move): string[] => {
  if (move.op === 'transfer' || move.op === 'reserve' || move.op === 'withdraw') return [move.from];
  return move.op === 'freeze' || move.op === 'unfreeze' ? [move.did] : [];
};

/** Tracks the end of every chain, so that each entry that it makes is the next one. */
export class EntryBuilder {
  time: number;
  readonly #signers: Map<string, Signer>;
  readonly #accounts: Map<string, number>;
  readonly #resources: Map<string, Snapshot>;
  readonly #found: Map<string, Searched>;

  constructor(from?: EntryBuilder) {
    this.time = from?.time ?? firstDay;
    this.#signers = new Map(from ? from.#signers : []);
    this.#accounts = new Map(from ? from.#accounts : []);
    this.#resources = new Map(from ? from.#resources : []);
    this.#found = new Map(from ? from.#found : []);
  }

  /** A second builder from the same state, for entries that compete with this one's. */
  fork(): EntryBuilder {
    return new EntryBuilder(this);
  }

  signer(did: string): Signer {
    return this.#signers.get(did) ?? { nonce: 0, hash: null };
  }

  /** Makes the next entry, on which the builder then builds. */
  commit(draft: Draft): Commit {
    const { issuer, moves = [], resources = [] } = draft;
    this.time = draft.time ?? this.time + 1;
    const last = this.signer(issuer);
    const payload: Request = {
      kind: 'test',
      id: 'test',
      action: 'act',
      input: { what: canonical({ moves, resources }) },
    };
    const stored = { public: payload };
    const event = signed({
      v: eventVersion,
      home: draft.home ?? 'did:svc:home',
      type: draft.type ?? 'test.done',
      issuer,
      nonce: last.nonce + 1,
      ts: this.time,
      prev: last.hash,
      network: 'devnet',
      payloadHash: payloadHashOf(stored),
      pub: sha256Hex(issuer),
    });
    this.#signers.set(issuer, { nonce: event.nonce, hash: event.hash });
    const before = resources.map(({ kind, id }) => this.#resources.get(`${kind}/${id}`));
    const snapshots = resources.map((change) => this.#change(change, event.hash));
    const core: EntryCore = {
      v: entryVersion,
      event,
      home: 'did:svc:home',
      time: this.time,
      law: 'test-1',
      reads: [],
      versions: snapshots.map(({ snapshot: s }, i) => ({
        kind: s.kind,
        id: s.id,
        version: s.version,
        prev: before[i]?.lastHash ?? null,
        machine: s.machine,
        path: [s.state],
        stateHash: hashOf({ context: s.context, sealed: null, state: s.state }),
      })),
      accounts: [...new Set(moves.flatMap(debited))].map((did) => this.#debit(did)),
      moves,
      postings: moves.flatMap(postingsOf),
      idem: draft.idem ? { ...draft.idem, fingerprint: 'f'.repeat(64), status: 201 } : null,
    };
    return { entry: entry(core, payload, canonical(stored)), snapshots };
  }

  /** Takes over what another builder's commit changed. */
  learn({ entry: { core }, snapshots }: Commit): void {
    this.time = Math.max(this.time, core.time);
    this.#signers.set(core.event.issuer, { nonce: core.event.nonce, hash: core.event.hash });
    for (const { did, version } of core.accounts) this.#accounts.set(did, version);
    for (const { snapshot, search } of snapshots) {
      this.#resources.set(`${snapshot.kind}/${snapshot.id}`, snapshot);
      if (search?.found) this.#found.set(snapshot.id, search.found);
    }
  }

  mint(to: string, amount: number, draft: Partial<Draft> = {}): Commit {
    return this.commit({ issuer: 'did:svc:faucet', type: 'minted', moves: [{ op: 'mint', to, amount }], ...draft });
  }

  transfer(from: string, to: string, amount: number, draft: Partial<Draft> = {}): Commit {
    const move: Move = { op: 'transfer', from, to, amount, fee: 0 };
    return this.commit({ issuer: from, type: 'transferred', moves: [move], ...draft });
  }

  /** An entry signed by a signer that only this resource has, so that resources don't share nonces. */
  resource(change: ResourceChange, draft: Partial<Draft> = {}): Commit {
    return this.commit({ issuer: `did:svc:clerk-${change.id}`, resources: [change], ...draft });
  }

  #debit(did: string): EntryCore['accounts'][number] {
    const version = (this.#accounts.get(did) ?? 0) + 1;
    this.#accounts.set(did, version);
    return { did, version };
  }

  #change(change: ResourceChange, hash: string): SnapshotWrite {
    const { kind, id, state, context, add = [], drop = [], alarm } = change;
    const last = this.#resources.get(`${kind}/${id}`);
    const snapshot: Snapshot = {
      kind,
      id,
      version: (last?.version ?? 0) + 1,
      state: state ?? last?.state ?? 'created',
      context: context ?? last?.context ?? {},
      lastHash: hash,
      machine: 'm'.repeat(64),
      createdAt: last?.createdAt ?? this.time,
      updatedAt: this.time,
    };
    this.#resources.set(`${kind}/${id}`, snapshot);
    const search = this.#search(change);
    return {
      snapshot,
      addLabels: add,
      dropLabels: drop,
      ...(alarm !== undefined && { alarm }),
      ...(search && { search }),
    };
  }

  #search({ id, found, ranked }: ResourceChange): SearchWrite | undefined {
    if (ranked) return { ranked };
    const before = this.#found.get(id);
    if (!(found ?? before)) return undefined;
    if (found) this.#found.set(id, found);
    return { found: (found ?? before)!, before };
  }
}

function signed(body: Omit<SignedEvent, 'hash' | 'sig'>): SignedEvent {
  return { ...body, hash: hashOf(body), sig: 's'.repeat(86) };
}

function entry(core: EntryCore, payload: Request, payloadText: string): Entry {
  const coreText = canonical(core);
  return { core, coreText, entryHash: sha256Hex(coreText), payload, payloadText };
}

/** The same commit with a core that no correct actor makes. The event's hash is kept. */
export function forged({ entry: made, snapshots }: Commit, change: Partial<EntryCore>): Commit {
  const core = { ...made.core, ...change };
  return { entry: entry(core, made.payload, made.payloadText), snapshots };
}
