/**
 * An account's entries from the newest back to the start of a period, with the balance after each. Balances are computed
 * backwards from the current one, so they are exact however many entries are read.
 */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { readKey } from './key.ts';
import { Problem } from './problem.ts';
import { asProblem, path, read, withQuery } from './read.ts';
import { pause } from './stream.ts';
import type { Balance, Entry, Replies } from './types.ts';

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

/** A balance, and the number of the newest entry that it includes. */
async function balanceOf(did: string, signal: AbortSignal): Promise<{ balance: Purses; seq: number }> {
  const { seq, availableBalance: available, ...held } = await read<Balance>(path`/api/v1/wallets/${did}`, signal);
  return { balance: { available, reserved: held.reserved, escrowed: held.escrowed }, seq };
}

const tries = 5;
const againMs = 100;

const entriesOf = (did: string) => ({ resource: `account/${did}`, order: 'newest', limit });

/**
 * Reads a balance and the newest page that ends with it: the page may show a later entry, or none of the newest yet.
 * @throws Problem if the account changes all the time
 */
async function newest(did: string, signal: AbortSignal): Promise<{ balance: Purses; page: Replies['listEvents'] }> {
  for (let turn = 0; turn < tries; turn++) {
    if (turn > 0) await pause(againMs, signal);
    const { balance, seq } = await balanceOf(did, signal);
    const page = await read<Replies['listEvents']>(withQuery('/api/v1/events', entriesOf(did)), signal);
    if (seq <= page.head && (page.events[0]?.seq ?? 0) <= seq) return { balance, page };
  }
  throw new Problem(0, 'ACCOUNT_BUSY', 'The account has changed each time that it was read. Try again later.');
}

export async function readStatement(
  did: string,
  { since, until, most }: Period,
  signal: AbortSignal,
): Promise<Statement> {
  let { balance, page } = await newest(did, signal);
  const lines: StatementLine[] = [];
  let closing = balance;
  for (let looked = 0; ; ) {
    for (const entry of page.events) {
      if (since !== undefined && entry.time < since) return { lines, opening: balance, closing, isCut: false };
      const change = changeIn(entry, did);
      const isLater = until !== undefined && entry.time > until;
      if (!isLater) lines.push({ entry, change, after: balance });
      balance = plus(balance, change, -1);
      if (isLater) closing = balance;
      looked++;
    }
    if (page.next === null) return { lines, opening: balance, closing, isCut: false };
    if (looked >= most) return { lines, opening: balance, closing, isCut: true };
    const query = { ...entriesOf(did), before: page.next };
    page = await read<Replies['listEvents']>(withQuery('/api/v1/events', query), signal);
  }
}

export interface StatementReading {
  readonly statement: Statement | undefined;
  readonly problem: Problem | undefined;
  reload(): void;
}

export function useStatement(did: string, { since, until, most }: Period): StatementReading {
  const of = `${did} ${since} ${until}`;
  const [found, setFound] = useState<Omit<StatementReading, 'reload'> & { readonly of: string }>({
    ...nothing,
    of: '',
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    readStatement(did, { since, until, most }, abort.signal).then(
      (statement) => setFound({ of, statement, problem: undefined }),
      (error: unknown) => {
        if (!abort.signal.aborted) setFound({ of, statement: undefined, problem: asProblem(error) });
      },
    );
    return () => abort.abort();
  }, [did, since, until, most, of, turn, readKey.value]);
  const reload = useCallback(() => setTurn((now) => now + 1), []);
  // A statement of another period is not shown for this one.
  return { ...(found.of === of ? found : nothing), reload };
}

const nothing = { statement: undefined, problem: undefined };
