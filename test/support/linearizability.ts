/**
 * Decides whether a history of operations is linearizable: whether all of them could have happened one after the other,
 * each at a moment between its call and its return. The algorithm is that of the checker porcupine: Wing and Gong's
 * search with Lowe's cache of configurations, for each key separately.
 */

export interface Operation<Input, Output> {
  /** The object that it is about. Objects are independent of each other. */
  readonly key: string;
  readonly input: Input;
  readonly called: number;
  /** Undefined while it is pending: it may have happened at any time after the call, or not at all. */
  readonly returned?: number | undefined;
  readonly output?: Output | undefined;
}

/** What one object does if its operations come one after the other. */
export interface SequentialModel<State, Input, Output> {
  start(key: string): State;
  /**
   * @param output undefined if it is not known
   * @returns the state after it; undefined if the operation could not have this output in this state
   */
  step(state: State, input: Input, output: Output | undefined): State | undefined;
  /** The same text for equal states only. */
  text(state: State): string;
}

export interface NotLinearizable<Input, Output> {
  readonly key: string;
  /** The operations of the longest order that was found, in this order. */
  readonly longest: readonly Operation<Input, Output>[];
  /** The completed operations that have no place in it. */
  readonly rest: readonly Operation<Input, Output>[];
}

/** Configurations that are visited before the search gives up. */
const mostSteps = 2_000_000;

export class SearchTooLong extends Error {
  override name = 'SearchTooLong';
}

/** @returns a key whose history is not linearizable; undefined if all are. Throws SearchTooLong. */
export function notLinearizable<State, Input, Output>(
  operations: readonly Operation<Input, Output>[],
  model: SequentialModel<State, Input, Output>,
): NotLinearizable<Input, Output> | undefined {
  const byKey = new Map<string, Operation<Input, Output>[]>();
  for (const operation of operations) {
    const known = byKey.get(operation.key);
    if (known) known.push(operation);
    else byKey.set(operation.key, [operation]);
  }
  for (const [key, each] of byKey) {
    const found = new Search(key, each, model).run();
    if (found) return found;
  }
  return undefined;
}

/** A call or a return, in a list in order of time. */
interface Moment<Input, Output> {
  readonly operation: Operation<Input, Output>;
  readonly at: number;
  readonly bit: bigint;
  /** The return that belongs to a call; undefined for a return, and for a pending call. */
  end?: Moment<Input, Output>;
  readonly isCall: boolean;
  before: Moment<Input, Output> | undefined;
  next: Moment<Input, Output> | undefined;
}

class Search<State, Input, Output> {
  #first: Moment<Input, Output> | undefined;
  readonly #placed: { readonly call: Moment<Input, Output>; readonly state: State }[] = [];
  readonly #seen = new Set<string>();
  #longest: readonly Operation<Input, Output>[] = [];

  constructor(
    private readonly key: string,
    private readonly operations: readonly Operation<Input, Output>[],
    private readonly model: SequentialModel<State, Input, Output>,
  ) {
    this.#first = listOf(operations);
  }

  run(): NotLinearizable<Input, Output> | undefined {
    const { model } = this;
    let state = model.start(this.key);
    let done = 0n;
    let left = this.operations.filter(({ returned }) => returned !== undefined).length;
    let moment = this.#first;
    for (let steps = 0; left > 0; steps++) {
      if (steps > mostSteps) throw new SearchTooLong(`${this.key}: more than ${mostSteps} steps`);
      if (moment?.isCall) {
        const { input, output } = moment.operation;
        const after = model.step(state, input, output);
        if (after !== undefined && this.#isNew(done | moment.bit, after)) {
          this.#placed.push({ call: moment, state });
          if (moment.end) left--;
          done |= moment.bit;
          state = after;
          this.#remove(moment);
          moment = this.#first;
        } else moment = moment.next;
        continue;
      }
      // An operation that is not placed yet has returned: another one was placed too early.
      this.#note();
      const last = this.#placed.pop();
      if (!last) return this.#failure();
      if (last.call.end) left++;
      done ^= last.call.bit;
      state = last.state;
      this.#restore(last.call);
      moment = last.call.next;
    }
    return undefined;
  }

  /** Whether the same operations have not led to the same state before. */
  #isNew(done: bigint, state: State): boolean {
    const text = `${done.toString(36)} ${this.model.text(state)}`;
    if (this.#seen.has(text)) return false;
    this.#seen.add(text);
    return true;
  }

  #note(): void {
    if (this.#placed.length > this.#longest.length) this.#longest = this.#placed.map(({ call }) => call.operation);
  }

  #failure(): NotLinearizable<Input, Output> {
    const placed = new Set(this.#longest);
    const rest = this.operations.filter((each) => each.returned !== undefined && !placed.has(each));
    return { key: this.key, longest: this.#longest, rest };
  }

  #remove(call: Moment<Input, Output>): void {
    this.#unlink(call);
    if (call.end) this.#unlink(call.end);
  }

  #restore(call: Moment<Input, Output>): void {
    if (call.end) this.#link(call.end);
    this.#link(call);
  }

  #unlink(moment: Moment<Input, Output>): void {
    const { before, next } = moment;
    if (before) before.next = next;
    else this.#first = next;
    if (next) next.before = before;
  }

  /** Puts back what was removed last. */
  #link(moment: Moment<Input, Output>): void {
    const { before, next } = moment;
    if (before) before.next = moment;
    else this.#first = moment;
    if (next) next.before = moment;
  }
}

function listOf<Input, Output>(operations: readonly Operation<Input, Output>[]): Moment<Input, Output> | undefined {
  const moments: Moment<Input, Output>[] = [];
  operations.forEach((operation, index) => {
    const { called, returned } = operation;
    const shared = { operation, bit: 1n << BigInt(index), before: undefined, next: undefined };
    const call: Moment<Input, Output> = { ...shared, at: called, isCall: true };
    moments.push(call);
    if (returned === undefined) return;
    call.end = { ...shared, at: returned, isCall: false };
    moments.push(call.end);
  });
  moments.sort((one, other) => one.at - other.at);
  moments.forEach((moment, index) => {
    moment.before = moments[index - 1];
    moment.next = moments[index + 1];
  });
  return moments[0];
}
