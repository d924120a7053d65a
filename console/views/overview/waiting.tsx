/** What waits for an act of somebody, and which deadlines have passed. */
import { path, withQuery } from '../../api/read.ts';
import type { Entry, Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { aboutOf } from '../../parts/entry-columns.ts';
import { ResourceLink, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const everyMs = 30_000;
const hourMs = 3_600_000;
const weekMs = 168 * hourMs;
/** The newest passed deadlines that are looked at. */
const overdueLookedAt = 10;

type Counted = { readonly total: number };
type Events = { readonly events: readonly Entry[] };

const useTotal = (list: string, filters: { readonly [name: string]: string }): number =>
  useRead<Counted>(withQuery(`/api/v1/${list}`, { ...filters, limit: '1' }), everyMs).data?.total ?? 0;

export function Waiting({ openDisputes = 0 }: { openDisputes: number | undefined }) {
  // Whole hours, so that the address of the list stays the same for a while.
  const weekAgo = String(Math.floor((Date.now() - weekMs) / hourMs) * hourMs);
  const old = useTotal('disputes', { status: 'open', createdTo: weekAgo });
  const delivered = useTotal('orders', { status: 'delivered' });
  const signed = useTotal('contracts', { status: 'signed' });
  const query = { type: 'contract.overdue', order: 'newest', limit: String(overdueLookedAt) };
  const overdue = useRead<Events>(withQuery('/api/v1/events', query), everyMs).data?.events ?? [];
  const newest = new Map(overdue.toReversed().map((entry) => [aboutOf(entry)?.id, entry.time]));
  return (
    <ul>
      {openDisputes > 0 && (
        <li>
          <a href={href('lists', ['disputes'], { status: 'open' })}>
            {openDisputes === 1
              ? 'A dispute waits for its ruling'
              : `${count(openDisputes)} disputes wait for a ruling`}
          </a>
          {old > 0 && (openDisputes === 1 ? ', for more than a week' : `, ${count(old)} of them for more than a week`)}
        </li>
      )}
      {delivered > 0 && (
        <li>
          <a href={href('lists', ['orders'], { status: 'delivered' })}>
            {delivered === 1
              ? 'A delivery waits for its buyer'
              : `${count(delivered)} deliveries wait for their buyers`}
          </a>
        </li>
      )}
      {signed > 0 && (
        <li>
          <a href={href('lists', ['contracts'], { status: 'signed' })}>
            {signed === 1
              ? 'A signed contract waits for its client'
              : `${count(signed)} signed contracts wait for their clients`}
          </a>
        </li>
      )}
      {[...newest].map(([id, at]) => id !== undefined && <Overdue key={id} {...{ id, at }} />)}
    </ul>
  );
}

/** Nothing once the contract is over, or its dispute has begun. */
function Overdue({ id, at }: { readonly id: string; readonly at: number }) {
  const { data } = useRead<Replies['getContract']>(path`/api/v1/contracts/${id}`, everyMs);
  if (data?.status !== 'active') return null;
  return (
    <li>
      A deadline of <ResourceLink kind="contract" id={id} /> has passed, <Time at={at} />
    </li>
  );
}
