/** The requests of a load: texts that are ready to be written to a socket. */
import { assert } from '../../../src/core/refusal.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import type { Answer } from './line.js';
import { Dice, wording } from './listings.js';
import type { Person } from './people.js';

/** Each line pays as a separate DID with a key that the node has not; with a dry run before each event. */
export type HoldersPlan = { readonly do: 'submit' } | { readonly do: 'prepare-and-submit' };

export type Plan =
  | HoldersPlan
  /** Each line pays as a separate DID. `isBusy`: the load takes the time that a holder takes to sign. */
  | { readonly do: 'transfers'; readonly isBusy?: true }
  /** Each line pays as the same DID, with consecutive nonces. */
  | { readonly do: 'one-account' }
  /** Each line pays as a few DIDs, with `inBatch` transfers in a request; of four lines, none pays as another. */
  | { readonly do: 'batches' }
  /** Each line creates a funded escrow, then releases it. */
  | { readonly do: 'escrows' }
  /** Each line publishes as a separate DID. */
  | { readonly do: 'publish' }
  | { readonly do: 'get'; readonly path: string };

/** Writes in one batch. */
export const inBatch = 100;

/** The next request of a line to the host, after its last answer. */
export type Traffic = (line: number, host: string, last?: Answer) => string | Promise<string>;

/** The payers at one server. They count nonces, because each nonce is used once. */
export class Payers {
  /** Last used nonce of each payer. */
  readonly #nonces: number[];
  #escrows = 0;
  readonly #dice = new Dice();

  constructor(
    private readonly people: readonly Person[],
    nonces: readonly number[] = people.map(() => 0),
  ) {
    this.#nonces = [...nonces];
  }

  traffic(plan: Exclude<Plan, HoldersPlan>): Traffic {
    switch (plan.do) {
      case 'transfers':
        return (line, host) => this.#transfer(line % this.people.length, line, host);
      case 'one-account':
        return (line, host) => this.#transfer(0, line, host);
      case 'batches':
        return (line, host, last) => this.#batch(line, host, last);
      case 'escrows':
        return this.#escrowTraffic();
      case 'publish':
        return (line, host) => {
          const listing = { ...infoListing.create.example, ...wording(this.#dice) };
          return this.post(`/api/v1${infoListing.route.path}`, line % this.people.length, listing, host);
        };
      case 'get':
        return (_, host) => `GET ${plan.path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    }
  }

  #transfer(payer: number, line: number, host: string): string {
    const to = this.#other(payer, line);
    return this.post('/api/v1/transfers', payer, { to, amount: 1, memo: 'of a benchmark' }, host);
  }

  #batch(line: number, host: string, last: Answer | undefined): string {
    assert(!/"status":[45]/.test(last?.body ?? ''), 'each write of a batch is accepted');
    const each = Math.floor(this.people.length / 4);
    const items = Array.from({ length: inBatch }, (_, index) => {
      const payer = (line % 4) * each + (index % each);
      const input = { to: this.#other(payer, index), amount: 1, memo: 'of a benchmark' };
      return { path: '/api/v1/transfers', body: this.#signed(payer, input) };
    });
    return posted('/api/v1/batch', host, { items });
  }

  #escrowTraffic(): Traffic {
    const open = new Map<number, string>();
    return (line, host) => {
      const payer = line % this.people.length;
      const escrow = open.get(line);
      if (open.delete(line)) return this.post(`/api/v1/escrows/${escrow}/actions/release`, payer, { amount: 1 }, host);
      const escrowId = `esc-load-${this.#escrows++}`;
      open.set(line, escrowId);
      const terms = { amount: 1, releaseRules: [{ type: 'manual' }], autoFund: true };
      return this.post('/api/v1/escrows', payer, { escrowId, beneficiary: this.#other(payer, line), ...terms }, host);
    };
  }

  #other(payer: number, line: number): string {
    return this.people[(payer + 1 + (line % (this.people.length - 1))) % this.people.length]!.did;
  }

  /** A request that the payer signs. */
  post(path: string, payer: number, members: object, host: string): string {
    return posted(path, host, this.#signed(payer, members));
  }

  #signed(payer: number, members: object): object {
    const { did, passphrase } = this.people[payer]!;
    const nonce = ++this.#nonces[payer]!;
    return { did, passphrase, nonce, ...members };
  }
}

/** The text of a request; its members have ASCII only. */
export function posted(path: string, host: string, members: object): string {
  const body = JSON.stringify(members);
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}
