/** Lays the charts out: ELK, at build time only, so that a node needs no layout engine and all see the same drawing. */

import { createRequire } from 'node:module';
import type { ELK, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import {
  type StateView,
  type TransitionView,
  type UndrawnChart,
  undrawnChartOf,
} from '../../src/http/charts/chart-view.js';
import { linesOf, sizeOf, type } from '../../src/http/charts/label.js';
import type { Edge, Layout, NodeBox, Point } from '../../src/http/charts/layout.js';
import { catalogue } from '../../src/machines/catalogue.js';
import type { AnyDefinition } from '../../src/machines/kernel/resource.js';

/** The package has types of ES modules and code of CommonJS. */
const Elk = createRequire(import.meta.url)('elkjs/lib/elk.bundled.js') as new () => ELK;

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.edgeLabels.inline': 'false',
  'elk.edgeLabels.placement': 'CENTER',
  'elk.layered.edgeLabels.sideSelection': 'ALWAYS_DOWN',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  'elk.spacing.nodeNode': '40',
  'elk.spacing.edgeNode': '22',
  'elk.spacing.edgeEdge': '16',
  'elk.spacing.edgeLabel': '6',
  'elk.spacing.nodeSelfLoop': '16',
  'elk.spacing.labelLabel': '4',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.nodePlacement.favorStraightEdges': 'true',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.padding': '[top=12,left=12,bottom=12,right=12]',
} as const;

/** With boxes in boxes: lines may cross their borders, and all places are counted from the drawing's own corner. */
const nestedOptions = {
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
} as const;
const compoundOptions = { 'elk.padding': '[top=38,left=16,bottom=16,right=16]' } as const;

const stateHeight = 38;
const dotSize = 14;
const framePadding = 16;
const frameTitle = 26;
const gap = 32;

/** Of every definition that the program knows, by version; past ones too. */
export async function machineLayouts(): Promise<Map<string, Layout>> {
  const elk = new Elk();
  const layouts = new Map<string, Layout>();
  const definitions = Object.values(catalogue.definitions);
  for (const each of definitions.flatMap((one) => [one, ...((one.past ?? []) as readonly AnyDefinition[])])) {
    const chart = undrawnChartOf(each);
    if (chart.isMachine) layouts.set(chart.version, await layoutOf(chart, elk));
  }
  return layouts;
}

/** The machine, and below it the frames of those inside its context. */
async function layoutOf(chart: UndrawnChart, elk: ELK): Promise<Layout> {
  const own = await partOf(chart, undefined, elk);
  let whole = own;
  for (const frame of chart.states.filter(({ type: sort }) => sort === 'machine')) {
    whole = beside(whole, framed(frame.path, await partOf(chart, frame.path, elk)));
  }
  return whole;
}

async function partOf({ states, transitions }: UndrawnChart, parent: string | undefined, elk: ELK): Promise<Layout> {
  const boxes = boxesIn(states, parent);
  const placed = boxes.flatMap(withNested);
  const paths = new Set(placed.map(({ id }) => id));
  const groups = grouped(transitions.filter(({ to }) => paths.has(to)));
  const graph: ElkNode = await elk.layout<ElkNode>({
    id: 'chart',
    layoutOptions: placed.length > boxes.length ? { ...options, ...nestedOptions } : options,
    children: [{ id: '', width: dotSize, height: dotSize }, ...boxes],
    edges: groups.map(lineOf),
  });
  return {
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    nodes: (graph.children ?? [])
      .filter(({ id }) => id !== '')
      .flatMap(withNested)
      .map(nodeOf),
    edges: (graph.edges ?? []).map((edge, index) => drawn(edge, groups[index]!)),
  };
}

/** The states below a parent as boxes, those nested in them inside. */
const boxesIn = (states: readonly StateView[], parent: string | undefined): ElkNode[] =>
  states
    .filter((state) => state.parent === parent && state.type !== 'machine')
    .map(({ path, name }): ElkNode => {
      const children = boxesIn(states, path);
      if (children.length > 0) return { id: path, children, layoutOptions: compoundOptions };
      return { id: path, width: Math.ceil(name.length * type.state.advance + 36), height: stateHeight };
    });

/** A box, and those inside of it: outer ones first, so that they are drawn below. */
const withNested = (box: ElkNode): ElkNode[] => [box, ...(box.children ?? []).flatMap(withNested)];

/** Transitions between the same two states share a line. */
function grouped(transitions: readonly TransitionView[]): TransitionView[][] {
  const groups = new Map<string, TransitionView[]>();
  for (const each of transitions) {
    const key = JSON.stringify([each.from, each.to]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

const lineOf = (group: readonly TransitionView[], index: number): ElkExtendedEdge => ({
  id: `edge ${index}`,
  sources: [group[0]!.from ?? ''],
  targets: [group[0]!.to],
  labels: [{ text: group.map(({ event }) => event).join(' '), ...sizeOf(linesOf(group)) }],
});

const rounded = (value: number | undefined): number => Math.round((value ?? 0) * 2) / 2;
const pointOf = ({ x, y }: Point): Point => ({ x: rounded(x), y: rounded(y) });

const nodeOf = ({ id, x, y, width, height }: ElkNode): NodeBox => ({
  state: id,
  x: rounded(x),
  y: rounded(y),
  width: rounded(width),
  height: rounded(height),
});

function drawn({ sections = [], labels = [] }: ElkExtendedEdge, group: readonly TransitionView[]): Edge {
  const { startPoint, bendPoints = [], endPoint } = sections[0]!;
  const { x = 0, y = 0, width = 0, height = 0 } = labels[0]!;
  return {
    transitions: group.map(({ id }) => id),
    from: group[0]!.from,
    to: group[0]!.to,
    points: [startPoint, ...bendPoints, endPoint].map(pointOf),
    label: [...new Set(group.map(({ event }) => event))].join('\n'),
    labelAt: pointOf({ x: x + width / 2, y: y + height / 2 }),
    labelSize: { width: rounded(width), height: rounded(height) },
  };
}

const moved = ({ width, height, nodes, edges }: Layout, dx: number, dy: number): Layout => {
  const by = <P extends Point>(point: P): P => ({ ...point, x: point.x + dx, y: point.y + dy });
  return {
    width,
    height,
    nodes: nodes.map(by),
    edges: edges.map((edge) => ({ ...edge, points: edge.points.map(by), labelAt: by(edge.labelAt) })),
  };
};

function framed(state: string, part: Layout): Layout {
  const { nodes, edges } = moved(part, framePadding, framePadding + frameTitle);
  const width = part.width + 2 * framePadding;
  const height = part.height + 2 * framePadding + frameTitle;
  return { width, height, nodes: [{ state, x: 0, y: 0, width, height }, ...nodes], edges };
}

function beside(one: Layout, other: Layout): Layout {
  const { nodes, edges } = moved(other, one.width + gap, 12);
  return {
    width: one.width + gap + other.width + 12,
    height: Math.max(one.height, other.height + 24),
    nodes: [...one.nodes, ...nodes],
    edges: [...one.edges, ...edges],
  };
}

export const layoutsModule = (layouts: ReadonlyMap<string, Layout>): string =>
  `// Written by npm run generate; what is changed here is lost.
import type { Layout } from './layout.js';

export const layouts: { readonly [version: string]: Layout } = {
${[...layouts].map(([version, layout]) => `  ${JSON.stringify(version)}: ${JSON.stringify(layout)},\n`).join('')}};
`;
