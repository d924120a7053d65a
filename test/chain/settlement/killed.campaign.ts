/** Kills between commit and receipt: each acknowledged move is on chain once, and has its receipt. */
import { expect } from 'chai';
import { keccak256 } from 'ethers/crypto';
import { openFrozen } from '../../../src/store/sqlite/frozen-reader.js';
import { faucet, get, type NodeProcess, startNode } from '../../cli/support/node.js';
import { TestNode } from '../../node/support/node.js';
import { isLong } from '../../support/long.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { PublicChain } from '../support/public-chain.js';
import { RpcProxy } from '../support/rpc-proxy.js';
import { expectNodeSettled, expectSettled, someDid } from '../support/settled-node.js';

(anvilBinary() === undefined ? describe.skip : describe)('settlement, killed', () => {
  let chain: PublicChain;
  let proxy: RpcProxy;

  before(async () => {
    chain = await PublicChain.start();
    proxy = await RpcProxy.open(() => chain.url);
  });
  after(async () => {
    await proxy?.close();
    await chain?.stop();
    await tidy();
  });
  beforeEach(async () => {
    proxy.treat = () => 'pass';
    chain.contracts = await chain.deployAgain();
  });

  const start = (dir: string): Promise<NodeProcess> =>
    startNode(dir, [], {
      env: { ...chain.variables(proxy.url), SVC_SETTLEMENT_WAIT_MS: '0', SVC_LOG_LEVEL: 'silent' },
    });

  const lagOf = async (node: NodeProcess): Promise<number> => (await get(`${node.url}/api/v1/node`)).body.chain.lag;

  /** Starts the node again, lets it settle the rest, and checks every entry. */
  async function expectWhole(dir: string, acknowledged: number): Promise<void> {
    const node = await start(dir);
    await until('everything is settled', () => lagOf(node), { is: (lag) => lag === 0 });
    await node.stop();
    const store = openFrozen(dir);
    const receipts = await store.receipts(0, 100_000);
    expect(new Set(receipts.map(({ entryHash }) => entryHash)).size, 'a receipt each').to.equal(receipts.length);
    const operations = await expectSettled(store, chain.evm, chain.contracts);
    expect(operations, 'acknowledged moves on the chain').to.be.at.least(acknowledged);
    await store.close();
  }

  /** Mints until the node is killed. @returns how many mints were acknowledged */
  async function mintUntilKilled(node: NodeProcess): Promise<number> {
    let acknowledged = 0;
    const worker = async (n: number): Promise<void> => {
      for (;;) {
        const reply = await faucet(node, someDid(n)).catch(() => undefined);
        if (reply?.status !== 200) return;
        acknowledged++;
      }
    };
    await Promise.all([1, 2, 3, 4].map(worker));
    await node.ended;
    return acknowledged;
  }

  const moments: { readonly [between: string]: (kill: () => void) => RpcProxy['treat'] } = {
    'store and send':
      (kill) =>
      ({ method }) => {
        if (method !== 'eth_sendRawTransaction') return 'pass';
        kill();
        return 'drop';
      },
    'send and its answer':
      (kill) =>
      ({ method }) => {
        if (method !== 'eth_sendRawTransaction') return 'pass';
        setTimeout(kill, 3);
        return 'deafen';
      },
    'answer and receipt':
      (kill) =>
      ({ method }) => {
        if (method !== 'eth_getTransactionReceipt') return 'pass';
        kill();
        return 'drop';
      },
    'receipt and record':
      (kill) =>
      ({ method }) => {
        if (method === 'eth_getTransactionReceipt') setTimeout(kill, 2);
        return 'pass';
      },
  };

  for (const [between, treatment] of Object.entries(moments)) {
    it(`the node, between ${between}`, async () => {
      const dir = scratch();
      let acknowledged = 0;
      for (let turn = 0; turn < (isLong ? 10 : 1); turn++) {
        const node = await start(dir);
        const minting = mintUntilKilled(node);
        // After some batches, because the first one has none before it.
        let sends = 0;
        const treat = treatment(() => node.signal('SIGKILL'));
        proxy.treat = (question) => {
          if (question.method === 'eth_sendRawTransaction') sends++;
          return sends > 3 + turn ? treat(question) : 'pass';
        };
        acknowledged += await minting;
        proxy.treat = () => 'pass';
      }
      expect(acknowledged).to.be.above(10);
      await expectWhole(dir, acknowledged);
    });
  }

  it('the node, with a transaction stored and not sent: it is sent as it was', async () => {
    const dir = scratch();
    const raws: unknown[] = [];
    const node = await start(dir);
    proxy.treat = ({ method, params }) => {
      if (method !== 'eth_sendRawTransaction') return 'pass';
      raws.push(params[0]);
      node.signal('SIGKILL');
      return 'drop';
    };
    const acknowledged = await mintUntilKilled(node);
    proxy.treat = ({ method, params }) => {
      if (method === 'eth_sendRawTransaction') raws.push(params[0]);
      return 'pass';
    };
    await expectWhole(dir, acknowledged);
    expect(raws[1]).to.equal(raws[0]);
  });

  it('the node, at any moment', async () => {
    const dir = scratch();
    let acknowledged = 0;
    for (let turn = 0; turn < (isLong ? 20 : 2); turn++) {
      const node = await start(dir);
      setTimeout(() => node.signal('SIGKILL'), 150 + Math.random() * 300);
      acknowledged += await mintUntilKilled(node);
    }
    await expectWhole(dir, acknowledged);
  });

  describe('without a kill, over a bad connection', () => {
    /** Pseudo-random numbers that are the same in each run. */
    const dice = (seed: number) => () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    const lines: { readonly [how: string]: (roll: () => number) => RpcProxy['treat'] } = {
      'that drops': (roll) => () => (roll() < 0.2 ? 'drop' : 'pass'),
      'that swallows answers': (roll) => () => (roll() < 0.2 ? 'deafen' : 'pass'),
      'that delays': (roll) => () => (roll() < 0.3 ? 100 : 'pass'),
      'that says everything twice': () => () => 'twice',
      'that lies about the nonce':
        (roll) =>
        ({ method }) => {
          if (method !== 'eth_getTransactionCount' || roll() < 0.5) return 'pass';
          return { answer: { result: roll() < 0.5 ? '0x0' : '0xffff' } };
        },
      'that takes transactions for itself and says that they were mined': () => {
        let lies = 0;
        return ({ method, params }) => {
          if (method === 'eth_sendRawTransaction' && ++lies <= 2) {
            return { answer: { result: keccak256(params[0] as string) } };
          }
          if (method !== 'eth_getTransactionReceipt' || lies > 2) return 'pass';
          const receipt = { transactionHash: params[0], blockNumber: '0x1', blockHash: params[0], status: '0x1' };
          return { answer: { result: { ...receipt, gasUsed: '0x5208', contractAddress: null, logs: [] } } };
        };
      },
      'that lies about blocks and receipts':
        (roll) =>
        ({ method }) =>
          /Receipt|blockNumber/.test(method) && roll() < 0.3 ? { answer: { result: null } } : 'pass',
    };
    for (const [how, line] of Object.entries(lines)) {
      it(how, async () => {
        const node = await TestNode.start({
          variables: { ...chain.variables(proxy.url), SVC_SETTLEMENT_WAIT_MS: '0' },
        });
        const people = await Promise.all([1, 2, 3].map(() => node.rich(1_000)));
        const roll = dice(how.length);
        proxy.treat = line(roll);
        const moves = isLong ? 200 : 15;
        await Promise.all(
          people.map(async (person, index) => {
            for (let n = 0; n < moves; n++) {
              await person.pays(people[(index + 1) % 3]!.did, 1);
              if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
            }
          }),
        );
        await new Promise((resolve) => setTimeout(resolve, 500));
        proxy.treat = () => 'pass';
        expect(await expectNodeSettled(node)).to.equal(3 * moves + 3);
        const receipts = await node.store.receipts(0, 10_000);
        expect(receipts, 'a receipt of what was not settled').to.have.length(3 * moves + 3);
        await node.discard();
      });
    }
  });
});

