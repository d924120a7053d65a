/** The newest entries of the journal as sentences, updated live. */
import { useEffect, useRef } from 'preact/hooks';
import { useEntries } from '../../api/use-entries.ts';
import { forgetViews } from '../../api/views.ts';
import { count, shareASecond } from '../../format/format.ts';
import { entryColumns } from '../../parts/entry-columns.ts';
import { EntrySentence } from '../../parts/entry-sentence.tsx';
import { Export } from '../../parts/export.tsx';
import { Panel } from '../../parts/layout.tsx';
import { Live } from '../../parts/live.tsx';
import { Failure } from '../../parts/reading.tsx';
import { Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';

const shown = 20;

/** Entries after which a title may not be shown any more, or again. */
const hides = /^(moderation|leaf|listing\.(updated|removed))\b/;

export function Feed({ height }: { height: number | undefined }) {
  // The stream's start is fixed once: later entries arrive through it.
  const after = useRef<number | undefined>(undefined);
  after.current ??= height === undefined ? undefined : Math.max(0, height - shown);
  const { entries, standing, problem } = useEntries({ after: after.current, keep: shown });
  useEffect(forgetViews, [entries.find(({ event }) => hides.test(event.type))?.seq]);
  const exact = shareASecond(entries.map(({ time }) => time));
  return (
    <Panel
      title="Latest events"
      aside={
        <span class="buttons">
          <Export name="latest entries" columns={entryColumns} rows={entries} />
          <Live standing={standing} />
        </span>
      }
    >
      {problem && <Failure problem={problem} />}
      <ol class="feed">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <a class="number" href={href('ledger', ['entry', String(entry.seq)])}>
              {count(entry.seq)}
            </a>
            <span>
              <EntrySentence entry={entry} />
            </span>
            <Time at={entry.time} short exact={exact} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}
