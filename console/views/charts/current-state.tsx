/** A resource's state at the selected step. For the newest step, also whether it equals the state in its entry. */
import { path } from '../../api/read.ts';
import type { Entry, JsonObject, MachineState, MachineStep } from '../../api/types.ts';
import { useRead, useReadOf } from '../../api/use-read.ts';
import { count, tokens, words } from '../../format/format.ts';
import { Checks } from '../../parts/checks.tsx';
import { withErasedLeaves } from '../../parts/erased.tsx';
import { type Fact, Facts, Panel } from '../../parts/layout.tsx';
import { Members, type MembersProps } from '../../parts/members.tsx';
import { useSpelling } from '../../parts/page-home.ts';
import { Shown } from '../../parts/reading.tsx';
import { Code, State, Time } from '../../parts/text.tsx';
import { checkState } from '../../proof/check-state.ts';
import type { StepMoney } from './story/money.ts';

interface CurrentStateProps {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  readonly money: ReadonlyMap<number, StepMoney>;
  readonly view: JsonObject | undefined;
  /** Whether this reader may see the whole state, and not only the public view. */
  readonly isReadable: boolean;
}

export function CurrentState(props: CurrentStateProps) {
  if (props.at.step < props.steps.length) return <StateThen {...props} />;
  return props.isReadable ? <StateNow {...props} /> : <PublicState {...props} />;
}

function StateNow({ kind, id, version }: CurrentStateProps) {
  const held = useReadOf<MachineState>(path`/api/v1/machines/${kind}/${id}/state`, version);
  const spelled = useSpelling();
  const entry = useRead<Entry>(held.data && path`/api/v1/events/${spelled(held.data.eventHash)}`);
  const { data } = held;
  return (
    <Panel title="Current state" aside={data && <span class="faint">version {data.version}, now</span>}>
      <Shown reading={held}>
        {(now) => (
          <>
            <Shown reading={entry}>{(written) => <Checks checks={[checkState(now, written)]} />}</Shown>
            <Fields of={withErasedLeaves(now.context, now.leaves)} label="Current state" />
          </>
        )}
      </Shown>
    </Panel>
  );
}

/** The whole state is not asked for: a refused request would stand in the browser's log as an error. */
const PublicState = ({ kind, version, view }: CurrentStateProps) => (
  <Panel title="Current state" aside={<span class="faint">version {version}, now</span>}>
    <p class="faint">
      Only the parties can see the whole state of this {words(kind)}: enter a read key that is bound to one of them.
      This is the public part:
    </p>
    {view && <Fields of={publicPart(view)} label="Public view" />}
  </Panel>
);

/** Folded: what a reader looks for stands above. */
const Fields = (members: MembersProps) => (
  <details>
    <summary>All fields</summary>
    <Members {...members} />
  </details>
);

/** The view without members that the page shows elsewhere, and without repeated ones. */
function publicPart(view: JsonObject): JsonObject {
  const { permittedActions: _, ...rest } = view;
  const isAlias = ([name, value]: [string, unknown]) =>
    (name === 'id' && Object.entries(rest).some(([other, of]) => other !== 'id' && of === value)) ||
    (name === 'status' && rest.state === value);
  const list = (value: unknown) =>
    Array.isArray(value) ? value.map((each) => (isObject(each) ? publicPart(each) : each)) : value;
  const kept = Object.entries(rest).filter((each) => !isAlias(each));
  return Object.fromEntries(kept.map(([name, value]) => [name, list(value)]));
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** An earlier step, for which the journal has no context: its state and amounts. */
function StateThen({ at, money }: CurrentStateProps) {
  const balance = money.get(at.step)?.after;
  const facts: Fact[] = [
    ['State', <State key="state" path={at.to} amounts={balance} />],
    ['Reserved', balance && tokens(balance.reserved)],
    ['Locked', balance && tokens(balance.locked)],
    ['Released', balance && tokens(balance.released)],
    ['Refunded', balance && tokens(balance.refunded)],
    ['Since', <Time key="since" at={at.recordedAt} />],
    ['Definition version', <Code key="machine" text={at.machine} what="definition version" head={14} tail={4} />],
  ];
  return (
    <Panel title={`State after step ${count(at.step)}`} aside={<span class="faint">version {at.version}</span>}>
      <Facts facts={facts} />
    </Panel>
  );
}
