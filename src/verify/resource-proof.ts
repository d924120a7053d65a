/**
 * The proof of one resource (docs/reference/journal-format.md#resource-proofs): its entries from the first, how each is
 * anchored, and the definitions that accepted its steps. It can be verified without a node.
 */
import { type ProofAnchor, proofAnchor, violationOfProof } from '../chain/anchors/proof.js';
import { bounds } from '../core/bounds.js';
import { canonical, sha256Hex } from '../core/canonical.js';
import { isRefusal } from '../core/refusal.js';
import * as is from '../core/schema/scalar.js';
import { clockCorrected } from '../machines/identity/identity.js';
import type { Chart } from '../machines/kernel/chart.js';
import { postingsOf } from '../machines/kernel/posting.js';
import { isIn } from '../machines/kernel/state-path.js';
import { chainHashOf, type EntryCore, type Receipt, type Version } from '../store/entry.js';
import { HomeRule } from '../store/home-rule.js';
import { entryVersion, violationOfForm } from '../store/journal-form.js';
import { violationInText } from './entry-text.js';
import { hashOfPublished, type PublishedPayload } from './published-payload.js';

export interface PublishedEntry extends Omit<EntryCore, 'v'>, Partial<PublishedPayload> {
  readonly seq: number;
  readonly entryHash: string;
  readonly prevEntry: string;
  readonly chainHash: string;
  readonly receipt: Receipt | null;
}

export interface ProvenEntry {
  readonly entry: PublishedEntry;
  /** Null until it is anchored. */
  readonly anchor: ProofAnchor | null;
}

export interface ResourceProof {
  readonly v: 1;
  readonly type: 'resource-proof';
  readonly network: string;
  readonly kind: string;
  readonly id: string;
  /** State after the newest version. */
  readonly state: string;
  /** Number of versions. */
  readonly total: number;
  /** Entry 1 of the journal, which determines the journal's home. */
  readonly first: ProvenEntry;
  readonly entries: readonly ProvenEntry[];
  /** Entries between them that have corrected the clock: after each, times of the same node may be lower. */
  readonly corrections: readonly ProvenEntry[];
  /** By definition version. */
  readonly definitions: { readonly [version: string]: Chart };
}

const provenEntry = is.object({
  entry: is.freeObject,
  anchor: is.nullable(proofAnchor),
});

const shape = is.openObject({
  v: is.integer(1, 1),
  type: is.oneOf('resource-proof'),
  network: is.text(32, 1),
  kind: is.text(64, 1),
  id: is.text(200, 1),
  state: is.text(128, 1),
  total: is.integer(1),
  first: provenEntry,
  entries: is.list(provenEntry, 1, bounds.proofEntries),
  corrections: is.list(provenEntry, 0, bounds.proofEntries),
  definitions: is.freeObject,
});

export const isResourceProof = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'resource-proof';

/** @returns a sentence with the first error if the value is not a proof */
export function parseResourceProof(value: unknown): ResourceProof | string {
  const parsed = is.parse(shape, value as never);
  return isRefusal(parsed) ? parsed.detail : (parsed as unknown as ResourceProof);
}

/** Verifies everything that needs no chain. @returns the violation in a sentence, or undefined */
export const violationInResource = (proof: ResourceProof): string | undefined =>
  ifReadable(
    () => violationInFirst(proof) ?? violationInEntries(proof) ?? violationInSteps(proof) ?? violationInAnchors(proof),
  );

/** The same of one entry: its form, hashes and signature. */
export const violationInPublished = (entry: PublishedEntry): string | undefined =>
  ifReadable(() => violationInEntry({ entry, anchor: null }));

