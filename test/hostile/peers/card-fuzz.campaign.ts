/**
 * A home that lies in its cards: lines whose members were changed at random, and signed again by their owners' keys. Each is kept
 * or named, none makes the index fail, and whatever was kept can be found, shown and read again.
 */
import { expect } from 'chai';
import { canonical, type Json, type JsonObject, sha256Hex } from '../../../src/core/canonical.js';
import { eventMessage } from '../../../src/core/codecs/event-message.js';
import { leavesIn, newLeaf } from '../../../src/core/leaf.js';
import { searchedOf } from '../../../src/machines/catalogue.js';
import { docHashOf } from '../../../src/machines/identity/identity.js';
import { identityView } from '../../../src/machines/identity/view.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import { parseFeedLine } from '../../../src/peers/feed/line.js';
import { sorts } from '../../../src/store/search.js';
import { everything } from '../../contract/shelf.js';
import { IndexOfBench, linesOf } from '../../peers/cards/journal.js';
import { Draws } from '../../simulation/peers/draws.js';
import { isLong } from '../../support/long.js';
import { tidy } from '../../support/scratch.js';
import { accepted, Bench } from '../../world/bench.js';
import { ada, signerOfDid } from '../../world/people.js';

const cases = isLong ? 500_000 : 10_000;
/** Lines that are read at once: one that is named takes the others with it. */
const atOnce = 2;

// biome-ignore lint/suspicious/noExplicitAny: lines are changed at will
type Line = any;

const nasty: readonly Json[] = [
  ...[true, false, null, 0, -1, 1.5, 1e308, -0, 2 ** 53, Number.MAX_SAFE_INTEGER, 8.64e15 + 1],
  ...[
    '',
    '\0',
    '\u001b[31m',
    '\u202e',
    '\ud800',
    '~',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(5_000),
    '1',
    '{}',
  ],
  ...[[], {}, [[]], ['a'], [null], { a: null }, JSON.parse('{"__proto__":{"a":1}}'), { leaf: 'f'.repeat(64), size: 1 }],
];

/** The places of a value, by their path. */
function* places(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* places(member as Json, [...path, name]);
}

const isObject = (value: Line): boolean => typeof value === 'object' && value !== null;

/** Also `__proto__` becomes a member of the object itself, as from JSON. */
function put(at: object, name: string, value: Json): void {
  const copy = JSON.parse(JSON.stringify(value));
  Object.defineProperty(at, name, { value: copy, enumerable: true, writable: true, configurable: true });
}

function change(value: Line, path: readonly string[], draws: Draws): void {
  const [last] = path.slice(-1) as [string];
  const at = path.slice(0, -1).reduce((each, name) => Object.getOwnPropertyDescriptor(each, name)?.value, value);
  const way = draws.below(6);
  if (way === 0) delete at[last];
  else put(at, way > 1 ? last : draws.below(2) === 0 ? 'constructor' : 'added', nasty[draws.below(nasty.length)]!);
}

/** Makes every hash and signature of a changed statement right again: its owner lies too. */
let nonce = 100;
function resign(line: Line): void {
  const { core, payload } = line;
  const { hash: _, sig: __, ...body } = core.event;
  nonce += 1;
  const signed = { ...body, nonce, payloadHash: sha256Hex(canonical({ public: payload, sealed: null })) };
  const text = canonical(signed);
  const sig = signerOfDid(core.event.issuer).sign(eventMessage(text));
  line.core = { ...core, event: { ...signed, hash: sha256Hex(text), sig } };
  const written = line.core.versions[0];
  if (written && typeof payload.id === 'string') written.id = payload.id;
}

