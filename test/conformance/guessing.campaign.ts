/**
 * No hash in the journal lets anyone guess what is confidential or erased, even if all else is known
 * (docs/reference/journal-format.md#confidential-members). A reader who has the salt finds it at once, so that the guesses are
 * made as the journal makes its hashes.
 */
import { expect } from 'chai';
import { canonical, type Json, type JsonObject } from '../../src/core/canonical.js';
import { type Leaf, leavesIn } from '../../src/core/leaf.js';
import { isRefusal } from '../../src/core/refusal.js';
import { catalogue, machinesOf, requestedOf } from '../../src/machines/catalogue.js';
import { type ContractContext, partiesOf } from '../../src/machines/contract/machine.js';
import { termsOf } from '../../src/machines/contract/terms.js';
import { documentOf, type IdentityContext } from '../../src/machines/identity/identity.js';
import { dividedContext } from '../../src/machines/kernel/visibility.js';
import { leafKind } from '../../src/machines/leaf/leaf.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { storedPayloadOf } from '../../src/store/payload.js';
import type { Snapshot } from '../../src/store/store.js';
import { expectStatus } from '../node/support/answers.js';
import { TestNode } from '../node/support/node.js';
import { withToyDeals } from '../world/toy-deal.js';
import { type Hole, holesIn, leafText, numbers, phrases, sha256 } from './guessing.js';
import { LeafCanaries } from './leaf-canaries.js';
import { carryOut } from './planted.js';

/** A hash that all may read, of which one value is unknown. */
interface Riddle {
  readonly kind: string;
  readonly name: string;
  readonly hash: string;
  readonly hole: Hole;
  /** The hashed text with a guess. @param salt hex */
  readonly textWith: (guess: string, salt: string) => string;
  /** The salt that the readers have. */
  readonly salt: string;
  /** Salts that anyone can try: none, and those of public values. */
  readonly tried: readonly string[];
}

/** A thousand phrases with the right one among them: enough to show that a reader finds it. */
function near(phrase: Json | undefined): readonly string[] {
  const from = Math.max(0, phrases.indexOf(phrase as string) - 500);
  return phrases.slice(from, from + 1_000);
}

const hashOf = (leafReference: string): string => (JSON.parse(leafReference) as Leaf).leaf;

const topicOf = ({ kind, name, hole: { at, was } }: Riddle): string =>
  typeof was === 'number' ? `${kind} ${name} ${at}` : `${kind} ${name.split(' ')[0]}, a text`;

const none = '';
const unsalted = phrases.map((phrase) => leafText(phrase, none));
const partSalt = (salt: string, part: string): string => sha256(`svc:salt:v1:${salt}:${part}`);
const sealed = (salt: string, { before, after }: Hole, guess: string): string =>
  sha256(`svc:sealed:v1:${salt}:${before}${guess}${after}`);

