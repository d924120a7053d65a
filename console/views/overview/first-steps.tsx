/** What to do on a node on which little has happened yet. */
import type { NodeStatus } from '../../api/types.ts';
import { Panel } from '../../parts/layout.tsx';
import { href } from '../../shell/route.ts';

/** Entries up to which a node counts as new: its own, and a few first steps. */
const fewEntries = 5;

export const FirstSteps = ({ status: { network, height } }: { status: NodeStatus }) =>
  height > fewEntries ? null : (
    <Panel title="First steps">
      <ul>
        {network === 'devnet' && (
          <li>
            <a href={href('try')}>Try it</a>: make two people, give them Tokens, and let one pay the other through an
            escrow
          </li>
        )}
        <li>
          <a href="/guide/tutorials.buyer">Buy</a>, <a href="/guide/tutorials.seller">sell</a> or{' '}
          <a href="/guide/tutorials.arbiter">rule on a dispute</a>, step by step
        </li>
        <li>
          <a href="/guide/tutorials.integrator">Write a program</a> that trades, with the <a href="/docs">API</a>
        </li>
        <li>
          <a href="/guide/tutorials.operator">Run the node</a>: keys, backups, what to watch
        </li>
      </ul>
    </Panel>
  );
