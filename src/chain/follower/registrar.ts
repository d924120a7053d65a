/**
 * Registers the controllers of DIDs. On a local chain it registers every DID whose key is unlocked here, many in one
 * transaction; on a chain where transactions cost money, only DIDs that request it.
 */

import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import type { ControllerKey } from '../../keys/controller-key.js';
import type { ContractReader, ControllerRegistration } from '../contracts/contract-reader.js';
import { addressOfKey } from '../contracts/controller.js';
import { contractInterface, didHash } from '../contracts/interfaces.js';
import { ChainRefused, type Hex } from '../evm/evm.js';
import type { OutOfBandSender } from '../settlement/out-of-band.js';
import type { ChainLog } from '../settlement/settlement.js';

export interface RegistrarOptions {
  readonly reader: ContractReader;
  readonly outOfBand: OutOfBandSender;
  readonly world: Environment;
  readonly log: ChainLog;
}

interface PendingRegistration {
  readonly controller: Promise<string>;
  readonly done: Promise<void>;
  settle(error?: unknown): void;
}

/** Requests within this time share a transaction. */
const gatherMs = 50;
/** The most DIDs in one transaction, at about 50,000 gas each. */
const atOnce = 100;
/** The most DIDs that wait; further ones are registered at the next use of their keys. */
const mostWaiting = 10_000;

export class Registrar {
  readonly #wanted = new Map<string, PendingRegistration>();
  #flushing: Promise<void> | undefined;
  #stopped = false;

  constructor(private readonly options: RegistrarOptions) {}

  used(keyed: ControllerKey): void {
    if (this.#wanted.size >= mostWaiting || this.#stopped) return;
    this.#want(keyed).done.catch(() => {
      // Logged where the transaction failed; the next use of the key retries.
    });
  }

  /** Registers a DID that the registry does not know, and waits. Rejects with ChainAway or ChainRefused. */
  async register(keyed: ControllerKey): Promise<ControllerRegistration> {
    await this.#want(keyed).done;
    return this.options.reader.registration(keyed.did);
  }

  /** Waits for the transaction in flight and rejects all other requests. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#flushing;
    for (const each of this.#wanted.values()) each.settle(new ChainRefused('the node is stopping', 'other'));
    this.#wanted.clear();
  }

  #want({ did, key }: ControllerKey): PendingRegistration {
    const known = this.#wanted.get(did);
    if (known) return known;
    let settle!: PendingRegistration['settle'];
    const done = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    const wanted: PendingRegistration = { controller: addressOfKey(key), done, settle };
    this.#wanted.set(did, wanted);
    this.#flushSoon();
    return wanted;
  }

  #flushSoon(): void {
    if (this.#flushing || this.#stopped) return;
    this.#flushing = new Promise((resolve) => {
      this.options.world.after(gatherMs, () => {
        void this.#flush().finally(() => {
          this.#flushing = undefined;
          resolve();
          if (this.#wanted.size > 0) this.#flushSoon();
        });
      });
    });
  }

  async #flush(): Promise<void> {
    const batch = [...this.#wanted].slice(0, atOnce);
    try {
      await this.#registerAll(batch);
      for (const [, { settle }] of batch) settle();
    } catch (error) {
      const detail = { error: messageOf(error) };
      // Expected while the node stops, so no warning.
      this.options.log('controllers are not registered', detail, this.#stopped ? 'debug' : undefined);
      for (const [, { settle }] of batch) settle(error);
    }
    for (const [did] of batch) this.#wanted.delete(did);
  }

  async #registerAll(batch: readonly (readonly [did: string, wanted: PendingRegistration])[]): Promise<void> {
    const { reader, outOfBand, log } = this.options;
    const [hashes, controllers]: [string[], string[]] = [[], []];
    await Promise.all(
      batch.map(async ([did, { controller }]) => {
        // A revoked registration stays, because its controller decided so.
        if ((await reader.registration(did)).registered) return;
        const [hash, address] = await Promise.all([didHash(did), controller]);
        hashes.push(hash);
        controllers.push(address);
      }),
    );
    if (hashes.length === 0) return;
    const abi = await contractInterface('IdentityRegistry');
    const receipt = await outOfBand.send({
      what: `register ${hashes.length} controllers`,
      to: reader.contracts.registry.toLowerCase() as Hex,
      data: abi.encodeFunctionData('registerMany', [hashes, controllers]) as Hex,
    });
    // After a reset there is no code at the address, and a transaction to it succeeds without effect.
    if (!receipt.succeeded || receipt.logs.length === 0) {
      throw new ChainRefused('the registry rejected the registration: has the operator REGISTRAR_ROLE?', 'reverted');
    }
    log('controllers were registered', { count: hashes.length, txHash: receipt.transactionHash }, 'debug');
  }
}
