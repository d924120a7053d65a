/** The first entries of each home: its system key and its residents' Tokens. Made once for all histories. */
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit } from '../../../src/store/store.js';
import { Bench } from '../../world/bench.js';

export const residentsOf = (home: string): readonly string[] => ['ada', 'ben', 'cyd'].map((name) => `${home}-${name}`);

const tokens = 1_000;

const made = new Map<string, Promise<readonly Commit[]>>();

class RecordingStore extends MemoryStore {
  readonly commits: Commit[] = [];

  override append(commits: readonly Commit[]) {
    this.commits.push(...commits);
    return super.append(commits);
  }
}

export function genesisOf(home: string): Promise<readonly Commit[]> {
  const known = made.get(home) ?? make(home);
  made.set(home, known);
  return known;
}

async function make(home: string): Promise<readonly Commit[]> {
  const store = new RecordingStore();
  await Bench.open({ node: home, store }, Object.fromEntries(residentsOf(home).map((name) => [name, tokens])));
  return store.commits;
}
