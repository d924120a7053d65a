/**
 * Latencies of calls in bounded space, as HDR histograms do: counts by size class, sixteen classes per doubling.
 * Integer arithmetic only, so that every replay computes the same.
 */

/** One size class: its index, the number of calls, and the sum of their microseconds. */
export type Size = readonly [size: number, calls: number, sumUs: number];
/** Ordered by size class. */
export type Latencies = readonly Size[];

const sizesPerDoubling = 16;

/** The longest latency that a caller may state, ms: an hour. It limits the size classes to 464. */
export const longestMs = 3_600_000;

function sizeOf(us: number): number {
  let top = us;
  let doublings = 0;
  while (top >= 2 * sizesPerDoubling) {
    top = Math.floor(top / 2);
    doublings++;
  }
  return doublings * sizesPerDoubling + top;
}

export function withLatency(latencies: Latencies, ms: number): Latencies {
  const us = Math.round(ms * 1_000);
  const size = sizeOf(us);
  const at = latencies.findIndex(([other]) => other >= size);
  if (at < 0) return [...latencies, [size, 1, us]];
  const [found, calls, sumUs] = latencies[at]!;
  return found === size
    ? latencies.with(at, [size, calls + 1, sumUs + us])
    : [...latencies.slice(0, at), [size, 1, us], ...latencies.slice(at)];
}

/**
 * The latency in ms that `percent` of calls do not exceed: the mean of its size class, which is at most a sixteenth
 * off, and exact if all calls of the class took equally long. Null if no call stated one.
 */
export function percentileMs(latencies: Latencies, percent: number): number | null {
  const total = latencies.reduce((sum, [, calls]) => sum + calls, 0);
  let rank = Math.ceil((total * percent) / 100);
  for (const [, calls, sumUs] of latencies) {
    rank -= calls;
    if (rank <= 0) return Math.round(sumUs / calls) / 1_000;
  }
  return null;
}
