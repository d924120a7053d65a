/** An index of cards that reads the journal of a bench as its feed shows it, line by line. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cardFileIn } from '../../../src/node/card-file.js';
import { CardIndex } from '../../../src/peers/cards/card-index.js';
import { CardSource } from '../../../src/peers/cards/card-source.js';
import type { ChainLink } from '../../../src/peers/feed/feed-batch.js';
import { parseFeedLine } from '../../../src/peers/feed/line.js';
import { scratch } from '../../support/scratch.js';
import { type Bench, network } from '../../world/bench.js';

/** The lines of a feed for the entries after `after`. */
export async function linesOf({ store, catalogue }: Bench, after = 0): Promise<string[]> {
  const source = new CardSource({ catalogue, store });
  const lines: string[] = [];
  for (const entry of await store.entries({ after, limit: 1_000 })) {
    lines.push(await source.lineOf(entry));
  }
  return lines;
}

export class IndexOfBench {
  private constructor(
    readonly bench: Bench,
    readonly index: CardIndex,
    private readonly dir: string,
  ) {}

  static async open(bench: Bench): Promise<IndexOfBench> {
    const { catalogue, world } = bench;
    const dir = scratch();
    const file = cardFileIn(dir, world);
    return new IndexOfBench(bench, await CardIndex.open({ catalogue, world, network, file }, () => true), dir);
  }

  /** All bytes of its files, as text. */
  async bytes(): Promise<string> {
    const folder = join(this.dir, 'peers');
    const files = await readdir(folder);
    return (await Promise.all(files.map((name) => readFile(join(folder, name), 'latin1')))).join('\n');
  }

  get home(): string {
    return this.bench.actors.journal.known;
  }

  /** Takes what is new of the journal. */
  async read(lines?: readonly string[]) {
    const { seq } = this.index.cursor(this.home);
    return this.take(lines ?? (await linesOf(this.bench, seq)));
  }

  /** @param home that the lines are read from */
  take(lines: readonly string[], home = this.home) {
    const links = lines.map((text): ChainLink => {
      const line = parseFeedLine(text);
      if (typeof line === 'string' || 'end' in line)
        throw new Error(`no entry: ${typeof line === 'string' ? line : text}`);
      return { ...line.entry, chainHash: '0'.repeat(64), bytes: text.length };
    });
    return this.index.take(home, links);
  }

  close(): Promise<void> {
    return this.index.close();
  }
}
