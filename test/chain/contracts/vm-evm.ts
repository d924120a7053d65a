/** The EVM in this process: without signatures, and with its blocks in memory. */
import { createBlock } from '@ethereumjs/block';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { createFeeMarket1559Tx } from '@ethereumjs/tx';
import { bytesToHex, createAddressFromString, type PrefixedHexString } from '@ethereumjs/util';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import { type Call, gasLimit, type Mined, startsAt, type TestEvm } from './evm.js';

const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague });
const hex = (text: string): PrefixedHexString => text as PrefixedHexString;

export class VmEvm implements TestEvm {
  now = startsAt;

  private constructor(private readonly vm: VM) {}

  static async start(): Promise<VmEvm> {
    return new VmEvm(await createVM({ common, stateManager: new SimpleStateManager({ common }) }));
  }

  advance(seconds: number): void {
    this.now += seconds;
  }

  async send({ from, to, data, gas = gasLimit }: Call): Promise<Mined> {
    const sender = createAddressFromString(from);
    const nonce = (await this.vm.stateManager.getAccount(sender))?.nonce ?? 0n;
    const tx = createFeeMarket1559Tx(
      { ...(to ? { to: hex(to) } : {}), data: hex(data), gasLimit: gas, nonce, chainId: 1, maxFeePerGas: 7 },
      { common, freeze: false },
    );
    // Any sender is accepted, because only the address that the contracts see matters here.
    tx.isSigned = () => true;
    tx.getSenderAddress = () => sender;
    const { execResult, totalGasSpent } = await runTx(this.vm, { tx, block: this.#block(), skipBalance: true });
    const reverted = execResult.exceptionError !== undefined;
    this.now += 1;
    return {
      reverted,
      revertData: reverted ? bytesToHex(execResult.returnValue) : '0x',
      gasUsed: Number(totalGasSpent),
      logs: (execResult.logs ?? []).map(([address, topics, each]) => ({
        address: bytesToHex(address),
        topics: topics.map((topic) => bytesToHex(topic)),
        data: bytesToHex(each),
      })),
    };
  }

  async read({ from, to, data }: Call): Promise<string> {
    const { execResult } = await this.vm.evm.runCall({
      block: this.#block(),
      caller: createAddressFromString(from),
      to: createAddressFromString(to!),
      data: Buffer.from(data.slice(2), 'hex'),
      gasLimit: BigInt(gasLimit),
    });
    return bytesToHex(execResult.returnValue);
  }

  async close(): Promise<void> {}

  #block() {
    return createBlock({ header: { gasLimit: 30_000_000, timestamp: this.now, baseFeePerGas: 7 } }, { common });
  }
}
