/**
 * Checks that the journal's end matches the projections. An entry is written before its number, and a number before its
 * projections, so after a crash no ledger row lacks its entries; later numbers may be projected partly. Reads a few
 * documents, at every start, before anything is numbered.
 */
import { type Environment, pause } from '../../core/environment.js';
import { lookedAt, type StoredEntryTexts, violationOfNewest } from '../journal-end.js';
import type { Collections } from './database.js';
import { type SystemDocument, systemId } from './documents.js';

/**
 * A server that has just become primary may show numbers later than the projection's position that was written after
 * them.
 */
const patience = { tries: 5, pauseMs: 100 };

type Documents = Pick<Collections, 'accounts' | 'order' | 'entries'>;

export async function violationOfEnd(documents: Documents, world: Environment): Promise<string | undefined> {
  for (let tries = 1; ; tries++) {
    const flaw = await violationNow(documents);
    if (flaw === undefined || tries === patience.tries) return flaw;
    await pause(world, patience.pauseMs);
  }
}

async function violationNow({ accounts, order, entries }: Documents): Promise<string | undefined> {
  const system = (await accounts.findOne({ _id: systemId })) as SystemDocument | null;
  const { seq = 0, chain } = system ?? {};
  const from = Math.max(0, seq - lookedAt);
  const places = await order
    .find({ _id: { $gt: from, $lte: seq } })
    .sort({ _id: 1 })
    .toArray();
  const named = { _id: { $in: places.map(({ entry }) => entry) } };
  const found = await entries.find(named, { projection: { core: 1, payload: 1 } }).toArray();
  const textsOf = new Map(found.map((entry) => [entry._id, entry]));
  const newest: StoredEntryTexts[] = [];
  for (let number = from + 1; number <= seq; number++) {
    const place = places[number - from - 1];
    if (place?._id !== number) return `entry ${number} has lost its number, and balances are those of entry ${seq}`;
    const { entry: entryHash, prev: prevEntry, chain: chainHash } = place;
    const texts = textsOf.get(entryHash);
    if (!texts) return `entry ${number} is gone, and has its number still`;
    const { core: coreText, payload: payloadText } = texts;
    newest.push({ seq: number, entryHash, prevEntry, chainHash, coreText, payloadText });
  }
  const isSame = seq === 0 || newest.at(-1)?.chainHash === chain;
  return (
    violationOfNewest(newest) ?? (isSame ? undefined : `balances are those of another entry ${seq} than the journal’s`)
  );
}
