/** The contracts on a fresh EVM, a settlement stream that counts its operations, and functions that read the results. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { Interface } from 'ethers/abi';
import { contracts as artifact } from '../../../src/chain/artifacts/contracts.js';
import { type ContractAddresses, planDeployment } from '../../../src/chain/contracts/deployment.js';
import { contractInterface, didHash, parsedError } from '../../../src/chain/contracts/interfaces.js';
import { escrowHash, packOperation } from '../../../src/chain/operations/operation.js';
import { encodeBatch, genesisHead, nextHead } from '../../../src/chain/operations/operation-batch.js';
import { publicKeyOf } from '../../../src/core/codecs/did.js';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { type Mined, startsAt, type TestEvm } from './evm.js';
import { VmEvm } from './vm-evm.js';

/** An EVM address for a name, the same in each run. */
export const evmOf = (name: string): string =>
  `0x${createHash('sha256').update(`evm ${name}`).digest('hex').slice(0, 40)}`;

export const deployer = evmOf('deployer');
export const admin = evmOf('admin');
export const operator = evmOf('operator');
export const registrar = evmOf('registrar');
export const freezer = evmOf('freezer');
export const minter = evmOf('minter');
export const stranger = evmOf('stranger');

export const network = 'devnet';
export const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
export const accountOf = (did: string): string => hexOf(publicKeyOf(did));
export const escrowKey = (id: string): string => hexOf(escrowHash(id));

type Name = keyof typeof artifact;
const interfaces = Object.fromEntries(
  Object.entries(artifact).map(([name, { abi }]) => [name, new Interface(abi)]),
) as unknown as { readonly [N in Name]: Interface };
const everything = new Interface(
  Object.values(artifact).flatMap(({ abi }) => abi.filter((line) => !line.startsWith('constructor'))),
);
const addressKey = {
  ServiceToken: 'token',
  IdentityRegistry: 'registry',
  LedgerVault: 'vault',
  Settlement: 'settlement',
} as const;

export interface Event {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Converts bigints to numbers where that is exact, so that expectations are easy to read. */
const plain = (value: unknown): unknown =>
  typeof value === 'bigint' && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;

export interface StreamOptions {
  /** Epoch ms of each operation; absent: the chain's time. */
  readonly times?: readonly number[];
  readonly first?: number;
  readonly prevHead?: Uint8Array;
  readonly from?: string;
  readonly operations?: readonly Uint8Array[];
  readonly gas?: number;
}

export class Stage {
  /** Seq and head of the stream, as an operator's journal knows them. */
  seq = 0;
  head: Buffer = genesisHead(network);

  private constructor(
    readonly evm: TestEvm,
    readonly contracts: ContractAddresses,
  ) {}

  static async open(evm?: TestEvm, mints = true): Promise<Stage> {
    const chain = evm ?? (await VmEvm.start());
    const roles = { admin, operator, registrar, freezer, minter };
    const { contracts, steps } = await planDeployment({ deployer, nonce: 0, network, mints, ...roles });
    for (const { what, to, data } of steps) {
      const { reverted, revertData } = await chain.send({ from: deployer, to, data });
      expect(reverted, `${what}: ${revertData}`).to.equal(false);
    }
    return new Stage(chain, contracts);
  }

  /** Sends a call and expects it to be mined. */
  async does(from: string, name: Name, method: string, args: readonly unknown[] = []): Promise<Event[]> {
    const mined = await this.tries(from, name, method, args);
    expect(mined.reverted, `${method} reverts with ${await reasonOf(mined)}`).to.equal(false);
    return eventsOf(mined);
  }

  /** Sends a call and expects a custom error, written `Name(arguments, …)`. */
  async refuses(from: string, name: Name, method: string, args: readonly unknown[], error: string): Promise<void> {
    expect(await reasonOf(await this.tries(from, name, method, args))).to.equal(error);
  }

  tries(from: string, name: Name, method: string, args: readonly unknown[] = []): Promise<Mined> {
    return this.evm.send({ from, ...this.call(name, method, args) });
  }

  call(name: Name, method: string, args: readonly unknown[] = []): { readonly to: string; readonly data: string } {
    return { to: this.contracts[addressKey[name]], data: interfaces[name].encodeFunctionData(method, args) };
  }

  async asks(name: Name, method: string, args: readonly unknown[] = []): Promise<readonly unknown[]> {
    const result = await this.evm.read({ from: stranger, ...this.call(name, method, args) });
    return [...interfaces[name].decodeFunctionResult(method, result)].map(plain);
  }

  async tokensOf(address: string): Promise<number> {
    return (await this.asks('ServiceToken', 'balanceOf', [address]))[0] as number;
  }

  // ---- the settlement stream

