/** Payments of a buyer from before they are made until the answer is there. */
import { link, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { paymentBounds } from '../../../src/core/bounds.js';
import {
  makeFolder,
  replaceFile,
  syncFolder,
  unlessMissing,
  writeFileDurably,
} from '../../../src/core/durable-file.js';
import { realEnvironment } from '../../../src/core/environment.js';
import type { SignedEntry, SignedWrite } from '../../client/src/index.js';
import type { PaymentProof, PaymentTerms } from './messages.js';

export interface KeptPayment {
  /** Of the call: a hash of method, URL, body and the caller's identifier. Of a lease: of the host, and who pays where. */
  readonly id: string;
  /** Counts the payments of this call, of which all but the newest can never take effect. */
  readonly turn: number;
  readonly terms: PaymentTerms;
  /** Shows that this buyer has paid: not for others. Empty for a lease. */
  readonly secret: string;
  /** The signed payment. */
  readonly write: SignedWrite;
  /** Once it is in the journal. */
  readonly proof?: PaymentProof;
  /** Of a call by lease: the beginning of the lease. */
  readonly lease?: SignedEntry;
  /** Of a lease: Tokens that the leases before it have cost. */
  readonly spent?: number;
  /** The answer is there. Only kept for calls with an identifier, so that they never pay again. */
  readonly isAnswered?: true;
}

/** Resolves once it is safe from a crash. One that is lost is a payment that is lost. */
export interface KeptPayments {
  /** The one with the highest `turn`. */
  get(id: string): Promise<KeptPayment | undefined>;
  /** Keeps a new one; false if there is one of this id with this turn or a later one already, as of another program. */
  add(payment: KeptPayment): Promise<boolean>;
  /** In the place of that with its id and turn. */
  replace(payment: KeptPayment): Promise<void>;
  /** The node has refused it: unless it is replaced, it can be forgotten after a day. */
  refused(payment: Pick<KeptPayment, 'id' | 'turn'>): Promise<void>;
  /** Forgets this one, and no other of its id. */
  drop(payment: Pick<KeptPayment, 'id' | 'turn'>): Promise<void>;
}

/** Keeps them in a folder, in files that only this user can read. Programs on one machine may share it. */
export function keptIn(folder: string): KeptPayments {
  const fileOf = ({ id, turn }: Pick<KeptPayment, 'id' | 'turn'>): string => join(folder, `${id}.${turn}.json`);
  const turnIn = (name: string): number => Number(/\.(\d+)\.json$/.exec(name)?.[1] ?? 0);
  const refusedMark = '.refused';

  /** What was refused a day ago. */
  async function forget(): Promise<void> {
    const marks = (await readdir(folder))
      .filter((name) => name.endsWith(refusedMark))
      .map((name) => join(folder, name));
    for (const mark of marks) {
      const marked = await unlessMissing(stat(mark));
      if (!marked || marked.mtimeMs > realEnvironment.now() - paymentBounds.servedMs) continue;
      const file = mark.slice(0, -refusedMark.length);
      // Another program may have got it accepted before the mark.
      const isProven = (await unlessMissing(readFile(file, 'utf8')))?.includes('"proof":');
      for (const each of isProven ? [mark] : [file, mark]) await rm(each, { force: true });
    }
  }

  async function newest(id: string): Promise<number> {
    const names = ((await unlessMissing(readdir(folder))) ?? []).filter((name) => name.startsWith(`${id}.`));
    return Math.max(0, ...names.map(turnIn));
  }

  return {
    async get(id) {
      const turn = await newest(id);
      const text = turn > 0 ? await unlessMissing(readFile(fileOf({ id, turn }), 'utf8')) : undefined;
      return text === undefined ? undefined : JSON.parse(text);
    },
    async add(payment) {
      if (makeFolder(folder) !== undefined) await syncFolder(dirname(folder));
      await forget();
      const file = fileOf(payment);
      const draft = `${file}.${payment.write.event.hash}`;
      await replaceFile(draft, JSON.stringify(payment));
      try {
        await link(draft, file);
        await syncFolder(folder);
        // The file of this turn was dropped where another program is further.
        if ((await newest(payment.id)) === payment.turn) return true;
        await rm(file, { force: true });
        return false;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      } finally {
        await rm(draft, { force: true });
      }
    },
    async replace(payment) {
      await rm(fileOf(payment) + refusedMark, { force: true });
      await writeFileDurably(fileOf(payment), JSON.stringify(payment));
    },
    refused: (payment) => writeFile(fileOf(payment) + refusedMark, ''),
    async drop(payment) {
      for (const mark of ['', refusedMark]) await rm(fileOf(payment) + mark, { force: true });
    },
  };
}
