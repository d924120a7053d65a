/** A data directory with many listings of all markets; words occur as often as in natural language. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '../../../src/actors/command.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { capabilityListing } from '../../../src/machines/lease/listing.js';
import { taskListing } from '../../../src/machines/task-order/listing.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { options } from './options.js';
import { accepted, Founder, type Person, scratch } from './people.js';
import { say } from './report.js';

export interface Listings {
  readonly dir: string;
  readonly people: readonly Person[];
  /** Size of the database after it was closed. */
  readonly bytes: number;
}

const sellers = 64;
const vocabulary = 30_000;
const markets = [infoListing, taskListing, capabilityListing];

/** A word that is in every listing, and one that is in one of a hundred. */
export const words = { all: 'marketplace', some: 'rainfall' } as const;
export const categories = Array.from({ length: 10 }, (_, index) => `category-${index}`);

/** Pseudo-random numbers, the same in every run. */
export class Dice {
  #seed = 1;

  /** A number from 0 (inclusive) to 1 (exclusive). */
  roll(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  below(bound: number): number {
    return Math.floor(this.roll() * bound);
  }

  /** Words in a Zipf distribution: the n-th word occurs about 1/n as often as the first. */
  words(count: number): string {
    const some = Array.from({ length: count }, () => `w${Math.floor(vocabulary ** this.roll()).toString(36)}`);
    return some.join(' ');
  }
}

/** The members that listings of all markets have. */
export const wording = (dice: Dice): JsonObject => ({
  title: `${dice.words(6)}${dice.below(100) === 0 ? ` ${words.some}` : ''}`,
  description: `${words.all} ${dice.words(45)}`,
  category: categories[dice.below(categories.length)]!,
  tags: Array.from({ length: 3 }, () => `tag-${Math.floor(500 ** dice.roll())}`),
  pricing: { price: dice.below(1_000) },
});

/** @param within a data directory that has other entries */
export async function listings(within?: string, count = options.resources): Promise<Listings> {
  const dir = within ?? options.listingsDir ?? (await scratch());
  const note = join(dir, 'bench-people.json');
  if (!existsSync(note)) writeFileSync(note, JSON.stringify(await make(dir, count)));
  const { size } = await stat(databaseFile(dir));
  return { dir, people: JSON.parse(readFileSync(note, 'utf8')) as Person[], bytes: size };
}

async function make(dir: string, count: number): Promise<Person[]> {
  const from = realEnvironment.monotonic();
  const founder = await Founder.open(dir);
  const people = await founder.people(sellers, 1_000);
  const signers = await Promise.all(
    people.map(async ({ did, passphrase }) => accepted(await founder.keystore.unlock(did, passphrase, 'bench'))),
  );
  const dice = new Dice();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      const { kind, create } = markets[index % markets.length]!;
      const { pricing: _, ...own } = create.example;
      const signer = signers[index % sellers]!;
      const command: Command = {
        kind,
        id: `lst-bench-${index}`,
        action: 'create',
        input: { ...own, ...wording(dice) },
        signer: signer.did,
        unlock: () => signer,
      };
      accepted(await founder.node.actors.execute(command));
    }
  };
  await Promise.all(Array.from({ length: 512 }, worker));
  await founder.close();
  say(`\n${count} listings made through the actors in ${((realEnvironment.monotonic() - from) / 1_000).toFixed(0)} s`);
  return people;
}
