/**
 * Reads the contracts at the newest block. Every method rejects with ChainAway when the chain does not answer, and with
 * ChainRefused when it answers with an error.
 */
import type { Result } from 'ethers/abi';
import { publicKeyOf } from '../../core/codecs/did.js';
import { ChainAway, type Evm, type EvmLog, type Hex } from '../evm/evm.js';
import type { ContractAddresses } from './deployment.js';
import { type ContractName, contractInterface, didHash, roleOf } from './interfaces.js';

/** The controller of a DID on chain (docs/settlement.md, IdentityRegistry). */
export interface ControllerRegistration {
  readonly registered: boolean;
  /** Checksummed address; null when the DID was never registered, or was revoked. */
  readonly controller: string | null;
}

/** The contract's position in the stream of operations. */
export interface StreamCursor {
  /** Number of the last operation applied. */
  readonly lastSeq: number;
  /** Hash over all of them, hex without 0x. */
  readonly head: string;
  /** Number of the last entry of the journal that an anchor covers. */
  readonly anchored: number;
}

/** Tokens in the vault's custody, by purpose. */
export interface Holdings {
  /** Total supply of the token contract. */
  readonly tokenSupply: number;
  /** The vault's balance: at least `owed`, `waiting` and `heldBack` together. */
  readonly holdings: number;
  /** Owed to accounts of the ledger, including escrows and fees. */
  readonly owed: number;
  /** The part of `owed` that is uncollected fees. */
  readonly fees: number;
  /** Deposits that no operation has taken yet. */
  readonly waiting: number;
  /** Withdrawals that could not be paid out. */
  readonly heldBack: number;
  /** Number of the newest deposit. */
  readonly deposits: number;
  /** Whether the vault's exit has opened, which ends the stream. */
  readonly closed: boolean;
}

export interface WaitingDeposit {
  /** The account's public key, hex without 0x. */
  readonly account: string;
  readonly amount: number;
}

export interface DecodedLog {
  readonly args: Result;
  readonly log: EvmLog;
}

const addressOf: { readonly [N in ContractName]: keyof ContractAddresses } = {
  ServiceToken: 'token',
  IdentityRegistry: 'registry',
  LedgerVault: 'vault',
  Settlement: 'settlement',
};

const zeroAddress = `0x${'0'.repeat(40)}`;
const withoutPrefix = (hex: string): string => hex.slice(2);

/** Converts a contract's integer; it is safe, because the total supply is at most 2^53-1. */
const numberOf = (value: unknown): number => Number(value);

export class ContractReader {
  /** @param contracts may be replaced: after the loss of a local chain they have other addresses */
  constructor(
    readonly evm: Evm,
    public contracts: ContractAddresses,
  ) {}

  async cursor(): Promise<StreamCursor> {
    const [lastSeq, head, , , anchored] = await this.#ask('Settlement', 'cursor');
    return { lastSeq: numberOf(lastSeq), head: withoutPrefix(String(head)), anchored: numberOf(anchored) };
  }

  /** Whether an address may send batches and anchors. */
  async mayOperate(address: string): Promise<boolean> {
    const [may] = await this.#ask('Settlement', 'hasRole', await roleOf('OPERATOR_ROLE'), address);
    return Boolean(may);
  }

  async registration(did: string): Promise<ControllerRegistration> {
    const name = await didHash(did);
    const [[controller], [registered]] = await Promise.all([
      this.#ask('IdentityRegistry', 'controllerOf', name),
      this.#ask('IdentityRegistry', 'isRegistered', name),
    ]);
    return {
      registered: Boolean(registered),
      controller: controller === zeroAddress ? null : String(controller),
    };
  }

  /** Reads the holdings, all at one block. */
  async holdings(): Promise<Holdings & { readonly blockNumber: number; readonly cursor: StreamCursor }> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const before = await this.evm.blockNumber();
      const [cursor, totals, [holdings], [tokenSupply]] = await Promise.all([
        this.cursor(),
        this.#ask('LedgerVault', 'totals'),
        this.#ask('ServiceToken', 'balanceOf', this.contracts.vault),
        this.#ask('ServiceToken', 'totalSupply'),
      ]);
      if ((await this.evm.blockNumber()) !== before) continue;
      const [owed, fees, waiting, heldBack, , deposits, closedAt] = totals.map(numberOf) as number[];
      return {
        blockNumber: before,
        cursor,
        tokenSupply: numberOf(tokenSupply),
        holdings: numberOf(holdings),
        owed: owed!,
        fees: fees!,
        waiting: waiting!,
        heldBack: heldBack!,
        deposits: deposits!,
        closed: closedAt !== 0,
      };
    }
    throw new ChainAway('blocks come too fast to see one whole');
  }

  /** The waiting deposit with this number; undefined when none waits. */
  async deposit(ref: number): Promise<WaitingDeposit | undefined> {
    const [account, , amount] = await this.#ask('LedgerVault', 'depositOf', ref);
    return amount === 0n ? undefined : { account: withoutPrefix(String(account)), amount: numberOf(amount) };
  }

  /** Events of one type in a range of blocks, both ends included, in chain order. */
  async events(contract: ContractName, name: string, fromBlock: number, toBlock: number): Promise<DecodedLog[]> {
    const abi = await contractInterface(contract);
    const event = abi.getEvent(name)!;
    const logs = await this.evm.logs({
      address: this.contracts[addressOf[contract]].toLowerCase() as Hex,
      topics: [event.topicHash as Hex],
      fromBlock,
      toBlock,
    });
    return logs.map((log) => ({ log, args: abi.decodeEventLog(event, log.data, log.topics) }));
  }

  async #ask(contract: ContractName, method: string, ...args: unknown[]): Promise<Result> {
    const abi = await contractInterface(contract);
    const to = this.contracts[addressOf[contract]].toLowerCase() as Hex;
    const answer = await this.evm.call({ to, data: abi.encodeFunctionData(method, args) as Hex });
    try {
      return abi.decodeFunctionResult(method, answer);
    } catch (cause) {
      throw new ChainAway(`${contract}.${method} answered with something else`, { cause });
    }
  }
}

const mostAttempts = 50;

/** A DID's account in the vault: its public key, `0x` and hex. */
export const accountKey = (did: string): string => `0x${Buffer.from(publicKeyOf(did)).toString('hex')}`;
