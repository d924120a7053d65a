/** The operator's page: API keys, webhooks and the newest requests. The admin key stays in this page's memory. */
import { adminKey } from '../../api/admin-key.ts';
import { withQuery } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import type { Reading } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { AdminFailure } from '../../parts/admin-failure.tsx';
import { AdminKeyForm } from '../../parts/admin-key-form.tsx';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { type FilterField, FilterForm } from '../../parts/filter-form.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { NotHere } from '../../parts/not-here.tsx';
import { Loading } from '../../parts/reading.tsx';
import { Subviews } from '../../parts/subviews.tsx';
import { Badge, Code, Did, Time } from '../../parts/text.tsx';
import { href, type Route, type RouteQuery } from '../../shell/route.ts';

const tabs = [
  ['', 'API keys'],
  ['webhooks', 'Webhooks'],
  ['requests', 'Requests'],
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
  return part === '' ? <Keys /> : <Webhooks />;
}

const Ask = () => (
  <Panel title="Admin key">
    <AdminKeyForm submit="Show">
      Only keys with scope <code>admin</code> can see keys, webhooks and requests. On the node's machine,{' '}
      <code>svc-node api-key create --scope admin</code> creates one. The page keeps the key in memory only.
    </AdminKeyForm>
  </Panel>
);

/** The data, or why it could not be read; a wrong key can be changed. */
function WithKey<T>({ reading, children }: { reading: Reading<T>; children: (data: T) => preact.ComponentChildren }) {
  if (reading.problem) return <AdminFailure problem={reading.problem} onRetry={reading.reload} />;
  return reading.data === undefined ? <Loading /> : children(reading.data);
}

type Key = Replies['listApiKeys']['apiKeys'][number];
type Webhook = Replies['listWebhooks']['webhooks'][number];

const keyColumns: readonly ExportColumn<Key>[] = [
  { name: 'label', of: ({ label }) => label },
  { name: 'prefix', of: ({ prefix }) => prefix },
  { name: 'scope', of: ({ scope }) => scope },
  { name: 'status', of: ({ status }) => status },
  { name: 'did', of: ({ did }) => did },
  { name: 'createdAt', of: ({ createdAt }) => isoTime(createdAt) },
  { name: 'expiresAt', of: ({ expiresAt }) => isoTime(expiresAt) },
  { name: 'lastUsedAt', of: ({ lastUsedAt }) => isoTime(lastUsedAt) },
];

const maybe = (at: number | null, never: string) =>
  at === null ? <span class="faint">{never}</span> : <Time at={at} />;

const Times = ({ of }: { of: readonly (readonly [name: string, time: preact.ComponentChildren])[] }) => (
  <ul class="parties">
    {of.map(([name, time]) => (
      <li key={name}>
        <span class="faint">{name}</span> {time}
      </li>
    ))}
  </ul>
);

function Keys() {
  const keys = useAdminRead<Replies['listApiKeys']>('/api/v1/admin/api-keys?limit=100');
  return (
    <Panel
      title="API keys"
      aside={keys.data && <Export name="api-keys" columns={keyColumns} rows={keys.data.apiKeys} />}
    >
      <WithKey reading={keys}>
        {({ apiKeys, total }) => (
          <>
            <Table
              caption="List of API keys"
              columns={['Key', 'Scope', 'Status', 'Bound to', 'Times']}
              exported="api-keys"
            >
              {apiKeys.map((key) => (
                <tr key={key.id}>
                  <td>
                    {key.label !== '' && (
                      <>
                        <span class="plain-text">{key.label}</span>
                        <br />
                      </>
                    )}
                    <code>{key.prefix}…</code>
                  </td>
                  <td>{key.scope === 'admin' ? <Badge tone="warn">admin</Badge> : key.scope}</td>
                  <td>
                    <Badge tone={key.status === 'active' ? 'good' : 'plain'}>{key.status}</Badge>
                  </td>
                  <td>{key.did === undefined ? <span class="faint">no DID</span> : <Did did={key.did} />}</td>
                  <td>
                    <Times
                      of={[
                        ['created', <Time key="created" at={key.createdAt} />],
                        ['expires', maybe(key.expiresAt, 'never')],
                        ['last used', maybe(key.lastUsedAt, 'not yet')],
                      ]}
                    />
                  </td>
                </tr>
              ))}
            </Table>
            <Rest shown={apiKeys.length} total={total} />
          </>
        )}
      </WithKey>
    </Panel>
  );
}

const hookColumns: readonly ExportColumn<Webhook>[] = [
  { name: 'id', of: ({ id }) => id },
  { name: 'label', of: ({ label }) => label },
  { name: 'url', of: ({ url }) => url },
  { name: 'status', of: ({ status }) => status },
  { name: 'reason', of: ({ reason }) => reason },
  { name: 'waiting', of: ({ waiting }) => waiting },
  { name: 'failingSince', of: ({ failingSince }) => isoTime(failingSince) },
  { name: 'deliveredUpTo', of: ({ deliveredUpTo }) => deliveredUpTo },
  { name: 'deliveredAt', of: ({ deliveredAt }) => isoTime(deliveredAt) },
];

