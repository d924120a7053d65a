/** API keys. */
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Badge, Did, Time } from '../../parts/text.tsx';
import { maybe, Rest, Times, WithKey } from './with-key.tsx';

type Key = Replies['listApiKeys']['apiKeys'][number];

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

export function Keys() {
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
