/** Transactions that the node's own code encodes, hashes and signs, decoded by a library. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Transaction } from 'ethers';
import type { Hex } from '../../../src/chain/evm/evm.js';
import { Operator } from '../../../src/chain/settlement/transaction.js';

const rounds = 60;

describe('a signed transaction', () => {
  it('is what ethers reads in it, and signed by whom ethers finds', () => {
    for (let n = 0; n < rounds; n++) {
      const operator = new Operator(randomBytes(32));
      const data = randomBytes(n * 3);
      const to = n % 3 === 0 ? null : (`0x${randomBytes(20).toString('hex')}` as Hex);
      const fields = { chainId: 1e14 + n, nonce: n, gasLimit: 21_000 + n, to, data };
      const { raw, hash } = operator.sign({ ...fields, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: BigInt(n) });
      const read = Transaction.from(raw);
      expect(read.hash).to.equal(hash);
      expect(read.from).to.equal(operator.address);
      expect(read.to?.toLowerCase() ?? null).to.equal(to);
      expect(read.data).to.equal(`0x${data.toString('hex')}`);
      expect([read.nonce, read.gasLimit, read.chainId]).to.deep.equal([n, BigInt(21_000 + n), BigInt(1e14 + n)]);
      expect([read.maxFeePerGas, read.maxPriorityFeePerGas]).to.deep.equal([10n ** 12n, BigInt(n)]);
    }
  });
});
