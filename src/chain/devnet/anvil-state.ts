/**
 * The chain's state on disk, as anvil dumps it: compressed JSON. A cache and no more: a chain that lost it is settled
 * again from the journal. It goes in and out over RPC, as anvil's own file would be torn by a crash in the middle of
 * writing it, and is ten times as large.
 */
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileDurably } from '../../durable-file.js';
import { ChainAway } from '../evm/evm.js';
import type { Transport } from '../evm/transport.js';

const wholeMs = 60_000;

export class AnvilState {
  constructor(private readonly folder: string) {}

  get #saved(): string {
    return join(this.folder, 'anvil-state.gz');
  }

  /** @returns undefined where nothing was saved */
  async read(): Promise<Buffer | undefined> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.#removeTorn();
    return readFile(this.#saved).catch(() => undefined);
  }

  /** @returns why anvil doesn't take it; undefined where it has */
  async load(packed: Buffer, transport: Transport): Promise<string | undefined> {
    const params = [`0x${packed.toString('hex')}`];
    const [answer] = await transport.request([{ method: 'anvil_loadState', params }], wholeMs);
    if ('error' in answer!) return answer.error.message;
    return answer!.result === true ? undefined : 'it was not accepted';
  }

  /** What a save has left that was cut off. */
  async #removeTorn(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      if (name.startsWith('.anvil-state.gz.')) await rm(join(this.folder, name), { force: true });
    }
  }

  /** It can't be used: kept once for whoever wants to know why. */
  async setAside(): Promise<void> {
    await rename(this.#saved, `${this.#saved}.bad`).catch(() => undefined);
  }

  async save(transport: Transport): Promise<void> {
    const [answer] = await transport.request([{ method: 'anvil_dumpState', params: [] }], wholeMs);
    const dump = 'result' in answer! ? answer.result : undefined;
    if (typeof dump !== 'string' || !dump.startsWith('0x')) throw new ChainAway('anvil did not tell its state');
    await writeFileDurably(this.#saved, Buffer.from(dump.slice(2), 'hex'));
  }
}
