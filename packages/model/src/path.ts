/** A path through the machine of a kind, as `svc-node/model` returns it, and the options that select paths. */
import type { Step } from './steps.js';

export interface PathOptions {
  /** `shortest` (default): one path to each situation. `simple`: every path that meets no situation twice. */
  readonly by?: 'shortest' | 'simple';
  /** The most steps in a path; default 8. */
  readonly steps?: number;
  /** The most paths; absent: all, with TooManyPaths if there are more than 1,000. */
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
  /** Where the path ends: the state, and what distinguishes situations within the state. */
  readonly name: string;
  /** The state as views show it: `created`; a nested state is in `substate`. */
  readonly state: string;
  readonly substate?: string;
  /** Names of the participants; each has a DID in the node's keystore. A `stranger` is always included. */
  readonly cast: readonly string[];
  /** Who pays for it, and how many Tokens that takes. */
  readonly payer?: { readonly name: string; readonly tokens: number };
  /** Requests to send first: those on other resources, and the one that creates the resource. */
  readonly setUp: readonly Step[];
  readonly steps: readonly Step[];
  /** How to read the resource, and the member of the reply that holds its state. */
  readonly read: { readonly method: 'GET'; readonly path: string; readonly member: string };
  /** Requests that must be refused at the end of the path and change nothing. */
  readonly refusals: readonly Step[];
  /** How long a `late` step waits after the first step. */
  readonly laterMs: number;
}
