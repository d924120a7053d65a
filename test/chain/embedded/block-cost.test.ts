/** A block of the embedded chain costs the same whatever the chain holds: it has no state root, and nothing copies the state. */
import { JsonRpcEvm } from '../../../src/chain/evm/json-rpc-evm.js';
import type { Transport } from '../../../src/chain/evm/transport.js';
import { EmbeddedChain } from '../../../src/chain/local/embedded-chain.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import { expectWithin } from '../../support/within.js';
import { richSender, type Sender, word } from '../support/sender.js';

const chainId = 78_001;

/** CPU of a mined transaction, ms: the least of five rounds, because other programs use the same caches. */
async function cost(sender: Sender, to: `0x${string}`): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) {
    const before = process.cpuUsage();
    for (let block = 0; block < 20; block++) await sender.mined(to, word(1));
    rounds.push(process.cpuUsage(before).user / 20_000);
  }
  return Math.min(...rounds);
}

describe('a block of the embedded chain', () => {
  it('costs the same beside a hundred accounts and a hundred thousand', async () => {
    const chain = await EmbeddedChain.open(chainId);
    const transport: Transport = {
      request: (calls) => Promise.all(calls.map((call) => chain.answer(call, Date.now()))),
      close() {},
    };
    const evm = new JsonRpcEvm({ kind: 'embedded', chainId, transport, world });
    const sender = await richSender(() => evm);
    const sum = await sender.deploySum();
    const few = await cost(sender, sum);
    for (let index = 1; index <= 100_000; index++) {
      const address = `0x${index.toString(16).padStart(40, '0')}`;
      await chain.answer({ method: 'anvil_setBalance', params: [address, '0x1'] }, 0);
    }
    await expectWithin(few * 3, () => cost(sender, sum));
  });
});