describe('a chain of the node’s own', () => {
  after(tidy);

  it('of a node that is killed at any moment has every acknowledged move once', async () => {
    const dir = scratch();
    // Requests don't wait for settlement, so that a kill finds operations under way.
    const env = { SVC_CHAIN: 'embedded', SVC_SETTLEMENT_WAIT_MS: '0' };
    let acknowledged = 0;
    for (let turn = 0; turn < (isLong ? 8 : 2); turn++) {
      const node = await startNode(dir, [], { env: { ...env, SVC_LOG_LEVEL: 'silent' } });
      const before = acknowledged;
      const killing = until('some moves', () => acknowledged > before + 6 * (turn + 1))
        .then(() => new Promise((resolve) => setTimeout(resolve, 400 * turn)))
        .finally(() => node.signal('SIGKILL'));
      const worker = async (n: number): Promise<void> => {
        while ((await faucet(node, someDid(n)).catch(() => undefined))?.status === 200) acknowledged++;
      };
      await Promise.all([...[1, 2, 3, 4].map(worker), killing]);
      await node.ended;
    }
    const node = await startNode(dir, [], { env: { SVC_CHAIN: 'embedded' } });
    const status = async () => (await (await fetch(`${node.url}/api/v1/node`)).json()).chain;
    await until('everything is settled', status, {
      is: ({ lag, connected, settlement }) => connected && lag === 0 && settlement === 'running',
    });
    const books = async () => (await fetch(`${node.url}/api/v1/supply`)).json();
    await until('ledger and vault agree', () => books(), { is: ({ balanced }) => balanced === true });
    // The faucet gives a hundred at a time.
    expect((await books()).supply).to.be.at.least(100 * acknowledged);
    await node.stop();
  });
});
