/** Bids on a task. */

import { path } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { Panel, Table } from '../../parts/layout.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Badge, Did, ResourceLink, Time } from '../../parts/text.tsx';

const limit = 100;

export function Bids({ taskId }: { taskId: string }) {
  const bids = useRead<Replies['listTaskBids']>(`${path`/api/v1/markets/tasks/${taskId}/bids`}?limit=${limit}`);
  return (
    <Panel title="Bids">
      <Shown reading={bids}>
        {({ bids: all, total }) =>
          all.length === 0 ? (
            <p class="faint">None yet.</p>
          ) : (
            <>
              <Table caption="Bids on the task" columns={['Bid', 'Bidder', '#Price', 'Status', 'Time']}>
                {all.map((bid) => (
                  <tr key={bid.bidId}>
                    <td>
                      <ResourceLink kind="bid" id={bid.bidId} />
                    </td>
                    <td>
                      <Did did={bid.bidder} />
                    </td>
                    <td class="number">{count(bid.price)}</td>
                    <td>
                      <Badge tone={bid.status === 'accepted' ? 'good' : 'plain'}>{bid.status}</Badge>
                    </td>
                    <td>
                      <Time at={bid.createdAt} />
                    </td>
                  </tr>
                ))}
              </Table>
              {total > all.length && <p class="faint">{`The first ${count(all.length)} of ${count(total)}.`}</p>}
            </>
          )
        }
      </Shown>
    </Panel>
  );
}
