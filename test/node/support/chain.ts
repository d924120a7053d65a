/** A fake chain that the test controls. */
import type { AnchoredAt } from '../../../src/chain/anchors/proof.js';
import type { ControllerRegistration } from '../../../src/chain/contracts/contract-reader.js';
import { addressOfKey } from '../../../src/chain/contracts/controller.js';
import { ChainAway } from '../../../src/chain/evm/evm.js';
import type { ChainAccess, HoldingsNow } from '../../../src/chain/follower/chain-follower.js';
import type { Settlement, SettlementReceipt } from '../../../src/chain/settlement/settlement.js';
import { refuse } from '../../../src/core/refusal.js';
import type { ControllerKey } from '../../../src/keys/controller-key.js';
import type { NumberedEntry } from '../../../src/store/entry.js';

export const txHash = `0x${'ab'.repeat(32)}`;

export class FakeChain implements Settlement, ChainAccess {
  verdict: SettlementReceipt['status'] | 'late' | 'away' = 'confirmed';
  readonly receipts = new Map<string, SettlementReceipt>();
  readonly contracts = {
    token: '0x0000000000000000000000000000000000000a01',
    registry: '0x0000000000000000000000000000000000000A02',
    vault: '0x0000000000000000000000000000000000000a03',
    settlement: '0x0000000000000000000000000000000000000a04',
  };
  readonly registrations = new Map<string, ControllerRegistration>();
  readonly counts = new Map<string, number>();
  /** DIDs whose keys were used. */
  readonly inUse = new Set<string>();
  lag = 0;
  settledUpTo = Number.MAX_SAFE_INTEGER;
  anchor: AnchoredAt | undefined;
  books: HoldingsNow = {
    ...{ tokenSupply: 0, holdings: 0, owed: 0, fees: 0, waiting: 0, heldBack: 0, deposits: 0 },
    ...{ closed: false, blockNumber: 12, lastSeq: 0 },
  };

  status() {
    const { lag } = this;
    return { kind: 'rpc', chainId: 7, blockNumber: 12, connected: true, lag, settlement: 'running' } as const;
  }

  problems() {
    return [];
  }

  admissionRefusal() {
    return this.verdict === 'away' ? refuse('SERVICE_UNAVAILABLE', 'the chain is away', { retryAfter: 5 }) : undefined;
  }

  hasReverted(): boolean {
    return false;
  }

  settledEntry(): number {
    return this.settledUpTo;
  }

  async waitForReceipt({ entryHash, seq, core }: NumberedEntry): Promise<SettlementReceipt | undefined> {
    if (this.verdict === 'late' || this.verdict === 'away') return undefined;
    const receipt = { entryHash, seq, status: this.verdict, txHash, blockNumber: 10, confirmations: 3 } as const;
    this.receipts.set(core.event.hash, receipt);
    return receipt;
  }

  receipt(eventHash: string) {
    return this.receipts.get(eventHash);
  }

  async transactionCount(address: string): Promise<number> {
    this.#there();
    return this.counts.get(address) ?? 0;
  }

  async registration(did: string): Promise<ControllerRegistration> {
    this.#there();
    return this.registrations.get(did) ?? { registered: false, controller: null };
  }

  async controllerOf(did: string): Promise<string | null | undefined> {
    return this.registrations.get(did)?.controller;
  }

  used({ did }: ControllerKey): void {
    this.inUse.add(did);
  }

  async register({ did, key }: ControllerKey): Promise<ControllerRegistration> {
    this.#there();
    const known = this.registrations.get(did) ?? { registered: true, controller: await addressOfKey(key) };
    this.registrations.set(did, known);
    return known;
  }

  async holdings(): Promise<HoldingsNow> {
    this.#there();
    return this.books;
  }

  async anchorOf(): Promise<AnchoredAt | undefined> {
    this.#there();
    return this.anchor;
  }

  #there(): void {
    if (this.verdict === 'away') throw new ChainAway('the test has taken it away');
  }
}