/** The same without the event's signature: for callers who trust the home, and have its signature over the chain hash. */
export const violationInHashes = (entry: PublishedEntry): string | undefined =>
  ifReadable(() => {
    const { seq, entryHash, prevEntry, chainHash } = entry;
    const isInChain = chainHashOf(seq, prevEntry, entryHash) === chainHash;
    return (
      violationOfForm(coreOf(entry), entryHash) ??
      (isInChain ? violationOfPayload(entry) : 'chainHash does not fit the entry and its number')
    );
  });

function ifReadable(verify: () => string | undefined): string | undefined {
  try {
    return verify();
  } catch (error) {
    // A member has another type than expected, so the value is not what it seems.
    if (error instanceof TypeError) return 'it has members that cannot be read';
    throw error;
  }
}

function coreOf(entry: PublishedEntry): EntryCore {
  const { event, home, time, law, versions, reads, accounts, moves, postings, idem } = entry;
  return { v: entryVersion, event, home, time, law, versions, reads, accounts, moves, postings, idem };
}

const said = (seq: number, flaw: string | undefined): string | undefined => flaw && `entry ${seq}: ${flaw}`;

function violationInFirst({ first }: ResourceProof): string | undefined {
  const { entry } = first;
  if (entry.seq !== 1) return `first is entry ${entry.seq}, not entry 1`;
  return violationInEntry(first) ?? said(1, new HomeRule().violationOf(coreOf(entry), true));
}

/** Checks form, hashes, signature, the hash path to its anchor, and the receipt. */
function violationInEntry({ entry, anchor }: ProvenEntry): string | undefined {
  const core = coreOf(entry);
  const { seq, entryHash, prevEntry, chainHash, receipt } = entry;
  const flaw =
    violationInText({ core, coreText: canonical(core), entryHash, payloadText: null }) ??
    violationOfPayload(entry) ??
    violationOfProof(
      { v: 1, network: core.event.network, seq, entryHash, prevEntry, chainHash, entry: core, anchor },
      true,
    ) ??
    violationOfPostings(core);
  const isOther = receipt && (receipt.entryHash !== entryHash || receipt.seq !== seq);
  return said(seq, flaw ?? (isOther ? 'its receipt is of another entry' : undefined));
}

function violationOfPayload({ payload, event, ...shown }: PublishedEntry): string | undefined {
  if (payload === undefined) return undefined;
  const found = hashOfPublished({ payload, ...shown });
  if (typeof found === 'string') return found;
  return found.hash === event.payloadHash ? undefined : 'payloadHash is not the hash of the payload';
}

function violationOfPostings({ moves, postings }: EntryCore): string | undefined {
  const sums = new Map<string, number>();
  const add = (account: string, delta: number) => sums.set(account, (sums.get(account) ?? 0) + delta);
  for (const move of moves) for (const [account, delta] of postingsOf(move)) add(account, delta);
  for (const [account, delta] of postings) add(account, -delta);
  return [...sums.values()].every((sum) => sum === 0) ? undefined : 'its postings are not those of its moves';
}

function violationInEntries({ first, entries, corrections, network }: ProofOf): string | undefined {
  const rule = new HomeRule();
  rule.saw(coreOf(first.entry));
  let before = 0;
  const newest = new Map<string, PublishedEntry>();
  for (const each of corrections) {
    const { event, seq } = each.entry;
    const foreign = event.type === clockCorrected ? rule.violationOf(coreOf(each.entry)) : 'it corrects no clock';
    const flaw = said(seq, foreign) ?? violationInEntry(each);
    if (flaw) return flaw;
  }
  const isCorrected = (from: PublishedEntry, to: PublishedEntry) =>
    corrections.some(({ entry: { home, seq } }) => home === to.home && seq > from.seq && seq <= to.seq);
  for (const each of entries) {
    const { entry } = each;
    if (entry.seq <= before) return `entry ${entry.seq} comes after entry ${before}`;
    const own = newest.get(entry.home);
    if (own && entry.time < own.time && !isCorrected(own, entry))
      return `entry ${entry.seq} is older than entry ${own.seq}`;
    if (entry.event.network !== network) return `entry ${entry.seq} is of the network ${entry.event.network}`;
    const flaw = violationInEntry(each) ?? said(entry.seq, rule.violationOf(coreOf(entry)));
    if (flaw) return flaw;
    rule.saw(coreOf(entry));
    before = entry.seq;
    newest.set(entry.home, entry);
  }
  return undefined;
}

