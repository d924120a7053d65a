/**
 * Every event that a DID signed, in order, each verified in this browser: its hash, its signature, and that it follows the
 * previous one. A long chain is read in parts.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { withQuery } from '../../api/read.ts';
import type { Entry, Replies } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count, shareASecond } from '../../format/format.ts';
import { Verdict } from '../../parts/checks.tsx';
import { aboutOf, entryColumns } from '../../parts/entry-columns.ts';
import { Panel, Table } from '../../parts/layout.tsx';
import { Failure, Loading } from '../../parts/reading.tsx';
import { Badge, Code, ResourceLink, Time } from '../../parts/text.tsx';
import type { Check } from '../../proof/check-entry.ts';
import { allHold, signerLink } from '../../proof/links.ts';
import { useChecked } from '../../proof/use-checked.ts';
import { href } from '../../shell/route.ts';

const limit = 50;

/** The events read so far, and a function that reads more. */
function useChain(did: string) {
  const [after, setAfter] = useState(0);
  const [chain, setChain] = useState<readonly Entry[]>([]);
  const page = useRead<Replies['listEvents']>(withQuery('/api/v1/events', { issuer: did, after, limit }));
  useEffect(() => {
    const { data } = page;
    if (data) setChain((known) => [...known.filter(({ seq }) => seq <= after), ...data.events]);
  }, [page.data, after]);
  const next = page.data?.next ?? null;
  return { chain, page, more: next === null ? undefined : () => setAfter(next) };
}

export function EventChain({ did, isElsewhere }: { did: string; isElsewhere: boolean }) {
  const { chain, page, more } = useChain(did);
  const checked = useChecked(chain);
  const lines = useMemo(
    () => chain.map((entry, index) => ({ entry, link: signerLink(entry.event, chain[index - 1]?.event ?? null) })),
    [chain],
  );
  const exact = shareASecond(chain.map(({ time }) => time));
  const isDone = checked.every((each) => each !== undefined);
  const sound = lines.every(({ link }, index) => allHold([...(checked[index] ?? []), link]));
  return (
    <Panel
      title="Events by nonce"
      aside={chain.length > 0 && <ChainVerdict sound={sound} isDone={isDone} of={chain.length} />}
    >
      {page.problem && <Failure problem={page.problem} onRetry={page.reload} />}
      {chain.length > 0 && (
        <div class="entry-rows">
          <Table
            caption="Events, oldest first"
            columns={['#Nonce', 'Event', 'About', 'Time', '#Entry', 'Hash', 'Verified']}
            exported={{ name: `events of ${did}`, columns: entryColumns, rows: chain }}
          >
            {lines.map((line, index) => (
              <Row key={line.entry.seq} {...line} checks={checked[index]} exact={exact} />
            ))}
          </Table>
        </div>
      )}
      {page.loading && <Loading />}
      {page.data && chain.length === 0 && page.data.events.length === 0 && (
        <p class="faint">
          {isElsewhere ? 'It has signed nothing here; its home has what it signs there' : 'It has signed nothing yet'}.
        </p>
      )}
      {more && (
        <p class="buttons more">
          <button type="button" disabled={page.loading} onClick={more}>
            {`Check the next ${limit}`}
          </button>
        </p>
      )}
    </Panel>
  );
}

const ChainVerdict = ({ sound, isDone, of }: { sound: boolean; isDone: boolean; of: number }) => (
  <span role="status">
    {!sound ? (
      <Badge tone="bad">not all of them hold</Badge>
    ) : isDone ? (
      <Badge tone="good">{`all ${count(of)} checked here hold`}</Badge>
    ) : (
      <Badge>checking …</Badge>
    )}
  </span>
);

/** The marks of an event, each with the names of its checks. The mark of the signature combines three. */
const marks: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Hash', ['Event hash']],
  ['Signature', ['Signature', 'Signer', 'Home']],
];

interface ChainRow {
  readonly entry: Entry;
  readonly link: Check;
  /** Undefined while the checks run. */
  readonly checks: readonly Check[] | undefined;
  readonly exact: boolean;
}

function Row({ entry, link, checks, exact }: ChainRow) {
  const { event } = entry;
  const about = aboutOf(entry);
  const holds = (names: readonly string[]) => checks && allHold(checks.filter(({ name }) => names.includes(name)));
  return (
    <tr class={allHold([...(checks ?? []), link]) ? undefined : 'unsound'}>
      <td class="number at-entry">{count(event.nonce)}</td>
      <td class="mono at-event">{event.type}</td>
      <td class="at-about">
        {about && about.kind !== 'identity' ? <ResourceLink kind={about.kind} id={about.id} /> : null}
      </td>
      <td class="at-time">
        <Time at={entry.time} exact={exact} />
      </td>
      <td class="number at-signer" data-says="entry">
        <a href={href('ledger', ['entry', event.hash])}>{count(entry.seq)}</a>
      </td>
      <td class="at-hash">
        <Code text={event.hash} what="hash of the event" />
      </td>
      <td class="at-verdict">
        {marks.map(([title, names]) => (
          <Verdict key={title} holds={holds(names)} what={`${title} of event ${event.nonce}`} />
        ))}
        <Verdict holds={link.holds} what={`Link of event ${event.nonce}`} />
      </td>
    </tr>
  );
}
