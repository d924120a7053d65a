/** The operator's page: configuration, API keys, webhooks, peers and the newest requests. The admin key stays in this page's memory. */
import { adminKey } from '../../api/admin-key.ts';
import { AdminKeyForm } from '../../parts/admin-key-form.tsx';
import { Panel } from '../../parts/layout.tsx';
import { NotHere } from '../../parts/not-here.tsx';
import { Subviews } from '../../parts/subviews.tsx';
import { href, type Route } from '../../shell/route.ts';
import { Configuration } from './configuration.tsx';
import { Deliveries } from './deliveries.tsx';
import { Keys } from './keys.tsx';
import { OperatedPeers } from './peers.tsx';
import { Requests } from './requests.tsx';
import { Webhooks } from './webhooks.tsx';

const tabs = [
  ['', 'API keys'],
  ['webhooks', 'Webhooks'],
  ['peers', 'Peers'],
  ['requests', 'Requests'],
  ['configuration', 'Configuration'],
] as const;

export function Operator({ route }: { route: Route }) {
  const [part = '', id] = route.segments;
  const isKnown = tabs.some(([path]) => path === part) && route.segments.length <= (part === 'webhooks' ? 2 : 1);
  return (
    <>
      <Subviews
        label="Parts of the operator's page"
        parts={tabs.map(([path, title]) => ({
          title,
          address: href('operator', path === '' ? [] : [path]),
          current: isKnown && path === part,
        }))}
      />
      {!isKnown ? (
        <NotHere />
      ) : adminKey.value === undefined ? (
        <Ask />
      ) : (
        <Part part={part} id={id} query={route.query} />
      )}
    </>
  );
}

function Part({ part, id, query }: { part: string; id: string | undefined; query: URLSearchParams }) {
  if (part === 'peers') return <OperatedPeers />;
  if (part === 'requests') return <Requests query={query} />;
  if (part === 'configuration') return <Configuration />;
  if (part === '') return <Keys />;
  return id === undefined ? <Webhooks /> : <Deliveries id={id} />;
}

const Ask = () => (
  <Panel title="Admin key">
    <AdminKeyForm submit="Show">
      Only keys with scope <code>admin</code> can see keys, webhooks, requests and where each setting comes from. On the
      node's machine, <code>svc-node api-key create --scope admin</code> creates one. The page keeps the key in memory
      only.
    </AdminKeyForm>
  </Panel>
);
