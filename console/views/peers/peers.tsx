/** The other homes: their DIDs, how far their journals are followed, and which have signed contradictory journals. */
import type { NodeStatus, Peer, Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Panel } from '../../parts/layout.tsx';
import { Pager, placeOf } from '../../parts/pager.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Did } from '../../parts/text.tsx';
import { href, type Route } from '../../shell/route.ts';
import { Graph } from './graph.tsx';
import { NoPeers } from './no-peers.tsx';
import { PeerPanel } from './peer.tsx';
import './peers.css';

type PeersReply = Replies['listPeers'];

const everyMs = 2_000;

export const Peers = ({ route: { segments, query } }: { route: Route }) =>
  segments[0] === undefined ? <All query={query} /> : <One did={segments[0]} />;

function All({ query }: { query: URLSearchParams }) {
  const { after } = placeOf(query);
  const status = useRead<NodeStatus>('/api/v1/node');
  const peers = useRead<PeersReply>(`/api/v1/node/peers${after ? `?${new URLSearchParams({ after })}` : ''}`, everyMs);
  return (
    <Shown reading={peers}>
      {({ peers: shown, total, pagination }) =>
        total === 0 ? (
          <NoPeers status={status.data} />
        ) : (
          <>
            <Panel title="Homes and connections">
              {status.data && <Graph did={status.data.did} peers={shown} />}
              <Pager pagination={pagination} shown={shown.length} what="peers" view="peers" query={query} />
            </Panel>
            {shown.map((peer) => (
              <PeerPanel key={peer.did} peer={peer} />
            ))}
          </>
        )
      }
    </Shown>
  );
}

/**
 * The page of one home. A node has at most 100 peers, so one page of the list contains it.
 */
function One({ did }: { did: string }) {
  const reading = useRead<PeersReply>('/api/v1/node/peers?limit=100', everyMs);
  return (
    <>
      <p>
        <a href={href('peers')}>All peers</a>
      </p>
      <Shown reading={reading}>
        {({ peers }) => {
          const peer = peers.find((each: Peer) => each.did === did);
          return peer ? <PeerPanel peer={peer} /> : <Unlisted did={did} />;
        }}
      </Shown>
    </>
  );
}

const Unlisted = ({ did }: { did: string }) => (
  <Panel title="Not a peer">
    <p>
      <Did did={did} /> is not a peer of this node.
    </p>
  </Panel>
);
