/** Whether the node is well, what is not, and what waits for somebody. */

import { adminKey } from '../../api/admin-key.ts';
import type { NodeStatus, Replies } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { type Reading, useRead } from '../../api/use-read.ts';
import { count, duration, instant } from '../../format/format.ts';
import { Did } from '../../parts/did.tsx';
import { Facts } from '../../parts/layout.tsx';
import { Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { useFreeBytes } from './use-free-bytes.ts';
import { Waiting } from './waiting.tsx';

const everyMs = 10_000;

type Ready = Replies['readiness'];
type Audit = Replies['getAudit'];
type Webhooks = Replies['listWebhooks'];

export function Verdict({ status, openDisputes }: { status: Reading<NodeStatus>; openDisputes: number | undefined }) {
  const ready = useRead<Ready>('/readyz', everyMs);
  const audit = useRead<Audit>('/api/v1/audit', everyMs);
  const free = useFreeBytes();
  const webhooks = useAdminRead<Webhooks>('/api/v1/webhooks?limit=100', everyMs);
  const expiring = useAdminRead<Replies['listApiKeys']>('/api/v1/admin/api-keys?expiresSoon=true&limit=100', everyMs);
  const wrong = [
    ...reasonsOf(ready),
    ...reasonsOfNode(status.data),
    // /readyz names it among its reasons, if it answers.
    ...(ready.problem ? reasonsOfAudit(audit.data) : []),
    ...(expiring.data?.apiKeys ?? []).map(
      ({ label, prefix, expiresAt }) => `The API key ${label || `${prefix}…`} expires ${instant(expiresAt!)}.`,
    ),
    ...failing(webhooks.data).map(({ label, url, status }) =>
      status === 'disabled'
        ? `The webhook ${label || url} is disabled.`
        : `Deliveries to the webhook ${label || url} fail.`,
    ),
  ];
  const last = audit.data?.last;
  const isKnown = ![ready, status, audit, webhooks, expiring].some(({ loading }) => loading);
  const tone = !isKnown
    ? 'plain'
    : wrong.length === 0
      ? 'good'
      : ready.problem || last?.status === 'flawed'
        ? 'bad'
        : 'warn';
  return (
    <section class={`panel health health-${tone}`} aria-label="Health" data-tone={tone}>
      <div role="status">
        <h2>{!isKnown ? 'Looking …' : wrong.length === 0 ? 'The node is well' : 'Not all is well'}</h2>
        {wrong.length > 0 && (
          <ul>
            {wrong.map((each) => (
              <li key={each}>
                <WithNames text={each} />
              </li>
            ))}
          </ul>
        )}
        <Waiting openDisputes={openDisputes} />
      </div>
      <Facts
        facts={[
          ['Disk', free === undefined ? undefined : `${gibibytes(free)} free`],
          [
            'Last audit',
            <a key="audit" href={href('audit')}>
              {last?.finishedAt ? <Age at={last.finishedAt} says={last.status} /> : audit.data ? 'none yet' : 'unknown'}
            </a>,
          ],
          [
            'Webhooks',
            adminKey.value === undefined ? (
              <a key="hooks" href={href('operator', ['webhooks'])}>
                shown with an admin key
              </a>
            ) : webhooks.data ? (
              <a key="hooks" href={href('operator', ['webhooks'])}>
                {webhooks.data.total === 0
                  ? 'none'
                  : `${count(failing(webhooks.data).length)} of ${count(webhooks.data.total)} fail`}
              </a>
            ) : undefined,
          ],
        ]}
      />
    </section>
  );
}

/** An age in its largest unit, rounded down. */
const Age = ({ at, says }: { at: number; says: string }) => (
  <>
    {`${says === 'sound' ? 'sound' : says}, ${duration((Date.now() - at) / 1_000)} ago, `}
    <Time at={at} />
  </>
);

const gibibytes = (bytes: number): string =>
  bytes >= 2 ** 30
    ? `${count(Math.floor(bytes / 2 ** 30))}\u00a0GiB`
    : `${count(Math.floor(bytes / 2 ** 20))}\u00a0MiB`;

const sentence = (text: string): string =>
  `${text.startsWith('did:') ? 'd' : text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;

/** A text whose DIDs are links with their names. */
const WithNames = ({ text }: { text: string }) => (
  <>{text.split(/(did:svc:\w+)/).map((part) => (part.startsWith('did:') ? <Did key={part} did={part} /> : part))}</>
);

function reasonsOf({ data, problem }: Reading<Ready>): string[] {
  if (problem) return [problem.status === 0 ? 'The node does not answer.' : sentence(problem.detail)];
  return (data?.reasons ?? []).map(sentence);
}

const reasonsOfNode = (status: NodeStatus | undefined): string[] => [
  ...(status?.chain.settlement === 'halted' ? ['Settlement is halted.'] : []),
  ...(status && !status.synced ? ['The projections are catching up.'] : []),
];

function reasonsOfAudit(audit: Audit | undefined): string[] {
  if (audit?.last?.status !== 'flawed') return [];
  return [`The last audit found a problem: ${audit.last.flaw?.what ?? 'see Audit'}.`];
}

const failing = (webhooks: Webhooks | undefined) =>
  (webhooks?.webhooks ?? []).filter(({ failingSince, status }) => failingSince !== null || status === 'disabled');
