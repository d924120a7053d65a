/** One bit of each byte of a feed is flipped: only the correct entry is ever adopted. */
import { expect } from 'chai';
import { messageOf } from '../../../src/core/error-message.js';
import { type FeedEntry, Replica } from '../../../src/peers/replica/replica.js';
import { noHash } from '../../../src/store/entry.js';
import { MemoryReplicas } from '../../doubles/memory-replicas.js';
import { wholeLife } from '../../histories/whole-life.js';
import { isLong } from '../../support/long.js';
import { accepted, type Bench, network } from '../../world/bench.js';
import { didOf } from '../../world/people.js';
import { type Line, lineOf, readLine, strangersFeed } from './feed.js';

const home = didOf('node');
const entries = 200;
const parts = ['core', 'payload', 'chainHash', 'seq', 'revealed'] as const;
/** The short form flips one of this many bytes, at different places in each entry. */
const step = isLong ? 1 : 127;

/** A part of a line as bytes. */
const bytesOf = (line: Line, part: (typeof parts)[number]): Buffer => {
  const value = line[part];
  return Buffer.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 'utf8');
};

function withBytes(line: Line, part: (typeof parts)[number], bytes: Buffer): Line {
  const text = bytes.toString('utf8');
  const value = part === 'seq' || part === 'revealed' ? JSON.parse(text) : text;
  return { ...line, [part]: value };
}

/** The entry as its reader parses it; undefined if it can't be read. */
function readable(make: () => FeedEntry): FeedEntry | undefined {
  try {
    return make();
  } catch (error) {
    expect(messageOf(error)).to.match(/JSON|Unexpected|property|undefined|null/);
    return undefined;
  }
}

describe('one bit in each byte of a feed', () => {
  let bench: Bench;
  let feed: readonly FeedEntry[];
  before(async () => {
    bench = await wholeLife();
    while (bench.store.tables.journal.length < entries) accepted(await bench.transfer('ada', 'ben', 1));
    feed = strangersFeed(bench);
  });

  it('is refused at its entry, which is adopted unchanged afterwards', async function () {
    this.timeout(isLong ? 3_600_000 : 120_000);
    const { catalogue } = bench;
    const store = await new MemoryReplicas().open(home, 'write');
    const replica = await Replica.open({ store, home, network, catalogue });
    const flipped = { core: 0, payload: 0, chainHash: 0, seq: 0, revealed: 0 };
    for (const each of feed) {
      const { seq } = each.entry;
      const prevEntry = seq === 1 ? noHash : replica.head.chainHash;
      const line = lineOf(each);
      for (const part of parts) {
        const honest = bytesOf(line, part);
        const stride = part === 'seq' ? 1 : step;
        for (let at = seq % stride; at < honest.length; at += stride) {
          const bytes = Buffer.from(honest);
          bytes[at] = bytes[at]! ^ (1 << ((at + seq) % 7));
          const lie = readable(() => readLine(withBytes(line, part, bytes), prevEntry));
          if (!lie) continue;
          flipped[part]++;
          const { adopted, stop } = await replica.adopt([lie]);
          expect(adopted, `entry ${seq}, ${part} at ${at}`).to.equal(0);
          expect(stop).to.include({ seq, evidence: lie });
        }
      }
      expect(await replica.adopt([each])).to.deep.equal({ adopted: 1 });
    }
    expect(await store.head()).to.deep.equal(await bench.store.head());
    for (const part of parts) expect(flipped[part], part).to.be.above(100);
  });
});
