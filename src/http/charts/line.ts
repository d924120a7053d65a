/** Lines with rounded corners, and the tips of their arrows. */
import type { Point } from './layout.js';

const radius = 7;

/** The path's `d` of a line. */
export function curve(points: readonly Point[]): string {
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
export function tipAt(points: readonly Point[]): string {
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
