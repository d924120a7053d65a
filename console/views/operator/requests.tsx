/** The newest requests. */
import { withQuery } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { count } from '../../format/format.ts';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { type FilterField, FilterForm } from '../../parts/filter-form.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Badge, Time } from '../../parts/text.tsx';
import { href, type RouteQuery } from '../../shell/route.ts';
import { WithKey } from './with-key.tsx';

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
  { name: 'code', label: 'Error code', type: 'text', placeholder: 'INSUFFICIENT_BALANCE' },
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

export function Requests({ query }: { query: URLSearchParams }) {
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
                      {each.code !== null && (
                        <>
                          <br />
                          <code>{each.code}</code>
                        </>
                      )}
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
