/** A contract that forwards calls to any address. It stands for a multisig, whose calls come from a contract too. */
import { expect } from 'chai';
import { getCreateAddress } from 'ethers/address';
import { evmOf, type Stage } from './stage.js';

/** Calls the address in the first 20 bytes with the rest of the data, and returns or reverts with the result. */
const code = '0x60238060095f395ff3' + '601436038060145f375f5f825f5f5f3560601c5af13d5f5f3e601f573d5ffd5b3d5ff3';

const owner = evmOf('owner of the multisig');
let made = 0;

/** @returns its address, and a function with which its owner makes calls through it */
export async function forwarder(stage: Stage) {
  const from = evmOf(`maker ${made++}`);
  const { reverted } = await stage.evm.send({ from, data: code });
  expect(reverted).to.equal(false);
  const address = getCreateAddress({ from, nonce: 0 }).toLowerCase();
  return {
    address,
    send: (to: string, data: string) => stage.evm.send({ from: owner, to: address, data: to + data.slice(2) }),
  };
}
