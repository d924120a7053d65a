/**
 * A kind's chart as SVG: real text, colours for light and dark, no external resources. The console draws the same
 * shapes in the same places; every label has a title that says who is permitted and what refuses.
 */
import type { MachineLayout } from '../../../packages/client/src/wire.js';
import type { StateView, TransitionView, UndrawnChart } from './chart-view.js';
import type { Box, Point } from './layout.js';
import { svgStyle } from './svg-style.js';

type DrawnNode = MachineLayout['nodes'][number];
type DrawnEdge = MachineLayout['edges'][number];
type DrawnLabel = DrawnEdge['labels'][number];

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!);

export function svgOf(chart: UndrawnChart, { width, height, nodes, edges }: MachineLayout): string {
  const transitions = new Map(chart.transitions.map((each) => [each.id, each]));
  const states = new Map(chart.states.map((each) => [each.path, each]));
  const label = (at: DrawnLabel, isInside: boolean): string =>
    drawnLabel(at, transitions.get(at.transition)!, isInside);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escapeHtml(chart.title)}</title>
<desc id="desc">State chart of definition version ${escapeHtml(chart.version)}: ${chart.states.length} states, ${chart.transitions.length} transitions.</desc>
<style>${svgStyle}</style>
<rect class="back" width="${width}" height="${height}"/>
${[
  ...nodes.map((node) => drawnNode(node, states.get(node.state)!)),
  ...edges.map(drawnEdge),
  ...nodes.flatMap(({ inside }) => inside.map((at) => label(at, true))),
  ...edges.flatMap(({ labels }) => labels.map((at) => label(at, false))),
].join('\n')}
</svg>
`;
}

const rect = ({ x, y, width, height }: Box, radius: number, more = ''): string =>
  `<rect${more} x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;

function drawnNode(node: DrawnNode, { name, path, type: sort, tone }: StateView): string {
  const { x, y, width, height, title, inside } = node;
  const words = sort === 'machine' ? `each ${name}` : name;
  const classes = {
    machine: 'frame machine',
    compound: 'frame compound',
    final: `${tone ?? 'state'} final`,
    atomic: `${tone ?? 'state'}${inside.length > 0 ? ' left' : ''}`,
  };
  const around =
    sort === 'final' ? rect({ x: x + 3.5, y: y + 3.5, width: width - 7, height: height - 7 }, 6, ' class="inner"') : '';
  return `<g class="${classes[sort]}" data-state="${escapeHtml(path)}">${rect(node, 9)}${around}<text class="title" x="${title.x}" y="${title.y}">${escapeHtml(words)}</text></g>`;
}

function drawnEdge({ from, points, transitions }: DrawnEdge): string {
  const [first] = points;
  const dot = from === null ? `<circle class="begin" cx="${first!.x}" cy="${first!.y}" r="6"/>` : '';
  return `<g class="edge" data-transitions="${escapeHtml(transitions.join(' '))}">${dot}<path class="line" d="${curve(points)}"/><path class="tip" d="M0 0L-9 -4.5L-9 4.5z" transform="${tipAt(points)}"/></g>`;
}

function drawnLabel(at: DrawnLabel, transition: TransitionView, isInside: boolean): string {
  const { action, roles, chip } = at;
  const text = (cls: string, { x, y, text: words }: DrawnLabel['action']): string =>
    `<text class="${cls}" x="${x}" y="${y}">${escapeHtml(words)}</text>`;
  const pill = chip
    ? `<g class="chip">${rect(chip, chip.height / 2)}<text x="${chip.x + chip.width / 2}" y="${chip.y + 12.5}">${escapeHtml(chip.text)}</text></g>`
    : '';
  return `<g class="label${isInside ? ' inside' : ''}" data-transition="${escapeHtml(transition.id)}"><title>${escapeHtml(descriptionOf(transition))}</title>${
    isInside ? '' : rect(at, 6, ' class="label-back"')
  }${text('label-action', action)}${pill}${roles.map((line) => text('label-roles', line)).join('')}</g>`;
}

function descriptionOf({ event, from, to, roles, guards, effects }: TransitionView): string {
  const refusals = guards.map(({ refusal, meaning }) => `  refused: ${meaning} (${refusal})`);
  const effect = effects.length > 0 ? [`  effects: ${effects.join(', ')}`] : [];
  return [`${event}: ${from ?? 'new'} → ${to} (${roles.join(', ')})`, ...refusals, ...effect].join('\n');
}

const radius = 7;

/** The path's `d` of a line. */
function curve(points: readonly Point[]): string {
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (!before) return `M${point.x} ${point.y}`;
      if (!after) return `L${point.x} ${point.y}`;
      const [from, to] = [towards(point, before), towards(point, after)];
      return `L${from.x} ${from.y}Q${point.x} ${point.y} ${to.x} ${to.y}`;
    })
    .join('');
}

/** The `transform` of an arrow's tip that points to the right. */
function tipAt(points: readonly Point[]): string {
  const [end, before] = [points.at(-1)!, points.at(-2)!];
  const turn = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  return `translate(${end.x} ${end.y}) rotate(${turn.toFixed(1)})`;
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const by = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return { x: rounded(from.x + (to.x - from.x) * by), y: rounded(from.y + (to.y - from.y) * by) };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