describe('Guesses', () => {
  let store: MemoryStore;
  let node: TestNode;
  const riddles: Riddle[] = [];
  /** Kinds of which a state was guessed as if it had no salt. */
  const unsealed = new Set<string>();
  const leafSalts = new Map<string, string>();
  const texts = new Map<string, Json>();
  const guessable = new Set<Json | undefined>(phrases);

  before(async () => {
    store = new MemoryStore();
    node = await TestNode.start({ store: async () => store, parts: { catalogue: withToyDeals } });
    const canaries = new LeafCanaries((index) => phrases[(index * 37) % phrases.length]!);
    await carryOut(node, canaries);
    await publishPrivately(canaries);
    const entries = await store.entries({ after: 0, limit: 100_000 });
    for (const [hash, { salt, value }] of await store.texts(
      entries.flatMap(({ payload }) => [...leavesIn(payload.input)]),
    )) {
      leafSalts.set(hash, Buffer.from(salt).toString('hex'));
      texts.set(hash, value);
    }
    for (const entry of entries) await gather(entry);
  });
  after(() => node?.discard());

  /** A listing that only its owner sees, of each kind that has them. */
  async function publishPrivately(canaries: LeafCanaries): Promise<void> {
    const owner = await node.rich();
    for (const { kind, create, route } of requestedOf(catalogue).filter(({ isVisibleTo }) => isVisibleTo)) {
      const input = canaries.plant(create.input, create.example as JsonObject, `${kind}.create`) as object;
      expectStatus(await owner.write(`/api/v1${route.path}`, { ...input, visibility: 'private' }), 201);
    }
  }

  /** The riddles that an entry poses: one for each member of each kind, and one text. */
  async function gather(entry: NumberedEntry): Promise<void> {
    const { core, payload, payloadText } = entry;
    const { confidential, public: open, salt = '' } = storedPayloadOf(payloadText);
    const { hash: eventHash, payloadHash } = core.event;
    const own = [eventHash, '0'.repeat(32)];
    const tried = (part: string) => ['', ...own, ...own.map((each) => partSalt(each, part))];
    if (confidential) {
      const openText = canonical(open);
      for (const hole of holesIn(confidential))
        pose({
          ...{ kind: payload.kind, name: `payloadHash ${payload.action}`, hash: payloadHash, hole },
          ...{ salt: partSalt(salt, 'payload'), tried: tried('payload') },
          textWith: (guess, by) => `{"public":${openText},"sealed":"${sealed(by, hole, guess)}"}`,
        });
    }
    for (const { kind, id, version, stateHash } of core.versions) {
      const snapshot = await store.load(kind, id);
      if (snapshot?.version !== version) continue;
      const part = `${kind}/${id}@${version}`;
      gatherState(snapshot, stateHash, { salt: partSalt(salt, part), tried: tried(part) });
      if (kind === 'contract') gatherTerms(snapshot, ['', ...own]);
    }
  }

  function gatherState(snapshot: Snapshot, hash: string, { salt, tried }: Pick<Riddle, 'salt' | 'tried'>): void {
    const { kind, state, context } = snapshot;
    const { open, confidential } = dividedContext(catalogue.definitions[kind], context);
    if (!confidential) return;
    const openText = canonical(open);
    for (const hole of holesIn(confidential))
      pose({
        ...{ kind, name: 'stateHash', hash, hole, tried, salt },
        textWith: (guess, by) =>
          `{"context":${openText},"sealed":"${sealed(by, hole, guess)}","state":${JSON.stringify(state)}}`,
      });
    // Without a salt at all, as if nothing were confidential.
    const holes = holesIn(confidential, (changed) => ({ ...open, ...(changed as JsonObject) }));
    const hole = holes.find(({ was }) => typeof was === 'number');
    if (hole && !unsealed.has(kind)) {
      unsealed.add(kind);
      expect(
        search(
          numbers.map(String),
          (guess) =>
            sha256(`{"context":${hole.before}${guess}${hole.after},"sealed":null,"state":${JSON.stringify(state)}}`),
          hash,
        ),
      ).to.equal(undefined);
    }
  }

  function gatherTerms({ context }: Snapshot, tried: readonly string[]): void {
    const { milestones, payment, terms, termsHash, salt, ...parties } = context as unknown as ContractContext;
    const signed = { milestones: milestones.map(termsOf), parties: partiesOf(parties), payment, salt: 'salt', terms };
    for (const hole of holesIn(signed as unknown as Json))
      pose({
        ...{ kind: 'contract', name: 'termsHash', hash: termsHash, hole, tried, salt },
        textWith: (guess, by) => `${hole.before}${guess}${hole.after}`.replace('"salt":"salt"', `"salt":"${by}"`),
      });
  }

  /** Keeps one number of each member and action of a kind, and one text of each of its hashes. */
  function pose(riddle: Riddle): void {
    const { was } = riddle.hole;
    if (typeof was !== 'number' && !guessable.has(texts.get(was.leaf))) return;
    if (!riddles.some((each) => topicOf(each) === topicOf(riddle))) riddles.push(riddle);
  }

  function search(guesses: Iterable<string>, hashOf: (guess: string) => string, hash: string): string | undefined {
    for (const guess of guesses) if (hashOf(guess) === hash) return guess;
    return undefined;
  }

  function* guessesFor({ hole: { was } }: Riddle, isReader: boolean): Generator<string> {
    if (typeof was === 'number') yield* numbers.map(String);
    else if (!isReader) yield* unsalted;
    else for (const phrase of near(texts.get(was.leaf))) yield leafText(phrase, leafSalts.get(was.leaf)!);
  }

  const solve = (riddle: Riddle, salt: string, isReader: boolean): string | undefined =>
    search(guessesFor(riddle, isReader), (guess) => sha256(riddle.textWith(guess, salt)), riddle.hash);

  it('are made at each hash of each kind that has something confidential', () => {
    const closed = machinesOf(catalogue).filter(({ payloadReaders, isVisibleTo }) => payloadReaders ?? isVisibleTo);
    const posed = (kind: string) => riddles.filter((each) => each.kind === kind).map(({ name }) => name.split(' ')[0]);
    for (const { kind, openPayloads } of closed)
      expect(posed(kind), kind).to.include.members(openPayloads ? ['payloadHash'] : ['payloadHash', 'stateHash']);
    expect(posed('contract')).to.include('termsHash');
    const ofNumbers = riddles.filter(({ hole }) => typeof hole.was === 'number').map(({ hole }) => hole.at);
    expect(ofNumbers).to.include.members(['rating', 'payment.totalAmount', 'price', 'amount']);
  });

  it('find a number or a text at once for a reader, who has the salts', () => {
    for (const riddle of riddles) {
      const { was } = riddle.hole;
      const found = solve(riddle, riddle.salt, true);
      expect(found, topicOf(riddle)).to.equal(canonical(was));
    }
  });

  it('find none without, whatever public value is tried as the salt', () => {
    for (const riddle of riddles) {
      const isText = typeof riddle.hole.was !== 'number';
      for (const salt of isText ? riddle.tried.slice(0, 1) : riddle.tried)
        expect(solve(riddle, salt, false), topicOf(riddle)).to.equal(undefined);
    }
  });

  it('find no text by its leaf, nor by the hash of a document, once it is erased', async () => {
    const salts = [none, '0'.repeat(32)];
    const guessed = new Set(phrases.flatMap((phrase) => salts.map((salt) => hashOf(leafText(phrase, salt)))));
    expect([...leafSalts.keys()].filter((hash) => guessed.has(hash))).to.deep.equal([]);
    const [one] = [...store.tables.snapshots.values()]
      .map((text) => JSON.parse(text) as Snapshot)
      .filter(
        ({ kind, context }) => kind === 'identity' && 'displayName' in (context as unknown as IdentityContext).document,
      );
    const { document } = one!.context as unknown as IdentityContext;
    const [name] = leavesIn(document.displayName);
    const { docHash } = expectStatus(await node.client.get(`/api/v1/identities/${one!.id}`));
    const hole = holesIn(documentOf(one!.id, document)).find(({ at }) => at === 'displayName')!;
    const find = (salt: string) =>
      search(phrases, (phrase) => sha256(hole.before + leafText(phrase, salt) + hole.after), docHash);
    expect(find(leafSalts.get(name!)!)).to.be.a('string');
    const why = { reason: 'a test', operator: 'a test', resource: { kind: 'identity', id: one!.id } };
    expect(isRefusal(await node.operate(leafKind, name!, 'redact', why))).to.equal(false);
    expect(await store.content(name!)).to.equal(undefined);
    expect(expectStatus(await node.client.get(`/api/v1/identities/${one!.id}`)).docHash).to.equal(docHash);
    for (const salt of salts) expect(find(salt)).to.equal(undefined);
  });

  it('have no salt to go by: others are shown the hash of the confidential members alone', async () => {
    const closed = (await store.entries({ after: 0, limit: 100_000 })).filter(
      ({ payloadText }) => storedPayloadOf(payloadText).confidential,
    );
    expect(closed.length).to.be.above(30);
    for (const { core, payloadText } of closed) {
      const { salt, confidential } = storedPayloadOf(payloadText);
      const { body, text } = await node.client.get(`/api/v1/events/${core.event.hash}`);
      expect(text).not.to.include(salt).and.not.include(partSalt(salt!, 'payload'));
      if (body.payload === undefined) continue;
      expect(body).not.to.have.any.keys('salt', 'confidential');
      expect(Object.keys(body.payload.input)).not.to.include.members(['', ...Object.keys(confidential!)]);
    }
  });
});
