/**
 * Erases texts at random from journals that tests have made, and checks that all but these texts stands: audit, rebuild,
 * replay and proofs (docs/reference/erasure.md). Benches and nodes register themselves, so that every suite takes part.
 */
import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import type { WritePath } from '../../src/actors/write-path.js';
import { noSettlement } from '../../src/chain/settlement/settlement.js';
import { canonical, type JsonObject, sha256Hex } from '../../src/core/canonical.js';
import { type LeafText, leafText, leavesIn, searchableText } from '../../src/core/leaf.js';
import { createLog } from '../../src/core/log.js';
import { isRefusal, type Refusal } from '../../src/core/refusal.js';
import type { ApiContext } from '../../src/http/context/api-context.js';
import { eventViews } from '../../src/http/context/event-view.js';
import { resourceProofRoute } from '../../src/http/routes/machine-proof.js';
import type { Call } from '../../src/http/server/route.js';
import { accountChanges } from '../../src/machines/kernel/ledger.js';
import { leafKind } from '../../src/machines/leaf/leaf.js';
import { Moderations } from '../../src/projections/moderations.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Store, StoreReader } from '../../src/store/store.js';
import { audit } from '../../src/verify/audit.js';
import { type RebuildSource, rebuild } from '../../src/verify/move/rebuild.js';
import { hashOfPublished, type PublishedPayload } from '../../src/verify/published-payload.js';
import { parseResourceProof, violationInResource } from '../../src/verify/resource-proof.js';
import { everything, words } from '../contract/shelf.js';
import { erasingCounts as counts } from '../support/erasing-counts.js';
import { isLong } from '../support/long.js';

const { POSITIVE_INFINITY: any } = Number;
/** The share of tests whose journals lose texts, the most journals in a process, and the most entries of a journal. */
const sampled = isLong ? { share: 1, journals: any, entries: any } : { share: 1 / 4, journals: 40, entries: 300 };
const mostTexts = 3;

export interface ErasableJournal {
  readonly store: Store;
  readonly actors: WritePath;
  /** Executes a system action. */
  operate(kind: string, id: string, action: string, input: JsonObject): Promise<Accepted | Refusal>;
}

/** A journal of which nothing else is expected, once its test has ended. */
type Ended = () => Promise<ErasableJournal>;

/** By what several fixtures on one journal share. */
const made = new Map<object, Ended>();
/** The test that runs, or ran last; undefined outside of mocha. */
let title: string | undefined;
let isChecking = false;
const isMocha = typeof afterEach === 'function';

/** Call for a journal in memory, which outlives its test. */
export function erasedAfterTest(journal: object, ended: Ended): void {
  if (isMocha && !isChecking) made.set(journal, ended);
}

if (isMocha) {
  beforeEach(function () {
    const test = this.currentTest!;
    title = test.fullTitle();
    // Those of a `before` last as long as its suite.
    const shared = [...made.values()];
    made.clear();
    const suite = outermost(test.parent!);
    if (shared.length > 0) suite.afterAll(() => eraseEach(shared, suite.fullTitle()));
  });
  afterEach(async function () {
    const ended = [...made.values()];
    made.clear();
    if (this.currentTest!.state === 'passed') await eraseEach(ended, title!);
  });
}

function outermost(suite: Mocha.Suite): Mocha.Suite {
  return suite.parent && !suite.parent.root ? outermost(suite.parent) : suite;
}

async function eraseEach(journals: readonly Ended[], seed: string): Promise<void> {
  for (const ended of journals) await eraseAtRandom(ended, seed);
}

/** Call before a node is closed for good. */
export async function eraseAtRandom(ended: Ended, seed = title): Promise<void> {
  if (seed === undefined || counts.journals >= sampled.journals || !isChosen(seed)) return;
  const { user } = process.cpuUsage();
  isChecking = true;
  try {
    await eraseAndCheck(await ended(), seed);
  } catch (error) {
    const failure = error as Error;
    failure.message = `with texts erased at random (seed '${seed}'): ${failure.message}`;
    throw failure;
  } finally {
    isChecking = false;
    counts.cpuMs += (process.cpuUsage().user - user) / 1_000;
  }
}

const numberOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16);
const isChosen = (seed: string): boolean => numberOf(seed) < sampled.share * 2 ** 32;

interface Leaf {
  readonly hash: string;
  readonly text: LeafText;
  readonly bytes: Uint8Array;
  readonly entry: NumberedEntry;
}

async function eraseAndCheck(journal: ErasableJournal, seed: string): Promise<void> {
  const { store, actors } = journal;
  const { catalogue, network } = actors.options;
  if ((await store.head()).seq > sampled.entries) return;
  const entries = await everyEntry(store);
  const chosen = (await leavesOf(store, entries))
    .sort((one, other) => numberOf(seed + one.hash) - numberOf(seed + other.hash))
    .slice(0, mostTexts);
  if (chosen.length === 0) return;
  const before = await audit(store, catalogue, network);
  // A test has damaged it.
  if (before.flaw) return;
  const stood = await standing(store, entries);
  for (const { hash, entry } of chosen) {
    const { kind, id } = entry.payload;
    const input = { reason: 'a test', operator: 'a test', resource: { kind, id } };
    const result = await journal.operate(leafKind, hash, 'redact', input);
    if (isRefusal(result)) expect.fail(`${result.code}: ${result.detail}`);
    stood.delete(hash);
    // Its nonce is another.
    stood.delete(result.entry.core.event.issuer);
  }
  const after = await audit(store, catalogue, network);
  expect(after.flaw?.what, 'the audit').to.equal(undefined);
  expect(after.erased, 'erased texts that the audit counts').to.equal(before.erased + chosen.length);

  const rebuilt = new MemoryStore();
  await rebuild({ source: beforeErasure(store, chosen), target: rebuilt, catalogue, network });
  // Otherwise the clock has written meanwhile.
  if ((await rebuilt.head()).seq === before.entries + chosen.length) {
    for (const [what, each] of [['the store', store] as const, ['the rebuilt store', rebuilt] as const])
      expectSame(await standing(each, entries), stood, what);
    for (const { text } of chosen)
      expect(await hits(rebuilt, text), 'resources that a search finds once rebuilt').to.equal(await hits(store, text));
  }
  for (const leaf of chosen) await expectProven(journal, leaf);
  counts.journals++;
  counts.texts += chosen.length;
  counts.audits += 2;
}

