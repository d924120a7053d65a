/** Bids on a task. */

import { path } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { Replies, TaskBid } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count, tokens } from '../../format/format.ts';
import { Erased, isErased } from '../../parts/erased.tsx';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Did, ResourceLink, State, Time } from '../../parts/text.tsx';
import { useTones } from '../../parts/use-tones.ts';

const limit = 100;

const exported: readonly ExportColumn<TaskBid>[] = [
  { name: 'bid', of: ({ bidId }) => bidId },
  { name: 'bidder', of: ({ bidder }) => bidder },
  { name: 'price', of: ({ price }) => price },
  { name: 'status', of: ({ status }) => status },
  { name: 'reason', of: (bid) => (isErased(bid, 'reason') ? 'erased' : bid.reason) },
  { name: 'approach', of: (bid) => (isErased(bid, 'approach') ? 'erased' : bid.approach) },
  { name: 'createdAt', of: ({ createdAt }) => isoTime(createdAt) },
  { name: 'updatedAt', of: ({ updatedAt }) => isoTime(updatedAt) },
];

export function Bids({ taskId }: { taskId: string }) {
  const url = path`/api/v1/markets/tasks/${taskId}/bids`;
  const bids = useRead<Replies['listTaskBids']>(`${url}?limit=${limit}`);
  const toneOf = useTones();
  const name = `bids on ${taskId}`;
  const all = () => readAll<Replies['listTaskBids'], TaskBid>(url, {}, (page) => page.bids);
  return (
    <Panel title="Bids" aside={<Export name={name} columns={exported} rows={all} />}>
      <Shown reading={bids}>
        {({ bids: shown, total }) =>
          shown.length === 0 ? (
            <p class="faint">None yet.</p>
          ) : (
            <>
              <Table
                caption="Bids on the task"
                columns={['Bid', 'Bidder', '#Price', 'State', 'Approach', 'Time']}
                exported={name}
              >
                {shown.map((bid) => (
                  <tr key={bid.bidId}>
                    <td>
                      <ResourceLink kind="bid" id={bid.bidId} />
                    </td>
                    <td>
                      <Did did={bid.bidder} />
                    </td>
                    <td class="number">{tokens(bid.price)}</td>
                    <td>
                      <State path={bid.status} tone={toneOf('bid', bid.status)} />
                    </td>
                    <td class="plain-text">{isErased(bid, 'approach') ? <Erased /> : bid.approach}</td>
                    <td>
                      <Time at={bid.createdAt} />
                    </td>
                  </tr>
                ))}
              </Table>
              {total > shown.length && <p class="faint">{`The first ${count(shown.length)} of ${count(total)}.`}</p>}
            </>
          )
        }
      </Shown>
    </Panel>
  );
}
