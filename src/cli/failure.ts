/**
 * How a command ends other than well: 1 failed or refused, 2 asked wrongly, 70 a fault of the program. A person reads
 * one sentence a line, never a stack, unless it is a fault of ours.
 */
import { ControlFailed } from '../control/client.js';
import { isRefusal, type Refusal, RefusedError } from '../machines/kernel/refusal.js';
import { StartRefused } from '../node-identity.js';
import { StoreRefused } from '../store/store.js';

export const exitCodes = Object.freeze({ failed: 1, usage: 2, fault: 70 });

/** The command could not do what it was asked. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** The command line, or the environment, is wrong: a sentence for each mistake. */
export class UsageFault extends Error {
  override name = 'UsageFault';
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('\n'));
  }
}

/** The value, or the command ends with what the refusal says. */
export function must<T>(outcome: T | Refusal): T {
  if (isRefusal(outcome)) throw new CommandFailed(outcome.detail);
  return outcome;
}

const told = [CommandFailed, ControlFailed, StartRefused, StoreRefused];

/** What people are told about the usual errors of an operating system. */
const systemErrors: { readonly [code: string]: string } = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOENT: 'there is no such file or directory',
  EEXIST: 'it exists already',
  EISDIR: 'it is a directory',
  ENOTDIR: 'it is not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
};

export interface Ending {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

export function endingOf(error: unknown): Ending {
  if (error instanceof UsageFault) return { exitCode: exitCodes.usage, lines: error.sentences };
  if (error instanceof RefusedError) return { exitCode: exitCodes.failed, lines: [error.refusal.detail] };
  if (error instanceof Error && told.some((kind) => error instanceof kind)) {
    return { exitCode: exitCodes.failed, lines: [error.message] };
  }
  const { code, path } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : systemErrors[code];
  if (known && path) return { exitCode: exitCodes.failed, lines: [`${path}: ${known}`] };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exitCodes.fault, lines: [`this is a fault of the program: ${text}`] };
}