type ProofOf = Pick<ResourceProof, 'first' | 'entries' | 'corrections' | 'network'>;

/**
 * Checks the versions: from 1 without a gap, each with the hash of the previous event, each by a transition of its
 * definition.
 */
function violationInSteps({ kind, id, entries, definitions, state, total }: ResourceProof): string | undefined {
  let before: { readonly version: Version; readonly hash: string } | undefined;
  for (const { entry } of entries) {
    const version = entry.versions.find((each) => each.kind === kind && each.id === id);
    if (!version) return `entry ${entry.seq} does not change ${kind} ${id}`;
    const number = (before?.version.version ?? 0) + 1;
    if (version.version !== number) return `entry ${entry.seq} has version ${version.version}, and ${number} was next`;
    if (version.prev !== (before?.hash ?? null)) return `entry ${entry.seq} does not follow the version before`;
    const chart = Object.hasOwn(definitions, version.machine) ? definitions[version.machine] : undefined;
    const flaw = violationOfChart(kind, version.machine, chart) ?? violationOfPath(version, before?.version, chart!);
    if (flaw) return said(entry.seq, flaw);
    before = { version, hash: entry.event.hash };
  }
  const reached = before?.version.version;
  if (reached !== total) return `it ends at version ${reached} of ${total}: fetch the rest of its pages`;
  return before?.version.path.at(-1) === state ? undefined : `its last entry does not lead to ${state}`;
}

/** A definition version is the hash of its chart. */
function violationOfChart(kind: string, version: string, chart: Chart | undefined): string | undefined {
  if (!chart) return `its definition ${version} is missing`;
  const found = `${kind}-${chart.revision}-${sha256Hex(canonical(chart)).slice(0, 12)}`;
  return found === version && chart.kind === kind ? undefined : `its definition is not that of ${version}`;
}

function violationOfPath({ path, machine }: Version, before: Version | undefined, chart: Chart): string | undefined {
  if (path.length === 0) return 'it has no state';
  // The migration to a newer definition may rename a state, and is not part of the proof.
  let from = before?.machine === machine ? before.path.at(-1) : undefined;
  for (const [index, to] of path.entries()) {
    const isFirst = before === undefined && index === 0;
    const leads = isFirst
      ? chart.initial?.state === to
      : chart.transitions.some((each) => isTransition(each, from, to));
    if (!leads) return `no transition of ${machine} leads from ${from ?? 'the state before'} to ${to}`;
    from = to;
  }
  return undefined;
}

const isTransition = (each: Chart['transitions'][number], from: string | undefined, to: string): boolean =>
  from === undefined
    ? each.to === to || isIn(to, each.to)
    : isIn(from, each.from) && (each.from === each.to ? from === to : each.to === to);

/** All anchors must be of one contract, so that a reader can pin it. */
function violationInAnchors(proof: ResourceProof): string | undefined {
  const [one, ...others] = anchorsOf(proof);
  const other = others.find(({ contract, chainId }) => contract !== one?.contract || chainId !== one.chainId);
  return other && `it has anchors of two contracts: ${one?.contract} and ${other.contract}`;
}

/** Each anchor once. */
export function anchorsOf({
  first,
  entries,
  corrections,
}: Pick<ResourceProof, 'first' | 'entries' | 'corrections'>): readonly ProofAnchor[] {
  const found = [first, ...entries, ...corrections].flatMap(({ anchor }) => anchor ?? []);
  return found.filter(
    ({ txHash, root }, at) => found.findIndex((each) => each.txHash === txHash && each.root === root) === at,
  );
}
