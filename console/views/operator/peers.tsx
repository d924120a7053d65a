/** What an admin key decides about peers: the limit of each, and which keep this node's journal. */
import { useState } from 'preact/hooks';
import { adminPost } from '../../api/admin-write.ts';
import { path } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { listEveryMs } from '../../api/use-read.ts';
import { count, tokens } from '../../format/format.ts';
import { homeName } from '../../names/home-name.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Export, type ExportColumn } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { entriesBehind, standingOf } from '../../parts/standing.ts';
import { Badge } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { WithKey } from './with-key.tsx';

type Peer = Replies['listPeers']['peers'][number];

const columns: readonly ExportColumn<Peer>[] = [
  { name: 'did', of: ({ did }) => did },
  { name: 'status', of: ({ status }) => status },
  { name: 'limit', of: ({ limit }) => limit },
  { name: 'mirrored', of: ({ mirrored }) => mirrored },
  { name: 'kept', of: ({ kept }) => kept },
];

export function OperatedPeers() {
  // A node has at most 100 peers.
  const page = useAdminRead<Replies['listPeers']>('/api/v1/node/peers?limit=100', listEveryMs);
  return (
    <Panel title="Peers" aside={page.data && <Export name="peers" columns={columns} rows={page.data.peers} />}>
      <WithKey reading={page}>
        {({ peers }) => (
          <>
            {peers.length === 0 ? (
              <p class="faint">No peers.</p>
            ) : (
              <Table
                caption="List of peers"
                columns={['Peer', 'Status', '#Behind', 'Limit in Tokens', 'Mirror']}
                exported="peers"
              >
                {peers.map((peer) => (
                  <tr key={peer.did}>
                    <td>
                      <a href={href('peers', [peer.did])}>{homeName(peer.did)}</a>
                    </td>
                    <td>
                      <Badge tone={standingOf(peer).tone}>{standingOf(peer).word}</Badge>
                    </td>
                    <td class="number">{count(entriesBehind(peer))}</td>
                    <td>
                      <Limit peer={peer} onDone={page.reload} />
                    </td>
                    <td>
                      <Mirror peer={peer} onDone={page.reload} />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <p class="faint">
              <code>svc-node peers</code> adds and removes peers, and decides between two journals, on the node’s
              machine alone.
            </p>
          </>
        )}
      </WithKey>
    </Panel>
  );
}

interface PeerActsProps {
  readonly peer: Peer;
  readonly onDone: () => void;
}

function Limit({ peer: { did, limit }, onDone }: PeerActsProps) {
  const [wanted, setWanted] = useState<string>();
  const most = Number(wanted || limit);
  const set = async () => {
    await adminPost(path`/api/v1/node/peers/${did}/actions/limit`, { body: { tokens: most } });
    setWanted(undefined);
    onDone();
  };
  return (
    <>
      <input
        type="number"
        min={0}
        step={1}
        aria-label={`Limit of ${homeName(did)}, in Tokens`}
        value={wanted ?? limit}
        onInput={({ currentTarget }) => setWanted(currentTarget.value)}
      />{' '}
      <ActButton
        says="Set the limit"
        on={`of ${homeName(did)}`}
        warns={`Up to ${tokens(most)} are lost if that home makes up Tokens.`}
        act={set}
      />
    </>
  );
}

function Mirror({ peer: { did, mirrored }, onDone }: PeerActsProps) {
  const send = (remove: boolean) =>
    adminPost(path`/api/v1/node/peers/${did}/actions/mirror`, { body: { remove } }).then(onDone);
  const on = homeName(did);
  return (
    <>
      {mirrored !== undefined && (
        <span class="faint">
          {mirrored > 0 ? (
            `has entries up to ${count(mirrored)} `
          ) : (
            <>
              has nothing yet: its operator allows it with <code>svc-node peers keep</code>{' '}
            </>
          )}
        </span>
      )}
      <span class="buttons">
        {/* Of one that was not reached yet, the node does not say whether it is a mirror. */}
        {mirrored === undefined && <ActButton says="Use as mirror" on={on} act={() => send(false)} />}
        <ActButton says="End mirroring" on={on} warns="It is sent nothing more." act={() => send(true)} />
      </span>
    </>
  );
}
