/** Rates how readable a layout is; lower is better. */
import type { Box, Layout, Point } from '../../../src/http/charts/layout.js';

interface Wanted {
  readonly width: number;
  readonly height: number;
}

/** The cost of one occurrence, in pixels of height. */
const costs = {
  crossing: 120,
  covered: 900,
  bend: 14,
  backward: 420,
  length: 0.04,
  lowEnd: 1.5,
  tooWide: 6,
  tooHigh: 3,
  width: 0.25,
} as const;

export function scoreOf(layout: Layout, wanted: Wanted): number {
  const { width, height, edges } = layout;
  const bends = edges.reduce((sum, { points }) => sum + points.length - 2, 0);
  const length = edges.flatMap(({ points }) => legsOf(points)).reduce((sum, [a, b]) => sum + far(a, b), 0);
  return (
    height +
    width * costs.width +
    Math.max(0, width - wanted.width) * costs.tooWide +
    Math.max(0, height - wanted.height) * costs.tooHigh +
    crossings(layout) * costs.crossing +
    covered(layout) * costs.covered +
    backward(layout) * costs.backward +
    lowestEnd(layout) * costs.lowEnd +
    bends * costs.bend +
    length * costs.length
  );
}

/**
 * The number of lines that lead against the reading direction, although their transition leads away from the initial
 * state.
 */
function backward({ width, height, nodes, edges }: Layout): number {
  const depths = depthsOf(edges);
  const depth = (path: string): number => depths.get(path) ?? 0;
  const at = (path: string): number => {
    const { x, y } = nodes.find(({ state }) => state === path)!;
    return width > height ? x : y;
  };
  return edges.filter(({ from, to }) => from !== null && depth(from) < depth(to) && at(from) >= at(to)).length;
}

/** The lower edge of the lowest final state. Readers look for an end first, so it should be visible. */
function lowestEnd({ nodes, edges }: Layout): number {
  const isLeft = (path: string) => edges.some(({ from }) => from !== null && (from === path || isWithin(path, from)));
  const ends = nodes.filter(({ state }) => !isLeft(state) && !nodes.some((each) => isWithin(each.state, state)));
  return Math.max(0, ...ends.map(({ y, height }) => y + height));
}

/** The length of the shortest path from the beginning to each state. */
function depthsOf(edges: Layout['edges']): Map<string, number> {
  const depths = new Map<string, number>();
  let reached = edges.filter(({ from }) => from === null).map(({ to }) => to);
  for (let depth = 0; reached.length > 0; depth++) {
    for (const path of reached) depths.set(path, depth);
    const here = reached;
    reached = edges.flatMap(({ from, to }) =>
      from !== null && !depths.has(to) && here.some((path) => path === from || isWithin(path, from)) ? [to] : [],
    );
  }
  return depths;
}

type Leg = readonly [Point, Point];

const legsOf = (points: readonly Point[]): Leg[] => points.slice(1).map((point, index) => [points[index]!, point]);
const far = (a: Point, b: Point): number => Math.abs(a.x - b.x) + Math.abs(a.y - b.y);

function crossings({ edges }: Layout): number {
  const legs = edges.map(({ points }) => legsOf(points));
  let found = 0;
  for (const [index, one] of legs.entries()) {
    for (const other of legs.slice(index + 1)) {
      found += one.flatMap((a) => other.filter((b) => cross(a, b))).length;
    }
  }
  return found;
}

function cross(a: Leg, b: Leg): boolean {
  const [one, other] = [spanOf(a), spanOf(b)];
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function spanOf([a, b]: Leg): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.abs(a.x - b.x) || 0.1, height: Math.abs(a.y - b.y) || 0.1 };
}

/** The number of labels that are crossed by another line, or overlap a label or a state. */
export function covered({ nodes, edges }: Layout): number {
  const listed = nodes.flatMap(({ state, inside }) => inside.map((box) => ({ box, edge: undefined, state })));
  const onLines = edges.flatMap((edge) => edge.labels.map((box) => ({ box, edge, state: undefined })));
  const labels = [...onLines, ...listed];
  const leaves = nodes.filter(({ state }) => !nodes.some((each) => isWithin(each.state, state)));
  return labels.reduce((sum, { box, edge, state }, index) => {
    const lines = edges.filter((each) => each !== edge && legsOf(each.points).some((leg) => overlap(spanOf(leg), box)));
    const states = leaves.filter((node) => node.state !== state && overlap(node, box));
    const others = labels.slice(index + 1).filter((each) => overlap(each.box, box));
    return sum + lines.length + states.length + others.length;
  }, 0);
}

const isWithin = (path: string, around: string): boolean =>
  path.startsWith(`${around}.`) || path.startsWith(`${around}/`);

const overlap = (a: Box, b: Box): boolean =>
  a.x + 1 < b.x + b.width && b.x + 1 < a.x + a.width && a.y + 1 < b.y + b.height && b.y + 1 < a.y + a.height;
