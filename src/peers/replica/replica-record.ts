/**
 * A replica's record about itself, kept with its entries: the newest time of each node of the home, and how many
 * payloads were withheld. It is written every `every` entries; a start reads the entries after it again.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { LocalRecord, Store } from '../../store/store.js';
import type { StoreState } from './store-state.js';

const table = 'replica';
const id = 'state';
/** Entries between two writes, and per read at a start. */
const every = 1_000;
const pageSize = 500;

interface ReplicaNote {
  readonly seq: number;
  readonly withheld: number;
  /** Newest time of each node, for the most recent nodes, in the order of their last entries. */
  readonly times: readonly (readonly [node: string, time: number])[];
}

export class ReplicaRecord {
  withheld = 0;
  #noted = 0;
  #revision = 0;

  constructor(
    private readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'entries'>,
    private readonly state: Pick<StoreState, 'forgetTimes' | 'keepTime' | 'times'>,
  ) {}

  async read(): Promise<void> {
    const record: LocalRecord | undefined = await this.store.getLocal(table, id);
    const noted = record?.value as unknown as ReplicaNote | undefined;
    this.#revision = record?.revision ?? 0;
    this.withheld = noted?.withheld ?? 0;
    this.state.forgetTimes();
    for (const [node, time] of noted?.times ?? []) this.state.keepTime(node, time);
    this.#noted = noted?.seq ?? 0;
    for (let after = this.#noted; ; ) {
      const page = await this.store.entries({ after, limit: pageSize });
      for (const entry of page) {
        this.state.keepTime(entry.core.home, entry.core.time);
        this.saw(entry);
      }
      if (page.length < pageSize) break;
      after = page.at(-1)!.seq;
    }
  }

  /** Counts an entry that was adopted. */
  saw({ payloadText }: NumberedEntry): void {
    if (payloadText === null) this.withheld++;
  }

  /** Writes the record if a start would otherwise have many entries to read. */
  async note(seq: number): Promise<void> {
    if (seq - this.#noted >= every) await this.write(seq);
  }

  async write(seq: number): Promise<void> {
    if (seq === this.#noted) return;
    const value = { seq, withheld: this.withheld, times: this.state.times() } satisfies ReplicaNote;
    if (!(await this.store.putLocal(table, id, value as unknown as JsonObject, this.#revision))) return;
    this.#revision++;
    this.#noted = seq;
  }
}
