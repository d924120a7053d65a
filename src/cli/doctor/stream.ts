/** Where a chain's cursor lies in a journal: what a node would find out at its start, without a word to the chain. */
import { SettlementRecords } from '../../chain/settlement/settlement-record.js';
import { JournalTail, streamStart } from '../../chain/settlement/stream.js';
import type { Journal } from '../../store-choice.js';

export interface Cursor {
  /** Number of the last operation that the chain has applied. */
  readonly lastSeq: number;
  /** Hex, without prefix. */
  readonly head: string;
}

export type Place =
  /** The chain stands in this journal; so many of its operations wait, counted up to a bound. */
  | { readonly is: 'within'; readonly waiting: number }
  /** The chain has more operations than the journal. */
  | { readonly is: 'beyond'; readonly operations: number }
  /** After as many operations the journal has another head. */
  | { readonly is: 'elsewhere'; readonly head: string };

export const mostCounted = 10_000;

const nothing = { chainId: 0, contracts: null, block: 0, highest: 0, outgoing: null, halted: null } as const;

/** What the settler has noted in the database. */
export async function recordsOf(journal: Journal, network: string): Promise<SettlementRecords> {
  const reading = {
    getLocal: (table: string, id: string) => journal.getLocal(table, id),
    listLocal: (table: string) => journal.listLocal(table),
    putLocal: async () => false,
  };
  const records = new SettlementRecords(reading, { ...nothing, point: streamStart(network) });
  await records.load();
  return records;
}

export async function placeOf(
  journal: Journal,
  network: string,
  records: SettlementRecords,
  { lastSeq, head }: Cursor,
): Promise<Place> {
  let at = lastSeq === 0 ? streamStart(network) : await records.pointBefore(lastSeq);
  let found = at.operation === lastSeq ? at : undefined;
  for await (const { after } of new JournalTail(journal, 0).from(at)) {
    at = after;
    if (after.operation === lastSeq) found ??= after;
    if (after.operation >= lastSeq + (found ? mostCounted : 1)) break;
  }
  if (found) {
    return found.head === head
      ? { is: 'within', waiting: at.operation - lastSeq }
      : { is: 'elsewhere', head: found.head };
  }
  return at.operation < lastSeq
    ? { is: 'beyond', operations: at.operation }
    : { is: 'elsewhere', head: 'the middle of an entry' };
}
