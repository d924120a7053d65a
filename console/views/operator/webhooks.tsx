/** Webhooks. */
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { count } from '../../format/format.ts';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Badge, Code, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { maybe, Rest, Times, WithKey } from './with-key.tsx';

type Webhook = Replies['listWebhooks']['webhooks'][number];

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

export function Webhooks() {
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
