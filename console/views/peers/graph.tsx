/** This node, the homes that it follows, and their connections. */
import type { Peer } from '../../api/types.ts';
import { count } from '../../format/format.ts';
import { homeTag, homeWord } from '../../names/home-name.ts';
import { nameOf } from '../../names/names.ts';
import { entriesBehind, standingOf } from '../../parts/standing.ts';
import { href } from '../../shell/route.ts';

const width = 340;
const row = 58;
const own = { x: 8, width: 92, height: 40 };
const other = { x: 196, width: 136, height: 44 };

/** Which side opened the connection. */
export const connections = {
  both: 'each has dialled the other',
  outbound: 'this node has dialled it',
  inbound: 'it has dialled this node',
  none: 'not connected',
} as const;

interface PeerGraphProps {
  /** DID of this node. */
  readonly did: string;
  readonly peers: readonly Peer[];
}

export function Graph({ did, peers }: PeerGraphProps) {
  const height = Math.max(1, peers.length) * row;
  const middle = height / 2;
  return (
    <nav aria-label={`This node and ${peers.length === 1 ? 'one home' : `${peers.length} homes`} that it follows`}>
      <svg class="peer-graph" viewBox={`0 0 ${width} ${height}`}>
        <title>Homes and connections</title>
        {peers.map((peer, index) => (
          <Connection key={peer.did} peer={peer} from={middle} to={(index + 0.5) * row} />
        ))}
        <g class="peer-node own">
          <rect x={own.x} y={middle - own.height / 2} width={own.width} height={own.height} rx="6" />
          <text x={own.x + own.width / 2} y={middle - 3}>
            This node
          </text>
          <text class="small" x={own.x + own.width / 2} y={middle + 12}>
            {nameOf(did)?.part ? homeWord(did) : homeTag(did)}
          </text>
        </g>
        {peers.map((peer, index) => (
          <Other key={peer.did} peer={peer} y={(index + 0.5) * row} />
        ))}
      </svg>
    </nav>
  );
}

function Connection({ peer, from, to }: { peer: Peer; from: number; to: number }) {
  const [start, end] = [own.x + own.width, other.x];
  const bend = (start + end) / 2;
  const arrow = { both: '⇄', outbound: '→', inbound: '←', none: '' }[peer.direction];
  return (
    <g class={`peer-line ${standingOf(peer).tone} ${peer.direction === 'none' ? 'absent' : ''}`}>
      <path d={`M${start} ${from} C${bend} ${from} ${bend} ${to} ${end} ${to}`}>
        <title>{connections[peer.direction]}</title>
      </path>
      <text class="small" x={end - 14} y={to - 5}>
        {arrow}
      </text>
    </g>
  );
}

function Other({ peer, y }: { peer: Peer; y: number }) {
  const { word, tone } = standingOf(peer);
  return (
    <a href={href('peers', [peer.did])}>
      <g class={`peer-node ${tone}`}>
        <rect x={other.x} y={y - other.height / 2} width={other.width} height={other.height} rx="6" />
        <text x={other.x + other.width / 2} y={y - 4}>
          {homeWord(peer.did)}
        </text>
        <text class="small" x={other.x + other.width / 2} y={y + 12}>
          {peer.status === 'behind' ? `${count(entriesBehind(peer))} behind` : word}
        </text>
      </g>
    </a>
  );
}
