/** An index of cards that reads the journal of a bench as its feed shows it, line by line. */
import { cardFileIn } from '../../../src/node/card-file.js';
import { CardIndex } from '../../../src/peers/cards/card-index.js';
import { CardSource } from '../../../src/peers/cards/card-source.js';
import type { ChainLink } from '../../../src/peers/feed/feed-batch.js';
import { lineOfEntry, parseFeedLine } from '../../../src/peers/feed/line.js';
import { scratch } from '../../support/scratch.js';
import { type Bench, network } from '../../world/bench.js';

/** The lines of a feed for the entries after `after`. */
export async function linesOf({ store, catalogue }: Bench, after = 0): Promise<string[]> {
  const source = new CardSource({ catalogue, store });
  const lines: string[] = [];
  for (const entry of await store.entries({ after, limit: 1_000 })) {
    const { seq, entryHash } = entry;
    lines.push(lineOfEntry({ seq, entryHash, part: await source.partOf(entry) }));
  }
  return lines;
}

export class IndexOfBench {
  private constructor(
    readonly bench: Bench,
    readonly index: CardIndex,
  ) {}

  static async open(bench: Bench): Promise<IndexOfBench> {
    const { catalogue, world } = bench;
    return new IndexOfBench(
      bench,
      await CardIndex.open({ catalogue, world, network, file: cardFileIn(scratch(), world) }),
    );
  }

  get home(): string {
    return this.bench.actors.journal.known;
  }

  /** Takes what is new of the journal. */
  async read(lines?: readonly string[]) {
    const { seq } = await this.index.cursor(this.home);
    return this.take(lines ?? (await linesOf(this.bench, seq)));
  }

  take(lines: readonly string[]) {
    const links = lines.map((text): ChainLink => {
      const line = parseFeedLine(text);
      if (typeof line === 'string' || 'end' in line)
        throw new Error(`no entry: ${typeof line === 'string' ? line : text}`);
      return { ...line.entry, chainHash: '0'.repeat(64) };
    });
    return this.index.take(this.home, links);
  }

  close(): Promise<void> {
    return this.index.close();
  }
}