function Webhooks() {
  const hooks = useAdminRead<Replies['listWebhooks']>('/api/v1/webhooks?limit=100', 10_000);
  return (
    <Panel
      title="Webhooks"
      aside={hooks.data && <Export name="webhooks" columns={hookColumns} rows={hooks.data.webhooks} />}
    >
      <WithKey reading={hooks}>
        {({ webhooks, total }) =>
          webhooks.length === 0 ? (
            <p class="faint">
              No webhooks. <code>svc-node webhook create --webhook-url …</code> creates one.
            </p>
          ) : (
            <>
              <Table
                caption="List of webhooks"
                exported="webhooks"
                columns={['Webhook', 'Status', '#Waiting', '#Delivered up to', 'Times']}
              >
                {webhooks.map((hook) => (
                  <tr key={hook.id}>
                    <td>
                      <span class="plain-text">{hook.label}</span>
                      <br />
                      <span class="plain-text faint">{hook.url}</span>
                      <br />
                      <Code text={hook.id} what="id of the webhook" />
                    </td>
                    <td>
                      <HookStatus hook={hook} />
                    </td>
                    <td class="number">{count(hook.waiting)}</td>
                    <td class="number">
                      {hook.deliveredUpTo > 0 ? (
                        <a href={href('ledger', ['entry', String(hook.deliveredUpTo)])}>{count(hook.deliveredUpTo)}</a>
                      ) : (
                        '0'
                      )}
                    </td>
                    <td>
                      <Times
                        of={[
                          ['last delivery', maybe(hook.deliveredAt, 'none yet')],
                          ...(hook.failingSince === null
                            ? []
                            : ([['failing since', <Time key="failing" at={hook.failingSince} />]] as const)),
                        ]}
                      />
                    </td>
                  </tr>
                ))}
              </Table>
              <Rest shown={webhooks.length} total={total} />
            </>
          )
        }
      </WithKey>
    </Panel>
  );
}

function HookStatus({ hook: { status, reason, failingSince } }: { hook: Webhook }) {
  const tone = status === 'disabled' ? 'bad' : failingSince === null ? 'good' : 'warn';
  return (
    <>
      <Badge tone={tone}>{status === 'active' && failingSince !== null ? 'failing' : status}</Badge>
      {reason !== null && <span class="faint plain-text"> {reason}</span>}
    </>
  );
}

const requestFields: readonly FilterField[] = [
  {
    ...{ name: 'minStatus', label: 'Answer', type: 'choice' },
    choices: [
      ['', 'Any'],
      ['400', 'Refused or failed'],
      ['500', 'Failed'],
    ],
  },
  {
    ...{ name: 'method', label: 'Method', type: 'choice' },
    choices: [['', 'Any'], ...['GET', 'POST', 'DELETE'].map((method) => [method, method] as const)],
  },
  { name: 'route', label: 'Route', type: 'text', placeholder: '/api/v1/escrows/:escrowId', wide: true },
  { name: 'caller', label: 'Caller', type: 'text', placeholder: 'Id of a key, or an address' },
  { name: 'minMs', label: 'At least ms', type: 'number' },
];

const requestColumns: readonly ExportColumn<Replies['listRequests']['requests'][number]>[] = [
  { name: 'answeredAt', of: ({ answeredAt }) => isoTime(answeredAt) },
  { name: 'method', of: ({ method }) => method },
  { name: 'route', of: ({ route }) => route },
  { name: 'status', of: ({ status }) => status },
  { name: 'ms', of: ({ ms }) => ms },
  { name: 'caller', of: ({ caller }) => caller },
  { name: 'requestId', of: ({ requestId }) => requestId },
];

const toneOf = (status: number) => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'plain');

function Requests({ query }: { query: URLSearchParams }) {
  const filters = Object.fromEntries(query);
  const page = useAdminRead<Replies['listRequests']>(withQuery('/api/v1/admin/requests', { ...filters, limit: 100 }));
  const at = (more: RouteQuery) => href('operator', ['requests'], more);
  return (
    <Panel
      title="Requests"
      aside={page.data && <Export name="requests" columns={requestColumns} rows={page.data.requests} />}
    >
      <div class="stack">
        <FilterForm label="Filter the requests" fields={requestFields} query={query} to={at} />
        <WithKey reading={page}>
          {({ requests, next }) => (
            <>
              <Table
                caption="List of requests"
                columns={['Answered', 'Request', '#Status', '#ms', 'Caller']}
                exported="requests"
              >
                {requests.map((each) => (
                  <tr key={each.number}>
                    <td>
                      <Time at={each.answeredAt} />
                    </td>
                    <td>
                      {each.method} <code class="plain-text">{each.route}</code>
                    </td>
                    <td class="number">
                      <Badge tone={toneOf(each.status)}>{each.status}</Badge>
                    </td>
                    <td class="number">{count(each.ms)}</td>
                    <td class="plain-text">{each.caller}</td>
                  </tr>
                ))}
              </Table>
              <p class="buttons">
                <button type="button" onClick={page.reload}>
                  Read again
                </button>
                {next !== null && <a href={at({ ...filters, before: next })}>Older</a>}
              </p>
            </>
          )}
        </WithKey>
      </div>
    </Panel>
  );
}

const Rest = ({ shown, total }: { shown: number; total: number }) =>
  total > shown ? <p class="faint">{`The first ${count(shown)} of ${count(total)}; the API has the rest.`}</p> : null;
