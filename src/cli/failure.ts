/**
 * Exit codes and error output of commands: 0 success, 1 failure, 2 usage error, 3 to 7 errors reported by a node, 70 internal
 * error. The output has one sentence in a line; only internal errors show a stack.
 */

import { ApiError, SigningError, UnreachableError } from '../../packages/client/src/errors.js';
import { ToolRefusal } from '../../packages/mcp/src/data-block.js';
import { ownNames } from '../core/own-names.js';
import { isRefusal, type Refusal, RefusedError } from '../core/refusal.js';
import { ControlFailed } from '../node/control/client.js';
import { StartRefused } from '../node/identity.js';
import { StoreDamaged, StoreRefused } from '../store/store.js';

export const exitCodes = Object.freeze({
  failed: 1,
  usage: 2,
  /** The API key, DID or passphrase is missing or wrong. */
  notAllowed: 3,
  notFound: 4,
  /** The state, nonce or version of the resource differs from the request's. */
  conflict: 5,
  /** Too few Tokens, or an action that the resource does not permit. */
  impossible: 6,
  /** A retry may succeed: no node answers, a rate limit, or a temporary outage. */
  unavailable: 7,
  fault: 70,
});

/** The command failed; the message is shown to the user. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** The command line or the environment is wrong; one sentence for each error. */
export class UsageFault extends Error {
  override name = 'UsageFault';
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('\n'));
  }
}

/** Returns the value. @throws CommandFailed with the detail of a refusal */
export function must<T>(outcome: T | Refusal): T {
  if (isRefusal(outcome)) throw new CommandFailed(outcome.detail);
  return outcome;
}

const explained = [CommandFailed, SigningError, ToolRefusal, ControlFailed, StartRefused, StoreDamaged, StoreRefused];

const systemErrors: { readonly [code: string]: string } = ownNames({
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOENT: 'there is no such file or directory',
  EEXIST: 'it exists already',
  EISDIR: 'it is a directory',
  ENOTDIR: 'it is not a directory',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open',
});

export interface ExitReport {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

export function exitReportOf(error: unknown): ExitReport {
  if (error instanceof UsageFault) return { exitCode: exitCodes.usage, lines: error.sentences };
  if (error instanceof ApiError) return exitReportOfReply(error);
  if (error instanceof UnreachableError) return { exitCode: exitCodes.unavailable, lines: linesOfSilence(error) };
  if (error instanceof RefusedError) return { exitCode: exitCodes.failed, lines: [error.refusal.detail] };
  if (error instanceof Error && explained.some((kind) => error instanceof kind)) {
    return { exitCode: exitCodes.failed, lines: [error.message] };
  }
  const { code, path } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : systemErrors[code];
  if (known && path) return { exitCode: exitCodes.failed, lines: [`${path}: ${known}`] };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exitCodes.fault, lines: [`internal error: ${text}`] };
}

const byStatus: { readonly [status: number]: number } = {
  400: exitCodes.usage,
  401: exitCodes.notAllowed,
  402: exitCodes.impossible,
  403: exitCodes.notAllowed,
  404: exitCodes.notFound,
  409: exitCodes.conflict,
  413: exitCodes.usage,
  415: exitCodes.usage,
  422: exitCodes.impossible,
};

/** The remedy of an error, where there is one. */
const advice: { readonly [code: string]: string } = ownNames({
  UNAUTHORIZED: 'give an API key with --key-file or SVC_NODE_KEY; svc-node api-key create makes one',
  INSUFFICIENT_BALANCE: 'svc-node wallet get shows your balance; on devnet and testnet svc-node faucet gives some',
  TRANSFER_NOT_ALLOWED:
    'the passphrase is wrong, this node has no key of that DID, or the account is frozen; svc-node identity list shows the keys',
  DID_NOT_FOUND: 'an id of another network or node',
  FORBIDDEN:
    'svc-node api-key create --scope admin makes a key that is allowed to; give it with --key-file or SVC_NODE_KEY',
  RATE_LIMITED: 'an API key has higher limits',
});

function exitReportOfReply({ status, message, refusal, problem }: ApiError): ExitReport {
  const faults = problem?.errors?.map(({ field, message: says }) => `${field}: ${says}`) ?? [];
  // The detail of a problem often lists its errors.
  const unmentioned = faults.filter((fault) => !message.includes(fault)).map((fault) => `  ${fault}`);
  const isOfKeys = refusal !== 'FORBIDDEN' || /scope|API key/.test(message);
  const hint = refusal === undefined || !isOfKeys ? undefined : advice[refusal];
  const code = refusal === undefined ? '' : ` (${refusal})`;
  return {
    exitCode: byStatus[status] ?? exitCodes.unavailable,
    lines: [`${message}${code}`, ...unmentioned, ...(hint === undefined ? [] : [hint])],
  };
}

/** The lines for a request without a reply. A write may have been accepted: they say how to find out. */
const linesOfSilence = ({ message, idempotencyKey, nonce }: UnreachableError): readonly string[] => [
  message,
  ...(idempotencyKey === undefined || nonce === undefined
    ? []
    : [
        `to find out whether it was accepted, repeat the command with --nonce ${nonce} --idempotency-key ${idempotencyKey}`,
      ]),
];
