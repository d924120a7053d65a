/** The page of a node without peers: how to connect it with another one. */
import type { NodeStatus } from '../../api/types.ts';
import { Panel } from '../../parts/layout.tsx';

export function NoPeers({ status }: { status: NodeStatus | undefined }) {
  return (
    <Panel title="No peers yet">
      <p>
        This node follows no other home. Nodes of different operators that follow each other show each other’s public
        listings, and notice when one of them shows two different journals. To follow another operator’s node:
      </p>
      <ol class="peer-steps">
        {status?.peerId === null && (
          <li>
            Start this node with an address where peers can reach it:{' '}
            <code>SVC_LISTEN=/ip4/0.0.0.0/tcp/9529 svc-node start</code>
          </li>
        )}
        <li>
          Read its address with <code>svc-node peers list</code>, and send it to the other operator.
        </li>
        <li>
          Add theirs: <code>svc-node peers add ADDRESS</code>. Both sides add each other.
        </li>
      </ol>
    </Panel>
  );
}
