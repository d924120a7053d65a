/**
 * Whether what several processes answered could have come from one register that is asked one thing after the other.
 * The register here counts: a DID's nonce, a resource's version. Each accepted write names its place, so there is one
 * order that could explain it; what is left to check is that no answer contradicts real time.
 */

/** One request, as its caller saw it; times of one monotonic clock. */
export interface Asked {
  readonly from: number;
  readonly until: number;
  readonly through: number;
}

/** An accepted write that moved the register from `place` - 1 to `place`. */
export interface Write extends Asked {
  readonly place: number;
}

/** An answer that told where the register stood: a read, or a refusal that names the next place. */
export interface Told extends Asked {
  readonly stood: number;
  /** How long what other processes did may stay unseen, ms; 0 where the answer must be of its own time. */
  readonly lateMs: number;
}

/** What is wrong, in a sentence; undefined where one order explains it all. */
export function contradiction(writes: readonly Write[], told: readonly Told[]): string | undefined {
  const byPlace = new Map<number, Write>();
  for (const write of writes) {
    if (byPlace.has(write.place)) return `place ${write.place} was won twice`;
    byPlace.set(write.place, write);
  }
  let latestStart = { at: Number.NEGATIVE_INFINITY, place: 0 };
  for (let place = 1; place <= writes.length; place++) {
    const write = byPlace.get(place);
    if (!write) return `place ${place} was won by nobody, and ${writes.length} were won`;
    if (write.until < latestStart.at) return `${place} was over before ${latestStart.place} had begun`;
    if (write.from > latestStart.at) latestStart = { at: write.from, place };
  }
  for (const { from, until, through, stood, lateMs } of told) {
    const last = byPlace.get(stood);
    if (stood > 0 && !last) return `it was told to stand at ${stood}, where nobody has brought it`;
    if (last && last.from > until) return `it was told to stand at ${stood} before anybody had asked for that`;
    const next = byPlace.get(stood + 1);
    const allowed = next?.through === through ? 0 : lateMs;
    if (next && next.until + allowed < from) return `it was told to stand at ${stood} when ${stood + 1} was long over`;
  }
  return undefined;
}
