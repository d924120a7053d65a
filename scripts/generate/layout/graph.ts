/** A chart as input for ELK: boxes with space for their titles and actions, lines with space for their labels. */
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { StateView, TransitionView, UndrawnChart } from '../../../src/http/charts/chart-view.js';
import { badge, type LabelForm, labelSize, textWidth, type } from '../../../src/http/charts/label.js';
import type { Box, LabelBox } from '../../../src/http/charts/layout.js';

/** Distances inside a state's box, in pixels. */
const inner = { side: 10, top: 10, bottom: 8, title: 20, gap: 2, beside: 14 } as const;
const plainHeight = 40;
export const dotSize = 12;

/** One machine of a chart: the states below a parent, and the transitions between them or within one. */
export interface Part {
  readonly states: readonly StateView[];
  readonly parent: string | undefined;
  readonly stays: ReadonlyMap<string, readonly TransitionView[]>;
  readonly moves: readonly TransitionView[];
}

export function partOf({ states, transitions }: UndrawnChart, parent: string | undefined): Part {
  const paths = new Set(pathsIn(states, parent));
  const own = transitions.filter(({ to }) => paths.has(to));
  const stays = new Map<string, TransitionView[]>();
  for (const each of own.filter(({ from, to }) => from === to)) {
    stays.set(each.to, [...(stays.get(each.to) ?? []), each]);
  }
  return { states, parent, stays, moves: own.filter(({ from, to }) => from !== to) };
}

const pathsIn = (states: readonly StateView[], parent: string | undefined): string[] =>
  states
    .filter((state) => state.parent === parent && state.type !== 'machine')
    .flatMap(({ path }) => [path, ...pathsIn(states, path)]);

export const isCompound = ({ states }: Part, path: string): boolean => states.some(({ parent }) => parent === path);

interface GraphOptions {
  readonly options: { readonly [option: string]: string };
  readonly form: LabelForm;
  /** How much each compound state must be widened so that its actions fit. */
  readonly wider: ReadonlyMap<string, number>;
}

export const graphOf = (part: Part, { options, form, wider }: GraphOptions): ElkNode => ({
  id: 'chart',
  layoutOptions: {
    ...options,
    'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
    'elk.json.shapeCoords': 'ROOT',
    'elk.json.edgeCoords': 'ROOT',
  },
  children: [
    ...part.moves.filter(isCreation).map((each) => beginning(each, form)),
    ...boxesIn(part, part.parent, { form, wider }),
  ],
  edges: part.moves.map((each, index) => lineOf(each, index, form)),
});

export const isCreation = ({ from }: TransitionView): boolean => from === null;
export const beginningId = ({ id }: TransitionView): string => `begin ${id}`;

/**
 * The initial dot with its label, which is above the dot if lines lead to the right, and next to it if they lead
 * downwards.
 */
function beginning(creation: TransitionView, form: LabelForm): ElkNode {
  const { width, height } = labelSpace(creation, form);
  const size =
    form === 'high'
      ? { width, height: height + dotSize }
      : { width: width + dotSize, height: Math.max(height, dotSize) };
  const port = form === 'high' ? { x: width, y: height + dotSize / 2 } : { x: dotSize / 2, y: size.height };
  return {
    id: beginningId(creation),
    ...size,
    layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
    ports: [{ id: `port ${creation.id}`, width: 0, height: 0, ...port }],
  };
}

function boxesIn(part: Part, parent: string | undefined, about: Omit<GraphOptions, 'options'>): ElkNode[] {
  return part.states
    .filter((state) => state.parent === parent && state.type !== 'machine')
    .map(({ path, name }): ElkNode => {
      const children = boxesIn(part, path, about);
      const { width, height, list } = headSize(name, part.stays.get(path) ?? [], children.length > 0);
      if (children.length === 0) return { id: path, width, height };
      return {
        id: path,
        children,
        layoutOptions: {
          'elk.padding':
            about.form === 'high'
              ? `[top=${height + 4},left=14,bottom=14,right=${14 + (about.wider.get(path) ?? 0)}]`
              : `[top=${height - list + 4},left=14,bottom=${14 + list},right=${14 + (about.wider.get(path) ?? 0)}]`,
        },
      };
    });
}

interface HeadSize {
  readonly width: number;
  readonly height: number;
  /** The part of the height that the list of actions takes. */
  readonly list: number;
}

/** How much a compound state must be widened for its title and its actions. */
export function widthLacking(part: Part, path: string, width: number): number {
  const { name } = part.states.find((state) => state.path === path)!;
  return Math.max(0, headSize(name, part.stays.get(path) ?? [], true).width - width);
}

/** The size of a state's title and of the actions that stay in it: stacked or, in a compound state, in a row. */
function headSize(name: string, stays: readonly TransitionView[], inRow: boolean): HeadSize {
  const sizes = stays.map((each) => labelSize(each, 'inside'));
  const title = textWidth(name, type.state.size, true);
  const widths = sizes.map((each) => each.width + (inRow ? inner.beside : 0));
  const rows = inRow ? widths.reduce((sum, width) => sum + width, 0) : Math.max(0, ...widths);
  const width = Math.ceil(Math.max(title, rows) + 2 * inner.side + 2);
  if (sizes.length === 0) return { width, height: inRow ? inner.top + inner.title : plainHeight, list: 0 };
  const heights = sizes.map(({ height }) => height + inner.gap);
  const list = inRow ? Math.max(...heights) : heights.reduce((sum, height) => sum + height, 0);
  return { width, height: inner.top + inner.title + list + inner.bottom, list };
}

/**
 * The positions of the actions that stay in a state: below its title or, in a compound state of a tall layout, at its
 * end.
 */
export function insideOf(box: Box, part: Part, path: string, form: LabelForm): LabelBox[] {
  const inRow = isCompound(part, path);
  const stays = part.stays.get(path) ?? [];
  const tallest = Math.max(0, ...stays.map((each) => labelSize(each, 'inside').height));
  let left = box.x + inner.side;
  let top =
    inRow && form === 'flat'
      ? box.y + box.height - tallest - inner.bottom
      : box.y + inner.top + inner.title + inner.gap;
  return stays.map((transition) => {
    const { width, height } = labelSize(transition, 'inside');
    const place = { transition: transition.id, x: left, y: top, width, height };
    if (inRow) left += width + inner.beside;
    else top += height + inner.gap;
    return place;
  });
}

/** The space of a line's label, including its badge. */
export function labelSpace(transition: TransitionView, form: LabelForm): { width: number; height: number } {
  const { width, height } = labelSize(transition, form);
  return { width, height: height + badge.above };
}

const lineOf = (transition: TransitionView, index: number, form: LabelForm): ElkExtendedEdge => ({
  id: `edge ${index}`,
  sources: [transition.from ?? `port ${transition.id}`],
  targets: [transition.to],
  ...(isCreation(transition)
    ? {}
    : {
        labels: [
          {
            text: transition.event,
            ...labelSpace(transition, form),
            layoutOptions: { 'elk.edgeLabels.inline': 'true' },
          },
        ],
      }),
});
