/** The people of the demo, and their expected wallets, which are compared with the node's balances. */
import { ApiError, type Balance, Client, type OpenedDelivery } from '../../packages/client/src/index.js';
import { check, DemoFailed, shortName } from './stage.js';

/** Tokens of one faucet claim. */
export const claim = 100;
let claimed = 0;

/** Tokens that the faucet has given in this demo. */
export const faucetGave = (): number => claimed;

/** Two people of one name would be marked as looking like each other. */
const names = new Set<string>();

export class Person {
  private constructor(
    readonly name: string,
    readonly did: string,
    readonly address: string,
    private readonly passphrase: string,
    /** Signs as this person. */
    readonly client: Client,
  ) {}

  /** The same person, with another client. */
  through(client: Client): Person {
    const { did, passphrase } = this;
    return new Person(this.name, did, this.address, passphrase, client.as({ did, passphrase }));
  }

  static async join(client: Client, name: string): Promise<Person> {
    if (names.has(name)) throw new DemoFailed(`the demo has two people called ${name}`);
    names.add(name);
    const passphrase = `${name}, correct horse battery staple`;
    const { did, address, docHash, capabilities } = await client.identities.create(passphrase);
    check(`${name} has a DID`, did.slice(0, 12), 'did:svc:z6Mk', { as: shortName(did), aside: shortName(address) });
    check(
      `${name}'s document is new`,
      { docHash: docHash.length, capabilities },
      { docHash: 64, capabilities: [] },
      {
        as: docHash.slice(0, 10),
      },
    );
    const person = new Person(name, did, address, passphrase, client.as({ did, passphrase }));
    // The console shows names where there are any.
    const { displayName } = await person.client.identities.update(did, {
      document: { displayName: name },
      prevDocHash: docHash,
    });
    check(`${name} signs a document with the name`, displayName, name);
    return person;
  }

  /** Claims Tokens from the faucet, for a DID or an address. */
  async claims(recipient = this.did): Promise<void> {
    await this.client.faucet.claim(recipient);
    claimed += claim;
  }

  /** A client that reads as this person: its API key is bound to the DID. */
  async reader(url: string): Promise<Client> {
    const { passphrase } = this;
    const { key } = await this.client.identities.createApiKey(this.did, { passphrase, scope: 'read' });
    return new Client({ url, key: String(key) });
  }

  /** Decrypts what was delivered for an order. */
  opens(orderId: string): Promise<OpenedDelivery> {
    const { did, passphrase } = this;
    return this.client.information.open(orderId, { did, passphrase });
  }

  wallet(): Promise<Balance> {
    return this.client.wallets.get(this.did);
  }

  /** Checks that the wallet has these amounts. */
  async has(available: number, reserved = 0, escrowed = 0): Promise<void> {
    const { availableBalance, balance, ...rest } = await this.wallet();
    check(
      `${this.name}'s wallet`,
      [balance, availableBalance, rest.reserved, rest.escrowed],
      [available + reserved + escrowed, available, reserved, escrowed],
      { as: `${available} available`, aside: `${reserved} reserved, ${escrowed} escrowed` },
    );
  }
}

/** Checks that the node refuses with this status and code. */
export async function refused(what: string, attempt: Promise<unknown>, status: number, code: string): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    check(what, [error.status, error.refusal], [status, code], { as: `${status} ${code}`, aside: error.message });
    return;
  }
  throw new DemoFailed(`${what}: expected ${status} ${code}, but it was accepted`);
}
