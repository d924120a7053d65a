/** The requests of a load: texts that are ready to be written to a socket. */
import { infoListing } from '../../src/machines/listing/info.js';
import { Dice, wording } from './listings.js';
import type { Person } from './people.js';

export type Plan =
  /** Each line pays as a separate DID. */
  | { readonly do: 'transfers' }
  /** Each line pays as the same DID, with consecutive nonces. */
  | { readonly do: 'one-account' }
  /** Each line creates a funded escrow, then releases it. */
  | { readonly do: 'escrows' }
  /** Each line publishes as a separate DID. */
  | { readonly do: 'publish' }
  | { readonly do: 'get'; readonly path: string };

/** The next request of a line. */
export type Traffic = (line: number) => string;

/** The payers at one server. They count nonces, because each nonce is used once. */
export class Payers {
  /** Last used nonce of each payer. */
  readonly #nonces: number[];
  #escrows = 0;
  readonly #dice = new Dice();

  constructor(
    private readonly host: string,
    private readonly people: readonly Person[],
    nonces: readonly number[],
  ) {
    this.#nonces = [...nonces];
  }

  traffic(plan: Plan): Traffic {
    switch (plan.do) {
      case 'transfers':
        return (line) => this.#transfer(line % this.people.length, line);
      case 'one-account':
        return (line) => this.#transfer(0, line);
      case 'escrows':
        return this.#escrowTraffic();
      case 'publish':
        return (line) =>
          this.#post(`/api/v1${infoListing.route.path}`, line % this.people.length, {
            ...infoListing.create.example,
            ...wording(this.#dice),
          });
      case 'get': {
        const text = `GET ${plan.path} HTTP/1.1\r\nHost: ${this.host}\r\n\r\n`;
        return () => text;
      }
    }
  }

  #transfer(payer: number, line: number): string {
    const to = this.#other(payer, line).did;
    return this.#post('/api/v1/transfers', payer, { to, amount: 1, memo: 'of a benchmark' });
  }

  #escrowTraffic(): Traffic {
    const open = new Map<number, string>();
    return (line) => {
      const payer = line % this.people.length;
      const escrow = open.get(line);
      if (escrow !== undefined) {
        open.delete(line);
        return this.#post(`/api/v1/escrows/${escrow}/actions/release`, payer, { amount: 1 });
      }
      const id = `esc-load-${this.#escrows++}`;
      open.set(line, id);
      const beneficiary = this.#other(payer, line).did;
      const releaseRules = [{ type: 'manual' }];
      return this.#post('/api/v1/escrows', payer, {
        escrowId: id,
        beneficiary,
        amount: 1,
        releaseRules,
        autoFund: true,
      });
    };
  }

  #other(payer: number, line: number): Person {
    return this.people[(payer + 1 + (line % (this.people.length - 1))) % this.people.length]!;
  }

  #post(path: string, payer: number, members: object): string {
    const { did, passphrase } = this.people[payer]!;
    const nonce = ++this.#nonces[payer]!;
    const body = JSON.stringify({ did, passphrase, nonce, ...members });
    return (
      `POST ${path} HTTP/1.1\r\nHost: ${this.host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  }
}
