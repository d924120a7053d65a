/** An RPC that drops, delays, or answers wrongly: reads are retried, transactions are not, and no wrong answer is accepted. */
import { expect } from 'chai';
import { ChainAway, ChainRefused, type Hex } from '../../../src/chain/evm/evm.js';
import { HttpTransport } from '../../../src/chain/evm/http-transport.js';
import { JsonRpcEvm } from '../../../src/chain/evm/json-rpc-evm.js';
import { openRemote, RemoteRefused } from '../../../src/chain/evm/remote.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { type Asked, type Behaviour, RpcStub, result } from '../support/rpc-stub.js';
import { Sender, word } from '../support/sender.js';

const bad: { readonly [how: string]: Behaviour } = {
  'hangs up': (_, response) => response.destroy(),
  'hangs up in the middle': (_, response) => {
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('{"jsonrpc"', () => response.destroy());
  },
  'never answers': () => {},
  'stops in the middle': (_, response) => void response.write('{"jsonrpc":"2.0",'),
  'answers HTTP 502': (_, response) => response.writeHead(502).end('<html>bad gateway</html>'),
  'answers HTTP 429': (_, response) => response.writeHead(429).end(),
  'answers with HTML': (_, response) => response.end('<html></html>'),
  'answers with null': (_, response) => response.end('null'),
  'answers another question': (asked, response) =>
    response.end(JSON.stringify({ jsonrpc: '2.0', id: (asked as Asked).id + 1_000, result: '0x1' })),
  'answers without a result': (asked, response) => response.end(JSON.stringify({ id: (asked as Asked).id })),
  'answers with too much': (_, response) => response.end(`"${'x'.repeat(300_000)}"`),
  'is overloaded': (asked, response) =>
    response.end(JSON.stringify({ id: (asked as Asked).id, error: { code: -32_005, message: 'limit exceeded' } })),
  'mines while it looks': (asked, response) => {
    const message = 'BlockOutOfRangeError: block height is 32 but requested was 31';
    response.end(JSON.stringify({ id: (asked as Asked).id, error: { code: -32_602, message } }));
  },
};

