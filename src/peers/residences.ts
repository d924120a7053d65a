/**
 * Where a DID lives, according to this node's journal and the verified copies of others (docs/reference/moving.md): at the
 * home that the residence of the highest epoch names. A DID that has signed at a home lives there in epoch 0.
 */
import { residenceKind } from '../machines/kernel/moved.js';
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
  /** Hash of the event that says so; null in epoch 0. */
  readonly event: string | null;
  /** When that event was journaled, epoch ms; 0 in epoch 0. */
  readonly since: number;
}

/**
 * The residences of the highest epoch, in the order of the journals.
 * @returns empty for a DID that has signed nowhere; several for one that several homes claim
 */
export async function residencesOf(did: string, journals: readonly ReadJournal[]): Promise<readonly Residence[]> {
  return newestOf(await Promise.all(journals.map((journal) => claimOf(did, journal))));
}

/** The residences of a DID that has moved; empty for one that has not. */
export async function movesOf(
  did: string,
  journals: readonly { readonly store: Pick<StoreReader, 'load'> }[],
): Promise<readonly Residence[]> {
  return newestOf(await Promise.all(journals.map(({ store }) => signedClaim(did, store))));
}

/** Whether its DID has signed an event in the journal of this account. */
export const hasSigned = (account: Account | undefined): boolean => account !== undefined && account.nonce > 0;

function newestOf(found: readonly (Residence | null)[]): readonly Residence[] {
  const claims = found.filter((each) => each !== null);
  const epoch = Math.max(0, ...claims.map((each) => each.epoch));
  const newest = claims.filter((each) => each.epoch === epoch);
  return newest.filter(({ home }, at) => newest.findIndex((each) => each.home === home) === at);
}

const unmoved = (home: string): Residence => ({ home, epoch: 0, event: null, since: 0 });

async function claimOf(did: string, { home, store }: ReadJournal): Promise<Residence | null> {
  if (did === home) return unmoved(home);
  return (await signedClaim(did, store)) ?? (hasSigned(await store.account(did)) ? unmoved(home) : null);
}

/** What the DID has signed in this journal. */
async function signedClaim(did: string, store: Pick<StoreReader, 'load'>): Promise<Residence | null> {
  const residence = await store.load(residenceKind, did);
  if (!residence) return null;
  const { home, epoch } = residence.context as unknown as Pick<Residence, 'home' | 'epoch'>;
  return { home, epoch, event: residence.lastHash, since: residence.updatedAt };
}
