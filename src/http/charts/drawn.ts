/** A layout with the positions of its texts: the API serves it, and every drawing of the chart uses it. */
import type { MachineLayout } from '../../../packages/client/src/wire.js';
import { type LabelForm, type LabelSource, labelParts } from './label.js';
import type { Box, LabelBox, Layout, NodeBox, Point } from './layout.js';

interface Titled {
  readonly path: string;
  readonly type: string;
}

/** The parts of a chart that a drawing needs. */
interface Drawable {
  readonly states: readonly Titled[];
  readonly transitions: readonly (LabelSource & { readonly id: string })[];
}

/** @param form of the labels on its lines: `high` in a wide layout, `flat` in a tall one */
export function drawnLayout(chart: Drawable, layout: Layout, form: Exclude<LabelForm, 'inside'>): MachineLayout {
  const transitions = new Map(chart.transitions.map((each) => [each.id, each]));
  const states = new Map(chart.states.map((each) => [each.path, each]));
  return {
    ...layout,
    nodes: layout.nodes.map((node) => ({
      ...node,
      title: titleAt(node, states.get(node.state)!),
      inside: node.inside.map((box) => drawnLabel(box, transitions, 'inside')),
    })),
    edges: layout.edges.map((edge) => ({
      ...edge,
      labels: edge.labels.map((box) => drawnLabel(box, transitions, form)),
    })),
  };
}

const drawnLabel = (box: LabelBox, transitions: ReadonlyMap<string, LabelSource>, form: LabelForm) => ({
  ...box,
  ...labelParts(transitions.get(box.transition)!, box, form),
});

const isPlain = ({ inside }: NodeBox, { type }: Pick<Titled, 'type'>): boolean =>
  inside.length === 0 && type !== 'compound' && type !== 'machine';

function titleAt(node: NodeBox, state: Pick<Titled, 'type'>): Point {
  const { x, y, width, height }: Box = node;
  return isPlain(node, state) ? { x: x + width / 2, y: y + height / 2 + 5 } : { x: x + 10, y: y + 24 };
}
