/** A time span without its sign, in the largest unit of which there are two: `11 minutes`, `400 days`. */
export function spanText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2 * 1_440 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`;
}

/** How far a clock is from another one: `11 minutes ahead of`, before that one's name. */
export const clockGap = (aheadMs: number): string => `${spanText(aheadMs)} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
