/** An index of cards that reads the journal of a bench as its feed shows it, line by line. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { realEnvironment } from '../../../src/core/environment.js';
import type { Catalogue } from '../../../src/machines/kernel/definition.js';
import { cardFileIn } from '../../../src/node/peering.js';
import { type CardFile, CardIndex, type CardIndexOptions } from '../../../src/peers/cards/card-index.js';
import { CardSource } from '../../../src/peers/cards/card-source.js';
import { cardId } from '../../../src/peers/cards/foreign-cards.js';
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

/** The entries of these lines. Throws for what is no line of an entry. */
export const linksOf = (lines: readonly string[]): readonly ChainLink[] =>
  lines.map((text): ChainLink => {
    const line = parseFeedLine(text);
    if (typeof line === 'string' || 'end' in line)
      throw new Error(`no entry: ${typeof line === 'string' ? line : text}`);
    return { ...line.entry, chainHash: '0'.repeat(64), bytes: text.length };
  });

/** The options of an index of which no test expects that it fails. */
export const indexOptions = (catalogue: Catalogue, file: CardFile): CardIndexOptions => ({
  ...{ catalogue, network, file, world: realEnvironment },
  onLost: () => expect.fail('the index was lost'),
  log: (message) => expect.fail(message),
});

/** @param home DID */
export async function cardIn({ reader }: CardIndex, id: string, home: string, kind = 'info-listing') {
  const [found] = await reader.named([kind], cardId(id, home), { limit: 1, characters: 1 });
  return found;
}

export class IndexOfBench {
  private constructor(
    readonly bench: Bench,
    readonly index: CardIndex,
    private readonly dir: string,
  ) {}

  static async open(bench: Bench): Promise<IndexOfBench> {
    const dir = scratch();
    const index = await CardIndex.open(indexOptions(bench.catalogue, cardFileIn(dir, realEnvironment)), () => true);
    return new IndexOfBench(bench, index, dir);
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
    return this.index.take(home, linksOf(lines));
  }

  close(): Promise<void> {
    return this.index.close();
  }
}
