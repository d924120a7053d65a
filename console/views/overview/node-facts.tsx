/** The node's status, its store and its chain. */
import type { NodeStatus } from '../../api/types.ts';
import { count, duration } from '../../format/format.ts';
import { Facts, Panel } from '../../parts/layout.tsx';
import { Badge, Copy, Did } from '../../parts/text.tsx';

const settlement = {
  off: <Badge>off</Badge>,
  running: <Badge tone="good">running</Badge>,
  halted: <Badge tone="bad">halted</Badge>,
};

export function NodeFacts({ status }: { status: NodeStatus }) {
  const { chain, store } = status;
  return (
    <div class="three">
      <Panel title="Node">
        <Facts
          facts={[
            [
              'DID',
              <span key="did" class="code">
                <Did did={status.did} />
                <Copy text={status.did} what="DID" />
              </span>,
            ],
            ['Network', status.network],
            ['Journal', `${count(status.height)} ${status.height === 1 ? 'entry' : 'entries'}`],
            ['Uptime', duration(status.uptime)],
            ['Peers', count(status.peers)],
          ]}
        />
      </Panel>
      <Panel title="Store">
        <Facts
          facts={[
            ['Kind', store.kind],
            ['Durability', store.durability],
            [
              'Projections',
              status.synced ? <Badge tone="good">up to date</Badge> : <Badge tone="warn">catching up</Badge>,
            ],
          ]}
        />
      </Panel>
      <Panel title="Chain">
        <Facts
          facts={[
            ['Kind', chain.kind],
            ['Chain id', chain.chainId ?? undefined],
            ['Connected', chain.kind === 'none' ? undefined : chain.connected ? 'yes' : <Badge tone="bad">no</Badge>],
            ['Block', chain.blockNumber === null ? undefined : count(chain.blockNumber)],
            [
              'Settlement',
              <span key="settlement">
                {settlement[chain.settlement]}
                {chain.kind !== 'none' && ` ${count(chain.lag)} operations behind`}
              </span>,
            ],
          ]}
        />
      </Panel>
    </div>
  );
}
