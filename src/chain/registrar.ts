/**
 * Names the controllers of DIDs in the registry. On a chain of the node's own every DID whose key is used here is
 * registered, many in one transaction; on a chain where that costs money, those that ask for it.
 */

import type { World } from '../world.js';
import type { ChainLog } from './chain.js';
import type { ContractReader, Registration } from './contract-reader.js';
import { addressOfKey } from './controller.js';
import type { Errands } from './errands.js';
import { ChainRefused, type Hex } from './evm/evm.js';
import { didHash, interfaceOf } from './interfaces.js';

/** A DID and its controller's private key. */
export interface Keyed {
  readonly did: string;
  readonly key: Uint8Array;
}

export interface RegistrarOptions {
  readonly reader: ContractReader;
  readonly errands: Errands;
  readonly world: World;
  readonly log: ChainLog;
}

interface Wanted {
  readonly controller: Promise<string>;
  readonly done: Promise<void>;
  settle(error?: unknown): void;
}

/** DIDs that come within so long share a transaction. */
const gatherMs = 50;
/** DIDs of one transaction, at about 50,000 gas each. */
const atOnce = 100;
/** DIDs that may wait; the rest come again when their keys are next used. */
const mostWaiting = 10_000;

export class Registrar {
  readonly #wanted = new Map<string, Wanted>();
  #flushing: Promise<void> | undefined;
  #stopped = false;

  constructor(private readonly options: RegistrarOptions) {}

  /** Registers a DID where the registry does not know it; nobody waits for it. */
  used(keyed: Keyed): void {
    if (this.#wanted.size >= mostWaiting || this.#stopped) return;
    this.#want(keyed).done.catch(() => {
      // Told of where the transaction failed; the next use of the key asks again.
    });
  }

  /** Registers a DID where the registry does not know it. Rejects with ChainAway or ChainRefused. */
  async register(keyed: Keyed): Promise<Registration> {
    await this.#want(keyed).done;
    return this.options.reader.registration(keyed.did);
  }

  /** Waits for the transaction that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#flushing;
    for (const each of this.#wanted.values()) each.settle(new ChainRefused('the node is stopping', 'other'));
    this.#wanted.clear();
  }

  #want({ did, key }: Keyed): Wanted {
    const known = this.#wanted.get(did);
    if (known) return known;
    let settle!: Wanted['settle'];
    const done = new Promise<void>((resolve, reject) => {
      settle = (error) => (error === undefined ? resolve() : reject(error));
    });
    const wanted: Wanted = { controller: addressOfKey(key), done, settle };
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
      const detail = { error: error instanceof Error ? error.message : String(error) };
      // A node that stops gives up what is under way: nothing that somebody should look at.
      this.options.log('controllers are not registered', detail, this.#stopped ? 'debug' : undefined);
      for (const [, { settle }] of batch) settle(error);
    }
    for (const [did] of batch) this.#wanted.delete(did);
  }

  async #registerAll(batch: readonly (readonly [did: string, wanted: Wanted])[]): Promise<void> {
    const { reader, errands, log } = this.options;
    const [hashes, controllers]: [string[], string[]] = [[], []];
    await Promise.all(
      batch.map(async ([did, { controller }]) => {
        // Also one that was revoked stays as it is: that was somebody's decision.
        if ((await reader.registration(did)).registered) return;
        const [hash, address] = await Promise.all([didHash(did), controller]);
        hashes.push(hash);
        controllers.push(address);
      }),
    );
    if (hashes.length === 0) return;
    const abi = await interfaceOf('IdentityRegistry');
    const receipt = await errands.send({
      what: `register ${hashes.length} controllers`,
      to: reader.contracts.registry.toLowerCase() as Hex,
      data: abi.encodeFunctionData('registerMany', [hashes, controllers]) as Hex,
    });
    // A chain that was reset takes a transaction to an address without code, too, and nothing comes of it.
    if (!receipt.succeeded || receipt.logs.length === 0) {
      throw new ChainRefused('the registry took no registration: has the operator REGISTRAR_ROLE?', 'reverted');
    }
    log('controllers were registered', { count: hashes.length, txHash: receipt.transactionHash }, 'debug');
  }
}
