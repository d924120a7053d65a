/**
 * The page of one resource: its story, its path through the chart, the entry of each step, its available actions and its state.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { path, withQuery } from '../../api/read.ts';
import type { MachineChart, MachineHistory, MachineStep } from '../../api/types.ts';
import { useHistory } from '../../api/use-history.ts';
import { useRead } from '../../api/use-read.ts';
import { bareId } from '../../format/format.ts';
import { DownloadProof } from '../../parts/download-proof.tsx';
import { HomeNote } from '../../parts/home.tsx';
import { Panel } from '../../parts/layout.tsx';
import { Live } from '../../parts/live.tsx';
import { PageHome } from '../../parts/page-home.ts';
import { Failure, Loading, Shown } from '../../parts/reading.tsx';
import { Code, Copy } from '../../parts/text.tsx';
import { usePageAbout } from '../../shell/page-about.ts';
import { href, settle } from '../../shell/route.ts';
import { AvailableActions } from './available-actions.tsx';
import { progressOf } from './chart-progress.ts';
import { CurrentState } from './current-state.tsx';
import { Drawing } from './drawing.tsx';
import { LaneTable } from './lane-table.tsx';
import { type Lane, lanesOf } from './lanes.ts';
import { Replay } from './replay.tsx';
import { StepEntry } from './step-entry.tsx';
import { StepTable } from './step-table.tsx';
import { nothing } from './story/money.ts';
import { Story } from './story/story.tsx';
import { useStory } from './story/use-story.ts';
import { isFinal } from './story/view.ts';
import { TransitionTable } from './transition-table.tsx';

interface ResourceProps {
  readonly kind: string;
  readonly id: string;
  /** The step in the address; null: always the newest. */
  readonly asked: string | null;
}

export function Resource({ kind, id, asked }: ResourceProps) {
  const { history, problem, standing, reload } = useHistory(kind, id);
  return (
    <>
      {problem && <Failure problem={problem} onRetry={reload} />}
      {history ? (
        <Walked history={history} asked={asked} live={<Live standing={standing} />} />
      ) : (
        !problem && <Loading what="Reading its history" />
      )}
    </>
  );
}

interface WalkedProps {
  readonly history: MachineHistory;
  readonly asked: string | null;
  readonly live: ComponentChildren;
}

function Walked({ history, asked, live }: WalkedProps) {
  const { kind, id, steps, stateReadable, home } = history;
  const at = chosen(steps, asked);
  const story = useStory(history);
  const { view, byHash, money, isRead } = story;
  const lanes = lanesOf(steps, { view, chart: story.chart });
  const after = money.get(at?.step ?? 0)?.after ?? nothing;
  usePageAbout(view?.title);
  // The newest step is not written into the address, so that the page follows new steps.
  const onStep = (step: number) => settle(href('charts', [kind, id], step === steps.length ? {} : { step }));
  if (!at) return <p>It has no steps yet.</p>;
  // Near the top while somebody may act. It keeps what is typed in its forms when it moves.
  const isOver = story.chart === undefined || isFinal(story.chart, history.state);
  const actions = (
    <AvailableActions
      key="actions"
      kind={kind}
      id={id}
      version={history.version}
      view={home === undefined ? view : undefined}
    />
  );
  return (
    <PageHome.Provider value={home}>
      <HomeNote home={home} />
      <Panel
        title={bareId(id)}
        mark={<Copy text={id} what="id" />}
        class="resource"
        aside={
          <span class="buttons">
            <DownloadProof kind={kind} id={id} />
            {home === undefined && live}
          </span>
        }
      >
        <Story history={history} at={at} story={story} lanes={lanes} />
        <Replay steps={steps} at={at} money={money} onStep={onStep} />
      </Panel>
      {!isOver && actions}
      <LaneTable key="lanes" id={id} lanes={lanes} step={at.step} chart={story.chart} onStep={onStep} />
      <StepTable key="steps" {...{ id, steps, at, money, view, isRead, onStep }} entries={byHash} />
      <div class="beside" key="chart">
        <LawOfStep
          kind={kind}
          name={`${kind}-${id}-step-${at.step}`}
          machine={at.machine}
          newest={history.machine}
          steps={steps}
          at={at}
          lanes={lanes}
          onStep={onStep}
        />
        <StepEntry step={at} total={steps.length} after={after} view={view} />
      </div>
      {isOver && actions}
      <CurrentState {...{ kind, id, version: history.version, steps, at, money, view }} isReadable={stateReadable} />
    </PageHome.Provider>
  );
}

function chosen(steps: readonly MachineStep[], asked: string | null): MachineStep | undefined {
  const wanted = Number(asked ?? Number.NaN);
  return steps.find(({ step }) => step === wanted) ?? steps.at(-1);
}

interface LawOfStepProps {
  readonly kind: string;
  /** File name for downloads of the drawing. */
  readonly name: string;
  /** Version of the definition that decided the step. */
  readonly machine: string;
  readonly newest: string;
  readonly steps: readonly MachineStep[];
  readonly at: MachineStep;
  readonly lanes: readonly Lane[];
  onStep(step: number): void;
}

function LawOfStep({ kind, name, machine, newest, steps, at, lanes, onStep }: LawOfStepProps) {
  const chart = useRead<MachineChart>(withQuery(path`/api/v1/machines/${kind}`, { version: machine }));
  const [last, setLast] = useState<MachineChart | undefined>(undefined);
  useEffect(() => {
    if (chart.data) setLast(chart.data);
  }, [chart.data]);
  // While another version loads, the previous chart stays on the page.
  const law = chart.data ?? (chart.problem ? undefined : last);
  return (
    <Panel
      title={law?.title ?? kind}
      aside={
        <span class="faint">
          {machine === newest ? 'by definition' : 'by the definition of that time,'}{' '}
          <Code text={machine} what="definition version" head={14} tail={4} />
        </span>
      }
    >
      {law?.layout ? (
        <Drawing chart={law} name={name} way={progressOf(steps, at.step, lanes)} onStep={onStep} />
      ) : (
        <Shown reading={chart}>
          {() => <p class="faint">This definition has no drawing; the steps are in the table above.</p>}
        </Shown>
      )}
      {law && (
        <details class="law-table">
          <summary>The state machine as a table</summary>
          <TransitionTable chart={law} />
        </details>
      )}
    </Panel>
  );
}