  /** Encodes the moves as the next operations of the stream. */
  pack(moves: readonly Move[], times: readonly number[] = []): Buffer[] {
    return moves.map((move, i) => {
      const entryHash = createHash('sha256')
        .update(`entry ${this.seq + i + 1}`)
        .digest('hex');
      return packOperation({ move, time: times[i] ?? this.evm.now * 1000, entryHash });
    });
  }

  async batch(moves: readonly Move[], options: StreamOptions = {}): Promise<Mined> {
    const operations = options.operations ?? this.pack(moves, options.times);
    const first = options.first ?? this.seq + 1;
    const data = hexOf(encodeBatch({ first, prevHead: options.prevHead ?? this.head, operations }));
    const { from = operator, gas } = options;
    const mined = await this.evm.send({ from, to: this.contracts.settlement, data, ...(gas ? { gas } : {}) });
    if (!mined.reverted) {
      this.seq += operations.length;
      for (const operation of operations) this.head = nextHead(this.head, operation);
    }
    return mined;
  }

  /** Applies moves as one batch. */
  async applies(moves: readonly Move[], options: StreamOptions = {}): Promise<Mined> {
    const mined = await this.batch(moves, options);
    expect(mined.reverted, `the batch reverts with ${await reasonOf(mined)}`).to.equal(false);
    return mined;
  }

  async refusesBatch(moves: readonly Move[], error: string | RegExp, options: StreamOptions = {}): Promise<void> {
    const reason = await reasonOf(await this.batch(moves, options));
    if (typeof error === 'string') expect(reason).to.equal(error);
    else expect(reason).to.match(error);
  }

  /** `{ available, reserved, escrowed }`, and `frozen` where it is. */
  async account(did: string): Promise<{ available: number; reserved: number; escrowed: number; frozen?: true }> {
    const [available, reserved, escrowed, frozen] = await this.asks('LedgerVault', 'accountOf', [accountOf(did)]);
    const sums = { available, reserved, escrowed } as { available: number; reserved: number; escrowed: number };
    return frozen ? { ...sums, frozen: true } : sums;
  }

  async escrow(id: string): Promise<{ state: string; amount: number; remaining: number; expiryMs: number }> {
    const [state, amount, remaining, expiryMs] = (await this.asks('LedgerVault', 'escrowOf', [
      escrowKey(id),
    ])) as number[];
    return { state: states[state!]!, amount: amount!, remaining: remaining!, expiryMs: expiryMs! };
  }

  async totals(): Promise<{ [name: string]: number }> {
    const values = (await this.asks('LedgerVault', 'totals')) as number[];
    const names = ['owed', 'fees', 'waiting', 'heldBack', 'accounts', 'deposits', 'closedAt'];
    return Object.fromEntries(names.map((name, i) => [name, values[i]!]));
  }

  async cursor(): Promise<{ lastSeq: number; head: string; lastTimeMs: number; batchAt: number; anchored: number }> {
    const [lastSeq, head, lastTimeMs, batchAt, anchored] = await this.asks('Settlement', 'cursor');
    return { lastSeq, head, lastTimeMs, batchAt, anchored } as never;
  }

  // ---- from outside of the stream

  /** Gives an address Tokens, approves them for the vault, and deposits them for a DID. @returns number of the deposit */
  async deposits(from: string, did: string, amount: number): Promise<number> {
    await this.does(minter, 'ServiceToken', 'mint', [from, amount]);
    await this.does(from, 'ServiceToken', 'approve', [this.contracts.vault, amount]);
    const events = await this.does(from, 'LedgerVault', 'deposit', [accountOf(did), amount]);
    return events.find(({ name }) => name === 'Deposited')!.args[0] as number;
  }

  async registers(did: string, controller: string): Promise<void> {
    await this.does(registrar, 'IdentityRegistry', 'register', [await didHash(did), controller]);
  }
}

export const states = ['none', 'reserved', 'funded', 'released', 'refunded', 'expired', 'cancelled'];

export const startMs = startsAt * 1000;

async function revertReason(data: string): Promise<string> {
  for (const name of ['Settlement', 'LedgerVault', 'ServiceToken', 'IdentityRegistry'] as const) {
    const error = parsedError(await contractInterface(name), data);
    if (error) return `${error.name}(${error.args.map(String).join(', ')})`;
  }
  return data === '0x' ? 'no reason, for example because gas ran out' : `unknown: ${data}`;
}

/** A revert as `Name(arguments, …)`, in lower case except for the name; `nothing` if it did not revert. */
export async function reasonOf({ reverted, revertData }: Mined): Promise<string> {
  if (!reverted) return 'nothing';
  const reason = await revertReason(revertData);
  return reason.replace(/0x[0-9a-fA-F]+/g, (hex) => hex.toLowerCase());
}

export const eventsOf = ({ logs }: Mined): Event[] =>
  logs.flatMap(({ topics, data }) => {
    const log = everything.parseLog({ topics: [...topics], data });
    return log ? [{ name: log.name, args: [...log.args].map(plain) }] : [];
  });
