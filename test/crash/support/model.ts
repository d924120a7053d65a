/** The writers' requests, and the state that follows from the first n of each, computed without any code of the node. */

export type Write =
  | { readonly do: 'pay'; readonly to: string; readonly amount: number }
  | { readonly do: 'create'; readonly escrow: string; readonly beneficiary: string; readonly autoFund: boolean }
  | { readonly do: 'fund' | 'cancel' | 'release' | 'refund'; readonly escrow: string; readonly amount: number };

export interface Asked {
  readonly nonce: number;
  readonly key: string;
  readonly write: Write;
  /** The request as it was sent, so that it can be sent again. */
  readonly path: string;
  readonly body: object;
  /** Event hash of the 2xx; undefined while the write is not acknowledged. */
  hash?: string;
}

/** Amount of every escrow in these tests. */
export const escrowAmount = 6;

export interface EscrowState {
  readonly depositor: string;
  readonly beneficiary: string;
  status: 'created' | 'funded' | 'released' | 'refunded';
  lapsed: boolean;
  released: number;
  refunded: number;
}

export interface Balance {
  available: number;
  reserved: number;
  escrowed: number;
}

/** The balances after writes that all took effect. */
export class LedgerModel {
  readonly balances = new Map<string, Balance>();
  readonly escrows = new Map<string, EscrowState>();

  constructor(dids: readonly string[], endowment: number) {
    for (const did of dids) this.balances.set(did, { available: endowment, reserved: 0, escrowed: 0 });
  }

  apply(did: string, write: Write): void {
    const from = this.balances.get(did)!;
    if (write.do === 'pay') {
      from.available -= write.amount;
      this.balances.get(write.to)!.available += write.amount;
      return;
    }
    if (write.do === 'create') {
      from.available -= escrowAmount;
      from[write.autoFund ? 'escrowed' : 'reserved'] += escrowAmount;
      const status = write.autoFund ? 'funded' : 'created';
      const { beneficiary } = write;
      this.escrows.set(write.escrow, { depositor: did, beneficiary, status, lapsed: false, released: 0, refunded: 0 });
      return;
    }
    this.#act(from, write);
  }

  #act(from: Balance, { do: action, escrow, amount }: Exclude<Write, { do: 'pay' | 'create' }>): void {
    const state = this.escrows.get(escrow)!;
    switch (action) {
      case 'fund':
        state.status = 'funded';
        from.reserved -= amount;
        from.escrowed += amount;
        break;
      case 'cancel':
        state.lapsed = true;
        from.reserved -= escrowAmount;
        from.available += escrowAmount;
        break;
      default:
        from.escrowed -= amount;
        state[action === 'release' ? 'released' : 'refunded'] += amount;
        (action === 'release' ? this.balances.get(state.beneficiary)! : from).available += amount;
        if (state.released + state.refunded === escrowAmount) {
          state.status = action === 'release' ? 'released' : 'refunded';
        }
    }
  }
}
