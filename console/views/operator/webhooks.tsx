/** Webhooks: creates, lists, switches and removes them. */
import { useState } from 'preact/hooks';
import { adminDelete, adminPost } from '../../api/admin-write.ts';
import { path } from '../../api/read.ts';
import type { Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { count } from '../../format/format.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { Badge, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { type FormValues, MakeForm } from './make-form.tsx';
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
  const [secret, setSecret] = useState<string>();
  const shown = (made: Replies['createWebhook']) => {
    setSecret(made.secret!);
    hooks.reload();
  };
  return (
    <>
      {secret !== undefined && (
        <ShownOnce title="New secret" what="secret" secret={secret} onDone={() => setSecret(undefined)} />
      )}
      <NewWebhook onMade={shown} />
      <Panel
        title="Webhooks"
        aside={hooks.data && <Export name="webhooks" columns={hookColumns} rows={hooks.data.webhooks} />}
      >
        <WithKey reading={hooks}>
          {({ webhooks, total }) =>
            webhooks.length === 0 ? (
              <p class="faint">No webhooks.</p>
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
                        <a href={href('operator', ['webhooks', hook.id])}>{hook.label || hook.url}</a>
                        <HookScope hook={hook} />
                      </td>
                      <td>
                        <HookStatus hook={hook} />
                        <br />
                        <HookActs hook={hook} onSecret={shown} onDone={hooks.reload} />
                      </td>
                      <td class="number">{count(hook.waiting)}</td>
                      <td class="number">
                        {hook.deliveredUpTo > 0 ? (
                          <a href={href('ledger', ['entry', String(hook.deliveredUpTo)])}>
                            {count(hook.deliveredUpTo)}
                          </a>
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
    </>
  );
}

function NewWebhook({ onMade }: { onMade: (made: Replies['createWebhook']) => void }) {
  const make = async ({ url, label, types = '' }: FormValues) => {
    const named = types.split(/[\s,]+/).filter((type) => type !== '');
    const body = { url, label, ...(named.length > 0 && { types: named }) };
    onMade(await adminPost<Replies['createWebhook']>('/api/v1/webhooks', { body }));
  };
  return (
    <MakeForm title="Create a webhook" submit="Create webhook" make={make}>
      <label class="wide">
        URL
        <input name="url" type="url" required autocomplete="off" placeholder="Where events are posted to" />
      </label>
      <label>
        Label
        <input name="label" type="text" maxLength={100} autocomplete="off" />
      </label>
      <label class="wide">
        Only these events
        <input
          name="types"
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder="escrow.released, contract.*"
        />
      </label>
    </MakeForm>
  );
}

interface HookActsProps {
  readonly hook: Webhook;
  readonly onSecret: (made: Replies['rotateWebhookSecret']) => void;
  readonly onDone: () => void;
}

function HookActs({ hook: { id, label, status }, onSecret, onDone }: HookActsProps) {
  const on = label || id;
  const send = (action: string) => adminPost(path`/api/v1/webhooks/${id}/actions/${action}`);
  const [says, action] = status === 'active' ? ['Disable', 'disable'] : ['Enable', 'enable'];
  return (
    <span class="buttons">
      <ActButton key={says} says={says} on={on} act={() => send(action).then(onDone)} />
      <ActButton
        says="New secret"
        on={`for ${on}`}
        warns="The old secret signs for a day more."
        act={() =>
          adminPost<Replies['rotateWebhookSecret']>(path`/api/v1/webhooks/${id}/actions/rotate-secret`).then(onSecret)
        }
      />
      <ActButton
        says="Remove"
        on={on}
        warns="Its deliveries end, and their list is deleted."
        act={() => adminDelete(path`/api/v1/webhooks/${id}`).then(onDone)}
      />
    </span>
  );
}

/** Where it posts, unless its name says so, and which events. */
export const HookScope = ({ hook: { label, url, types } }: { hook: Webhook }) => (
  <ul class="plain-text faint">
    {label !== '' && <li>{url}</li>}
    <li>{types ? types.join(', ') : 'all events'}</li>
  </ul>
);

export function HookStatus({ hook: { status, reason, failingSince } }: { hook: Webhook }) {
  const tone = status === 'disabled' ? 'bad' : failingSince === null ? 'good' : 'warn';
  return (
    <>
      <Badge tone={tone}>{status === 'active' && failingSince !== null ? 'failing' : status}</Badge>
      {reason !== null && <span class="faint plain-text"> {reason.replace('disabled ', '')}</span>}
    </>
  );
}
