/** Payments of a buyer from before they are made until the answer is there. */
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createPrivateFile,
  isMissing,
  makeFolder,
  syncFolder,
  writeFileDurably,
} from '../../../src/core/durable-file.js';
import type { SignedWrite } from '../../client/src/index.js';
import type { PaidResource, PaymentProof, PaymentTerms } from './messages.js';

export interface KeptPayment {
  /** Of the call: a hash of method, URL, body and the caller's identifier. */
  readonly id: string;
  readonly resource: PaidResource;
  readonly terms: PaymentTerms;
  /** Shows that this buyer has paid: not for others. */
  readonly secret: string;
  /** The signed payment. */
  readonly write: SignedWrite;
  /** Once it is in the journal. */
  readonly proof?: PaymentProof;
  /** The answer is there. Only kept for calls with an identifier, so that they never pay again. */
  readonly isAnswered?: true;
}

/** Resolves once it is safe from a crash. One that is lost is a payment that is lost. */
export interface KeptPayments {
  get(id: string): Promise<KeptPayment | undefined>;
  /** Keeps a new one; false if there is one already, as of another program. */
  add(payment: KeptPayment): Promise<boolean>;
  replace(payment: KeptPayment): Promise<void>;
  drop(id: string): Promise<void>;
}

/** Keeps them in a folder, in files that only this user can read. Programs on one machine may share it. */
export function keptIn(folder: string): KeptPayments {
  const fileOf = (id: string): string => join(folder, `${id}.json`);
  return {
    async get(id) {
      try {
        return JSON.parse(await readFile(fileOf(id), 'utf8'));
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async add(payment) {
      if (makeFolder(folder) !== undefined) await syncFolder(dirname(folder));
      try {
        await createPrivateFile(fileOf(payment.id), JSON.stringify(payment));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    },
    replace: (payment) => writeFileDurably(fileOf(payment.id), JSON.stringify(payment)),
    async drop(id) {
      await rm(fileOf(id), { force: true });
    },
  };
}
