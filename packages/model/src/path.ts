/** A path through the machine of a kind, as `svc-node/model` gives it, and which of them are wanted. */
import type { Step } from './steps.js';

export interface PathOptions {
  /** `shortest` (default): one path to each situation. `simple`: every path that meets no situation twice. */
  readonly by?: 'shortest' | 'simple';
  /** Steps in a path at most; default 8. */
  readonly steps?: number;
  /** As many paths at most; absent: all, and TooManyPaths where these are more than 1,000. */
  readonly most?: number;
  /** Only paths that end in this state; a nested one by its path: `created.lapsed`. */
  readonly to?: string;
  /** Only of this setting; see `settingsOf`. */
  readonly setting?: string;
  /** Also paths whose steps wait until a deadline has passed (`late`); they need a node whose clock the test moves. */
  readonly late?: boolean;
}

export interface Path {
  readonly kind: string;
  readonly setting: string;
  /** Where it ends: the state, and what beside it makes a situation of its own. */
  readonly name: string;
  /** As it is shown: `created`; a nested state is `substate`. */
  readonly state: string;
  readonly substate?: string;
  /** Who takes part; each a DID of its own in the node's keystore. A `stranger` is always there. */
  readonly cast: readonly string[];
  /** Who pays for it, and how many Tokens that takes. */
  readonly payer?: { readonly name: string; readonly tokens: number };
  /** Requests that must come before, on other things; and the one that makes the resource. */
  readonly setUp: readonly Step[];
  readonly steps: readonly Step[];
  /** How the resource is read, and the member of the answer that names its state. */
  readonly read: { readonly method: 'GET'; readonly path: string; readonly member: string };
  /** What must be refused at the end of the path, and leave everything as it is. */
  readonly refusals: readonly Step[];
  /** How long a `late` step waits after the first step. */
  readonly laterMs: number;
}
