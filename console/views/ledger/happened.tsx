/** What an entry did to each resource, in words: 'contract ctr-…: reject, milestone m-1 from submitted to rejected'. */
import { path, withQuery } from '../../api/read.ts';
import type { Entry, MachineHistory, Version } from '../../api/types.ts';
import { useMachines } from '../../api/use-machines.ts';
import { useRead } from '../../api/use-read.ts';
import { tokens } from '../../format/format.ts';
import { innerState, statusOf, substateLabel } from '../../format/states.ts';
import { movedIn } from '../../parts/entry-columns.ts';
import { Did, ResourceLink } from '../../parts/text.tsx';

/** Most resources shown, as many as a sale or an award writes. The table below has the versions of all. */
const most = 8;

export function Happened({ entry }: { entry: Entry }) {
  const machines = useMachines();
  const isMachine = (kind: string) => machines.data?.machines.find((each) => each.kind === kind)?.isMachine === true;
  const changed = entry.versions.filter(({ kind }) => isMachine(kind)).slice(0, most);
  if (changed.length === 0) return null;
  return (
    <ul class="happened">
      {changed.map((version) => (
        <Change key={`${version.kind}/${version.id}`} version={version} entry={entry} />
      ))}
    </ul>
  );
}

function Change({ version: { kind, id, path: states }, entry }: { version: Version; entry: Entry }) {
  const query = { after: entry.seq - 1, limit: 1 };
  const history = useRead<MachineHistory>(withQuery(path`/api/v1/machines/${kind}/${id}/history`, query));
  const step = history.data?.steps.find(({ seq }) => seq === entry.seq);
  return (
    <li>
      <span>{kind.replaceAll('-', ' ')}</span> <ResourceLink kind={kind} id={id} />:{' '}
      {step ? <StepText step={step} entry={entry} /> : <span class="faint">{states.map(inWords).join(' → ')}</span>}
    </li>
  );
}

const inWords = (state: string): string => substateLabel(state) ?? statusOf(state);

interface StepTextProps {
  readonly step: MachineHistory['steps'][number];
  readonly entry: Entry;
}

function StepText({ step: { action, eventType, from, to, role, nested }, entry }: StepTextProps) {
  const moved = movedIn(entry);
  return (
    <>
      <strong>{action ?? eventType}</strong>
      {moved > 0 && entry.versions.length === 1 && ` ${tokens(moved)}`}
      {role !== null && role !== 'workflow' && (
        <>
          {' '}
          by the {role} <Did did={entry.event.issuer} />
        </>
      )}
      {nested ? (
        <>
          , {nested.machine} <span class="mono plain-text">{nested.id}</span> from <em>{innerState(nested.from)}</em> to{' '}
          <em>{innerState(nested.to)}</em> <span class="faint">({inWords(to)})</span>
        </>
      ) : from === null ? (
        <>
          , new: <em>{inWords(to)}</em>
        </>
      ) : from === to ? (
        <>
          , still <em>{inWords(to)}</em>
        </>
      ) : (
        <>
          , from <em>{inWords(from)}</em> to <em>{inWords(to)}</em>
        </>
      )}
    </>
  );
}