/** The store with the contents that it had, as after an interrupted move: what is erased may be there again. */
function beforeErasure(store: StoreReader, erased: readonly Leaf[]): RebuildSource {
  const had = new Map(erased.map(({ hash, bytes }) => [hash, bytes]));
  return {
    head: () => store.head(),
    entries: (query) => store.entries(query),
    receipts: (after, limit) => store.receipts(after, limit),
    content: async (hash) => had.get(hash) ?? store.content(hash),
  };
}

async function everyEntry(store: StoreReader): Promise<NumberedEntry[]> {
  const entries: NumberedEntry[] = [];
  for (;;) {
    const page = await store.entries({ after: entries.length, limit: 1_000 });
    if (page.length === 0) return entries;
    entries.push(...page);
  }
}

/** Leaves that are not erased, with the entry that brought each. */
async function leavesOf(store: StoreReader, entries: readonly NumberedEntry[]): Promise<Leaf[]> {
  const brought = new Map<string, NumberedEntry>();
  for (const entry of entries)
    for (const hash of leavesIn(entry.payload.input)) if (!brought.has(hash)) brought.set(hash, entry);
  const leaves: Leaf[] = [];
  for (const [hash, entry] of brought) {
    const bytes = await store.content(hash);
    if (bytes) leaves.push({ hash, text: leafText(bytes), bytes, entry });
  }
  return leaves;
}

/** What these entries have made of resources and accounts, and the texts that there are, each by its name. */
async function standing(store: StoreReader, entries: readonly NumberedEntry[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const keep = (name: string, row: object | undefined) => row && found.set(name, canonical(row));
  const names = entries.flatMap(({ core }) => core.versions.map(({ kind, id }) => `${kind}/${id}`));
  for (const name of new Set(names)) {
    const slash = name.indexOf('/');
    keep(name, await store.load(name.slice(0, slash), name.slice(slash + 1)));
  }
  const accounts = entries.flatMap(({ core }) => [...accountChanges(core).keys()]);
  for (const did of new Set(accounts)) keep(did, await store.account(did));
  for (const hash of new Set(entries.flatMap(({ payload }) => [...leavesIn(payload.input)]))) {
    const bytes = await store.content(hash);
    if (bytes) found.set(hash, Buffer.from(bytes).toString('hex'));
  }
  return found;
}

/** @param wanted members that `found` has, apart from accounts that have signed meanwhile */
function expectSame(found: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>, what: string): void {
  for (const [name, text] of wanted) expect(found.get(name), `${name} in ${what}`).to.equal(text);
  for (const name of found.keys())
    if (/^[0-9a-f]{64}$/.test(name)) expect(wanted.has(name), `the text ${name} is in ${what}`).to.equal(true);
}

async function hits(store: StoreReader, text: LeafText): Promise<number> {
  return (await store.search({ ...everything, ...words(searchableText(text)) })).total;
}

/** What a party of the entry is shown proves what was signed, without the text; and so does the proof of its resource. */
async function expectProven({ store, actors }: ErasableJournal, { hash, entry }: Leaf): Promise<void> {
  const { committed, options } = actors;
  const { catalogue, network } = options;
  const reads = {
    ...{ catalogue, committed, network, store, log: createLog(), settlement: noSettlement },
    moderations: new Moderations(store),
  };
  const { issuer: did, payloadHash } = entry.core.event;
  const shown = (await eventViews(reads)(entry, did)) as Partial<PublishedPayload>;
  if (shown.payload === undefined) return;
  expect(hashOfPublished(shown as PublishedPayload), 'the payload that is shown').to.deep.equal({ hash: payloadHash });
  const isShown = (leaves: PublishedPayload['leaves']) =>
    Object.values(leaves ?? {}).some((leaf) => leaf.leaf === hash && leaf.erased === true);
  if (shown.sealed === undefined) expect(isShown(shown.leaves), `${hash} is shown as erased`).to.equal(true);

  const { kind, id } = entry.payload;
  if (catalogue.definitions[kind]?.form !== 'machine') return;
  const queues = { page: (_: Call, work: () => Promise<unknown>) => work() };
  const { handle } = resourceProofRoute({ ...reads, queues } as unknown as ApiContext);
  const answer = await handle({ params: { kind, id }, query: {}, caller: { reader: did } } as unknown as Call);
  if (isRefusal(answer)) expect.fail(`its proof: ${answer.code}, ${answer.detail}`);
  const { next: _, hasMore, ...body } = answer.body as JsonObject;
  if (hasMore) return;
  const proof = parseResourceProof(body);
  if (typeof proof === 'string') expect.fail(proof);
  expect(violationInResource(proof), `the proof of ${kind} ${id}`).to.equal(undefined);
  counts.proofs++;
}
