/** A home that opens requests faster than they are answered (docs/reference/remote-requests.md#answers). */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { isRefusal, refuse } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import type { ForeignHome } from '../../../src/peers/reading/foreign.js';
import { Answering } from '../../../src/peers/trade/answering.js';
import type { NumberedEntry } from '../../../src/store/entry.js';
import type { FindQuery } from '../../../src/store/store.js';

const thousands = 3_000;
const busy = refuse('SERVICE_UNAVAILABLE', 'busy', { retryAfter: 1 });
const signerOf = (seq: number): string => `signer ${seq % 7}`;

interface Limits {
  /** Requests that are open. */
  readonly count?: number;
  /** Answers that may be given now. */
  readonly answers?: number;
  readonly characters?: number;
  readonly isBusy?: (signer: string) => boolean;
  /** What the node says to the write of an answer with this input. */
  readonly written?: (input: JsonObject) => unknown;
}

/** Answers open requests whose payloads have so many characters, one of each number in their home's journal. */
function answeringOf(limits: Limits = {}) {
  const { count = thousands, answers: most = count, characters = 100, isBusy = () => false } = limits;
  const { written = () => ({}) } = limits;
  const answered: number[] = [];
  const asked: FindQuery[] = [];
  const counts = { read: 0, written: 0, waiting: 0 };
  const entryOf = (seq: number): NumberedEntry => {
    const payload = {
      kind: 'remote-request',
      id: String(seq),
      action: 'create',
      input: { kind: 'unknown', action: 'x' },
    };
    const payloadText = JSON.stringify({ salt: '', long: 'x'.repeat(characters) });
    const core = { event: { hash: String(seq), issuer: signerOf(seq) }, versions: [] };
    return { seq, core, payload, coreText: '', payloadText } as unknown as NumberedEntry;
  };
  const store = {
    find: async (query: FindQuery) => {
      asked.push(query);
      const after = Number(query.page.after ?? 0);
      const items = Array.from({ length: Math.min(query.page.limit, count - after) }, (_, index) => ({
        lastHash: String(after + index + 1),
      }));
      const next = after + items.length;
      return { items, next: next < count ? String(next) : null };
    },
    entryByEvent: async (hash: string) => {
      counts.read++;
      counts.waiting = Math.max(counts.waiting, counts.read - counts.written);
      return entryOf(Number(hash));
    },
  };
  let allowed = most;
  const options = {
    ...{ own: 'own', catalogue, resource: async () => undefined },
    // No Tokens are on their way home.
    store: { account: async () => undefined, find: async () => ({ items: [], next: null }) },
    limits: { takeAnswer: () => allowed-- > 0 },
    write: async ({ id, input }: { id: string; input: JsonObject }) => {
      await undefined;
      counts.written++;
      if (isBusy(signerOf(Number(id)))) return busy;
      const said = written(input);
      if (!isRefusal(said)) answered.push(Number(id));
      return said;
    },
  };
  const answering = new Answering(options as never, { has: () => false });
  const run = () => answering.answer({ home: 'other', store } as unknown as ForeignHome);
  return { run, answered, asked, counts };
}

const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((one, other) => one - other);

describe('Thousands of open requests of one home', () => {
  it('are read at most 100 at a time, and answered in the order of each signer', async () => {
    const { run, answered, asked, counts } = answeringOf();
    expect(await run()).to.equal(true);
    expect(counts.waiting).to.equal(100);
    expect(ascending(answered)).to.deep.equal(Array.from({ length: thousands }, (_, index) => index + 1));
    for (let signer = 0; signer < 7; signer++) {
      const own = answered.filter((seq) => seq % 7 === signer);
      expect(own).to.deep.equal(ascending(own));
    }
    expect(asked.map(({ sort }) => sort))
      .to.include.members(['oldest'])
      .and.not.include(undefined);
  });

  it('are read a few at a time where they are long', async () => {
    const { run, answered, counts } = answeringOf({ count: 12, characters: 1024 * 1024 });
    expect(await run()).to.equal(true);
    expect(answered).to.have.length(12);
    expect(counts.waiting).to.equal(4);
  });

  it('are read no further than its limit lets them be answered', async () => {
    const { run, answered, counts } = answeringOf({ answers: 250 });
    expect(await run()).to.equal(false);
    expect(answered).to.have.length(250);
    expect(counts.read).to.equal(300);
  });

  it('wait behind one of the same signer that can’t be answered now, while others are answered', async () => {
    const { run, answered, counts } = answeringOf({ isBusy: (signer) => signer === signerOf(3) });
    expect(await run()).to.equal(false);
    expect(answered).to.have.length(thousands - Math.ceil((thousands - 2) / 7));
    expect(answered.some((seq) => seq % 7 === 3)).to.equal(false);
    expect(counts.written).to.equal(answered.length + 1);
  });
});

describe('A request whose signer has too few Tokens', () => {
  const short = refuse('INSUFFICIENT_BALANCE', '3 Tokens are needed and 0 are available');

  it('is accepted where Tokens that were on their way home come back before it is refused', async () => {
    const inputs: JsonObject[] = [];
    const written = (input: JsonObject) => (inputs.push(input) === 1 ? short : {});
    const { run, answered } = answeringOf({ count: 1, written });
    expect(await run()).to.equal(true);
    expect(answered).to.deep.equal([1]);
    expect(inputs.map(({ code }) => code)).to.deep.equal([undefined, undefined]);
  });

  it('is refused where none come', async () => {
    const codes: unknown[] = [];
    const written = ({ code }: JsonObject) => {
      codes.push(code);
      return code === undefined ? short : {};
    };
    const { run } = answeringOf({ count: 1, written });
    expect(await run()).to.equal(true);
    expect(codes).to.deep.equal([undefined, undefined, short.code]);
  });
});
