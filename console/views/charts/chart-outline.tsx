/** The chart as a list of its states with their actions, for places that are too narrow for the drawing. */

import type { ChartState, ChartTransition, MachineChart } from '../../api/types.ts';
import { words } from '../../format/format.ts';
import { stateText } from '../../format/states.ts';
import type { ChartProgress } from './chart-progress.ts';

interface ChartOutlineProps {
  readonly chart: MachineChart;
  readonly way: ChartProgress;
  /** Id of the selected transition. */
  readonly picked: string | undefined;
  readonly onPick: (transition: string) => void;
  readonly onStep: ((step: number) => void) | undefined;
}

export function ChartOutline({ chart, ...rest }: ChartOutlineProps) {
  const creation = chart.transitions.filter(({ from }) => from === null);
  return (
    <ol class="outline" aria-label={`States of definition ${chart.version}`}>
      {creation.length > 0 && (
        <li class="outline-state">
          <p class="faint">beginning</p>
          <Actions transitions={creation} {...rest} />
        </li>
      )}
      {chart.states.map((state) => (
        <State key={state.path} state={state} chart={chart} {...rest} />
      ))}
    </ol>
  );
}

function State({ state, chart, ...rest }: ChartOutlineProps & { readonly state: ChartState }) {
  const { path, name, type, tone } = state;
  const { way } = rest;
  const inside = way.inside.get(path) ?? [];
  const isNow = way.state === path || inside.length > 0;
  const isBeen = way.been.has(path) || [...way.been].some((each) => each.startsWith(`${path}.`));
  const depth = path.split(/[./]/).length - 1;
  const standing = way.step === 0 ? '' : isNow ? 'lit' : isBeen || type === 'machine' ? 'been' : 'ahead';
  return (
    <li
      class={`outline-state ${tone ?? 'under-way'} ${standing}`}
      style={{ marginLeft: `${depth}rem` }}
      data-state={path}
    >
      <p>
        <strong>{type === 'machine' ? `each ${name}` : name}</strong>{' '}
        <span class="faint">
          {[
            type === 'final' ? 'final' : '',
            isNow ? (inside.length > 0 ? `now ${inside.length}: ${inside.join(', ')}` : 'now') : '',
          ]
            .filter((each) => each !== '')
            .join(', ')}
        </span>
      </p>
      <Actions transitions={chart.transitions.filter(({ from }) => from === path)} {...rest} />
    </li>
  );
}

type ActionsProps = Omit<ChartOutlineProps, 'chart'> & { readonly transitions: readonly ChartTransition[] };

function Actions({ transitions, way, picked, onPick, onStep }: ActionsProps) {
  if (transitions.length === 0) return null;
  return (
    <ul>
      {transitions.map(({ id, event, from, to, roles, guards }) => (
        <li key={id}>
          <button type="button" class="quiet" aria-pressed={picked === id} onClick={() => onPick(id)}>
            {event}
          </button>{' '}
          {from === to ? 'stays' : `→ ${stateText(to)}`}
          {(way.steps.get(id) ?? []).map((step) => (
            <button
              key={step}
              type="button"
              class={`step-dot ${step === way.step ? 'now' : step > way.step ? 'ahead' : ''}`}
              aria-label={`Open step ${step}`}
              onClick={() => onStep?.(step)}
            >
              {step}
            </button>
          ))}
          <br />
          <span class="faint small">
            {roles.map(words).join(', ')}
            {guards.length > 0 && `; ${guards.length} ${guards.length === 1 ? 'condition' : 'conditions'}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
