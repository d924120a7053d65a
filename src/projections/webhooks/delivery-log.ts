/**
 * Results of deliveries by attempt, without the bodies sent and received. Lines are stored in pages to keep writes
 * small; the oldest page is deleted when there are too many. Written by the dispatcher and by manual deliveries.
 */
import type { JsonObject } from '../../core/canonical.js';
import { assert } from '../../core/refusal.js';
import type { StoreReader, StoreWriter } from '../../store/store.js';

export interface DeliveryLine {
  /** The same in each attempt, so that a receiver recognises repetitions. */
  readonly id: string;
  /** Type of the event, such as `escrow.released`; `webhook.test` for a test. */
  readonly type: string;
  /** Number of the entry; null for a test. */
  readonly seq: number | null;
  /** From 1. */
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed' | 'given-up';
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  readonly error: string | null;
  /** Epoch ms. */
  readonly at: number;
  readonly durationMs: number;
}

export interface DeliveryLogOptions {
  readonly store: Pick<StoreReader, 'getLocal' | 'listLocal'> & Pick<StoreWriter, 'putLocal' | 'deleteLocal'>;
  /** Lines kept per webhook; up to one page more. */
  readonly lines: number;
}

const pageLines = 50;
/** Tries to write a page. Conflicts are rare: only manual deliveries write to it as well. */
const attempts = 8;

export const logTable = (webhook: string): string => `webhook-deliveries.${webhook}`;
const pageId = (number: number): string => String(number).padStart(10, '0');

export class DeliveryLog {
  constructor(private readonly options: DeliveryLogOptions) {}

  /** Adds lines in the order given. Durable when it resolves. */
  async add(webhook: string, lines: readonly DeliveryLine[]): Promise<void> {
    let rest = lines;
    for (let attempt = 0; rest.length > 0; attempt++) {
      assert(attempt < attempts + lines.length / pageLines, 'a page of deliveries has few writers');
      rest = rest.slice(await this.#fill(webhook, rest));
    }
  }

  /** Each line with its number, which is greater than those of earlier lines. */
  async list(webhook: string): Promise<readonly (DeliveryLine & { readonly number: number })[]> {
    const pages = await this.options.store.listLocal(logTable(webhook));
    return pages.flatMap(({ id, value }) =>
      (value.lines as unknown as DeliveryLine[]).map((line, at) => ({ ...line, number: Number(id) * pageLines + at })),
    );
  }

  async remove(webhook: string): Promise<void> {
    const { store } = this.options;
    for (const { id } of await store.listLocal(logTable(webhook))) await store.deleteLocal(logTable(webhook), id);
  }

  /** @returns how many lines were added to the newest page; 0 where another writer came first */
  async #fill(webhook: string, lines: readonly DeliveryLine[]): Promise<number> {
    const { store } = this.options;
    const table = logTable(webhook);
    const pages = await store.listLocal(table);
    const newest = pages.at(-1);
    const written = (newest?.value.lines as DeliveryLine[] | undefined) ?? [];
    const isFull = written.length >= pageLines;
    const id = isFull || !newest ? pageId(Number(newest?.id ?? 0) + 1) : newest.id;
    const kept = isFull ? [] : written;
    const added = lines.slice(0, pageLines - kept.length);
    const value = { lines: [...kept, ...added] } as unknown as JsonObject;
    if (!(await store.putLocal(table, id, value, isFull ? 0 : (newest?.revision ?? 0)))) return 0;
    const surplus = pages.length + (isFull ? 1 : 0) - Math.ceil(this.options.lines / pageLines) - 1;
    for (const page of pages.slice(0, Math.max(0, surplus))) await store.deleteLocal(table, page.id);
    return added.length;
  }
}
