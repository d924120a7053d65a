/** The first entries of each home: its system key, its residents' Tokens, and what they offer. Made once for all histories. */
import type { JsonObject } from '../../../src/core/canonical.js';
import { infoListing } from '../../../src/machines/listing/info.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { Commit } from '../../../src/store/store.js';
import { accepted, Bench } from '../../world/bench.js';

export const residentsOf = (home: string): readonly string[] => ['ada', 'ben', 'cyd'].map((name) => `${home}-${name}`);

/**
 * The resident with few Tokens, who only transfers and buys elsewhere: the model of linearizability knows everything that
 * changes the account.
 */
export const hotOf = (home: string): string => `${home}-cyd`;

export const tokensOf = (resident: string): number => (resident.endsWith('cyd') ? 60 : 1_000);
/** What each home holds at each other one. */
export const correspondentTokens = 60;
/** Whether everything that changes this account at its home is known. */
export const isKnownAccount = (name: string): boolean => !name.includes('-') || name.endsWith('cyd');
/** The account of a resident or of another home, as an object of the model of linearizability. */
export const accountOf = (name: string): string =>
  name.includes('-') ? `resident ${name} ${tokensOf(name)}` : `account of ${name}`;
/** Who decides disputes about what this home has: a resident of the next one. */
export const arbiterOf = (home: string, homes: readonly string[]): string =>
  residentsOf(homes[(homes.indexOf(home) + 1) % homes.length]!)[1]!;
/** Tokens that one unit of a leased capability costs, and which party records them. */
export const unitPrice = 3;
export const meterOf = (home: string): 'lessee' | 'lessor' => (Number(home.slice(1)) % 2 === 0 ? 'lessee' : 'lessor');
/** Units of a listing that sells out. */
export const fewUnits = 1;

const words = { title: 'A title', description: 'Words.', category: 'things' };
export const taskBody: JsonObject = { ...words, pricing: { budget: 90 }, taskType: 'x', task: {}, timeline: {} };
const sold = { ...words, ...infoListing.create.example };
export const fewBody: JsonObject = { ...sold, pricing: { price: 9 }, stock: fewUnits };

const leasedBody = (home: string): JsonObject => ({
  ...{ ...words, capabilityType: 'x', capability: {}, quota: {}, access: {}, meteredBy: meterOf(home) },
  pricing: { usagePrice: { unit: 'call', pricePerUnit: unitPrice } },
});

const made = new Map<string, Promise<readonly Commit[]>>();

class RecordingStore extends MemoryStore {
  readonly commits: Commit[] = [];

  override append(commits: readonly Commit[]) {
    this.commits.push(...commits);
    return super.append(commits);
  }
}

/** @param peers names of the other homes, which have accounts at this one */
export function genesisOf(home: string, peers: readonly string[]): Promise<readonly Commit[]> {
  const key = `${home} of ${peers.length}`;
  const known = made.get(key) ?? make(home, peers);
  made.set(key, known);
  return known;
}

async function make(home: string, peers: readonly string[]): Promise<readonly Commit[]> {
  const store = new RecordingStore();
  const tokens = Object.fromEntries([
    ...residentsOf(home).map((name) => [name, tokensOf(name)]),
    ...peers.map((name) => [name, correspondentTokens]),
  ]) as { readonly [name: string]: number };
  const bench = await Bench.open({ node: home, store }, tokens);
  const [seller, requester] = residentsOf(home) as [string, string];
  const publish = async (who: string, kind: string, id: string, body: JsonObject) =>
    accepted(await bench.ask(who, kind, id, 'create', body));
  await publish(seller, 'info-listing', `lst-${home}-few`, fewBody);
  await publish(requester, 'task-listing', `lst-${home}-task`, taskBody);
  await publish(requester, 'capability-listing', `lst-${home}-leased`, leasedBody(home));
  return store.commits;
}
