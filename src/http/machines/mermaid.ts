/** A kind's law as a Mermaid diagram (`stateDiagram-v2`). */
import type { ChartView, StateView } from './chart-view.js';

type Law = Pick<ChartView, 'states' | 'transitions'>;

/** The whole chart; machines inside the context are composite states. */
export function mermaidOf({ states, transitions }: Law): string {
  const own = inside(states, undefined);
  const frames = states.filter(({ type }) => type === 'machine');
  return [
    'stateDiagram-v2',
    ...linesOf(own, transitions).map((line) => `    ${line}`),
    ...frames.flatMap(({ path, name }) => [
      `    state "each ${name}" as ${nameOf(path)} {`,
      ...linesOf(inside(states, path), transitions).map((line) => `        ${line}`),
      '    }',
    ]),
    '',
  ].join('\n');
}

const inside = (states: readonly StateView[], parent: string | undefined): StateView[] =>
  states.filter((state) => state.parent === parent && state.type !== 'machine');

function linesOf(states: readonly StateView[], transitions: Law['transitions']): string[] {
  const paths = new Set(states.map(({ path }) => path));
  const arrows = new Map<string, Set<string>>();
  for (const { from, to, event } of transitions) {
    if (!paths.has(to)) continue;
    const arrow = `${from === null ? '[*]' : nameOf(from)} --> ${nameOf(to)}`;
    arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(event));
  }
  return [
    ...states.filter(({ path, name }) => path !== name).map(({ path, name }) => `${nameOf(path)}: ${name}`),
    ...[...arrows].map(([arrow, events]) => `${arrow}: ${[...events].join(', ')}`),
    ...states.filter(({ type }) => type === 'final').map(({ path }) => `${nameOf(path)} --> [*]`),
  ];
}

/** Names of states are one namespace there, whatever they are nested in. */
const nameOf = (path: string): string => path.replaceAll('/', '_').replaceAll('-', '_');
