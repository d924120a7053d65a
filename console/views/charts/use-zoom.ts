/**
 * The scale of a drawing: all of it is visible if its text stays readable; otherwise it is as small as readability allows, and
 * scrolls.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { MachineLayout } from '../../api/types.ts';

/** The smallest text of a drawing is 12 pixels high, and must be at least 11 on the screen. */
export const leastScale = 11 / 12;
const mostFitted = 1.15;
const mostScale = 3;
const factor = 1.25;
/**
 * Pixels to keep free below a drawing: `edge` if the rest of the window is high enough for it, else `below`, for the legend.
 */
const edge = 4;
const below = 64;
const wheelFactor = 0.0025;

export interface Zoom {
  readonly box: { current: HTMLElement | null };
  readonly scale: number;
  readonly isFitted: boolean;
  readonly atLeast: boolean;
  readonly atMost: boolean;
  fit(): void;
  by(direction: 1 | -1): void;
  onKey(key: KeyboardEvent): void;
  onGrab(grab: PointerEvent): void;
}

const within = (scale: number): number => Math.min(mostScale, Math.max(leastScale, scale));

/** @param state path of the state to keep in view when the drawing scrolls */
export function useZoom(layout: MachineLayout | null, top: number, state: string | undefined): Zoom {
  const box = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  useWidth(box, layout, setWidth);
  const fitted = fittedScale(layout, width, top);
  const scale = chosen ?? fitted;
  const zoomTo = useCallback(
    (to: (scale: number) => number) => setChosen((now) => within(to(now ?? fitted))),
    [fitted],
  );
  useWheel(box, zoomTo, layout);
  useInView(box, layout, scale, state);
  return {
    box,
    scale,
    isFitted: chosen === undefined,
    atLeast: scale <= leastScale,
    atMost: scale >= mostScale,
    fit: () => setChosen(undefined),
    by: (direction) => zoomTo((now) => now * factor ** direction),
    onKey(key) {
      if (key.ctrlKey || key.metaKey || key.altKey) return;
      if (key.key === '+' || key.key === '=') zoomTo((now) => now * factor);
      else if (key.key === '-') zoomTo((now) => now / factor);
      else if (key.key === '0') setChosen(undefined);
    },
    onGrab: (grab) => pan(box.current, grab),
  };
}

function useWidth(box: { current: HTMLElement | null }, layout: MachineLayout | null, set: (width: number) => void) {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => set(element.clientWidth);
    measure();
    const watching = new ResizeObserver(measure);
    watching.observe(element);
    return () => watching.disconnect();
  }, [box, layout, set]);
}

/**
 * Fits the width, and the height that is left below the drawing's top if that keeps the text readable; otherwise the window's
 * height.
 */
export function fittedScale(layout: MachineLayout | null, width: number, top: number): number {
  if (!layout || width === 0) return 1;
  const across = width / layout.width;
  const [left, all] = [innerHeight - top - edge, innerHeight - below].map((height) => height / layout.height);
  const down = left !== undefined && left >= leastScale ? left : (all ?? 1);
  return Math.max(leastScale, Math.min(mostFitted, across, down));
}

/** Zooms with Ctrl and the wheel, which is also the pinch gesture of a touchpad. Without Ctrl the page scrolls. */
function useWheel(
  box: { current: HTMLElement | null },
  zoomTo: (to: (scale: number) => number) => void,
  layout: MachineLayout | null,
) {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const turn = (wheel: WheelEvent) => {
      if (!wheel.ctrlKey) return;
      wheel.preventDefault();
      zoomTo((now) => now * Math.exp(-wheel.deltaY * wheelFactor));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [box, zoomTo, layout]);
}

/** If the drawing scrolls, shows the current state, or the initial state if there is none. */
function useInView(
  box: { current: HTMLElement | null },
  layout: MachineLayout | null,
  scale: number,
  state: string | undefined,
) {
  useLayoutEffect(() => {
    if (!box.current || !layout) return;
    const { clientWidth, clientHeight } = box.current;
    const node = layout.nodes.find((each) => each.state === state);
    const begin = layout.edges.find(({ from }) => from === null)?.points[0] ?? { x: 0, y: 0 };
    const middle = node ? { x: node.x + node.width / 2, y: node.y + node.height / 2 } : begin;
    box.current.scrollLeft = middle.x * scale - clientWidth / 2;
    box.current.scrollTop = middle.y * scale - clientHeight / 2;
  }, [box, layout, scale, state]);
}

/** Pans by dragging with the mouse. Touch scrolls by itself. */
function pan(box: HTMLElement | null, grab: PointerEvent): void {
  if (!box || grab.pointerType !== 'mouse' || grab.button !== 0) return;
  const { scrollLeft, scrollTop } = box;
  const move = (to: PointerEvent) => {
    box.scrollLeft = scrollLeft - (to.clientX - grab.clientX);
    box.scrollTop = scrollTop - (to.clientY - grab.clientY);
  };
  const end = () => {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', end);
    removeEventListener('pointercancel', end);
  };
  addEventListener('pointermove', move);
  addEventListener('pointerup', end);
  addEventListener('pointercancel', end);
}
