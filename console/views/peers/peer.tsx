/** One followed home: how far it is followed, how fresh that is, and what is wrong with it. */
import type { Peer } from '../../api/types.ts';
import { count, duration, millis } from '../../format/format.ts';
import { homeName } from '../../names/home-name.ts';
import { Facts, Panel } from '../../parts/layout.tsx';
import { entriesBehind, standingOf } from '../../parts/standing.ts';
import { Badge, Code, Copy, Did, Time } from '../../parts/text.tsx';
import { Evidence } from './evidence.tsx';
import { connections } from './graph.tsx';

const entries = (number: number): string => `${count(number)} ${number === 1 ? 'entry' : 'entries'}`;

export function PeerPanel({ peer }: { peer: Peer }) {
  const {
    did,
    multiaddrs: [address],
    direction,
    connectedAt,
    latencyMs,
    head,
    followed,
    lagMs,
    violation,
    mirrored,
    kept,
  } = peer;
  const { word, tone, sentence } = standingOf(peer);
  return (
    <Panel title={`Home ${homeName(did)}`} class="peer" aside={<Badge tone={tone}>{word}</Badge>}>
      <p class={tone === 'bad' ? 'bad' : ''}>{sentence}</p>
      <Facts
        facts={[
          [
            'DID',
            <span key="did" class="code">
              <Did did={did} />
              <Copy text={did} what="DID" />
            </span>,
          ],
          ['Head', `entry ${count(head)}`],
          ['Followed', entries(followed)],
          ['Lag', entries(entriesBehind(peer))],
          [
            'Seen',
            lagMs === null ? 'no checkpoint yet' : `${lagMs < 60_000 ? millis(lagMs) : duration(lagMs / 1_000)} ago`,
          ],
          ['Connection', connections[direction]],
          ['Connected', connectedAt === null ? undefined : <Time key="connected" at={connectedAt} />],
          ['Mirrors this node', mirrored === undefined ? undefined : `up to entry ${count(mirrored)}`],
          ['Mirrored here', kept === undefined ? undefined : `${count(kept)} bytes`],
          ['Latency', latencyMs === null ? undefined : millis(latencyMs)],
          [
            'Address',
            address === undefined ? undefined : <Code key="address" text={address} what="address" head={24} tail={8} />,
          ],
        ]}
      />
      {violation && tone === 'bad' && <Violation peer={peer} violation={violation} />}
    </Panel>
  );
}

interface ViolationProps {
  readonly peer: Peer;
  readonly violation: NonNullable<Peer['violation']>;
}

/** The violation that this node found, with what the home signed. */
function Violation({ peer: { did }, violation: { seq, what, detectedAt } }: ViolationProps) {
  return (
    <div class="peer-violation">
      <h3>What this node has found</h3>
      <Facts
        facts={[
          ['Entry', count(seq)],
          ['What it sent', what],
          ['Found', <Time key="found" at={detectedAt} />],
        ]}
      />
      <Evidence key={detectedAt} did={did} />
    </div>
  );
}
