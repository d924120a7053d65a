/** A chain (embedded, or an anvil behind a URL) with the contracts, an operator who sends its stream, and people with Ether. */

import { ContractReader } from '../../../src/chain/contracts/contract-reader.js';
import { planDeployment } from '../../../src/chain/contracts/deployment.js';
import type { ContractName } from '../../../src/chain/contracts/interfaces.js';
import { ChainAway, ChainRefused, type EvmReceipt, type Hex } from '../../../src/chain/evm/evm.js';
import type { OpenChain } from '../../../src/chain/evm/open-chain.js';
import { openRemote } from '../../../src/chain/evm/remote.js';
import { openLocalChain } from '../../../src/chain/local/local-chain.js';
import { packOperation } from '../../../src/chain/operations/operation.js';
import { encodeBatch, genesisHead, nextHead } from '../../../src/chain/operations/operation-batch.js';
import type { OutOfBandSender, OutOfBandTransaction } from '../../../src/chain/settlement/out-of-band.js';
import { realEnvironment as world } from '../../../src/core/environment.js';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { scratch } from '../../support/scratch.js';
import { Anvil } from './anvil.js';
import { contractCall } from './contract-call.js';
import { richSender, type Sender } from './sender.js';

export const network = 'devnet';

export class Rig implements OutOfBandSender {
  seq = 0;
  head: Buffer = genesisHead(network);
  /** Transactions that were sent, and faults for the next ones. */
  readonly sent: OutOfBandTransaction[] = [];
  trouble: ('away' | 'lost' | 'refused')[] = [];

  private constructor(
    readonly chain: OpenChain,
    private readonly anvil: Anvil | undefined,
    readonly operator: Sender,
    readonly reader: ContractReader,
  ) {}

  static async open(mode: 'embedded' | 'anvil' = 'embedded'): Promise<Rig> {
    const anvil = mode === 'anvil' ? await Anvil.start(77_004) : undefined;
    const chain = anvil
      ? await openRemote({ url: anvil.url, chainId: undefined, contracts: {}, world })
      : await openLocalChain({ network, folder: scratch(), chainId: undefined, world, log: () => {} });
    const operator = await richSender(() => chain.evm, anvil && ((address, wei) => anvil.give(address, wei)));
    const who = operator.address;
    const { contracts, steps } = await planDeployment({
      deployer: who,
      nonce: 0,
      network,
      mints: true,
      admin: who,
      operator: who,
      registrar: who,
      minter: who,
    });
    const rig = new Rig(chain, anvil, operator, new ContractReader(chain.evm, contracts));
    for (const { what, to, data } of steps) await rig.#mined(what, to as Hex | null, data as Hex);
    return rig;
  }

  get evm() {
    return this.chain.evm;
  }

  /** Another account with Ether. */
  person(): Promise<Sender> {
    return richSender(() => this.evm);
  }

  async call(from: Sender, contract: ContractName, method: string, ...args: unknown[]): Promise<EvmReceipt> {
    return from.mined(...(await contractCall(this.reader.contracts, contract, method, args)));
  }

  /** Mints Tokens and deposits them for an account. */
  async deposits(from: Sender, account: string, amount: number): Promise<EvmReceipt> {
    await this.call(this.operator, 'ServiceToken', 'mint', from.address, amount);
    await this.call(from, 'ServiceToken', 'approve', this.reader.contracts.vault, amount);
    return this.call(from, 'LedgerVault', 'deposit', account, amount);
  }

  /** Sends the next operations of the stream. */
  async settle(moves: readonly Move[], entryHash = '0'.repeat(64)): Promise<EvmReceipt> {
    const time = world.now();
    const operations = moves.map((move) => packOperation({ move, time, entryHash }));
    const batch = { first: this.seq + 1, prevHead: this.head, operations };
    const data = `0x${encodeBatch(batch).toString('hex')}` as Hex;
    const receipt = await this.#mined('settle', this.reader.contracts.settlement as Hex, data);
    for (const operation of operations) this.head = nextHead(this.head, operation);
    this.seq += operations.length;
    return receipt;
  }

  async send(call: OutOfBandTransaction): Promise<EvmReceipt> {
    const trouble = this.trouble.shift();
    if (trouble === 'away') throw new ChainAway('as the test asked');
    if (trouble === 'refused') throw new ChainRefused('as the test asked', 'no funds');
    this.sent.push(call);
    const receipt = await this.operator.mined(call.to, call.data);
    if (trouble === 'lost') throw new ChainAway('the answer was lost, as the test asked');
    return receipt;
  }

  async #mined(what: string, to: Hex | null, data: Hex): Promise<EvmReceipt> {
    const receipt = await this.operator.mined(to, data, 10_000_000);
    if (!receipt.succeeded) throw new ChainRefused(`${what} reverted`, 'reverted');
    return receipt;
  }

  async close(): Promise<void> {
    await this.chain.close();
    await this.anvil?.stop();
  }
}
