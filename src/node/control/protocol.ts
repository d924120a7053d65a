/**
 * The protocol of `<data>/control.sock`: a request is one line of JSON; the response is one or more lines, of which the last
 * is the result.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Code } from '../../core/refusal.js';

export interface ControlRequest {
  readonly act: string;
  readonly input: JsonObject;
}

export type ControlResponse =
  /** Progress in units of work; more lines follow. */
  | { readonly progress: readonly [done: number, total: number] }
  | { readonly done: JsonObject }
  | { readonly refused: { readonly code: Code; readonly detail: string } }
  | { readonly failed: string };

export type OnProgress = (done: number, total: number) => void;

export const controlBounds = Object.freeze({
  /** The longest request in characters; a passphrase is its longest member. */
  question: 64 * 1024,
  connections: 32,
  /** Time from the connection to the end of the request, ms. */
  questionMs: 10_000,
  /** The longest path that `sockaddr_un` holds on every system, without the final NUL. */
  pathBytes: 103,
});

export const lineOf = (message: ControlRequest | ControlResponse): string => `${JSON.stringify(message)}\n`;
