/** The newest requests. */
import { withQuery } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { abridged, count } from '../../format/format.ts';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { type FilterField, FilterForm } from '../../parts/filter-form.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Badge, Time } from '../../parts/text.tsx';
import { href, type RouteQuery } from '../../shell/route.ts';
import { WithKey } from './with-key.tsx';

const requestFields: readonly FilterField[] = [
  {
    ...{ name: 'minStatus', label: 'Status', type: 'choice' },
    choices: [
      ['', 'Any'],
      ['400', '400 and up'],
      ['500', '500 and up'],
    ],
  },
  {
    ...{ name: 'method', label: 'Method', type: 'choice' },
    choices: [['', 'Any'], ...['GET', 'POST', 'DELETE'].map((method) => [method, method] as const)],
  },
  { name: 'route', label: 'Route', type: 'text', placeholder: '/api/v1/escrows/:escrowId', wide: true },
  { name: 'caller', label: 'Caller', type: 'text', placeholder: 'key-… or address' },
  { name: 'code', label: 'Error code', type: 'text', placeholder: 'NOT_FOUND' },
  { name: 'minMs', label: 'At least ms', type: 'number' },
];

const requestColumns: readonly ExportColumn<Replies['listRequests']['requests'][number]>[] = [
  { name: 'answeredAt', of: ({ answeredAt }) => isoTime(answeredAt) },
  { name: 'method', of: ({ method }) => method },
  { name: 'route', of: ({ route }) => route },
  { name: 'status', of: ({ status }) => status },
  { name: 'code', of: ({ code }) => code },
  { name: 'ms', of: ({ ms }) => ms },
  { name: 'caller', of: ({ caller }) => caller },
  { name: 'requestId', of: ({ requestId }) => requestId },
];

const toneOf = (status: number) => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'plain');

/** The label of a key, or its beginning; otherwise the address. */
function nameOfCaller(caller: string, keys: Replies['listApiKeys']['apiKeys'] = []): string {
  const key = keys.find(({ id }) => id === caller);
  if (key) return key.label || `${key.prefix}…`;
  return caller.startsWith('key-') ? abridged(caller, 12) : caller;
}

export function Requests({ query }: { query: URLSearchParams }) {
  const filters = Object.fromEntries(query);
  const page = useAdminRead<Replies['listRequests']>(withQuery('/api/v1/admin/requests', { ...filters, limit: 100 }));
  const keys = useAdminRead<Replies['listApiKeys']>('/api/v1/admin/api-keys?limit=100');
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
              {requests.length === 0 && <p class="faint">No such request among the newest.</p>}
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
                      {each.code !== null && (
                        <>
                          <br />
                          <code>{each.code}</code>
                        </>
                      )}
                    </td>
                    <td class="number">
                      <Badge tone={toneOf(each.status)}>{each.status}</Badge>
                    </td>
                    <td class="number">{count(each.ms)}</td>
                    <td class="plain-text">
                      {/* Empty if it was refused before its caller was known. */}
                      {each.caller !== '' && (
                        <a href={at({ ...filters, before: undefined, caller: each.caller })} title={each.caller}>
                          {nameOfCaller(each.caller, keys.data?.apiKeys)}
                        </a>
                      )}
                    </td>
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
