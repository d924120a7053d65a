/**
 * A kind's chart as SVG: real text, colours for light and dark, no external resources. It is drawn by the layout; every
 * line has a title that says who is permitted and what refuses.
 */
import { escapeHtml } from '../render/pages.js';
import type { StateView, TransitionView, UndrawnChart } from './chart-view.js';
import { leadingOf, linesOf, sizeOf, type } from './label.js';
import type { Edge, Layout, NodeBox, Point } from './layout.js';

interface Palette {
  readonly back: string;
  readonly text: string;
  readonly faint: string;
  readonly line: string;
  readonly state: string;
  readonly edge: string;
  readonly final: string;
  readonly done: string;
}

/** Every text has a contrast of at least 4.5 with its background. */
const light: Palette = {
  back: '#ffffff',
  text: '#1b1f24',
  faint: '#59636e',
  line: '#6e7781',
  state: '#eef4fd',
  edge: '#0a57b5',
  final: '#edf7ee',
  done: '#1a7f37',
};
const dark: Palette = {
  back: '#0d1117',
  text: '#e6edf3',
  faint: '#9198a1',
  line: '#8b949e',
  state: '#14233a',
  edge: '#6cb0ff',
  final: '#12261a',
  done: '#56d364',
};

/** Without CSS variables, which many image viewers do not support. */
const coloured = ({ back, text, faint, line, state, edge, final, done }: Palette): string => `text { fill: ${text}; }
.back { fill: ${back}; }
.state rect { fill: ${state}; stroke: ${edge}; }
.final rect { fill: ${final}; stroke: ${done}; }
.frame rect { stroke: ${line}; }
.line { stroke: ${line}; }
.tip, .dot { fill: ${line}; }
.action { fill: ${edge}; }
.guard, .frame text { fill: ${faint}; }`;

/** The content of the style element: a content security policy can name its hash. */
export const svgStyle = `
svg { color-scheme: light dark; }
text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.state rect { stroke-width: 1.5; }
.state text { font-size: ${type.state.size}px; font-weight: 600; text-anchor: middle; }
.frame rect { fill: none; stroke-dasharray: 5 4; }
.frame text { font-size: 12px; }
.compound rect { stroke-dasharray: none; }
.compound text { font-weight: 600; }
.line { fill: none; stroke-width: 1.3; }
.action { font-size: ${type.action.size}px; font-weight: 600; }
.roles { font-size: ${type.roles.size}px; }
.guard { font-size: ${type.guard.size}px; }
${coloured(light)}
@media (prefers-color-scheme: dark) {
${coloured(dark)}
}
.final .inner { fill: none; stroke-width: 1; }
`;

export function svgOf(chart: UndrawnChart, { width, height, nodes, edges }: Layout): string {
  const transitions = new Map(chart.transitions.map((each) => [each.id, each]));
  const states = new Map(chart.states.map((each) => [each.path, each]));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escapeHtml(chart.title)}</title>
<desc id="desc">State chart of definition version ${escapeHtml(chart.version)}: ${chart.states.length} states, ${chart.transitions.length} transitions.</desc>
<style>${svgStyle}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
<rect class="back" width="${width}" height="${height}"/>
${nodes.map((node) => drawnNode(node, states.get(node.state)!)).join('\n')}
${edges
  .map((edge) =>
    drawnEdge(
      edge,
      edge.transitions.map((id) => transitions.get(id)!),
    ),
  )
  .join('\n')}
</svg>
`;
}

function drawnNode({ x, y, width, height }: NodeBox, { name, path, type: sort }: StateView): string {
  const box = (inset: number, radius: number, attributes = ''): string =>
    `<rect x="${x + inset}" y="${y + inset}" width="${width - 2 * inset}" height="${height - 2 * inset}" rx="${radius}"${attributes}/>`;
  const title = (words: string): string => `<text x="${x + 14}" y="${y + 20}">${escapeHtml(words)}</text>`;
  if (sort === 'machine') return `<g class="frame">${box(0, 10)}${title(`each ${name}, inside the context`)}</g>`;
  if (sort === 'compound')
    return `<g class="frame compound" data-state="${escapeHtml(path)}">${box(0, 10)}${title(name)}</g>`;
  const text = `<text x="${x + width / 2}" y="${y + height / 2 + 5}">${escapeHtml(name)}</text>`;
  const inner = sort === 'final' ? box(3.5, 6, ' class="inner"') : '';
  const cls = sort === 'final' ? 'state final' : 'state';
  return `<g class="${cls}" data-state="${escapeHtml(path)}">${box(0, 9)}${inner}${text}</g>`;
}

function drawnEdge({ from, points, labelAt, transitions: ids }: Edge, transitions: readonly TransitionView[]): string {
  const dot = from === null ? `<circle class="dot" cx="${points[0]!.x}" cy="${points[0]!.y - 6}" r="6"/>` : '';
  return `<g class="edge" data-transitions="${escapeHtml(ids.join(' '))}"><title>${escapeHtml(transitions.map(toldOf).join('\n'))}</title>
${dot}<path class="line" d="${pathOf(points)}" marker-end="url(#tip)"/>
${label(labelAt, transitions)}</g>`;
}

function label({ x, y }: Point, transitions: readonly TransitionView[]): string {
  const lines = linesOf(transitions);
  const { width, height } = sizeOf(lines);
  const left = x - width / 2 + 4;
  let baseline = y - height / 2 + 1;
  return lines
    .map((line, index) => {
      const { text, sort } = line;
      baseline += leadingOf(line, index);
      return `<text class="${sort}" x="${left}" y="${baseline - 4}">${escapeHtml(text)}</text>`;
    })
    .join('\n');
}

/** The transition in a sentence, with its refusals. */
function toldOf({ event, from, to, roles, guards, effects }: TransitionView): string {
  const refusals = guards.map(({ name, refusal }) => `  unless ${name}: ${refusal}`);
  const effect = effects.length > 0 ? [`  effects: ${effects.join(', ')}`] : [];
  return [`${event}: ${from ?? 'new'} → ${to} (${roles.join(', ')})`, ...refusals, ...effect].join('\n');
}

const radius = 7;

/** An SVG path with rounded corners. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const parts = [`M${first!.x} ${first!.y}`];
  for (const [index, corner] of rest.entries()) {
    const next = rest[index + 1];
    if (!next) {
      parts.push(`L${corner.x} ${corner.y}`);
      continue;
    }
    const before = towards(corner, index === 0 ? first! : rest[index - 1]!);
    const after = towards(corner, next);
    parts.push(`L${before.x} ${before.y}Q${corner.x} ${corner.y} ${after.x} ${after.y}`);
  }
  return parts.join('');
}

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const by = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return { x: round(from.x + (to.x - from.x) * by), y: round(from.y + (to.y - from.y) * by) };
}

const round = (value: number): number => Math.round(value * 100) / 100;
