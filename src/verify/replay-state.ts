/** The state before an entry that a replay needs, in maps. */
import type { Resource } from '../machines/kernel/resource.js';
import { type Account, unseenAccount } from '../store/store.js';

export const rowOf = (state: Pick<StateInMemory, 'row'>, did: string): Account => state.row(did) ?? unseenAccount(did);

export class StateInMemory {
  /** Balances of fees and supply, which no account's row contains. */
  readonly system = { supply: 0, fees: 0 };
  readonly resources = new Map<string, Resource>();
  readonly accounts = new Map<string, Account>();
  readonly #timeOf = new Map<string, number>();

  resource(kind: string, id: string): Resource | undefined {
    return this.resources.get(`${kind}/${id}`);
  }

  /** The account's row; undefined if no entry touched the account. */
  row(did: string): Account | undefined {
    return this.accounts.get(did);
  }

  /** Time of the newest entry that the node sequenced; 0 before its first. */
  timeOf(node: string): number {
    return this.#timeOf.get(node) ?? 0;
  }

  keep(resource: Resource): void {
    this.resources.set(`${resource.kind}/${resource.id}`, resource);
  }

  keepRow(row: Account): void {
    this.accounts.set(row.did, row);
  }

  keepTime(node: string, time: number): void {
    this.#timeOf.set(node, time);
  }
}