describe('hostile: a home that lies in its cards', () => {
  let bench: Bench;
  let honest: readonly string[];
  let seq = 0;

  before(async () => {
    bench = await Bench.open({}, { ada: 1_000 });
    const kinds = searchedOf(bench.catalogue);
    for (const [index, { kind, create }] of kinds.entries()) {
      accepted(await bench.ask('ada', kind, `lst-${index}`, 'create', create.example));
      const { lastHash } = bench.store.tables.snapshot(kind, `lst-${index}`)!;
      const update = { title: 'Another', pricing: { price: 3 }, tags: ['a', 'b'], expiresAt: bench.world.now() + 1e9 };
      accepted(await bench.ask('ada', kind, `lst-${index}`, 'update', update, { resourcePrev: lastHash }));
    }
    const document = {
      displayName: 'Ada',
      bio: 'counts',
      platformLinks: [{ platform: 'x', url: 'https://a.example' }],
    };
    accepted(await bench.ask('ada', 'identity', ada, 'update', { document, prevDocHash: docHashOf(ada, {}) }));
    const leaf = [...leavesIn(bench.store.tables.snapshot('info-listing', 'lst-0')!.context)][0]!;
    const resource = { kind: 'info-listing', id: 'lst-0' };
    accepted(await bench.operate('leaf', leaf, 'redact', { reason: 'asked for', operator: 'op', resource }));
    honest = (await linesOf(bench)).filter((line) => Object.keys(JSON.parse(line)).length > 2);
  });
  after(tidy);

  function lie(draws: Draws): string {
    const line = JSON.parse(honest[draws.below(honest.length)]!);
    seq += 1;
    line.seq = seq;
    for (let left = draws.below(4) === 0 ? 3 : 1; left > 0; left--) {
      const { core: _, seq: __, texts: ___, ...shown } = line;
      const all = [...places(shown)];
      if (all.length > 0) change(line, all[draws.below(all.length)]!, draws);
    }
    if (line.texts && draws.below(2) === 0) {
      const salt = '0'.repeat(32);
      const value = nasty[draws.below(nasty.length)]!;
      const { leaf } = newLeaf(value, Buffer.from(salt, 'hex'));
      line.texts = { [leaf.leaf]: { salt, value } };
      if (isObject(line.payload?.input)) line.payload.input.title = leaf;
    }
    if (line.core && isObject(line.payload)) resign(line);
    return JSON.stringify(line);
  }

  async function showAll({ index }: IndexOfBench): Promise<number> {
    const { reader } = index;
    let count = 0;
    for (const sort of sorts) {
      const facets = ['category', 'tag', 'type', 'price', 'market'];
      const found = await reader.search({ ...everything, sort, facets, page: { limit: 100, offset: 0 } });
      for (const item of found.items) {
        const definition = bench.catalogue.definitions[item.kind] as AnyResource;
        const companion = item.context.figures as JsonObject | undefined;
        const view = definition.view(item as never, { time: bench.world.now(), companion } as never);
        expect(JSON.stringify(view)).to.be.a('string');
        count++;
      }
    }
    for (const { context, id, lastHash } of await reader.named(['identity'], '', { limit: 100, characters: 1e6 })) {
      const did = id.split('~')[0]!;
      identityView({
        did,
        context: context as never,
        controller: null,
        keptHere: false,
        created: null,
        updated: null,
        lastHash,
      });
      count++;
    }
    return count;
  }

  it(`takes or names each of ${cases} lies, and shows what it has taken`, async () => {
    const draws = new Draws(process.env.SVC_TEST_SEED ?? 'cards');
    const reader = await IndexOfBench.open(bench);
    const counts = { taken: 0, named: 0, noLine: 0 };
    for (let done = 0; done < cases; ) {
      const lines: string[] = [];
      for (; lines.length < atOnce; done++) {
        const line = lie(draws);
        if (typeof parseFeedLine(line) === 'string') counts.noLine++;
        else lines.push(line);
      }
      const flaw = await reader
        .take(lines)
        .catch((error: Error) => expect.fail(`${error.message}: ${lines.join('\n')}`));
      if (flaw) counts.named++;
      else counts.taken++;
      if (done % 500 < atOnce) await showAll(reader);
    }
    await reader.index.reset();
    expect(await showAll(reader)).to.equal(0);
    expect(await reader.take(await linesOf(bench))).to.equal(undefined);
    expect(await showAll(reader)).to.be.greaterThan(3);
    expect(Math.min(counts.taken, counts.named, counts.noLine), JSON.stringify(counts)).to.be.greaterThan(50);
    console.log(`lies: ${JSON.stringify(counts)}`);
    await reader.close();
  });
});
