/** Compares what the test knows with what a restarted node returns. */
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import type { Body, Client } from '../../node/support/client.js';
import { LedgerModel, type Write } from './model.js';
import type { Writer } from './writer.js';

const eventTypes: { readonly [action in Write['do']]: string } = {
  pay: 'transfer.sent',
  create: 'escrow.created',
  fund: 'escrow.funded',
  cancel: 'escrow.cancelled',
  release: 'escrow.released',
  refund: 'escrow.refunded',
};

export class Comparison {
  readonly #model: LedgerModel;
  readonly #writers: Map<string, Writer>;
  readonly #seen = new Set<string>();
  readonly #looked = new Set<string>();
  readonly #entered = new Map<string, number>();
  #last = { seq: 0, chainHash: '0'.repeat(64) };

  constructor(writers: readonly Writer[], endowment: number) {
    this.#writers = new Map(writers.map((writer) => [writer.did, writer]));
    this.#model = new LedgerModel([...this.#writers.keys()], endowment);
  }

  get events(): number {
    return this.#last.seq;
  }

  /** Reads the journal's new entries, then compares the state that must follow from them. */
  async compare(client: Client): Promise<void> {
    const touched = await this.#readOn(client);
    const nonces = new Map<string, number>();
    for (const [did, { available, reserved, escrowed }] of this.#model.balances) {
      const wallet = expectStatus(await client.get(`/api/v1/wallets/${did}`));
      const held = { availableBalance: available, reserved, escrowed };
      expect(wallet, `the wallet of ${did}`).to.include(held);
      expect(wallet.nonce, `the nonce of ${did}`).to.equal(this.#entered.get(did) ?? 0);
      nonces.set(did, wallet.nonce);
    }
    const escrows = [...touched];
    while (escrows.length > 0) await Promise.all(escrows.splice(0, 16).map((id) => this.#compareEscrow(client, id)));
    for (const [did, nonce] of nonces) await this.#settle(client, this.#writers.get(did)!, nonce);
  }

  /** Each new entry follows the previous one, and is a requested write with its exact content. */
  async #readOn(client: Client): Promise<Set<string>> {
    const touched = new Set<string>();
    for (let next: number | null = this.#last.seq; next !== null; ) {
      const page = expectStatus(await client.get(`/api/v1/events?limit=100&after=${next}`));
      for (const entry of page.events as Body[]) {
        expect(entry).to.include({ seq: this.#last.seq + 1, prevEntry: this.#last.chainHash });
        this.#last = entry;
        expect(this.#seen.has(entry.event.hash), 'an event is in the journal once').to.equal(false);
        this.#seen.add(entry.event.hash);
        this.#enter(entry, touched);
      }
      next = page.next;
    }
    return touched;
  }

  #enter({ event }: Body, touched: Set<string>): void {
    const asked = this.#writers.get(event.issuer)?.asked[event.nonce - 1];
    if (!this.#writers.has(event.issuer)) return; // an entry of the node itself or of its faucet
    expect(asked, `${event.type} ${event.nonce} of ${event.issuer} was asked for`).to.not.equal(undefined);
    expect(event.type).to.equal(eventTypes[asked!.write.do]);
    if (asked!.hash !== undefined) expect(event.hash, 'what was acknowledged is what is there').to.equal(asked!.hash);
    expect(event.nonce, 'nonces have no gaps').to.equal((this.#entered.get(event.issuer) ?? 0) + 1);
    this.#entered.set(event.issuer, event.nonce);
    this.#model.apply(event.issuer, asked!.write);
    if ('escrow' in asked!.write) touched.add(asked!.write.escrow);
  }

  async #settle(client: Client, writer: Writer, nonce: number): Promise<void> {
    for (const { hash, nonce: acknowledged } of writer.acknowledged) {
      expect(acknowledged, 'no acknowledged write is lost').to.be.at.most(nonce);
      expect(this.#seen.has(hash!), `${hash} is in the journal`).to.equal(true);
    }
    await this.#find(client, writer);
    const there = writer.asked[nonce - 1];
    const [lost] = writer.settle(nonce);
    // A client without an answer sends again: a write in the journal is confirmed, any other one takes effect now.
    if (there && there.hash === undefined) {
      const again = await writer.send(client, there);
      expect(again.headers, again.text).to.include({ 'idempotent-replayed': 'true' });
      expect(again.body.nonce).to.equal(nonce);
      expect(this.#seen.has(there.hash!), 'the same event is returned again').to.equal(true);
    }
    if (!lost) return;
    writer.asked.push(lost);
    const now = await writer.send(client, lost);
    expect(now.status, now.text).to.be.below(300);
    expect(now.headers).to.not.have.property('idempotent-replayed');
  }

  /** Finds each newly acknowledged event by its hash. */
  async #find(client: Client, writer: Writer): Promise<void> {
    const found = writer.acknowledged.filter(({ hash }) => !this.#looked.has(hash!));
    const look = async ({ hash, nonce }: { readonly hash?: string; readonly nonce: number }) => {
      const { event } = expectStatus(await client.get(`/api/v1/events/${hash}`));
      expect(event).to.include({ hash, nonce, issuer: writer.did });
      this.#looked.add(hash!);
    };
    while (found.length > 0) await Promise.all(found.splice(0, 16).map(look));
  }

  async #compareEscrow(client: Client, id: string): Promise<void> {
    const { lapsed, ...expected } = this.#model.escrows.get(id)!;
    const found = expectStatus(await client.get(`/api/v1/escrows/${id}`));
    expect(found.lapsed ?? false, id).to.equal(lapsed);
    expect(found, id).to.include(expected);
  }
}
