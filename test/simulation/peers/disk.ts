/**
 * The disk of a home: its own store and its replicas, each a log of durable writes. A process may die before or after each
 * write; a restored backup and a lost tail are shorter logs.
 */
import { assert } from '../../../src/core/refusal.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { Tables } from '../../../src/store/memory/tables.js';
import type { Replicas } from '../../../src/store/replicas.js';
import { type PlacedCommit, type Store, StoreFault } from '../../../src/store/store.js';
import type { Draws } from './draws.js';
import { never, type SimulatedProcess } from './simulated-process.js';
import { type Step, stepsOf } from './steps.js';

const writes = ['append', 'takeOver', 'appendReceipts', 'putLocal', 'deleteLocal', 'rankOwners'] as const;
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

/** Name of the own store; a replica has its home's DID as name. */
export const own = 'own';

export class StoreFile {
  readonly log: LoggedWrite[] = [];
  tables = new Tables();
  /** Writes under way, in order, for which the process waits. */
  waiting: WaitingWrite[] = [];

  /** Cuts the log to this length, and rebuilds the tables from it. */
  async cut(length: number): Promise<void> {
    this.log.length = Math.min(length, this.log.length);
    this.tables = new Tables();
    const store = new MemoryStore({ tables: this.tables });
    for (const write of this.log) await perform(store, write);
  }

  copy(): StoreFile {
    const file = new StoreFile();
    file.log.push(...this.log);
    file.tables = copyOf(this.tables);
    return file;
  }
}

/** Rows never change, so the copy shares them. It has no documents to search in: histories don't search. */
function copyOf(tables: Tables): Tables {
  const copy = new Tables();
  copy.journal.push(...tables.journal);
  copy.receipts.push(...tables.receipts);
  Object.assign(copy.house, tables.house);
  for (const name of ['keys', 'replies', 'accounts', 'snapshots', 'alarms', 'contents'] as const) {
    const rows = copy[name] as Map<unknown, unknown>;
    for (const [key, row] of tables[name]) rows.set(key, row);
  }
  for (const [key, labels] of tables.labels) copy.labels.set(key, new Set(labels));
  for (const [did, touches] of tables.touches) copy.touches.set(did, [...touches]);
  for (const [name, records] of tables.local) copy.local.set(name, new Map(records));
  return copy;
}

const perform = (store: MemoryStore, { method, args }: LoggedWrite): Promise<unknown> =>
  (store[method] as (...given: unknown[]) => Promise<unknown>).apply(store, [...args]);

/** Lengths of the logs at one time. */
export type Backup = ReadonlyMap<string, number>;

export interface MountedDisk {
  readonly store: Store;
  readonly replicas: Replicas;
}

export class SimulatedDisk {
  readonly files = new Map<string, StoreFile>([[own, new StoreFile()]]);
  /** Counts what was written and what was lost. */
  changes = 0;
  /** Fault of the next write: nothing is written, or all of it and the reply is lost. */
  fault: 'fail' | 'lose' | undefined;

  constructor(private readonly draws: Draws) {}

  get tables(): Tables {
    return this.files.get(own)!.tables;
  }

  /** Becomes a copy of another disk. */
  copyFrom(disk: SimulatedDisk): void {
    this.changes++;
    for (const [name, file] of disk.files) this.files.set(name, file.copy());
  }

  backup(): Backup {
    return new Map([...this.files].map(([name, { log }]) => [name, log.length]));
  }

  /** Removes the last writes of one store, which it had reported as durable. */
  async loseTail(name: string, writesLost: number): Promise<void> {
    const file = this.files.get(name);
    this.changes++;
    await file?.cut(Math.max(0, file.log.length - writesLost));
  }

  async restore(backup: Backup): Promise<void> {
    this.changes++;
    for (const [name, file] of this.files) {
      const length = backup.get(name);
      if (length === undefined) this.files.delete(name);
      else await file.cut(length);
    }
  }

  /** After the process died: the system still writes the first few of the pending writes, or none. */
  async settle(): Promise<void> {
    for (const file of this.files.values()) {
      const waiting = file.waiting.splice(0);
      const done = this.draws.below(waiting.length + 1);
      const store = new MemoryStore({ tables: file.tables });
      for (const { method, args } of [...waiting.slice(0, done), ...this.#torn(waiting[done])]) {
        await this.#logged(file, store, { method, args }).catch(() => {});
      }
    }
  }

  /** Of entries that were adopted in one write, only the first few may be durable. */
  #torn(write: LoggedWrite | undefined): readonly LoggedWrite[] {
    if (write?.method !== 'takeOver') return [];
    const commits = commitsOf(write);
    return [{ method: 'takeOver', args: [commits.slice(0, this.draws.below(commits.length))] }];
  }

  mount(process: SimulatedProcess): MountedDisk {
    const opened = new Map<string, Store>();
    const replicas: Replicas = {
      homes: async () => [...this.files.keys()].filter((name) => name !== own).sort(),
      open: async (home) => {
        const known = opened.get(home);
        if (known) return known;
        if (!this.files.has(home)) this.files.set(home, new StoreFile());
        const store = this.#opened(process, home, () => opened.delete(home));
        opened.set(home, store);
        return store;
      },
      forget: async (home) => {
        assert(!opened.has(home), 'a replica is closed before it is forgotten');
        this.changes++;
        this.files.delete(home);
      },
      close: async () => {
        await Promise.all([...opened.values()].map((store) => store.close()));
      },
    };
    return { store: this.#opened(process, own, () => {}), replicas };
  }

  #opened(process: SimulatedProcess, name: string, onClose: () => void): Store {
    const file = this.files.get(name)!;
    const store = new MemoryStore({ tables: file.tables });
    let fault: StoreFault | undefined;
    const write = (method: Write, args: readonly unknown[]): Promise<unknown> => {
      if (process.reaches('before', `${method} ${name}`, stepsIn(name, { method, args }))) return never();
      return new Promise((resolve, reject) => {
        file.waiting.push({ method, args: method === 'putLocal' ? jsonOf(args) : args, resolve, reject });
        process.after(this.#delay(), () => void next());
      });
    };
    const next = async (): Promise<void> => {
      const { resolve, reject, ...write } = file.waiting.shift()!;
      const injected = fault ? undefined : this.#takeFault();
      if (injected) fault = new StoreFault(`the disk failed, as the simulation asked (${injected})`);
      try {
        const result = fault && injected !== 'lose' ? undefined : await this.#logged(file, store, write);
        if (process.reaches('after', `${write.method} ${name}`, stepsIn(name, write))) return;
        if (fault) reject(fault);
        else resolve(result);
      } catch (error) {
        reject(error);
      }
    };
    return new Proxy(store, {
      get: (target, member) => {
        if (member === 'due' && name !== own) return async () => [];
        if (member === 'close') return async () => onClose();
        const value = Reflect.get(target, member, target) as unknown;
        if (typeof value !== 'function') return value;
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

  async #logged(file: StoreFile, store: MemoryStore, write: LoggedWrite): Promise<unknown> {
    const result = await perform(store, write);
    this.changes++;
    file.log.push(write);
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

const stepsIn = (name: string, write: LoggedWrite): readonly Step[] => stepsOf(commitsOf(write), name === own);

/** The entries in a logged write. */
export const commitsOf = ({ method, args }: LoggedWrite): readonly PlacedCommit[] =>
  method === 'append' || method === 'takeOver' ? (args[0] as readonly PlacedCommit[]) : [];
