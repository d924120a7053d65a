/**
 * Where a DID lives, according to this node's journal and the verified copies of others: at the home
 * that the residence of the highest epoch names. A DID that has signed at a home lives there in epoch 0.
 */
import type { Account, StoreReader } from '../store/store.js';

/** This node's own journal, or the copy of another home's. */
export interface ReadJournal {
  /** DID of its home. */
  readonly home: string;
  readonly store: Pick<StoreReader, 'account' | 'load'>;
}

export interface Residence {
  /** DID of the home. */
  readonly home: string;
  readonly epoch: number;
}

/**
 * The residences of the highest epoch, in the order of the journals.
 * @returns empty for a DID that has signed nowhere; several for one that several homes claim
 */
export async function residencesOf(did: string, journals: readonly ReadJournal[]): Promise<readonly Residence[]> {
  const claims = (await Promise.all(journals.map((journal) => claimOf(did, journal)))).filter((each) => each !== null);
  const epoch = Math.max(0, ...claims.map((each) => each.epoch));
  const newest = claims.filter((each) => each.epoch === epoch);
  return newest.filter(({ home }, at) => newest.findIndex((each) => each.home === home) === at);
}

/** Whether its DID has signed an event in the journal of this account. */
export const hasSigned = (account: Account | undefined): boolean => account !== undefined && account.nonce > 0;

async function claimOf(did: string, { home, store }: ReadJournal): Promise<Residence | null> {
  if (did === home) return { home, epoch: 0 };
  const residence = await store.load('residence', did);
  if (residence) return residence.context as unknown as Residence;
  const account = await store.account(did);
  return hasSigned(account) ? { home, epoch: 0 } : null;
}
