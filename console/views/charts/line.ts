/** SVG paths of lines with rounded corners. */
import type { Point } from '../../api/types.ts';

const radius = 7;

export function pathOf(points: readonly Point[]): string {
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

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const by = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return { x: rounded(from.x + (to.x - from.x) * by), y: rounded(from.y + (to.y - from.y) * by) };
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** The `transform` that moves and turns an arrowhead, drawn pointing to the right, to the end of a line. */
export function tipAt(points: readonly Point[]): string {
  const [end, before] = [points.at(-1), points.at(-2)];
  if (!end || !before) return '';
  const turn = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  return `translate(${end.x} ${end.y}) rotate(${turn.toFixed(1)})`;
}
