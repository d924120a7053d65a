/**
 * An account's entries from the newest back to the start of a period, with the balance after each. Balances are computed
 * backwards from the current one, so they are exact however many entries are read.
 */
import { useEffect, useState } from 'preact/hooks';
import { readKey } from '../../api/key.ts';
import type { Problem } from '../../api/problem.ts';
import { asProblem, path, read, withQuery } from '../../api/read.ts';
import type { Balance, Entry, Replies } from '../../api/types.ts';

export interface Purses {
  readonly available: number;
  readonly reserved: number;
  readonly escrowed: number;
}

export interface StatementLine {
  readonly entry: Entry;
  readonly change: Purses;
  /** Balances after the entry. */
  readonly after: Purses;
}

export interface Statement {
  /** Newest first: all lines of the period, or the newest `most` of them. */
  readonly lines: readonly StatementLine[];
  /** Balances before the oldest line. */
  readonly opening: Purses;
  /** Balances after the newest line. */
  readonly closing: Purses;
  /** Whether the period has entries before the oldest line that were not read. */
  readonly isCut: boolean;
}

export interface LedgerAccount {
  readonly did: string;
  /** The other home whose ledger has it; undefined: this node's. */
  readonly home: string | undefined;
}

export interface Period {
  readonly since: number | undefined;
  /** Last millisecond that belongs to the period. */
  readonly until: number | undefined;
  /** Most entries to read, in pages of 100. */
  readonly most: number;
}

/** Most entries of one statement: twenty pages. */
export const mostEntries = 2_000;
export const atOnce = 100;
const limit = atOnce;

export const totalOf = ({ available, reserved, escrowed }: Purses): number => available + reserved + escrowed;

const plus = (one: Purses, other: Purses, sign: 1 | -1): Purses => ({
  available: one.available + sign * other.available,
  reserved: one.reserved + sign * other.reserved,
  escrowed: one.escrowed + sign * other.escrowed,
});

export function changeIn({ postings }: Entry, did: string): Purses {
  const of = (purse: string) =>
    postings.reduce((sum, [account, delta]) => (account === `${purse}/${did}` ? sum + delta : sum), 0);
  return { available: of('available'), reserved: of('reserved'), escrowed: of('escrowed') };
}

async function balanceOf({ did, home }: LedgerAccount, signal: AbortSignal): Promise<Purses> {
  const wallet = withQuery(path`/api/v1/wallets/${did}`, { home });
  const { availableBalance: available, reserved, escrowed } = await read<Balance>(wallet, signal);
  return { available, reserved, escrowed };
}

const isSame = (one: Purses, other: Purses): boolean =>
  one.available === other.available && one.reserved === other.reserved && one.escrowed === other.escrowed;

const tries = 5;

const entriesOf = ({ did, home }: LedgerAccount) => ({ resource: `account/${did}`, home, order: 'newest', limit });

/** Reads a balance and the newest page that belong together: it repeats until nothing changed between two reads. */
async function newest(
  account: LedgerAccount,
  signal: AbortSignal,
): Promise<{ balance: Purses; page: Replies['listEvents'] }> {
  const query = entriesOf(account);
  for (let turn = 1; ; turn++) {
    const before = await balanceOf(account, signal);
    const page = await read<Replies['listEvents']>(withQuery('/api/v1/events', query), signal);
    const balance = await balanceOf(account, signal);
    const last = await read<Replies['listEvents']>(withQuery('/api/v1/events', { ...query, limit: 1 }), signal);
    const isStill = last.events[0]?.seq === page.events[0]?.seq && isSame(before, balance);
    if (isStill || turn === tries) return { balance, page };
  }
}

export async function readStatement(
  account: LedgerAccount,
  { since, until, most }: Period,
  signal: AbortSignal,
): Promise<Statement> {
  let { balance, page } = await newest(account, signal);
  const lines: StatementLine[] = [];
  let closing = balance;
  for (let looked = 0; ; ) {
    for (const entry of page.events) {
      if (since !== undefined && entry.time < since) return { lines, opening: balance, closing, isCut: false };
      const change = changeIn(entry, account.did);
      const isLater = until !== undefined && entry.time > until;
      if (!isLater) lines.push({ entry, change, after: balance });
      balance = plus(balance, change, -1);
      if (isLater) closing = balance;
      looked++;
    }
    if (page.next === null) return { lines, opening: balance, closing, isCut: false };
    if (looked >= most) return { lines, opening: balance, closing, isCut: true };
    const query = { ...entriesOf(account), before: page.next };
    page = await read<Replies['listEvents']>(withQuery('/api/v1/events', query), signal);
  }
}

export interface StatementReading {
  readonly statement: Statement | undefined;
  readonly problem: Problem | undefined;
}

export function useStatement({ did, home }: LedgerAccount, { since, until, most }: Period): StatementReading {
  const of = `${did} ${home} ${since} ${until}`;
  const [found, setFound] = useState<StatementReading & { readonly of: string }>({ ...nothing, of: '' });
  useEffect(() => {
    const abort = new AbortController();
    readStatement({ did, home }, { since, until, most }, abort.signal).then(
      (statement) => setFound({ of, statement, problem: undefined }),
      (error: unknown) => {
        if (!abort.signal.aborted) setFound({ of, statement: undefined, problem: asProblem(error) });
      },
    );
    return () => abort.abort();
  }, [did, home, since, until, most, of, readKey.value]);
  // A statement of another period is not shown for this one.
  return found.of === of ? found : nothing;
}

const nothing: StatementReading = { statement: undefined, problem: undefined };