describe('a bad RPC', () => {
  let stub: RpcStub;
  let transport: HttpTransport;
  let evm: JsonRpcEvm;

  beforeEach(async () => {
    stub = await RpcStub.open();
    transport = new HttpTransport({ url: stub.url, world, timeoutMs: 1_000, answerBytes: 200_000 });
    evm = new JsonRpcEvm({ kind: 'rpc', chainId: 5, transport, world });
  });
  afterEach(async () => {
    evm.close();
    transport.close();
    await stub.close();
  });

  const failure = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => expect.fail('it succeeded'),
      (error: unknown) => error,
    );

  for (const [how, behaviour] of Object.entries(bad)) {
    it(`that ${how} twice is asked a third time`, async () => {
      stub.failsFirst(2, behaviour, '0x2a');
      expect(await evm.blockNumber()).to.equal(42);
      expect(stub.methods).to.deep.equal(Array(3).fill('eth_blockNumber'));
      expect(evm.health()).to.deep.equal({ connected: true, blockNumber: 42 });
    });
  }

  it('that persists is given up, and the health says why', async () => {
    stub.behaviour = bad['answers HTTP 502']!;
    expect(await failure(evm.blockNumber())).to.be.instanceOf(ChainAway);
    expect(stub.asked).to.have.length(3);
    expect(evm.health()).to.deep.equal({
      connected: false,
      blockNumber: null,
      reason: 'the RPC answered with HTTP 502',
    });
  });

  it('of an unreachable server is distinguished from one that refuses', async () => {
    const unreachable = new HttpTransport({ url: 'http://127.0.0.1:1', world, timeoutMs: 150, answerBytes: 1_000 });
    const failed = await failure(unreachable.request([{ method: 'eth_chainId', params: [] }]));
    expect(failed)
      .to.be.instanceOf(ChainAway)
      .with.property('message')
      .matches(/ECONNREFUSED/);
    stub.behaviour = (asked, response) =>
      response.end(JSON.stringify({ id: (asked as Asked).id, error: { code: -32_000, message: 'no such thing' } }));
    expect(await failure(evm.blockNumber())).to.be.instanceOf(ChainRefused);
    expect(stub.asked).to.have.length(1);
    expect(evm.health().connected).to.equal(true);
  });

  for (const [how, behaviour] of Object.entries(bad)) {
    it(`that ${how} is handed a transaction once`, async () => {
      stub.behaviour = behaviour;
      expect(await failure(evm.send('0x02'))).to.be.instanceOf(ChainAway);
      expect(stub.asked).to.have.length(1);
    });
  }

  it('that names another transaction than it was given is not believed', async () => {
    stub.says(word(7));
    expect(await failure(evm.send('0x02'))).to.be.instanceOf(ChainAway);
  });

  for (const [message, reason] of [
    ['nonce too low: next nonce 5, tx nonce 4', 'nonce too low'],
    ['replacement transaction underpriced', 'underpriced'],
    ['transaction underpriced', 'underpriced'],
    ['insufficient funds for gas * price + value', 'no funds'],
    ['execution reverted: custom', 'reverted'],
    ['something else', 'other'],
  ] as const) {
    it(`that refuses with “${message}” is understood`, async () => {
      stub.behaviour = (asked, response) =>
        response.end(JSON.stringify({ id: (asked as Asked).id, error: { code: -32_000, message } }));
      expect(await failure(evm.send('0x02')))
        .to.be.instanceOf(ChainRefused)
        .with.property('reason', reason);
    });
  }

  for (const message of ['already known', 'transaction already imported', 'AlreadyKnown']) {
    it(`that says “${message}” has the transaction`, async () => {
      stub.behaviour = (asked, response) =>
        response.end(JSON.stringify({ id: (asked as Asked).id, error: { code: -32_000, message } }));
      expect((await evm.send('0x02')).hash).to.match(/^0x[0-9a-f]{64}$/);
    });
  }

  it('that shuffles a batch is read by the ids', async () => {
    stub.behaviour = (asked, response) =>
      response.end(JSON.stringify((asked as Asked[]).map((each) => result(each, null)).reverse()));
    expect(await evm.receipts([word(1), word(2)])).to.deep.equal([undefined, undefined]);
    stub.behaviour = (asked, response) =>
      response.end(JSON.stringify((asked as Asked[]).slice(1).map((each) => result(each, null))));
    expect(await failure(evm.receipts([word(1), word(2)]))).to.be.instanceOf(ChainAway);
  });

  it('that takes no batches is asked one by one from then on', async () => {
    stub.behaviour = (asked, response) =>
      response.end(
        JSON.stringify(
          Array.isArray(asked)
            ? { id: null, error: { code: -32_600, message: 'batches are not supported' } }
            : result(asked as Asked, null),
        ),
      );
    expect(await evm.receipts([word(1), word(2), word(3)])).to.have.length(3);
    expect(await evm.receipts([word(1), word(2)])).to.have.length(2);
    expect(stub.asked.filter(Array.isArray)).to.have.length(1);
    expect(stub.asked).to.have.length(6);
  });

  it('is asked for many receipts in parts', async () => {
    stub.says(null);
    expect(await evm.receipts(Array.from({ length: 120 }, (_, i) => word(i)))).to.have.length(120);
    expect(stub.asked.map((each) => (each as Asked[]).length)).to.deep.equal([50, 50, 20]);
  });

  it('that returns the receipt of another transaction returns none', async () => {
    const receipt = {
      transactionHash: word(9),
      blockNumber: '0x1',
      blockHash: word(1),
      status: '0x1',
      gasUsed: '0x5208',
      contractAddress: null,
      logs: [],
    };
    stub.says(receipt);
    expect(await evm.receipt(word(1))).to.equal(undefined);
    expect((await evm.receipt(word(9)))?.gasUsed).to.equal(21_000);
    stub.says({ ...receipt, blockNumber: null, blockHash: null });
    expect(await evm.receipt(word(9)), 'one that still waits').to.equal(undefined);
  });

  for (const [what, value] of [
    ['a number', 7],
    ['no hex', '0xzz'],
    ['nothing', null],
    ['too much', `0x${'f'.repeat(20)}`],
  ] as const) {
    it(`that says ${what} for a block number says nothing`, async () => {
      stub.says(value);
      expect(await failure(evm.blockNumber())).to.be.instanceOf(ChainAway);
    });
  }

  it('has its address in no message, as that may carry a key', async () => {
    const secret = new HttpTransport({
      url: 'http://user:sesame@127.0.0.1:1/v3/secret-key',
      world,
      timeoutMs: 150,
      answerBytes: 1_000,
    });
    const failed = (await failure(secret.request([{ method: 'eth_chainId', params: [] }]))) as Error;
    expect(`${failed.message} ${failed.stack}`).to.not.match(/sesame|secret-key/);
  });

  describe('at start', () => {
    const open = (more: Partial<Parameters<typeof openRemote>[0]> = {}) =>
      openRemote({ url: stub.url, chainId: 5, contracts: {}, world, ...more });

    it('is refused when it is another chain', async () => {
      stub.says('0x6');
      const refused = (await failure(open())) as Error;
      expect(refused).to.be.instanceOf(RemoteRefused);
      expect(refused.message).to.equal('SVC_RPC_URL leads to chain 6, and SVC_CHAIN_ID says 5.');
    });

    it('is refused when it gives no answer', async () => {
      stub.behaviour = bad['answers with HTML']!;
      const refused = (await failure(open())) as Error;
      expect(refused).to.be.instanceOf(RemoteRefused);
      expect(refused.message).to.match(/SVC_RPC_URL was asked for its chain id and gave no answer/);
    });

    it('is refused when a contract is not there, which is named', async () => {
      stub.behaviour = (asked, response) =>
        response.end(JSON.stringify(result(asked as Asked, (asked as Asked).method === 'eth_chainId' ? '0x5' : '0x')));
      const vault: Hex = `0x${'ab'.repeat(20)}`;
      const refused = (await failure(open({ contracts: { vault } }))) as Error;
      expect(refused).to.be.instanceOf(RemoteRefused);
      expect(refused.message).to.include(vault).and.include('vault').and.include('chain deploy');
    });

    it('may leave its chain id to be found', async () => {
      stub.says('0x9');
      const { evm: found, close } = await open({ chainId: undefined });
      expect(found.chainId).to.equal(9);
      await close();
    });
  });

  it('is asked plainly for a transaction and for fees', async () => {
    stub.behaviour = (asked, response) => {
      const answers: { readonly [method: string]: unknown } = {
        eth_gasPrice: '0x77359400',
        eth_getBlockByNumber: { number: '0x1', hash: word(1), timestamp: '0x5', baseFeePerGas: '0x3b9aca00' },
      };
      const each = (one: Asked) => result(one, answers[one.method]);
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(each) : each(asked as Asked)));
    };
    expect(await evm.fees()).to.deep.equal({ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n });
    const raw = await new Sender(() => evm).sign(null, '0x');
    await failure(evm.send(raw));
    expect(stub.methods.at(-1)).to.equal('eth_sendRawTransaction');
  });
});
