/** What the commands print that check a document without a node. */
import { CommandFailed } from './failure.js';
import { type Facts, facts, print, printJson } from './output.js';
import { asOk } from './terminal.js';

export interface CheckOutcome {
  /** What was checked, in the message of a failure: `proof`. */
  readonly what: string;
  readonly json: boolean;
  readonly flaw: string | undefined;
  /** Members of the line of JSON, besides `ok` and `flaw`. */
  readonly members: { readonly [name: string]: unknown };
  /** Names and values for people; read only if nothing is wrong. */
  readonly facts: () => Facts;
  /** The sentence below them. */
  readonly ok: string;
}

/** @throws CommandFailed if the document does not hold */
export function concludeCheck({ what, json, flaw, members, facts: factsOf, ok }: CheckOutcome): void {
  if (json) printJson({ ok: flaw === undefined, ...members, ...(flaw ? { flaw } : {}) });
  if (flaw) throw new CommandFailed(`the ${what} does not hold: ${flaw}`);
  if (json) return;
  print(facts(factsOf(), '  '));
  print(asOk(ok));
}
