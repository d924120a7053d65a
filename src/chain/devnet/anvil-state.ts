/**
 * The chain's state on disk, as anvil dumps it: compressed JSON. A cache and no more: a chain that lost it is settled
 * again from the journal. anvil's own file would be torn by a crash in the middle of writing it.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { writeFileDurably } from '../../durable-file.js';
import { ChainAway } from '../evm/evm.js';
import type { Transport } from '../evm/transport.js';

const dumpMs = 60_000;

export class AnvilState {
  constructor(private readonly folder: string) {}

  get #saved(): string {
    return join(this.folder, 'anvil-state.gz');
  }

  get #unpacked(): string {
    return join(this.folder, 'anvil-state.json');
  }

  /** @returns a file for anvil to load; undefined where there is nothing that could be loaded */
  async unpack(): Promise<string | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const packed = await readFile(this.#saved).catch(() => undefined);
    if (!packed) return undefined;
    try {
      await writeFile(this.#unpacked, await promisify(gunzip)(packed), { mode: 0o600 });
      return this.#unpacked;
    } catch {
      await this.setAside();
      return undefined;
    }
  }

  /** anvil has read it. */
  async discardUnpacked(): Promise<void> {
    await rm(this.#unpacked, { force: true });
  }

  /** It can't be read: kept once for whoever wants to know why. */
  async setAside(): Promise<void> {
    await rename(this.#saved, `${this.#saved}.bad`).catch(() => undefined);
    await this.discardUnpacked();
  }

  /** @returns bytes written */
  async save(transport: Transport): Promise<number> {
    const [answer] = await transport.request([{ method: 'anvil_dumpState', params: [] }], dumpMs);
    const dump = 'result' in answer! ? answer.result : undefined;
    if (typeof dump !== 'string' || !dump.startsWith('0x')) throw new ChainAway('anvil did not tell its state');
    const packed = Buffer.from(dump.slice(2), 'hex');
    await writeFileDurably(this.#saved, packed);
    return packed.length;
  }
}
