/**
 * What several ascending rows of numbers have in common, without going through them: each is asked for its next number from
 * the place on that another has come to. Rows that hardly meet cost as much as the shorter one is long.
 */

/** Its numbers from one on, ascending; so many at most. */
export type Row = (from: number, limit: number) => readonly number[];

/** Numbers that are read at once: more each time while all of them are needed, fewer after a leap. */
const reads = { fewest: 8, most: 1_024 } as const;

class Walk {
  #numbers: readonly number[] = [];
  #at = 0;
  #limit: number = reads.fewest;
  #ended = false;

  constructor(private readonly row: Row) {}

  /** The first that is not below; undefined where none is left. */
  next(from: number): number | undefined {
    const last = this.#numbers.at(-1);
    if (last === undefined || last < from) this.#read(from, last);
    while (this.#at < this.#numbers.length && this.#numbers[this.#at]! < from) this.#at++;
    return this.#numbers[this.#at];
  }

  #read(from: number, last: number | undefined): void {
    const wasUsed = this.#at >= this.#numbers.length / 2;
    this.#at = 0;
    if (this.#ended) {
      this.#numbers = [];
      return;
    }
    if (last !== undefined) this.#limit = wasUsed ? this.#limit * 2 : this.#limit / 4;
    this.#limit = Math.min(Math.max(this.#limit, reads.fewest), reads.most);
    this.#numbers = this.row(from, this.#limit);
    this.#ended = this.#numbers.length < this.#limit;
  }
}

/** The first numbers beyond `after` that all the rows have; so many at most. */
export function crossing(rows: readonly Row[], after: number, limit: number): number[] {
  if (rows.length === 1) return [...rows[0]!(after + 1, limit)];
  const walks = rows.map((row) => new Walk(row));
  const found: number[] = [];
  let seq = after + 1;
  // How many of them, one after the other, have it.
  for (let agreed = 0, turn = 0; found.length < limit; turn++) {
    const next = walks[turn % walks.length]!.next(seq);
    if (next === undefined) break;
    agreed = next === seq ? agreed + 1 : 1;
    seq = next;
    if (agreed < walks.length) continue;
    found.push(seq);
    seq++;
    agreed = 0;
  }
  return found;
}
