/** A kind's chart as a Mermaid diagram (`stateDiagram-v2`). */
import type { StateView, UndrawnChart } from './chart-view.js';

/** The whole chart. States with nested ones, and machines inside the context, are composite states. */
export const mermaidOf = (chart: UndrawnChart): string =>
  ['stateDiagram-v2', ...linesIn(chart, undefined).map((line) => `    ${line}`), ''].join('\n');

/** The lines inside a composite state, or of the whole diagram if `parent` is undefined. */
function linesIn(chart: UndrawnChart, parent: string | undefined): string[] {
  const states = chart.states.filter((state) => state.parent === parent);
  return [
    ...states.filter(({ path, name }) => path !== name).map(({ path, name }) => `${stateId(path)}: ${name}`),
    // States come before arrows, because Mermaid places a state where it is first mentioned.
    ...states.filter(isComposite).flatMap((state) => compositeOf(chart, state)),
    ...arrowsIn(chart, parent),
    ...states.filter(({ type }) => type === 'final').map(({ path }) => `${stateId(path)} --> [*]`),
  ];
}

const isComposite = ({ type }: StateView): boolean => type === 'machine' || type === 'compound';

function compositeOf(chart: UndrawnChart, { path, name, type }: StateView): string[] {
  const first = chart.states.find((state) => type === 'compound' && state.parent === path && state.initial);
  return [
    `state "${type === 'machine' ? 'each ' : ''}${name}" as ${stateId(path)} {`,
    ...(first ? [`    [*] --> ${stateId(first.path)}`] : []),
    ...linesIn(chart, path).map((line) => `    ${line}`),
    '}',
  ];
}

/** Arrows belong to the innermost composite state that contains both of their ends. */
function arrowsIn({ states, transitions }: UndrawnChart, parent: string | undefined): string[] {
  const parents = new Map(states.map((state) => [state.path, state.parent]));
  const arrows = new Map<string, Set<string>>();
  for (const { from, to, event } of transitions) {
    const target = from === null ? outermost(to, parents) : to;
    if (commonParent(from ?? target, target, parents) !== parent) continue;
    const arrow = `${from === null ? '[*]' : stateId(from)} --> ${stateId(target)}`;
    arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(event));
  }
  return [...arrows].map(([arrow, events]) => `${arrow}: ${[...events].join(', ')}`);
}

type Parents = ReadonlyMap<string, string | undefined>;

function ancestors(path: string, parents: Parents): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (let at = parents.get(path); at !== undefined; at = parents.get(at)) found.push(at);
  return [...found, undefined];
}

const commonParent = (one: string, other: string, parents: Parents): string | undefined =>
  ancestors(one, parents).find((each) => ancestors(other, parents).includes(each));

/**
 * A creation enters the outermost state, whose initial state follows from it; nested machines have an initial state of
 * their own.
 */
const outermost = (path: string, parents: Parents): string =>
  [path, ...ancestors(path, parents)].findLast(
    (each): each is string => each !== undefined && (each === path || path.startsWith(`${each}.`)),
  )!;

/** State names share one namespace in Mermaid, whatever they are nested in. */
const stateId = (path: string): string => path.replaceAll(/[/.-]/g, '_');
