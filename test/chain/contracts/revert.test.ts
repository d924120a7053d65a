/** The data of a revert: a custom error of the contracts, or something that can't be decoded. */
import { expect } from 'chai';
import { contractInterface, parsedError } from '../../../src/chain/contracts/interfaces.js';
import type { Evm, Hex } from '../../../src/chain/evm/evm.js';
import { ChainRefused } from '../../../src/chain/evm/evm.js';
import { SettlementContract } from '../../../src/chain/settlement/settlement-contract.js';

describe('the data of a revert', () => {
  it('is decoded where it is one of the contracts’ errors', async () => {
    const contract = await contractInterface('Settlement');
    const data = contract.encodeErrorResult('AlreadyApplied', [7, 3]);
    expect(parsedError(contract, data)?.name).to.equal('AlreadyApplied');
  });

  it('may be empty or too short for an error: a bare revert, an invalid opcode, an endless loop', async () => {
    const contract = await SettlementContract.at({} as Evm, `0x${'00'.repeat(20)}` as Hex);
    for (const data of [undefined, '0x', '0x123456']) {
      const refused = new ChainRefused('execution reverted', 'reverted', data as Hex | undefined);
      expect(contract.revertOf(refused).name, data).to.equal('unknown');
    }
  });
});
