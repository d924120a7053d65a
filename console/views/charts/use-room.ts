/** Chooses the chart's layout (left to right, or downwards) that fits the space, and measures where that space begins. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { MachineChart, MachineLayout } from '../../api/types.ts';
import { fittedScale, leastScale } from './use-zoom.ts';

interface Place {
  readonly width: number;
  /** Pixels from the top of the page. */
  readonly top: number;
}

export interface Room {
  readonly layout: MachineLayout | null;
  /** Whether all of the drawing fits the width with readable text. */
  readonly fits: boolean;
  readonly top: number;
}

export function useRoom(chart: MachineChart, place: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState<Place>({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const [width, top] = [Math.round(box.width), Math.round(box.top + scrollY)];
      setRoom((known) => (known.width === width && known.top === top ? known : { width, top }));
    };
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(element);
    // Content above may load later and move it down.
    watching.observe(document.body);
    return () => watching.disconnect();
  }, [place, chart.version]);
  const layout = chosen(chart, room);
  return { layout, fits: !layout || room.width === 0 || isFitting(layout, room.width), top: room.top };
}

/**
 * Prefers the layout whose final states are visible without scrolling. If both or neither are, left to right. If neither fits
 * the width, the narrower one.
 */
function chosen({ layout, layoutDown, states }: MachineChart, { width, top }: Place): MachineLayout | null {
  if (!layout || !layoutDown) return layout ?? layoutDown;
  const fitting = [layout, layoutDown].filter((each) => isFitting(each, width));
  if (fitting.length === 0) return layoutDown.width < layout.width ? layoutDown : layout;
  const ends = states.filter(({ type, path }) => type === 'final' && !path.includes('/')).map(({ path }) => path);
  const isInView = (each: MachineLayout) => top + lowestOf(each, ends) * fittedScale(each, width, top) <= innerHeight;
  return fitting.find(isInView) ?? fitting[0]!;
}

const isFitting = (layout: MachineLayout, width: number): boolean => layout.width * leastScale <= width;

/** Lower edge of the lowest of these states. */
const lowestOf = ({ nodes }: MachineLayout, states: readonly string[]): number =>
  Math.max(0, ...nodes.filter(({ state }) => states.includes(state)).map(({ y, height }) => y + height));
