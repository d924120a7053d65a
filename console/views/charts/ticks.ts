/** Where the steps of a history stand on a track: by their time, but never closer than they can be told apart. */

export interface Tick {
  /** Share of the track's width. */
  readonly at: number;
  /** Whether there is room for its name. */
  readonly isNamed: boolean;
}

/** Pixels between two marks, between the ends and the first and last mark, and for a name. */
const apart = 22;
const side = 38;
const nameWidth = 84;

/** So wide must the track be that all marks fit. */
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

/** Each mark has its least distance; what is left of the track is shared by how much time went by. */
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

/** Index of the mark that is nearest to a place on the track. */
export const nearest = (ticks: readonly Tick[], at: number): number =>
  ticks.reduce(
    (best, tick, index) => (Math.abs(tick.at - at) < Math.abs((ticks[best]?.at ?? 0) - at) ? index : best),
    0,
  );

/** `3 min`, `2 days`: the time between two steps, in its largest unit. */
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
