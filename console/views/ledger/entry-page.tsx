/** One entry of the journal: its postings as double entry, and its checks. */
import { useContext, useMemo } from 'preact/hooks';
import { Problem } from '../../api/problem.ts';
import { path, withQuery } from '../../api/read.ts';
import type { Entry, Leaf, Replies, Version } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { capital, count, tokens } from '../../format/format.ts';
import { Checks } from '../../parts/checks.tsx';
import { Balanced, DoubleEntry } from '../../parts/double-entry.tsx';
import { EntrySentence } from '../../parts/entry-sentence.tsx';
import { Erased, withErasedLeaves } from '../../parts/erased.tsx';
import type { ExportColumn } from '../../parts/export.tsx';
import { HomeNote } from '../../parts/home.tsx';
import { Facts, Panel, Table } from '../../parts/layout.tsx';
import { Members } from '../../parts/members.tsx';
import { PageHome } from '../../parts/page-home.ts';
import { Failure, Loading, Shown } from '../../parts/reading.tsx';
import { Badge, Code, Copy, Did, ResourceLink, Time } from '../../parts/text.tsx';
import { plainNumber, searched, WithDateOrAmount } from '../../parts/with-date-or-amount.tsx';
import { allHold, journalLink } from '../../proof/links.ts';
import type { Leaves } from '../../proof/payload.ts';
import { useChecked } from '../../proof/use-checked.ts';
import { href } from '../../shell/route.ts';
import { Happened } from './happened.tsx';

/** @param name the entry's number, or the hash of its event */
export function EntryPage({ name }: { name: string }) {
  const number = /^\d{1,15}$/.test(name) ? Number(name) : undefined;
  const byHash = useRead<Entry & { readonly asOf?: number }>(
    number === undefined ? path`/api/v1/events/${name}` : undefined,
  );
  const { data } = byHash;
  const seq = number ?? data?.seq;
  if (byHash.problem) return <Failure problem={byHash.problem} onRetry={byHash.reload} />;
  // An answer of another home says as of when.
  if (data?.asOf !== undefined)
    return (
      <PageHome.Provider value={data.home}>
        <HomeNote home={data.home} />
        <Whole entry={data} before={undefined} next={undefined} />
      </PageHome.Provider>
    );
  return seq === undefined ? null : <Numbered seq={seq} />;
}

const missing = (seq: number) => new Problem(404, 'NOT_FOUND', `There is no entry ${seq}.`);

function Numbered({ seq }: { seq: number }) {
  const url = withQuery('/api/v1/events', { after: Math.max(0, seq - 2), limit: 3 });
  const around = useRead<Replies['listEvents']>(url);
  // The journal ends before the entry.
  if (around.problem?.status === 409) return <Failure problem={missing(seq)} />;
  return (
    <Shown reading={around}>
      {({ events }) => {
        const entry = events.find((each) => each.seq === seq);
        if (!entry) return <Failure problem={missing(seq)} />;
        const before = seq === 1 ? null : events.find((each) => each.seq === seq - 1);
        const next = events.find((each) => each.seq === seq + 1);
        return <Whole entry={entry} before={before} next={next} />;
      }}
    </Shown>
  );
}

interface WholeProps {
  readonly entry: Entry;
  readonly before: Entry | null | undefined;
  readonly next: Entry | undefined;
}

const addressOf = ({ seq }: Entry): string => href('ledger', ['entry', String(seq)]);

function Whole({ entry, before, next }: WholeProps) {
  const { payload, leaves } = entry;
  const alone = useMemo(() => [entry], [entry]);
  const home = useContext(PageHome);
  const [checked] = useChecked(alone, home);
  // A sentence asks this node for the titles of what it is about.
  const isHere = home === undefined;
  const checks = checked && [...checked, journalLink(entry, before)];
  return (
    <>
      <div class="entry-head">
        <h2>
          Entry {count(entry.seq)} <span class="mono">{entry.event.type}</span>
        </h2>
        <nav class="buttons" aria-label="Previous and next entry">
          {before && <a href={addressOf(before)}>Previous entry</a>}
          {next && <a href={addressOf(next)}>Next entry</a>}
        </nav>
      </div>
      {isHere && (
        <p>
          <EntrySentence entry={entry} />
          {typeof payload?.input?.memo === 'string' && (
            <>
              : “<bdi class="plain-text">{payload.input.memo}</bdi>”
            </>
          )}
        </p>
      )}
      <Happened entry={entry} />
      {plainNumber(searched.value) === String(entry.seq) && <WithDateOrAmount text={searched.value} />}
      <Panel title="Double entry" aside={<Balanced postings={entry.postings} />}>
        <DoubleEntry postings={entry.postings} of={`entry ${entry.seq}`} />
      </Panel>
      <div class="columns">
        <Panel title="Checked in this browser" aside={checks && <Holds holds={allHold(checks)} />}>
          {checks ? <Checks checks={checks} /> : <Loading what="Checking" />}
        </Panel>
        <EventFacts entry={entry} />
      </div>
      <Changed entry={entry} />
      <Panel title="Request">
        {payload ? (
          <>
            <Members of={{ ...payload, input: withErasedLeaves(payload.input, leaves) }} label="Payload" />
            {entry.sealed && <p class="faint">Confidential members are only visible to those who may read them.</p>}
            {leaves && <LeafTable seq={entry.seq} leaves={leaves} />}
          </>
        ) : (
          <p class="faint">Only visible to those who may read the resource.</p>
        )}
      </Panel>
    </>
  );
}

