import { expect } from 'chai';
import { interfaceOf, revertReason } from '../../src/chain/contracts/interfaces.js';

describe('what a revert says', () => {
  it('is the custom error of any of the contracts, with its arguments', async () => {
    const settlement = await interfaceOf('Settlement');
    const vault = await interfaceOf('LedgerVault');
    expect(await revertReason(settlement.encodeErrorResult('GapInStream', [4, 9]))).to.equal('GapInStream(4, 9)');
    expect(await revertReason(vault.encodeErrorResult('VaultClosed'))).to.equal('VaultClosed()');
  });

  it('is what Solidity itself says, where it does', async () => {
    expect(await revertReason(`0x4e487b71${'0'.repeat(62)}11`)).to.equal('Panic(17)');
  });

  it('is empty when gas ran out, and shown as hex if it is unknown', async () => {
    expect(await revertReason('0x')).to.equal('no reason, for example because gas ran out');
    expect(await revertReason('0xdeadbeef')).to.equal('unknown: 0xdeadbeef');
  });
});
