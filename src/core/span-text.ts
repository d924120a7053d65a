/** A time span without its sign, in the largest unit of which there are two: `11 minutes`, `400 days`. */
export function spanText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2 * 1_440 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1_440)} days`;
}
