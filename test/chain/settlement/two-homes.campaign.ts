/**
 * Tokens that go from one home to another, and back, by the chain on which both settle (docs/reference/other-homes.md#by-the-chain), while
 * the homes are killed.
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Client } from '../../../packages/client/src/client.js';
import { type HeldKey, keys } from '../../../packages/client/src/signing/key.js';
import type { SignedWrite } from '../../../packages/client/src/signing/key-writes.js';
import { accountKey } from '../../../src/chain/contracts/contract-reader.js';
import { type ContractName, contractInterface } from '../../../src/chain/contracts/interfaces.js';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { isRefusal } from '../../../src/core/refusal.js';
import { askNode, noNodeRunning } from '../../../src/node/control/client.js';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { svcNode } from '../../cli/support/command.js';
import { auditOf, NodeProcess } from '../../crash/support/process.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Body, Reply } from '../../node/support/client.js';
import { freePort } from '../../support/free-port.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { contractCall } from '../support/contract-call.js';
import { PublicChain } from '../support/public-chain.js';
import { RpcProxy } from '../support/rpc-proxy.js';
import { richSender, type Sender } from '../support/sender.js';
import { expectSettled } from '../support/settled-node.js';

const api = '/api/v1';
const passphrase = 'correct horse battery staple';

/** A node with its own vault, in a process that is killed. */
class SettledHome {
  node!: NodeProcess;
  did!: string;
  readonly dir = scratch();

  constructor(
    readonly chain: PublicChain,
    private readonly proxy: RpcProxy,
    private readonly ports: { readonly api: number; readonly peers: number },
  ) {}

  static async on(chain: PublicChain): Promise<SettledHome> {
    const ports = { api: await freePort(), peers: await freePort() };
    return new SettledHome(chain, await RpcProxy.open(() => chain.url), ports);
  }

  async start(): Promise<void> {
    this.node = await NodeProcess.start(this.dir, [], {
      ...this.chain.variables(this.proxy.url),
      SVC_PORT: String(this.ports.api),
      SVC_LISTEN: `/ip4/127.0.0.1/tcp/${this.ports.peers}`,
      SVC_PEERS_ALONE: '5',
      // Requests don't wait for settlement, so that a kill finds it under way.
      SVC_SETTLEMENT_WAIT_MS: '0',
    });
    ({ did: this.did } = await this.get('/node'));
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.api}`;
  }

  get = async (path: string): Promise<Body> => expectStatus(await this.node.client.get(api + path));

  /**
   * Kills the node as soon as it sends the chain such a request, then starts it again. The chain gets no such request until then.
   * @param once it is not killed before that
   */
  async killedAt(method: string, once: Promise<unknown>): Promise<void> {
    let isTime = false;
    const armed = once.then(() => {
      isTime = true;
    });
    this.proxy.treat = (question) => {
      if (question.method !== method) return 'pass';
      if (isTime) this.node.signal('SIGKILL');
      return 'drop';
    };
    await armed;
    expect(await this.node.ended, `${this.did} at ${method}`).to.include({ signal: 'SIGKILL' });
    this.proxy.treat = () => 'pass';
    await this.start();
  }

  /** @param act of the control socket */
  async operator(act: string, input = {}) {
    const answer = await askNode(this.dir, act, input);
    if (answer === noNodeRunning || isRefusal(answer)) expect.fail(`${act}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async close(): Promise<void> {
    await this.proxy.close();
  }
}

