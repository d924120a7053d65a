/** Which of a chart's two drawings fits its place, and how far down the page that place begins. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { MachineChart, MachineLayout } from '../../api/types.ts';
import { leastScale } from './use-zoom.ts';

export interface Room {
  readonly layout: MachineLayout | null;
  /** Pixels from the top of the page. */
  readonly top: number;
}

export function useRoom(chart: MachineChart, place: RefObject<HTMLElement | null>): Room {
  const [room, setRoom] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      setRoom({ width: Math.round(width), top: Math.round(top + scrollY) });
    };
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(element);
    return () => watching.disconnect();
  }, [place, chart.version]);
  return { layout: chosen(chart, room.width), top: room.top };
}

/** From left to right where that fits. Where neither fits, the narrower one. */
function chosen({ layout, layoutDown }: MachineChart, width: number): MachineLayout | null {
  if (!layout || !layoutDown || layout.width * leastScale <= width) return layout;
  return layoutDown.width < layout.width ? layoutDown : layout;
}
