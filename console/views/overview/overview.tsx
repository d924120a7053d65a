/** The node at a glance: status, last minutes, latest events. */
import type { NodeStatus } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { InLists } from '../../parts/in-lists.tsx';
import { Shown } from '../../parts/reading.tsx';
import { LastMinutes } from './last-minutes.tsx';
import { LatestEvents } from './latest-events.tsx';
import { NodeFacts } from './node-facts.tsx';
import { Verdict } from './verdict.tsx';
import './overview.css';

const statusEveryMs = 5_000;

export function Overview() {
  const status = useRead<NodeStatus>('/api/v1/node', statusEveryMs);
  return (
    <>
      <Verdict status={status} />
      <Shown reading={status}>{(data) => <NodeFacts status={data} />}</Shown>
      <InLists />
      <LastMinutes />
      <LatestEvents height={status.data?.height} />
    </>
  );
}
