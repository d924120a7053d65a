/** The entry of one step: who signed what, whether it verifies, what it moved, where it settled. */
import { useContext, useEffect, useState } from 'preact/hooks';
import { path } from '../../api/read.ts';
import type { Entry, JsonObject, MachineStep, Receipt } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { capital, count } from '../../format/format.ts';
import type { Amounts } from '../../format/outcome.ts';
import { stateText } from '../../format/states.ts';
import { Checks as CheckList } from '../../parts/checks.tsx';
import { DoubleEntry } from '../../parts/double-entry.tsx';
import { withErasedLeaves } from '../../parts/erased.tsx';
import { type Fact, Facts, Panel } from '../../parts/layout.tsx';
import { Members } from '../../parts/members.tsx';
import { PageHome, useSpelling } from '../../parts/page-home.ts';
import { Shown } from '../../parts/reading.tsx';
import { Badge, Code, Did, Time } from '../../parts/text.tsx';
import { type Checked, checkEntry } from '../../proof/check-entry.ts';
import { journalHome } from '../../proof/journal-home.ts';
import { allHold } from '../../proof/links.ts';
import { entryOfStep, roleText } from './step-name.ts';

interface StepEntryProps {
  readonly step: MachineStep;
  readonly total: number;
  /** Where the Tokens were after it. */
  readonly after: Amounts;
  readonly view: JsonObject | undefined;
}

export function StepEntry({ step, total, after, view }: StepEntryProps) {
  const spelled = useSpelling();
  const entry = useRead<Entry>(path`/api/v1/events/${spelled(step.eventHash)}`);
  return (
    <Panel title={`Step ${step.step} of ${total}: ${step.action ?? step.eventType}`} class="entry">
      <Facts
        facts={[
          ...(step.nested ? [nestedFact(step.nested)] : []),
          ...(step.from === step.to && step.path.length <= 1
            ? ([['State', `${stateText(step.to, after)}, as before`]] as const)
            : ([
                ['From', step.from === null ? <span class="faint">new</span> : stateText(step.from)],
                [
                  'To',
                  [...step.path.slice(0, -1).map((each) => stateText(each)), stateText(step.to, after)].join(' → '),
                ],
              ] as const)),
          ['Event', <code key="type">{step.eventType}</code>],
          ['Role', roleText(step, { view, entry: entry.data, spelled })],
          ['Signer', <Did key="did" did={step.signer} />],
          ['Nonce', count(step.nonce)],
          ['Time', <Time key="time" at={step.recordedAt} exact />],
          ['Event hash', <Code key="hash" text={step.eventHash} what="hash of the event" head={12} tail={6} />],
          [
            'Entry',
            <a key="seq" href={entryOfStep(step, spelled)}>
              {count(step.seq)}
            </a>,
          ],
          ['Receipt', <OnChain key="receipt" receipt={step.receipt} />],
        ]}
      />
      <Shown reading={entry}>
        {(data) => (
          <>
            <Checks entry={data} />
            <DoubleEntry postings={data.postings} of={`entry ${data.seq}`} />
            {data.payload && <Asked input={withErasedLeaves(data.payload.input, data.leaves)} />}
          </>
        )}
      </Shown>
    </Panel>
  );
}

/** What the step moved inside the resource: `stage-5: submitted → rejected` of a milestone. */
const nestedFact = ({ machine, id, from, to }: NonNullable<MachineStep['nested']>): Fact => [
  capital(machine),
  `${id}: ${stateText(from)} → ${stateText(to)}`,
];

function OnChain({ receipt }: { receipt: Receipt | null }) {
  if (!receipt) return <span class="faint">none on a chain</span>;
  const tone = { confirmed: 'good', pending: 'warn', reverted: 'bad' } as const;
  return (
    <>
      <Badge tone={tone[receipt.status]}>{receipt.status}</Badge> block {count(receipt.blockNumber)},{' '}
      <Code text={receipt.txHash} what="hash of the transaction" />
    </>
  );
}

function Checks({ entry }: { entry: Entry }) {
  const [checked, setChecked] = useState<{ of: Entry; result: Checked } | undefined>(undefined);
  const home = useContext(PageHome);
  useEffect(() => {
    let wanted = true;
    const check = async () => checkEntry(entry, await journalHome(home));
    void check().then((result) => {
      if (wanted) setChecked({ of: entry, result });
    });
    return () => {
      wanted = false;
    };
  }, [entry, home]);
  if (checked?.of !== entry) return <p class="faint">Checking …</p>;
  const { checks, by } = checked.result;
  const sound = allHold(checks);
  return (
    <div class={`checks ${sound ? 'sound' : 'unsound'}`}>
      <h3>
        {sound ? (
          <span class="good">Checked in this browser: all checks passed</span>
        ) : (
          <span class="bad">Checks failed</span>
        )}
      </h3>
      <CheckList checks={checks} />
      <p class="faint small">
        Signature by {by === 'WebCrypto' ? 'WebCrypto' : '@noble/ed25519'}, hashes by @noble/hashes.
      </p>
    </div>
  );
}

/** The request as it was signed. */
const Asked = ({ input }: { input: JsonObject }) => (
  <details>
    <summary>Request</summary>
    <Members of={input} label="Request" />
  </details>
);
