/**
 * The disk of a home: its store, as a log of durable writes. A process may die before or after each write; a restored
 * backup and a lost tail are shorter logs.
 */
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { Tables } from '../../../src/store/memory/tables.js';
import { type Store, StoreFault } from '../../../src/store/store.js';
import type { Draws } from './draws.js';
import { never, type SimulatedProcess } from './simulated-process.js';

const writes = ['append', 'appendReceipts', 'putLocal', 'deleteLocal', 'rankOwners'] as const;
type Write = (typeof writes)[number];
const isWrite = (name: string): name is Write => (writes as readonly string[]).includes(name);

interface LoggedWrite {
  readonly method: Write;
  readonly args: readonly unknown[];
}

interface WaitingWrite extends LoggedWrite {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const perform = (store: MemoryStore, { method, args }: LoggedWrite): Promise<unknown> =>
  (store[method] as (...given: unknown[]) => Promise<unknown>).apply(store, [...args]);

export class SimulatedDisk {
  tables = new Tables();
  #log: LoggedWrite[] = [];
  /** Writes under way, in order, for which the process waits. */
  #waiting: WaitingWrite[] = [];
  /** Counts what was written and what was lost. */
  changes = 0;
  /** How often it has lost entries that were durable, or may have. */
  cuts = 0;
  /** Fault of the next write: nothing is written, or all of it and the reply is lost. */
  fault: 'fail' | 'lose' | undefined;

  constructor(private readonly draws: Draws) {}

  /** Length of the log, for a backup. */
  get length(): number {
    return this.#log.length;
  }

  async write(method: Write, ...args: readonly unknown[]): Promise<void> {
    await this.#logged(new MemoryStore({ tables: this.tables }), { method, args });
  }

  /** Removes what was written after the log had this length, although it was reported as durable. */
  async cut(length: number): Promise<void> {
    this.cuts++;
    await this.#keep(this.#log.slice(0, Math.max(0, length)));
  }

  /** Loses tables that are in no journal, as a home does that is restored from its mirrors. */
  async forget(tables: readonly string[]): Promise<void> {
    await this.#keep(this.#log.filter(({ args }) => !tables.includes(args[0] as string)));
  }

  async #keep(log: LoggedWrite[]): Promise<void> {
    this.changes++;
    this.#log = log;
    this.tables = new Tables();
    const store = new MemoryStore({ tables: this.tables });
    for (const write of this.#log) await perform(store, write);
  }

  /** After the process died: the system still writes the first few of the pending writes, or none. */
  async settle(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    const store = new MemoryStore({ tables: this.tables });
    for (const { method, args } of waiting.slice(0, this.draws.below(waiting.length + 1))) {
      await this.#logged(store, { method, args }).catch(() => {});
    }
  }

  mount(process: SimulatedProcess): Store {
    const store = new MemoryStore({ tables: this.tables });
    let fault: StoreFault | undefined;
    let sayLost!: (fault: StoreFault) => void;
    const lost = new Promise<StoreFault>((resolve) => {
      sayLost = resolve;
    });
    const write = (method: Write, args: readonly unknown[]): Promise<unknown> => {
      if (process.reaches('before', method)) return never();
      return new Promise((resolve, reject) => {
        this.#waiting.push({ method, args: method === 'putLocal' ? jsonOf(args) : args, resolve, reject });
        process.after(this.#delay(), () => void next());
      });
    };
    const next = async (): Promise<void> => {
      const { resolve, reject, ...logged } = this.#waiting.shift()!;
      const injected = fault ? undefined : this.#takeFault();
      if (injected) fault = new StoreFault(`the disk failed, as the simulation asked (${injected})`);
      try {
        const result = fault && injected !== 'lose' ? undefined : await this.#logged(store, logged);
        if (process.reaches('after', logged.method)) return;
        if (fault) {
          reject(fault);
          sayLost(fault);
        } else resolve(result);
      } catch (error) {
        reject(error);
      }
    };
    return new Proxy(store, {
      get: (target, member) => {
        if (member === 'lost') return lost;
        const value = Reflect.get(target, member, target) as unknown;
        if (typeof value !== 'function' || member === 'close') return value;
        if (isWrite(String(member))) return (...args: unknown[]) => write(member as Write, args);
        return (...args: unknown[]) => this.#read(process, String(member), () => value.apply(target, args));
      },
    }) as Store;
  }

  /** Most reads return at once, like a page in memory. */
  async #read(process: SimulatedProcess, what: string, read: () => Promise<unknown>): Promise<unknown> {
    if (process.reaches('before', what)) return never();
    if (this.draws.chance(0.03)) await new Promise<void>((done) => process.after(this.#delay(), done));
    const result = await read();
    return process.reaches('after', what) ? never() : result;
  }

  async #logged(store: MemoryStore, write: LoggedWrite): Promise<unknown> {
    const result = await perform(store, write);
    this.changes++;
    this.#log.push(write);
    return result;
  }

  #takeFault(): 'fail' | 'lose' | undefined {
    const { fault } = this;
    this.fault = undefined;
    return fault;
  }

  #delay(): number {
    return this.draws.chance(0.05) ? this.draws.between(20, 400) : this.draws.between(0, 4);
  }
}

const jsonOf = (args: readonly unknown[]): readonly unknown[] => JSON.parse(JSON.stringify(args));
