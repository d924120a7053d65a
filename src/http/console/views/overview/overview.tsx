/** The node at a glance. */
import type { NodeStatus } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Shown } from '../../parts/reading.tsx';
import { Standing } from './standing.tsx';

const statusEveryMs = 5_000;

export function Overview() {
  const status = useRead<NodeStatus>('/api/v1/node', statusEveryMs);
  return <Shown reading={status}>{(data) => <Standing status={data} />}</Shown>;
}