(anvilBinary() === undefined ? describe.skip : describe)('two homes with vaults of one Token', () => {
  const chains: PublicChain[] = [];
  const homes: SettledHome[] = [];
  let [a, b] = [] as unknown as [SettledHome, SettledHome];
  /** Whose address gets what is withdrawn. */
  let sender: Sender;

  before(async () => {
    chains.push(await PublicChain.start());
    chains.push(await chains[0]!.neighbour());
    for (const chain of chains) homes.push(await SettledHome.on(chain));
    [a, b] = homes as [SettledHome, SettledHome];
    await Promise.all(homes.map((home) => home.start()));
    const { listens } = await a.operator('peers.list');
    await b.operator('peers.add', { address: (listens as string[])[0] });
    await a.operator('peers.add', { address: ((await b.operator('peers.list')).listens as string[])[0] });
    await until(
      'they are connected',
      async () => (await b.node.client.get(`${api}/wallets/${a.did}~${a.did}`)).status,
      {
        is: (status) => status === 200 || status === 404,
      },
    );
    const { anvil, evm } = chains[0]!;
    sender = await richSender(
      () => evm,
      (address, wei) => anvil.give(address, wei),
    );
  });
  after(async () => {
    await tidy();
    for (const home of homes) await home.close();
    await chains[0]?.stop();
  });

  const onToken = async (method: string, ...args: unknown[]): Promise<number> => {
    const abi = await contractInterface('ServiceToken');
    const { contracts, evm } = chains[0]!;
    const data = abi.encodeFunctionData(method, args) as Hex;
    return Number(abi.decodeFunctionResult(method, await evm.call({ to: contracts.token as Hex, data }))[0]);
  };
  const outside = (): Promise<number> => onToken('balanceOf', sender.address);
  const balance = async (home: SettledHome, did: string): Promise<number> =>
    (await home.get(`/wallets/${did}`)).balance;
  /** As anyone does who has Tokens on the chain. */
  const deposits = async (home: SettledHome, did: string, amount: number) => {
    const { contracts } = home.chain;
    const calls: readonly [ContractName, string, ...unknown[]][] = [
      ['ServiceToken', 'approve', contracts.vault, amount],
      ['LedgerVault', 'deposit', accountKey(did), amount],
    ];
    for (const [contract, method, ...args] of calls) {
      const receipt = await sender.mined(...(await contractCall(contracts, contract, method, args)));
      expect(receipt.succeeded, method).to.equal(true);
    }
  };

  /**
   * 40 Tokens leave a home and come into another one, and each home is killed on the way.
   * @param withdraws sends the withdrawal, and again until it has an answer
   */
  async function passes(
    did: string,
    [from, to]: readonly [SettledHome, SettledHome],
    [atFrom, atTo]: readonly [string, string],
    withdraws: (from: SettledHome) => Promise<unknown>,
  ): Promise<void> {
    await agree();
    const [held, before, after] = [await outside(), await balance(from, did), await balance(to, did)];
    await Promise.all([from.killedAt(atFrom, Promise.resolve()), withdraws(from)]);
    await until('it is on the chain', outside, { is: (tokens) => tokens === held + 40 });
    expect(await balance(from, did)).to.equal(before - 40);
    await to.killedAt(atTo, deposits(to, did, 40));
    await until('it is credited', () => balance(to, did), { is: (tokens) => tokens === after + 40 });
    expect(await outside()).to.equal(held);
    await agree();
  }

  /** Each ledger is that of its vault, and all Tokens are in the two vaults, or outside. */
  async function agree(): Promise<void> {
    let sum = await outside();
    for (const home of homes) {
      // Without an answer of the chain there is none here.
      const look = async () => (await home.node.client.get(`${api}/supply`)).body;
      const { supply, chain } = await until('it is settled', look, { is: ({ balanced }) => balanced === true });
      expect(chain).to.include({ owed: supply, waiting: 0, holdings: supply });
      sum += supply;
    }
    expect(await onToken('totalSupply')).to.equal(sum);
  }

  it('have a key of a keystore at the one, whose Tokens go to the other and back', async () => {
    const { did } = expectStatus(await a.node.client.post(`${api}/identities`, { passphrase }), 201);
    expectStatus(await a.node.client.post(`${api}/faucet`, { did }));
    /** @param more with the home where the Tokens are */
    const asks = async (more: Body) => {
      const path = `${api}/wallets/${did}/actions/withdraw`;
      const body = { did, passphrase, amount: 40, to: sender.address, ...more };
      const isDone = (reply: Reply | undefined) => reply?.status === 200 || reply?.body.committed === true;
      const look = () =>
        a.node.client.post(path, body, { 'Idempotency-Key': `withdraw-${more.home}` }).catch(() => undefined);
      await until('it has an answer', look, { is: isDone });
    };
    await passes(did, [a, b], ['eth_sendRawTransaction', 'eth_getLogs'], () => asks({ nonce: 1 }));
    await passes(did, [b, a], ['eth_getTransactionReceipt', 'eth_sendRawTransaction'], () =>
      asks({ nonce: 1, home: b.did }),
    );
  });

  it('have the account of a key that its holder keeps, whose Tokens go to the other and back', async () => {
    const key: HeldKey = await keys.fromSeed(randomBytes(32));
    expectStatus(await a.node.client.post(`${api}/faucet`, { did: key.did }));
    const kept = new Map<string, SignedWrite>();
    const outbox = {
      put: async (write: SignedWrite) => void kept.set(write.event.hash, write),
      drop: async ({ event }: SignedWrite) => void kept.delete(event.hash),
    };
    const withdraws = async (from: SettledHome) => {
      const own = new Client({ url: from.url }).as({ key, outbox });
      await own.wallets.withdraw(key.did, { amount: 40, to: sender.address }, { most: 40 }).catch(() => {});
      const again = async () => {
        for (const write of kept.values()) await own.events.submit(write).catch(() => {});
        return kept.size;
      };
      await until('it has an answer', again, { is: (count) => count === 0 });
    };
    await passes(key.did, [a, b], ['eth_getTransactionReceipt', 'eth_sendRawTransaction'], withdraws);
    await passes(key.did, [b, a], ['eth_sendRawTransaction', 'eth_getLogs'], withdraws);
  });

  it('pass the audit of journal and chain, each for itself', async () => {
    await agree();
    for (const { dir } of homes) {
      const { code, stdout, stderr } = await svcNode(['audit', '--chain', '--data', dir]);
      expect(code, stdout + stderr).to.equal(0);
    }
    for (const { dir, node, chain } of homes) {
      expect((await node.stop()).code).to.equal(0);
      const store = openFrozen(dir);
      expect(await expectSettled(store, chain.evm, chain.contracts)).to.be.above(3);
      await store.close();
      expect((await auditOf(dir)).flaw).to.equal(undefined);
    }
  });
});
