/** API keys: creates, lists and revokes them. */
import { useState } from 'preact/hooks';
import { adminKey } from '../../api/admin-key.ts';
import { adminPost } from '../../api/admin-write.ts';
import { path } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Badge, Did, Time } from '../../parts/text.tsx';
import { type FormValues, MakeForm } from './make-form.tsx';
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
  const [made, setMade] = useState<string>();
  const revoke = async (id: string) => {
    await adminPost(path`/api/v1/admin/api-keys/${id}/revoke`);
    keys.reload();
  };
  return (
    <>
      {made !== undefined && (
        <ShownOnce title="New API key" what="API key" secret={made} onDone={() => setMade(undefined)} />
      )}
      <NewKey
        onMade={(key) => {
          setMade(key);
          keys.reload();
        }}
      />
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
                      <Badge tone={key.expiresSoon ? 'warn' : key.status === 'active' ? 'good' : 'plain'}>
                        {key.expiresSoon ? 'expires soon' : key.status}
                      </Badge>
                      {key.status === 'active' && (
                        <>
                          <br />
                          <ActButton
                            says="Revoke"
                            on={key.label || `${key.prefix}…`}
                            warns={
                              adminKey.value?.startsWith(key.prefix)
                                ? 'This page uses this key.'
                                : 'Its callers are refused from now on.'
                            }
                            act={() => revoke(key.id)}
                          />
                        </>
                      )}
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
    </>
  );
}

const dayMs = 24 * 60 * 60 * 1_000;
const spans = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
  ['', 'No end'],
] as const;

function NewKey({ onMade }: { onMade: (key: string) => void }) {
  const make = async ({ label, scope, days }: FormValues) => {
    const expiresAt = days === '' ? null : Date.now() + Number(days) * dayMs;
    const body = { label, scope, expiresAt };
    const { key } = await adminPost<Replies['createApiKey']>('/api/v1/admin/api-keys', { body });
    onMade(key!);
  };
  return (
    <MakeForm title="Create a key" submit="Create key" make={make}>
      <label class="wide">
        Label
        <input name="label" type="text" maxLength={100} autocomplete="off" placeholder="Who uses it, and what for" />
      </label>
      <label class="short">
        Scope
        <select name="scope">
          {['read', 'write', 'admin'].map((scope) => (
            <option key={scope}>{scope}</option>
          ))}
        </select>
      </label>
      <label class="short">
        Expires after
        <select name="days">
          {spans.map(([days, says]) => (
            <option
              key={days}
              value={days}
              // Also after the form is reset.
              ref={(option) => {
                if (option) option.defaultSelected = days === '90';
              }}
            >
              {says}
            </option>
          ))}
        </select>
      </label>
    </MakeForm>
  );
}
