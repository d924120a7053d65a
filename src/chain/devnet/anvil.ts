/**
 * The local chain in a process of its own: adopted or started, watched, started again with back-off, saved now and
 * then and at the end. Whoever uses it sees a transport that is away for a moment while it comes up.
 */
import { pause, type Timer, type World } from '../../world.js';
import { ChainAway } from '../evm/evm.js';
import { HttpTransport } from '../evm/http-transport.js';
import type { RpcAnswer, RpcCall, Transport } from '../evm/transport.js';
import { AnvilProcess } from './anvil-process.js';
import { AnvilState } from './anvil-state.js';

export interface AnvilOptions {
  readonly binary: string;
  readonly folder: string;
  readonly chainId: number;
  readonly world: World;
  readonly log: (message: string, detail: object) => void;
  /** @default 60 s */
  readonly saveMs?: number;
  /** How often it is looked at, and how long an answer may take. @default 1 s, 2 s */
  readonly watchMs?: number;
  readonly pingMs?: number;
}

const callMs = 10_000;
const answerBytes = 64 * 1024 * 1024;
const defaultWatchMs = 1_000;
/** Questions in a row without an answer after which a process that runs is held to hang. */
const missesToHang = 5;
const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** A run of so long was a good one: the next failure starts with a short pause again. */
const goodRunMs = 30_000;
const defaultSaveMs = 60_000;
/** Saving takes at most this share of the time. */
const savingShare = 1 / 100;
const closingSaveMs = 4_000;

const changesState = ({ method }: RpcCall): boolean => /^(eth_send|anvil_(?!dump)|evm_)/.test(method);

export class Anvil implements Transport {
  readonly #http: HttpTransport;
  readonly #state: AnvilState;
  #process: AnvilProcess | undefined;
  #starting: Promise<void> | undefined;
  #failures = 0;
  #misses = 0;
  #startedAt = 0;
  #changed = false;
  #saveAt: number;
  #timer: Timer | undefined;
  #closed = false;

  private constructor(readonly options: AnvilOptions) {
    const { world, folder } = options;
    this.#http = new HttpTransport({ url: () => this.url, world, timeoutMs: callMs, answerBytes });
    this.#state = new AnvilState(folder, world);
    this.#saveAt = world.monotonic() + this.#saveMs;
  }

  /** Rejects with AnvilFailed where anvil can't run here. */
  static async open(options: AnvilOptions): Promise<Anvil> {
    const anvil = new Anvil(options);
    const adopted = await AnvilProcess.adopt(options);
    if (adopted) options.log('the local chain of an earlier run is taken over', { pid: adopted.record.pid });
    anvil.#use(adopted ?? (await anvil.#spawn()));
    anvil.#changed = adopted !== undefined;
    anvil.#watch(anvil.#watchMs);
    return anvil;
  }

  /** Undefined while it is down. */
  get url(): string | undefined {
    return this.#process?.url;
  }

  get pid(): number | undefined {
    return this.#process?.record.pid;
  }

  request(calls: readonly RpcCall[], timeoutMs?: number): Promise<readonly RpcAnswer[]> {
    if (calls.some(changesState)) this.#changed = true;
    return this.#http.request(calls, timeoutMs);
  }

  /** Saves, and ends the process. */
  async stop(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    await this.#starting;
    if (this.#process && this.#changed) {
      // The save itself is safe to leave half done; the shutdown has its bound.
      await Promise.race([this.#save(), pause(this.options.world, closingSaveMs)]);
    }
    await this.#process?.end();
    this.#process = undefined;
    this.#http.close();
  }

  close(): void {
    void this.stop();
  }

  get #watchMs(): number {
    return this.options.watchMs ?? defaultWatchMs;
  }

  get #saveMs(): number {
    return this.options.saveMs ?? defaultSaveMs;
  }

  /** With the saved state; without, where anvil won't have it. */
  async #spawn(): Promise<AnvilProcess> {
    const isSaved = await this.#state.isThere();
    const process = await AnvilProcess.spawn(this.options);
    if (!isSaved) return process;
    const { log } = this.options;
    const flaw = await this.#state.load(process.url).catch((error: Error) => error.message);
    if (flaw === undefined) return process;
    log('the saved state of the local chain was not accepted: it starts empty', { error: flaw });
    await this.#state.setAside();
    // Part of it may have been taken.
    await process.end();
    return AnvilProcess.spawn(this.options);
  }

  #use(process: AnvilProcess): void {
    this.#process = process;
    this.#startedAt = this.options.world.monotonic();
    // Somebody may be waiting for a block: the watch is not.
    void process.ended.then(() => {
      if (this.#timer && this.#process === process) this.#watch(0);
    });
  }

  #watch(delayMs: number): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#closed) return;
    this.#timer = this.options.world.after(delayMs, () => {
      this.#timer = undefined;
      void this.#look().finally(() => this.#watch(this.#watchMs));
    });
  }

  async #look(): Promise<void> {
    const { world, log } = this.options;
    const running = this.#process;
    if (!running) return this.#restart();
    if (!running.isRunning) {
      log('the local chain is started again', { trouble: 'it has ended', pid: running.record.pid });
      return this.#restart();
    }
    this.#misses = (await running.chainId(this.options.pingMs)) === this.options.chainId ? 0 : this.#misses + 1;
    if (this.#misses >= missesToHang) {
      log('the local chain is ended and started again', { trouble: 'it does not answer', pid: running.record.pid });
      await running.end();
      return this.#restart();
    }
    if (this.#changed && world.monotonic() >= this.#saveAt) await this.#save();
  }

  #restart(): Promise<void> {
    this.#process = undefined;
    this.#starting ??= this.#startAgain().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startAgain(): Promise<void> {
    const { world, log } = this.options;
    if (world.monotonic() - this.#startedAt > goodRunMs) this.#failures = 0;
    if (this.#failures > 0) await pause(world, Math.min(longestPauseMs, firstPauseMs * 2 ** this.#failures));
    if (this.#closed) return;
    this.#failures++;
    this.#misses = 0;
    try {
      this.#use(await this.#spawn());
    } catch (error) {
      log('the local chain could not be started', { error: error instanceof Error ? error.message : String(error) });
    }
  }

  #mustRun(): string {
    if (this.url === undefined) throw new ChainAway('the chain is not running');
    return this.url;
  }

  async #save(): Promise<void> {
    const { world, log } = this.options;
    this.#changed = false;
    const from = world.monotonic();
    try {
      await this.#state.save(this.#mustRun());
    } catch (error) {
      this.#changed = true;
      log('the state of the local chain was not saved', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
    const tookMs = world.monotonic() - from;
    this.#saveAt = world.monotonic() + Math.max(this.#saveMs, tookMs / savingShare);
  }
}
