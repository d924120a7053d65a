/** The first entries of each home: its system key and its residents' Tokens. Made once for all histories. */
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit } from '../../../src/store/store.js';
import { accepted, Bench } from '../../world/bench.js';

const tokens = 1_000;

export const residentsOf = (home: string): readonly string[] => ['ada', 'ben', 'cyd'].map((name) => `${home}-${name}`);

/** Of a home, at the others. */
export const visitorOf = (home: string): string => `${home}-ada`;
/** Who has Tokens of visitors, and a listing that they buy of. */
export const payeeOf = (home: string): string => `${home}-dan`;
export const listingOf = (home: string): string => `lst-${home}`;
export const tokensOfVisitors = 500;
/** Of a node, at each home. */
const tokensOfNodes = 8;
export const price = 2;
/** All Tokens of a home that so many others visit. */
export const tokensAt = (visiting: number): number =>
  3 * tokens + visiting * tokensOfVisitors + (visiting + 1) * tokensOfNodes;

const made = new Map<string, Promise<readonly Commit[]>>();

class RecordingStore extends MemoryStore {
  readonly commits: Commit[] = [];

  override append(commits: readonly Commit[]) {
    this.commits.push(...commits);
    return super.append(commits);
  }
}

/** @param visiting homes whose residents act here */
export function genesisOf(home: string, visiting: readonly string[] = []): Promise<readonly Commit[]> {
  const key = [home, ...visiting].join();
  const known = made.get(key) ?? make(home, visiting);
  made.set(key, known);
  return known;
}

async function make(home: string, visiting: readonly string[]): Promise<readonly Commit[]> {
  const store = new RecordingStore();
  const visitors = visiting.map((name) => [visitorOf(name), tokensOfVisitors]);
  const nodes = visiting.length > 0 ? [home, ...visiting].map((name) => [name, tokensOfNodes]) : [];
  const residents = residentsOf(home).map((name) => [name, tokens]);
  const bench = await Bench.open({ node: home, store }, Object.fromEntries([...residents, ...visitors, ...nodes]));
  if (visiting.length > 0) {
    const listing = { ...infoListing.create.example, pricing: { price: price } };
    accepted(await bench.ask(payeeOf(home), 'info-listing', listingOf(home), 'create', listing));
  }
  return store.commits;
}
