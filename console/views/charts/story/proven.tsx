/** Verifies all entries of a resource in this browser, and counts how many of its moves are settled on chain. */
import type { Entry, MachineHistory } from '../../../api/types.ts';
import { bareId, count } from '../../../format/format.ts';
import { Badge } from '../../../parts/text.tsx';
import { allHold } from '../../../proof/links.ts';
import { useChecked } from '../../../proof/use-checked.ts';
import { versionsLinked } from '../../../proof/versions.ts';

interface ProvenProps {
  readonly history: MachineHistory;
  readonly entries: readonly Entry[];
}

export function Proven({ history, entries }: ProvenProps) {
  const checks = useChecked(entries, history.home);
  const done = checks.filter((each) => each !== undefined);
  if (entries.length === 0 || done.length < entries.length) {
    return (
      <span class="faint" role="status">
        checking {count(done.length)} of {count(history.total)} entries …
      </span>
    );
  }
  const failed = entries.filter((_, at) => !allHold(checks[at]!));
  const linked = versionsLinked(entries, history.kind, bareId(history.id));
  if (failed.length > 0 || !linked) {
    return (
      <Badge tone="bad">
        {failed.length > 0 ? `entry ${failed[0]!.seq} fails its checks` : 'its versions do not follow one another'}
      </Badge>
    );
  }
  return (
    <span role="status" class="proven">
      <Badge tone="good">✓ proven here</Badge> signatures, hashes and order of{' '}
      {entries.length < history.total ? `the first ${count(entries.length)} of ` : 'all '}
      {count(history.total)} {history.total === 1 ? 'entry' : 'entries'} hold
      <Settled entries={entries} />
    </span>
  );
}

function Settled({ entries }: { entries: readonly Entry[] }) {
  const moving = entries.filter(({ moves }) => moves.length > 0);
  const confirmed = moving.filter(({ receipt }) => receipt?.status === 'confirmed').length;
  if (moving.length === 0 || moving.every(({ receipt }) => !receipt)) return null;
  return (
    <>
      ;{' '}
      {confirmed === moving.length
        ? 'every movement of Tokens'
        : `${count(confirmed)} of ${count(moving.length)} movements`}{' '}
      settled on chain
    </>
  );
}
