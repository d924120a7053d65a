/**
 * Checks whether the answers of several processes could come from one register that handles requests one by one. The register
 * is a counter: a DID's nonce, or a resource's version. Each accepted write names its place, so only one order is possible; it
 * remains to check that no answer contradicts real time.
 */

/** One request as its caller saw it, with times of one monotonic clock. */
export interface Asked {
  readonly from: number;
  readonly until: number;
  readonly through: number;
}

/** An accepted write that moved the register from `place` - 1 to `place`. */
export interface Write extends Asked {
  readonly place: number;
}

/** An answer that reveals the register's value: a read, or a refusal that names the next place. */
export interface Observed extends Asked {
  readonly stood: number;
  /** How many ms the writes of other processes may stay unseen; 0 if the answer must be current. */
  readonly lateMs: number;
}

/** The contradiction in a sentence; undefined if one order explains all answers. */
export function contradiction(writes: readonly Write[], observed: readonly Observed[]): string | undefined {
  const byPlace = new Map<number, Write>();
  for (const write of writes) {
    if (byPlace.has(write.place)) return `place ${write.place} was won twice`;
    byPlace.set(write.place, write);
  }
  let latestStart = { at: Number.NEGATIVE_INFINITY, place: 0 };
  for (let place = 1; place <= writes.length; place++) {
    const write = byPlace.get(place);
    if (!write) return `place ${place} has no winner, and ${writes.length} were won`;
    if (write.until < latestStart.at) return `${place} was over before ${latestStart.place} had begun`;
    if (write.from > latestStart.at) latestStart = { at: write.from, place };
  }
  for (const { from, until, through, stood, lateMs } of observed) {
    const last = byPlace.get(stood);
    if (stood > 0 && !last) return `it was seen at ${stood}, where no write has brought it`;
    if (last && last.from > until) return `it was seen at ${stood} before any write had asked for that`;
    const next = byPlace.get(stood + 1);
    const allowed = next?.through === through ? 0 : lateMs;
    if (next && next.until + allowed < from) return `it was seen at ${stood} when ${stood + 1} was long over`;
  }
  return undefined;
}
