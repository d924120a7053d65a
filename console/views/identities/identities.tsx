/** The start page of identities: search for one, or choose a known one. */
import './identities.css';
import type { NodeStatus } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Find } from '../../parts/find.tsx';
import { Panel } from '../../parts/layout.tsx';
import { NotHere } from '../../parts/not-here.tsx';
import { href, type Route } from '../../shell/route.ts';
import { IdentityPage } from './identity-page.tsx';
import { Known } from './known.tsx';

export function Identities({ route }: { route: Route }) {
  const [did, more] = route.segments;
  return (
    <>
      {more !== undefined ? (
        <NotHere />
      ) : did === undefined ? (
        <>
          <Panel title="Find">
            <Find
              label="Open an identity by its DID"
              placeholder="did:svc:z6Mk…"
              value=""
              to={(text) => href('identities', [text])}
            />
          </Panel>
          <Own />
          <Known query={route.query} />
        </>
      ) : (
        <IdentityPage key={did} did={did} />
      )}
    </>
  );
}

/** The node's own identity. */
function Own() {
  const { data } = useRead<NodeStatus>('/api/v1/node');
  return data ? (
    <p>
      <a href={href('identities', [data.did])}>The identity of this node</a>
    </p>
  ) : null;
}
