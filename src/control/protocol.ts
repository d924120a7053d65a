/**
 * What passes through `<data>/control.sock`: one line of JSON asks, lines of JSON answer, the last one ends it.
 */
import type { JsonObject } from '../machines/kernel/canonical.js';
import type { Code } from '../machines/kernel/refusal.js';

export interface Question {
  readonly act: string;
  readonly input: JsonObject;
}

export type Answer =
  /** So many of so many units are done; others follow. */
  | { readonly progress: readonly [done: number, total: number] }
  | { readonly done: JsonObject }
  | { readonly refused: { readonly code: Code; readonly detail: string } }
  /** A fault of the node, or of the one who asked, in a sentence. */
  | { readonly failed: string };

export type OnProgress = (done: number, total: number) => void;

export const controlBounds = Object.freeze({
  /** A question, in characters; a passphrase is the longest that is in one. */
  question: 64 * 1024,
  connections: 32,
  /** From connecting to the end of the question. */
  questionMs: 10_000,
  /** What `sockaddr_un` holds on every system, its final NUL left out. */
  pathBytes: 103,
});

export const lineOf = (message: Question | Answer): string => `${JSON.stringify(message)}\n`;
