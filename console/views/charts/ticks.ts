/** Positions of a history's steps on the track: by time, but never too close to be distinguished. */

export interface Tick {
  /** Position as a share of the track's width. */
  readonly at: number;
  /** Whether there is room for its name. */
  readonly isNamed: boolean;
}

/** Pixels between two marks, between an end of the track and the nearest mark, and for a name. */
const apart = 22;
const side = 47;
const nameWidth = 96;

/** Least width of a track on which all marks fit. */
export const leastTrack = (count: number): number => 2 * side + apart * Math.max(0, count - 1);

/** @param chosen index of the step whose name is always shown */
export function ticksOf(times: readonly number[], width: number, chosen: number): Tick[] {
  const places = placesOf(times, Math.max(width, leastTrack(times.length)));
  const named = new Set<number>();
  const order = [chosen, times.length - 1, 0, ...times.keys()];
  for (const index of order) {
    const place = places[index];
    if (place === undefined) continue;
    if ([...named].every((other) => Math.abs((places[other] ?? 0) - place) >= nameWidth)) named.add(index);
  }
  const whole = Math.max(width, leastTrack(times.length));
  return places.map((place, index) => ({ at: place / whole, isNamed: named.has(index) }));
}

/** Each mark gets its least distance. The rest of the track is shared in proportion to the time between steps. */
function placesOf(times: readonly number[], width: number): number[] {
  const free = width - leastTrack(times.length);
  const gaps = times.slice(1).map((time, index) => Math.max(0, time - (times[index] ?? time)));
  const total = gaps.reduce((sum, gap) => sum + gap, 0);
  let place = times.length === 1 ? width / 2 : side;
  return times.map((_, index) => {
    if (index > 0) place += apart + (total > 0 ? (free * (gaps[index - 1] ?? 0)) / total : free / gaps.length);
    return place;
  });
}

/** Index of the mark nearest to a position on the track. */
export const nearest = (ticks: readonly Tick[], at: number): number =>
  ticks.reduce(
    (best, tick, index) => (Math.abs(tick.at - at) < Math.abs((ticks[best]?.at ?? 0) - at) ? index : best),
    0,
  );

/** The time between two steps in its largest unit: `3 min`, `2 days`. */
export function spanOf(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const [unit, size] = units.find(([, each]) => ms >= each) ?? ['ms', 1];
  const value = Math.round(ms / size);
  return `${value} ${unit}${unit === 'day' && value !== 1 ? 's' : ''}`;
}
