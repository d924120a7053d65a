/**
 * Intersects ascending lists of numbers without reading them completely: each list is asked for its next number from
 * the position that another has reached. Lists with few common numbers cost as much as the shorter one.
 */

/** Numbers of the list from `from` on, ascending, at most `limit`. */
export type AscendingNumbers = (from: number, limit: number) => readonly number[];

/** Numbers per read: doubled while they are used, reduced after a skip. */
const reads = { fewest: 8, most: 1_024 } as const;

class NumberCursor {
  #numbers: readonly number[] = [];
  #at = 0;
  #limit: number = reads.fewest;
  #ended = false;

  constructor(private readonly row: AscendingNumbers) {}

  /** The first number that is not below `from`; undefined at the end. */
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

/** The first `limit` numbers after `after` that all lists contain. */
export function intersection(rows: readonly AscendingNumbers[], after: number, limit: number): number[] {
  if (rows.length === 1) return [...rows[0]!(after + 1, limit)];
  const walks = rows.map((row) => new NumberCursor(row));
  const found: number[] = [];
  let seq = after + 1;
  // Counts the consecutive lists that contain the number.
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
