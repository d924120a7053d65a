/**
 * Lays out the charts with ELK, at build time only, so that a node needs no layout engine and all drawings are the
 * same.
 */
import { createRequire } from 'node:module';
import type { ELK, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { type TransitionView, type UndrawnChart, undrawnChartOf } from '../../src/http/charts/chart-view.js';
import { badge, type LabelForm, labelSize } from '../../src/http/charts/label.js';
import type { Edge, Layout, Layouts, NodeBox, Point } from '../../src/http/charts/layout.js';
import { catalogue } from '../../src/machines/catalogue.js';
import type { AnyDefinition } from '../../src/machines/kernel/definition.js';
import { allVersionsOf } from '../../src/machines/kernel/versioning.js';
import {
  beginningId,
  dotSize,
  graphOf,
  insideOf,
  isCompound,
  isCreation,
  type Part,
  partOf,
  widthLacking,
} from './layout/graph.js';
import { scoreOf } from './layout/score.js';

/** The package has types of an ES module and the code of a CommonJS module. */
const Elk = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as new () => ELK;

const options = {
  'elk.algorithm': 'layered',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.edgeLabels.placement': 'CENTER',
  'elk.layered.spacing.nodeNodeBetweenLayers': '8',
  'elk.layered.spacing.edgeNodeBetweenLayers': '5',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '5',
  'elk.spacing.nodeNode': '18',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '2',
  'elk.spacing.labelLabel': '4',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  'elk.padding': '[top=14,left=10,bottom=12,right=10]',
} as const;

/** The ELK settings that are tried for each chart; the most readable layout is kept. */
const variants = ['NETWORK_SIMPLEX', 'BRANDES_KOEPF'].flatMap((placement) =>
  ['NODES_AND_EDGES', 'PREFER_EDGES', 'NONE'].flatMap((order) =>
    ['MODEL_ORDER', 'GREEDY'].map((cycles) => ({
      'elk.layered.nodePlacement.strategy': placement,
      'elk.layered.considerModelOrder.strategy': order,
      'elk.layered.cycleBreaking.strategy': cycles,
    })),
  ),
);

/** Tried where no other layout fits the page: fewer states next to each other, and less space between lines. */
const narrower = variants.map((variant) => ({
  ...variant,
  'elk.layered.layering.strategy': 'MIN_WIDTH',
  'elk.spacing.nodeNode': '12',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '9',
}));

/** How far a drawing may be wider than its place: its text of 12 pixels shrinks to 11. */
const mostShrunk = 12 / 11;

/** The space in a page of 1440 and of 1024 pixels, in terms of how far a drawing may shrink. */
const wanted = {
  wide: { direction: 'RIGHT', form: 'high', width: 1_250, height: 420 },
  tall: { direction: 'DOWN', form: 'flat', width: 770, height: 640 },
} as const;

const framePadding = 12;
const frameTitle = 26;
const gap = 12;
const margin = 16;

/** The layouts of definitions, by default those of the catalogue and of their earlier versions, by version. */
export async function machineLayouts(
  definitions: readonly AnyDefinition[] = Object.values(catalogue.definitions).flatMap(allVersionsOf),
): Promise<Map<string, Layouts>> {
  const elk = new Elk();
  const layouts = new Map<string, Layouts>();
  for (const each of definitions) {
    const chart = undrawnChartOf(each);
    if (!chart.isMachine) continue;
    layouts.set(chart.version, { wide: await layoutOf(chart, 'wide', elk), tall: await layoutOf(chart, 'tall', elk) });
  }
  return layouts;
}

/** Lays out the machine, and below it the frames of the machines inside its context. */
async function layoutOf(chart: UndrawnChart, shape: keyof Layouts, elk: ELK): Promise<Layout> {
  let whole = await bestOf(partOf(chart, undefined), shape, elk);
  for (const frame of chart.states.filter(({ type: sort }) => sort === 'machine')) {
    const inner = await bestOf(partOf(chart, frame.path), 'wide', elk);
    whole = below(whole, framed(frame.path, inner));
  }
  return whole;
}

async function bestOf(part: Part, shape: keyof Layouts, elk: ELK): Promise<Layout> {
  const { direction, form, ...place } = wanted[shape];
  const known = kept.get(keyOf(part, shape));
  if (known) return known;
  let best: { readonly layout: Layout; readonly score: number } | undefined;
  for (const tried of shape === 'tall' ? [variants, narrower] : [variants]) {
    if (best && best.layout.width <= place.width * mostShrunk) break;
    for (const variant of tried) {
      const layout = await laidOut(part, { ...options, ...variant, 'elk.direction': direction }, form, elk);
      const score = scoreOf(layout, place);
      if (!best || score < best.score) best = { layout, score };
    }
  }
  kept.set(keyOf(part, shape), best!.layout);
  return best!.layout;
}

/** Lays out once more if a compound state is narrower than the actions that it lists. */
async function laidOut(
  part: Part,
  settings: { readonly [option: string]: string },
  form: LabelForm,
  elk: ELK,
): Promise<Layout> {
  const layout = async (wider: ReadonlyMap<string, number>): Promise<Layout> =>
    drawnOf(await elk.layout<ElkNode>(graphOf(part, { options: settings, form, wider })), part, form);
  const first = await layout(new Map());
  const lacking = first.nodes
    .filter(({ state }) => isCompound(part, state))
    .map(({ state, width }) => [state, widthLacking(part, state, width)] as const)
    .filter(([, by]) => by > 0);
  return lacking.length === 0 ? first : layout(new Map(lacking));
}

/** Layouts by chart: charts that differ only in the names of guards, such as those of all listings, share one. */
const kept = new Map<string, Layout>();
const keyOf = ({ states, parent, moves, stays }: Part, shape: keyof Layouts): string =>
  JSON.stringify([
    shape,
    parent,
    states.map(({ path }) => path),
    [...moves, ...[...stays.values()].flat()].map(({ id, roles, guards }) => [id, roles, guards.length]),
  ]);

function drawnOf(graph: ElkNode, part: Part, form: LabelForm): Layout {
  const boxes = (graph.children ?? []).flatMap(withNested);
  const begins = new Set(part.moves.filter(isCreation).map(beginningId));
  return {
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    nodes: boxes.filter(({ id }) => !begins.has(id)).map((node) => nodeOf(node, part, form)),
    edges: (graph.edges ?? []).map((edge, index) => edgeOf(edge, part.moves[index]!, boxes, form)),
  };
}

/** A box and those inside it; outer ones first, so that they are drawn below. */
const withNested = (box: ElkNode): ElkNode[] => [box, ...(box.children ?? []).flatMap(withNested)];

const rounded = (value: number | undefined): number => Math.round((value ?? 0) * 2) / 2;
const pointOf = ({ x, y }: Partial<Point>): Point => ({ x: rounded(x), y: rounded(y) });

function nodeOf({ id, x, y, width, height }: ElkNode, part: Part, form: LabelForm): NodeBox {
  const box = { x: rounded(x), y: rounded(y), width: rounded(width), height: rounded(height) };
  return { state: id, ...box, inside: insideOf(box, part, id, form) };
}

function edgeOf(edge: ElkExtendedEdge, transition: TransitionView, boxes: readonly ElkNode[], form: LabelForm): Edge {
  const { startPoint, bendPoints = [], endPoint } = edge.sections![0]!;
  const points = [startPoint, ...bendPoints, endPoint].map(pointOf);
  const begin = boxes.find(({ id }) => id === beginningId(transition));
  const { width, height } = labelSize(transition, form);
  const space = begin
    ? besideDot(begin, form)
    : pointOf({ x: edge.labels![0]!.x!, y: edge.labels![0]!.y! + badge.above });
  return {
    transitions: [transition.id],
    from: transition.from,
    to: transition.to,
    points: begin ? [dotAt(points[0]!, form), ...points] : points,
    label: transition.event,
    labelAt: { x: space.x + width / 2, y: space.y + height / 2 },
    labelSize: { width, height },
    labels: [{ transition: transition.id, ...space, width, height }],
  };
}

const dotAt = ({ x, y }: Point, form: LabelForm): Point =>
  form === 'high' ? { x: x - dotSize / 2, y } : { x, y: y - dotSize / 2 };

/** The position of the label, below the space for its badge. */
const besideDot = ({ x = 0, y = 0 }: ElkNode, form: LabelForm): Point =>
  pointOf({ x: form === 'high' ? x : x + dotSize, y: y + badge.above });

function moved({ width, height, nodes, edges }: Layout, dx: number, dy: number): Layout {
  const by = <P extends Point>(point: P): P => ({ ...point, x: point.x + dx, y: point.y + dy });
  return {
    width,
    height,
    nodes: nodes.map((node) => ({ ...by(node), inside: node.inside.map(by) })),
    edges: edges.map((edge) => ({
      ...edge,
      points: edge.points.map(by),
      labelAt: by(edge.labelAt),
      labels: edge.labels.map(by),
    })),
  };
}

function framed(state: string, part: Layout): Layout {
  const { nodes, edges } = moved(part, framePadding, frameTitle);
  const width = part.width + 2 * framePadding;
  const height = part.height + frameTitle;
  return { width, height, nodes: [{ state, x: 0, y: 0, width, height, inside: [] }, ...nodes], edges };
}

function below(one: Layout, other: Layout): Layout {
  const { nodes, edges } = moved(other, margin, one.height + gap);
  return {
    width: Math.max(one.width, other.width + 2 * margin),
    height: one.height + gap + other.height + margin,
    nodes: [...one.nodes, ...nodes],
    edges: [...one.edges, ...edges],
  };
}

export const layoutsModule = (layouts: ReadonlyMap<string, Layouts>): string =>
  `// Written by npm run generate; what is changed here is lost.
import type { Layouts } from './layout.js';

export const layouts: { readonly [version: string]: Layouts } = {
${[...layouts].map(([version, layout]) => `  ${JSON.stringify(version)}: ${JSON.stringify(layout)},\n`).join('')}};
`;
