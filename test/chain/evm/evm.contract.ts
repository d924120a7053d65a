/** The contract suite of the EVM port: what settlement relies on with any chain. */
import { expect } from 'chai';
import { ChainRefused, type Evm, type Hex } from '../../../src/chain/evm/evm.js';
import { addedTopic, receiptOf, richSender, type Sender, word } from '../support/sender.js';

export interface EvmFixture {
  readonly evm: Evm;
  readonly give?: (address: Hex, wei: bigint) => Promise<void>;
  close(): Promise<void>;
}

const refusal = async (promise: Promise<unknown>): Promise<ChainRefused> => {
  const error = await promise.then(
    () => expect.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(ChainRefused);
  return error as ChainRefused;
};

export function evmContract(name: string, open: () => Promise<EvmFixture>): void {
  describe(`an EVM chain: ${name}`, () => {
    let fixture: EvmFixture;
    let evm: Evm;
    let sender: Sender;

    before(async () => {
      fixture = await open();
      evm = fixture.evm;
      sender = await richSender(() => evm, fixture.give);
    });
    after(async () => {
      await fixture?.close();
    });

    it('gives an account the Ether that it was given', async () => {
      expect(await evm.balance(sender.address)).to.equal(1_000n * 10n ** 18n);
      expect(await evm.balance(`0x${'12'.repeat(20)}`)).to.equal(0n);
    });

    it('mines a contract and returns its address and code', async () => {
      const receipt = await sender.mined(null, '0x5f5ff3');
      expect(receipt.succeeded).to.equal(true);
      expect(receipt.contractAddress).to.match(/^0x[0-9a-f]{40}$/);
      const sum = await sender.deploySum();
      expect(await evm.code(sum)).to.have.length(2 + 2 * 46);
      expect(await evm.code(`0x${'12'.repeat(20)}`)).to.equal('0x');
    });

    it('calls a contract without changing it', async () => {
      const sum = await sender.deploySum();
      await evm.call({ to: sum, data: word(5) });
      expect(await evm.call({ to: sum, data: '0x' })).to.equal(word(0));
      await sender.mined(sum, word(5));
      expect(await evm.call({ to: sum, data: '0x' })).to.equal(word(5));
    });

    it('returns the data of a call’s revert', async () => {
      const sum = await sender.deploySum();
      const { reason, data } = await refusal(evm.call({ to: sum, data: word(0) }));
      expect({ reason, data }).to.deep.equal({ reason: 'reverted', data: word(0xdead) });
      expect((await refusal(evm.estimateGas({ from: sender.address, to: sum, data: word(0) }))).reason).to.equal(
        'reverted',
      );
    });

    it('estimates gas that is enough, and not much more', async () => {
      const sum = await sender.deploySum();
      const estimate = await evm.estimateGas({ from: sender.address, to: sum, data: word(1) });
      const raw = await sender.sign(sum, word(1), { gasLimit: estimate });
      const { succeeded, gasUsed } = await receiptOf(evm, await evm.send(raw));
      expect(succeeded).to.equal(true);
      expect(estimate).to.be.within(gasUsed, gasUsed * 1.3);
      expect(await evm.estimateGas({ from: sender.address, data: '0x5f5ff3' })).to.be.above(53_000);
    });

    it('reports a transaction that was mined and reverted', async () => {
      const sum = await sender.deploySum();
      const receipt = await sender.mined(sum, word(0));
      expect(receipt.succeeded).to.equal(false);
      expect(receipt.logs).to.deep.equal([]);
      expect(receipt.gasUsed).to.be.within(21_000, 60_000);
    });

    it('takes a transaction that it has already, once', async () => {
      const sum = await sender.deploySum();
      const raw = await sender.sign(sum, word(3));
      const first = await evm.send(raw);
      await receiptOf(evm, first);
      const again = await evm.send(raw).catch((error: ChainRefused) => error.reason);
      // Some chains answer an old transaction with an old nonce, others with its hash.
      expect(again).to.satisfy((it: unknown) => it === 'nonce too low' || (it as { hash: Hex }).hash === first.hash);
      expect(await evm.call({ to: sum, data: '0x' })).to.equal(word(3));
    });

    it('refuses an old nonce and an account without Ether, each by name', async () => {
      const old = await sender.sign(sender.address, '0x', { nonce: 0 });
      expect((await refusal(evm.send(old))).reason).to.equal('nonce too low');
      const poor = await richSender(
        () => evm,
        async () => {},
      );
      expect((await refusal(poor.send(sender.address, '0x'))).reason).to.equal('no funds');
    });

    it('counts the transactions of an account', async () => {
      const before = await evm.transactionCount(sender.address, 'latest');
      expect(before).to.equal(sender.nonce);
      await sender.mined(sender.address, '0x');
      expect(await evm.transactionCount(sender.address, 'latest')).to.equal(before + 1);
      expect(await evm.transactionCount(sender.address, 'pending')).to.equal(before + 1);
    });

    it('finds receipts by hash, and none where there is none', async () => {
      const { hash } = await sender.send(sender.address, '0x');
      const receipt = await receiptOf(evm, { hash });
      const [found, none] = await evm.receipts([hash, word(1)]);
      expect(found).to.deep.equal(receipt);
      expect(none).to.equal(undefined);
      expect(await evm.receipts([])).to.deep.equal([]);
    });

    it('finds logs by address, topic and range of blocks', async () => {
      const [sum, other] = [await sender.deploySum(), await sender.deploySum()];
      const first = await sender.mined(sum, word(7));
      await sender.mined(other, word(8));
      const last = await sender.mined(sum, word(9));
      const query = { address: sum, topics: [addedTopic], fromBlock: first.blockNumber, toBlock: last.blockNumber };
      const found = await evm.logs(query);
      expect(found).to.deep.equal([...first.logs, ...last.logs]);
      expect(found.map(({ data }) => data)).to.deep.equal([word(7), word(9)]);
      expect(await evm.logs({ ...query, toBlock: first.blockNumber })).to.have.length(1);
      expect(await evm.logs({ ...query, topics: [word(2)] })).to.deep.equal([]);
    });

    it('returns blocks by number, whose hash the receipts name', async () => {
      const receipt = await sender.mined(sender.address, '0x');
      const block = await evm.block(receipt.blockNumber);
      expect(block?.hash).to.equal(receipt.blockHash);
      expect(await evm.block(receipt.blockNumber + 1_000)).to.equal(undefined);
      const newest = await evm.block('latest');
      expect(newest!.number).to.be.at.least(receipt.blockNumber);
      expect(newest!.timestamp).to.be.within(block!.timestamp, block!.timestamp + 3_600);
      expect(Math.abs(newest!.timestamp - Date.now() / 1_000)).to.be.below(120);
      expect(await evm.blockNumber()).to.equal(newest!.number);
    });

    it('reports a healthy chain and its newest block without a request', async () => {
      const { blockNumber } = await sender.mined(sender.address, '0x');
      expect(await evm.blockNumber()).to.equal(blockNumber);
      expect(evm.health()).to.include({ connected: true, blockNumber });
    });

    it('takes many transactions in a row, each in its own order', async () => {
      const sum = await sender.deploySum();
      for (let value = 1; value <= 25; value++) await sender.mined(sum, word(value));
      expect(await evm.call({ to: sum, data: '0x' })).to.equal(word(325));
    });

    it('carries a hundred kilobytes of calldata', async () => {
      const data: Hex = `${word(1)}${'ab'.repeat(96 * 1024)}`;
      const sum = await sender.deploySum();
      const raw = await sender.sign(sum, data, { gasLimit: 12_000_000 });
      const { succeeded, gasUsed } = await receiptOf(evm, await evm.send(raw));
      expect(succeeded).to.equal(true);
      expect(gasUsed).to.be.above(1_500_000);
    });

    it('adds an empty block where the chain is the node’s own', async () => {
      if (!evm.mine) return;
      const number = await evm.blockNumber();
      await evm.mine();
      expect(await evm.blockNumber()).to.equal(number + 1);
    });

    it('moves its clock forward if it is local, and continues from there', async () => {
      const hourMs = 3_600_000;
      const later = Math.floor(Date.now() / 1_000) * 1_000 + hourMs;
      await evm.putForward?.(later);
      const isOwn = evm.kind !== 'rpc';
      for (let turn = 0; turn < 2; turn++) {
        await sender.mined(sender.address, '0x');
        const { timestamp } = (await evm.block('latest'))!;
        if (isOwn) expect(timestamp).to.be.within(later / 1_000, later / 1_000 + 60);
        else expect(timestamp).to.be.below(later / 1_000);
      }
    });
  });
}
