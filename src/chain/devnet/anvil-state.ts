/**
 * The chain's state on disk, as anvil dumps it: compressed JSON. A cache and no more: a chain that lost it is settled
 * again from the journal. It goes in and out over RPC, as anvil's own file would be torn by a crash in the middle of
 * writing it, and is ten times as large; and in pieces, as requests are answered meanwhile.
 */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeFileDurably } from '../../durable-file.js';
import type { World } from '../../world.js';
import { ChainAway } from '../evm/evm.js';
import { HexResult } from './hex-result.js';

const wholeMs = 60_000;
/** Read from the file at once. */
const pieceBytes = 256 * 1024;
const [question, end] = ['{"jsonrpc":"2.0","id":1,"method":"anvil_loadState","params":["0x', '"]}'];
const dump = '{"jsonrpc":"2.0","id":1,"method":"anvil_dumpState","params":[]}';

export class AnvilState {
  constructor(
    private readonly folder: string,
    private readonly world: World,
  ) {}

  get #saved(): string {
    return join(this.folder, 'anvil-state.gz');
  }

  /** Whether something was saved. */
  async isThere(): Promise<boolean> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.#removeTorn();
    return stat(this.#saved).then(
      () => true,
      () => false,
    );
  }

  /** Hands it to an anvil. @returns why anvil doesn't take it; undefined where it has */
  async load(url: string): Promise<string | undefined> {
    const file = await open(this.#saved, 'r');
    try {
      const { size } = await file.stat();
      const answer = await this.#ask(url, {
        length: question.length + 2 * size + end.length,
        body: inHex(file.createReadStream({ autoClose: false, highWaterMark: pieceBytes })),
      });
      const { result, error } = JSON.parse(answer.rest) as { result?: unknown; error?: { message: string } };
      if (error) return error.message;
      return result === true ? undefined : 'it was not accepted';
    } finally {
      await file.close();
    }
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

  async save(url: string): Promise<void> {
    const { bytes } = await this.#ask(url, { length: dump.length, body: [dump] });
    if (bytes === undefined) throw new ChainAway('anvil did not tell its state');
    await writeFileDurably(this.#saved, bytes);
  }

  /** Rejects where no whole answer comes in time. */
  #ask(url: string, { length, body }: { length: number; body: Iterable<string> | AsyncIterable<string> }) {
    return new Promise<HexResult>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': length };
      const request = http.request(url, { method: 'POST', agent: false, headers });
      const timer = this.world.after(wholeMs, () => request.destroy(new ChainAway('anvil did not answer')));
      const fail = (error: unknown) => {
        timer.cancel();
        reject(error);
      };
      request.on('response', (response) => {
        const result = new HexResult();
        response.on('data', (piece: Buffer) => result.take(piece));
        response.on('close', () => fail(new ChainAway('anvil hung up in the middle of its answer')));
        response.on('end', () => {
          timer.cancel();
          resolve(result);
        });
      });
      request.on('error', fail);
      pipeline(Readable.from(body), request).catch(fail);
    });
  }
}

async function* inHex(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  yield question;
  for await (const piece of pieces) yield piece.toString('hex');
  yield end;
}
