/** Carries out what docs/settlement.md tells a reader to do, with only ethers and an RPC URL. */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { dataSlice, decodeBase58, toBeHex } from 'ethers';
import { operationBytes, operationLayouts } from '../../../src/chain/operations/operation.js';
import { expectStatus } from '../../node/support/answers.js';
import { TestNode } from '../../node/support/node.js';
import { tidy } from '../../support/scratch.js';
import { ada, ben } from '../../world/people.js';
import { anvilBinary } from '../support/anvil-binary.js';
import { PublicChain } from '../support/public-chain.js';
import { AnvilEvm } from './anvil-evm.js';
import { accountOf, hexOf, network, Stage } from './stage.js';

type Check = (options: {
  url: string;
  address: string;
  network: string;
  entryHash: string;
}) => Promise<{ seq: bigint; operation: string; transactionHash: string }[]>;

const page = readFileSync('docs/settlement.md', 'utf8');
const binary = anvilBinary();

async function checkOfThePage(): Promise<Check> {
  const file = 'dist/test/chain/contracts/reader-of-the-page.mjs';
  writeFileSync(file, /```js\n(.*?)```/s.exec(page)![1]!);
  return ((await import(pathToFileURL(file).href)) as { check: Check }).check;
}

describe('docs/settlement.md', () => {
  it('lists every kind with its length', () => {
    const rows = [...page.matchAll(/^\| (\d+) \| (\w+) \| .* \| (\d+) \|$/gm)].map(([, ...cells]) => cells.join(' '));
    const expected = Object.entries(operationLayouts).map(
      ([op, { kind }]) => `${kind} ${op} ${operationBytes(op as 'mint')}`,
    );
    expect(rows).to.deep.equal(expected);
  });

  it('quotes the gas that is measured', () => {
    const gas = JSON.parse(readFileSync('test/chain/contracts/gas.json', 'utf8')) as { [name: string]: number };
    const quoted = (name: string) => gas[name]!.toLocaleString('en');
    for (const [says, name] of [
      ['none of them twice in the batch', 'transfer between existing accounts, 200 different ones'],
      ['the same with a fee', 'transfer with a fee, 200 different ones'],
      ['transfer among 64 accounts', 'transfer among 64 accounts'],
      ['withdraw to an address that never had Tokens', 'withdraw to new addresses'],
    ] as const) {
      expect(page).to.include(`${says} | ${quoted(name)} |`);
    }
    const escrows = ['reserve', 'lock', 'release in part'].map(quoted).join(', ');
    expect(page).to.include(`reserve, lock, release | ${escrows} |`);
  });

  it('how to check one transfer: the script finds it, and sees that a stream is not what it should be', async function () {
    if (!binary) return this.skip();
    const anvil = await AnvilEvm.start(binary);
    try {
      const stage = await Stage.open(anvil);
      await stage.applies([{ op: 'mint', to: ada, amount: 100 }]);
      await stage.applies([{ op: 'freeze', did: ben }]);
      const [transfer] = stage.pack([{ op: 'transfer', from: ada, to: ben, amount: 58, fee: 1 }]);
      await stage.applies([], { operations: [transfer!] });
      await stage.applies([]);
      const entryHash = transfer!.toString('hex', 7, 39);
      const check = await checkOfThePage();
      const options = { url: anvil.url, address: stage.contracts.settlement, network, entryHash };
      const found = await check(options);
      expect(found.map(({ seq, operation }) => ({ seq, operation }))).to.deep.equal([
        { seq: 3n, operation: hexOf(transfer!) },
      ]);
      const { operation } = found[0]!;
      const keyOf = (did: string) => dataSlice(toBeHex(decodeBase58(did.slice(9)), 34), 2);
      expect(dataSlice(operation, 39, 71))
        .to.equal(keyOf(ada))
        .and.equal(accountOf(ada));
      expect(dataSlice(operation, 71, 103)).to.equal(keyOf(ben));
      expect(Number(dataSlice(operation, 103, 111))).to.equal(58);
      const failure = await check({ ...options, network: 'testnet' }).catch((error: Error) => error.message);
      expect(failure).to.equal('the stream is broken before 1');
    } finally {
      await anvil.close();
    }
  });

  it('needs only what a node returns about a transfer and its chain', async function () {
    if (!binary) return this.skip();
    const others = await PublicChain.start();
    const node = await TestNode.start({ variables: others.variables() });
    try {
      const [payer, payee] = [await node.rich(100), await node.person()];
      const { eventHash, txHash, status } = await payer.pays(payee.did, 58, { fee: 1 });
      expect(status).to.equal('confirmed');
      const read = async (path: string) => expectStatus(await node.client.get(`/api/v1/${path}`));
      const { network: name } = await read('node');
      const { settlement: address } = (await read('supply')).chain;
      const { entryHash } = await read(`events/${eventHash}`);
      const check = await checkOfThePage();
      const found = await check({ url: others.url, address, network: name, entryHash });
      expect(found.map(({ seq, transactionHash }) => [seq, transactionHash])).to.deep.equal([[2n, txHash]]);
      expect(Number(dataSlice(found[0]!.operation, 103, 111))).to.equal(58);
    } finally {
      await node.discard();
      await others.stop();
      await tidy();
    }
  });
});
