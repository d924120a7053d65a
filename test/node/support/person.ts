/** A DID in the node's keystore with its passphrase. Counts nonces as a client does. */
import { expectStatus } from './answers.js';
import type { Body, Client, Headers, Reply } from './client.js';
import { OwnKey } from './independent.js';
import { seedIn } from './kdf.js';

export class Person {
  /** The next nonce. Grows with each accepted `write`. */
  nonce = 1;

  constructor(
    readonly client: Client,
    readonly did: string,
    readonly address: string,
    readonly passphrase: string,
    private readonly dataDir: string,
  ) {}

  /** The common members of this person's next write. */
  get signed(): Body {
    return { did: this.did, passphrase: this.passphrase, nonce: this.nonce };
  }

  /** The same person with another client. */
  through(client: Client): Person {
    const other = new Person(client, this.did, this.address, this.passphrase, this.dataDir);
    other.nonce = this.nonce;
    return other;
  }

  /** A correct signed write; `body` takes precedence. The nonce counts up only if the write is accepted. */
  async write(path: string, body: Body = {}, headers?: Headers): Promise<Reply> {
    const reply = await this.client.post(path, { ...this.signed, ...body }, headers);
    if (reply.status < 300 && reply.headers['idempotent-replayed'] === undefined) this.nonce += 1;
    return reply;
  }

  /** A write that must succeed. Returns its body. */
  async does(path: string, body: Body = {}, headers?: Headers): Promise<Body> {
    const reply = await this.write(path, body, headers);
    return expectStatus(reply, path.endsWith('s') ? [200, 201] : [200]);
  }

  async wallet(): Promise<Body> {
    return expectStatus(await this.client.get(`/api/v1/wallets/${this.did}`));
  }

  async pays(to: string, amount: number, more: Body = {}): Promise<Body> {
    return this.does('/api/v1/transfers', { to, amount, ...more });
  }

  async act(escrow: Body, action: string, body: Body = {}, headers?: Headers): Promise<Reply> {
    return this.write(`/api/v1/escrows/${escrow.escrowId}/actions/${action}`, body, headers);
  }

  /** The private key, read from the node's key file. */
  async key(): Promise<OwnKey> {
    return OwnKey.of(await seedIn(this.dataDir, this.address, this.passphrase));
  }
}
