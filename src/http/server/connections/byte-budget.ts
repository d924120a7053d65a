/** Bytes that the node keeps in memory for callers: bounded per caller and in total. */
export class ByteBudget {
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(private readonly most: { readonly caller: number; readonly total: number }) {}

  get total(): number {
    return this.#total;
  }

  /**
   * Which bound the bytes would exceed. A caller that holds nothing may exceed its bound once, so that a reply or body
   * of any size passes.
   */
  exceeds(caller: string, bytes: number): 'caller' | 'total' | undefined {
    const held = this.#held.get(caller) ?? 0;
    if (held > 0 && held + bytes > this.most.caller) return 'caller';
    return this.#total > 0 && this.#total + bytes > this.most.total ? 'total' : undefined;
  }

  take(caller: string, bytes: number): void {
    this.#held.set(caller, (this.#held.get(caller) ?? 0) + bytes);
    this.#total += bytes;
  }

  give(caller: string, bytes: number): void {
    const left = (this.#held.get(caller) ?? 0) - bytes;
    if (left > 0) this.#held.set(caller, left);
    else this.#held.delete(caller);
    this.#total -= bytes;
  }
}