type LeafRow = readonly [pointer: string, leaf: Leaf];
const leafColumns: readonly ExportColumn<LeafRow>[] = [
  { name: 'place', of: ([pointer]) => pointer },
  { name: 'leaf', of: ([, { leaf }]) => leaf },
  { name: 'bytes', of: ([, { size }]) => size },
  { name: 'salt', of: ([, { salt }]) => salt ?? 'erased' },
];

/** What the signed request has in the place of texts. */
const LeafTable = ({ seq, leaves }: { seq: number; leaves: Leaves }) => {
  const rows = Object.entries(leaves);
  return (
    <Table
      caption="Texts that can be erased"
      columns={['Place in the input', 'SHA-256 of salt and text', '#Bytes', 'Salt']}
      exported={{ name: `texts of entry ${seq}`, columns: leafColumns, rows }}
    >
      {rows.map(([pointer, { leaf, size, salt }]) => (
        <tr key={pointer}>
          <td class="mono">{pointer}</td>
          <td>
            <Code text={leaf} what="hash of the text" />
          </td>
          <td class="number">{count(size)}</td>
          <td>{salt === undefined ? <Erased /> : <Code text={salt} what="salt" />}</td>
        </tr>
      ))}
    </Table>
  );
};

const Holds = ({ holds }: { holds: boolean }) =>
  holds ? <Badge tone="good">All checks passed</Badge> : <Badge tone="bad">Checks failed</Badge>;

/** Who signs with a key now. The entry does not say who did then: a signature of the node is the same as one of the holder. */
function Keeper({ did }: { did: string }) {
  const { data } = useRead<Replies['getIdentity']>(path`/api/v1/identities/${did}`);
  return data && <>{data.keptHere ? 'kept by this node, which signs with it' : 'not at this node: its holder signs'}</>;
}

function EventFacts({ entry: { event, time, home, law, chainHash, receipt } }: { entry: Entry }) {
  return (
    <Panel title="Event and entry">
      <Facts
        facts={[
          ['Signer', <Did key="issuer" did={event.issuer} />],
          ['Its key', <Keeper key="keeper" did={event.issuer} />],
          ['Home', <Did key="for" did={event.home} />],
          ['Nonce', count(event.nonce)],
          ['Time', <Time key="time" at={time} exact />],
          ['May cost at most', event.most === undefined ? undefined : tokens(event.most)],
          ['Valid until', event.until === undefined ? undefined : <Time key="until" at={event.until} exact />],
          ['Event hash', <Code key="hash" text={event.hash} what="hash of the event" head={12} tail={8} />],
          ['Signature', <Code key="sig" text={event.sig} what="signature" head={12} tail={8} />],
          [
            'Event before',
            event.prev === null ? (
              'none: the signer’s first'
            ) : (
              <span key="prev">
                <a class="mono" href={href('ledger', ['entry', event.prev])}>
                  {event.prev.slice(0, 12)}…
                </a>
                <Copy text={event.prev} what="hash of the event before" />
              </span>
            ),
          ],
          ['Chain hash', <Code key="chain" text={chainHash} what="chain hash" head={12} tail={8} />],
          ['Node', <Did key="home" did={home} />],
          ['Definition version', <code key="law">{law}</code>],
          ['On chain', receipt ? <Settled key="receipt" receipt={receipt} /> : undefined],
        ]}
      />
    </Panel>
  );
}

const Settled = ({ receipt }: { receipt: NonNullable<Entry['receipt']> }) => (
  <>
    <Badge tone={receipt.status === 'confirmed' ? 'good' : receipt.status === 'pending' ? 'warn' : 'bad'}>
      {receipt.status}
    </Badge>{' '}
    in block {count(receipt.blockNumber)}, <Code text={receipt.txHash} what="hash of the transaction" head={10} />
  </>
);

const versionColumns: readonly ExportColumn<Version>[] = [
  { name: 'kind', of: ({ kind }) => kind },
  { name: 'resource', of: ({ id }) => id },
  { name: 'version', of: ({ version }) => version },
  { name: 'states', of: ({ path: states }) => states.join(' → ') },
  { name: 'definition', of: ({ machine }) => machine },
  { name: 'stateHash', of: ({ stateHash }) => stateHash },
];

function Changed({ entry: { seq, versions } }: { entry: Entry }) {
  if (versions.length === 0) return null;
  return (
    <Panel title="Changed resources">
      <Table
        caption="New versions"
        columns={['Kind', 'Resource', '#Version', 'State changes', 'Definition version']}
        exported={{ name: `versions of entry ${seq}`, columns: versionColumns, rows: versions }}
      >
        {versions.map(({ kind, id, version, path: states, machine }) => (
          <tr key={`${kind}/${id}`}>
            <td>{capital(kind)}</td>
            <td>
              <ResourceLink kind={kind} id={id} />
            </td>
            <td class="number">{count(version)}</td>
            <td>{states.join(' → ')}</td>
            <td>
              <code>{machine}</code>
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
