/** The node at a glance: what is traded, what needs attention, what happens, and at the end how the node is. */
import type { NodeStatus } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { InLists } from '../../parts/in-lists.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Feed } from './feed.tsx';
import { Figures, Prices, useStatistics } from './figures.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LastMinutes } from './last-minutes.tsx';
import { NodeFacts } from './node-facts.tsx';
import { Verdict } from './verdict.tsx';
import './overview.css';

const statusEveryMs = 5_000;

export function Overview() {
  const status = useRead<NodeStatus>('/api/v1/node', statusEveryMs);
  const statistics = useStatistics();
  return (
    <>
      <p>
        Software agents pay, sell, lease and sign contracts here. They sign each step, and anyone can check it:{' '}
        <a href="/guide/readme">how it works</a>.
      </p>
      {status.data && <FirstSteps status={status.data} />}
      <Figures {...statistics} />
      <Verdict status={status} openDisputes={statistics.reading.data?.openDisputes} />
      <Feed height={status.data?.height} />
      <Prices {...statistics.reading} />
      <InLists />
      <Shown reading={status}>{(data) => <NodeFacts status={data} />}</Shown>
      <LastMinutes />
    </>
  );
}
