/** The attempts of one webhook to deliver. Each can be repeated. */
import { adminPost } from '../../api/admin-write.ts';
import { path } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { listEveryMs } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Badge, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { HookScope, HookStatus } from './webhooks.tsx';
import { Rest, WithKey } from './with-key.tsx';

type Delivery = Replies['listDeliveries']['deliveries'][number];

const columns: readonly ExportColumn<Delivery>[] = [
  { name: 'sentAt', of: ({ sentAt }) => isoTime(sentAt) },
  { name: 'type', of: ({ type }) => type },
  { name: 'seq', of: ({ seq }) => seq },
  { name: 'attempt', of: ({ attempt }) => attempt },
  { name: 'outcome', of: ({ outcome }) => outcome },
  { name: 'status', of: ({ status }) => status },
  { name: 'error', of: ({ error }) => error },
  { name: 'durationMs', of: ({ durationMs }) => durationMs },
];

const tones = { delivered: 'good', failed: 'warn', 'given-up': 'bad' } as const;

const waitingText = ({ waiting, status }: Replies['getWebhook']): string =>
  waiting === 0
    ? ''
    : `${count(waiting)} ${waiting === 1 ? 'event' : 'events'} waiting${status === 'active' ? ', retried until delivered' : ''}`;

export function Deliveries({ id }: { id: string }) {
  const root = path`/api/v1/webhooks/${id}`;
  const hook = useAdminRead<Replies['getWebhook']>(root, listEveryMs);
  const page = useAdminRead<Replies['listDeliveries']>(`${root}/deliveries?limit=100`, listEveryMs);
  const send = (action: string, body: object) => adminPost(`${root}/actions/${action}`, { body }).then(page.reload);
  return (
    <>
      <p>
        <a href={href('operator', ['webhooks'])}>All webhooks</a>
      </p>
      <Panel
        title={hook.data?.label ? `Deliveries to ${hook.data.label}` : 'Deliveries'}
        aside={page.data && <Export name="deliveries" columns={columns} rows={page.data.deliveries} />}
      >
        <WithKey reading={page}>
          {({ deliveries, total }) => (
            <div class="stack">
              {hook.data && (
                <div>
                  <HookStatus hook={hook.data} /> {waitingText(hook.data)}
                  <HookScope hook={{ ...hook.data, label: hook.data.label || ' ' }} />
                </div>
              )}
              <p>
                <ActButton says="Send a test" on="to this webhook" act={() => send('test', {})} />
              </p>
              {deliveries.length === 0 ? (
                <p class="faint">None yet.</p>
              ) : (
                <Table
                  caption="List of deliveries"
                  columns={['Sent', 'Event', 'Outcome', '#Attempt', '#ms']}
                  exported="deliveries"
                >
                  {deliveries.map((each, at) => (
                    <tr key={`${each.id}/${each.sentAt}/${at}`}>
                      <td>
                        <Time at={each.sentAt} />
                      </td>
                      <td>
                        {each.type}
                        {each.seq !== null && (
                          <>
                            {', '}
                            <a href={href('ledger', ['entry', String(each.seq)])}>entry {count(each.seq)}</a>
                          </>
                        )}
                      </td>
                      <td>
                        <Badge tone={tones[each.outcome]}>{each.outcome}</Badge>{' '}
                        <span class="faint plain-text">{each.error ?? each.status}</span>{' '}
                        {each.seq !== null && (
                          <ActButton
                            says="Redeliver"
                            on={`entry ${count(each.seq)}`}
                            act={() => send('redeliver', { seq: each.seq })}
                          />
                        )}
                      </td>
                      <td class="number">{count(each.attempt)}</td>
                      <td class="number">{count(each.durationMs)}</td>
                    </tr>
                  ))}
                </Table>
              )}
              <Rest shown={deliveries.length} total={total} />
            </div>
          )}
        </WithKey>
      </Panel>
    </>
  );
}
