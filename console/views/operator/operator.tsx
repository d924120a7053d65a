/** The operator's page: configuration, API keys, webhooks and the newest requests. The admin key stays in this page's memory. */
import { adminKey } from '../../api/admin-key.ts';
import { AdminKeyForm } from '../../parts/admin-key-form.tsx';
import { Panel } from '../../parts/layout.tsx';
import { NotHere } from '../../parts/not-here.tsx';
import { Subviews } from '../../parts/subviews.tsx';
import { href, type Route } from '../../shell/route.ts';
import { Configuration } from './configuration.tsx';
import { Keys } from './keys.tsx';
import { Requests } from './requests.tsx';
import { Webhooks } from './webhooks.tsx';

const tabs = [
  ['', 'API keys'],
  ['webhooks', 'Webhooks'],
  ['requests', 'Requests'],
  ['configuration', 'Configuration'],
] as const;

export function Operator({ route }: { route: Route }) {
  const [part = ''] = route.segments;
  const isKnown = tabs.some(([path]) => path === part) && route.segments.length < 2;
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
      {!isKnown ? <NotHere /> : adminKey.value === undefined ? <Ask /> : <Part part={part} query={route.query} />}
    </>
  );
}

function Part({ part, query }: { part: string; query: URLSearchParams }) {
  if (part === 'requests') return <Requests query={query} />;
  if (part === 'configuration') return <Configuration />;
  return part === '' ? <Keys /> : <Webhooks />;
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
