/** A deal across homes as one timeline, with the home of each entry. The browser checks the entries of both journals. */
import { useEffect, useState } from 'preact/hooks';
import type { Entry, JsonObject, MachineStep } from '../../../api/types.ts';
import { count, shareASecond } from '../../../format/format.ts';
import { type ExportColumn, isoTime } from '../../../parts/export.tsx';
import { HomeBadge } from '../../../parts/home-badge.tsx';
import { Panel, Table } from '../../../parts/layout.tsx';
import { Badge, Did, Time } from '../../../parts/text.tsx';
import { allHold } from '../../../proof/links.ts';
import { useChecked } from '../../../proof/use-checked.ts';
import { href } from '../../../shell/route.ts';
import { type DealEntry, dealOf, isAcross } from './deal.ts';

interface AcrossProps {
  readonly kind: string;
  readonly view: JsonObject | undefined;
  readonly steps: readonly MachineStep[];
  readonly entries: readonly Entry[];
}

const againMs = 5_000;
const none: readonly Entry[] = [];

/** Nothing where only one home takes part. */
export function Across(of: AcrossProps) {
  const lines = useDeal(of);
  const checks = useChecked(lines?.map(({ entry }) => entry) ?? none);
  if (!lines || lines.length === 0) return null;
  const exact = shareASecond(lines.map(({ entry }) => entry.time));
  const homes = new Set(lines.map(({ home }) => home)).size;
  return (
    <Panel title="Across homes" class="across" aside={<Verified checks={checks} homes={homes} />}>
      <Table
        caption="Entries of all homes, in their order"
        columns={['Home', 'What', 'Signer', 'Time', '#Entry', 'Checks']}
        exported={{ name: 'entries across homes', columns: exported, rows: lines }}
      >
        {lines.map(({ entry, home, part, what }, at) => (
          <tr key={entry.event.hash}>
            <td>{home === undefined ? 'this node' : <HomeBadge home={home} />}</td>
            <td>
              {part !== 'step' && <Badge>{part}</Badge>} {what}
            </td>
            <td>
              <Did did={entry.event.issuer} />
            </td>
            <td>
              <Time at={entry.time} exact={exact} />
            </td>
            <td class="number">
              <a href={addressOf(entry)}>{count(entry.seq)}</a>
            </td>
            <td>
              <Held checks={checks[at]} />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

/** Numbers are those of this node's own journal. */
const addressOf = ({ seq, journal, event }: Entry): string =>
  href('ledger', ['entry', journal === undefined ? String(seq) : event.hash]);

type Checks = ReturnType<typeof useChecked>;

const Held = ({ checks }: { checks: Checks[number] }) =>
  checks === undefined ? (
    <span class="faint">checking …</span>
  ) : allHold(checks) ? (
    <span class="good">✓ hold</span>
  ) : (
    <span class="bad">failed</span>
  );

function Verified({ checks, homes }: { checks: Checks; homes: number }) {
  const held = checks.filter((each) => each && allHold(each)).length;
  return (
    <span role="status" class="faint">
      signatures and hashes of {held === checks.length ? 'all ' : `${count(held)} of `}
      {count(checks.length)} entries of {homes === 1 ? 'one home' : `${count(homes)} homes`} hold
    </span>
  );
}

/** Undefined until it is read, and where only one home takes part. An open request is looked at again. */
function useDeal({ kind, view, steps, entries }: AcrossProps): readonly DealEntry[] | undefined {
  const [found, setFound] = useState<readonly DealEntry[]>();
  const [turn, setTurn] = useState(0);
  const to = typeof view?.to === 'string' ? view.to : undefined;
  const isWanted = isAcross({ kind, entries });
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = (lines: readonly DealEntry[]) => {
      setFound(lines);
      const open =
        lines.filter(({ part }) => part === 'sent').length - lines.filter(({ part }) => part === 'closed').length;
      if (open > 0) timer = setTimeout(() => setTurn((now) => now + 1), againMs);
    };
    const subject = kind === 'remote-request' ? (view?.subject as JsonObject | undefined) : undefined;
    const actionOf = (hash: string): string => {
      const step = steps.find(({ eventHash }) => eventHash === hash);
      return String(subject?.action ?? step?.action ?? step?.eventType ?? '');
    };
    dealOf({ kind, to, entries, actionOf }, abort.signal).then(read, () => {}); // the history on the same page shows why nothing can be read
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [kind, to, entries, isWanted, turn]);
  return isWanted ? found : undefined;
}

const exported: readonly ExportColumn<DealEntry>[] = [
  { name: 'home', of: ({ home }) => home },
  { name: 'part', of: ({ part }) => part },
  { name: 'what', of: ({ what }) => what },
  { name: 'signer', of: ({ entry }) => entry.event.issuer },
  { name: 'time', of: ({ entry }) => isoTime(entry.time) },
  { name: 'entry', of: ({ entry }) => entry.seq },
  { name: 'eventHash', of: ({ entry }) => entry.event.hash },
];
