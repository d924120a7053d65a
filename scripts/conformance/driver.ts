/**
 * Access to the node under test: the walk knows the definition, a driver knows how to send requests to a node and what
 * it can inspect.
 */

import type { Body, View } from '../../packages/model/src/scenario.js';
import type { Json, JsonObject } from '../../src/core/canonical.js';
import type { LeafText } from '../../src/core/leaf.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { Resource } from '../../src/machines/kernel/resource.js';

/** A participant. */
export interface Who {
  readonly did: string;
  /** The next nonce. */
  nonce: number;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The parsed JSON; undefined for an empty body. */
  readonly body: View;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** A signed request. */
export interface Ask {
  readonly definition: AnyResource;
  /** `create`, or an action on `target`. */
  readonly action: string;
  readonly target?: { readonly id: string; readonly resourcePrev: string | null };
  readonly input: Body;
  /** The same request as plain HTTP: its path and body. */
  readonly path: string;
  readonly body: Body;
}

/** The journal's record of a write. */
export interface Journaled {
  readonly time: number;
  readonly input: JsonObject;
  readonly ids?: { readonly [part: string]: string } | undefined;
}

export interface Driver<W extends Who = Who> {
  readonly network: string;
  /** The node's clock, epoch ms. */
  now(): number;
  /** Advances that clock before the node's own timers notice; absent if the walk cannot control it. */
  readonly outrun?: (ms: number) => void;
  /** Creates a participant with a DID in the node's keystore. */
  join(name: string): Promise<W>;
  /** Before each resource: ensures at least this many Tokens. */
  supply(who: W, tokens: number): Promise<void>;
  /** Sends a request; the nonce of `who` grows with each accepted one. */
  ask(who: W, asked: Ask): Promise<Reply>;
  /** Reads one resource with the key of `who`, because parties may see more than others. */
  view(definition: AnyResource, id: string, who: W): Promise<Reply>;
  /** The stored state of the resource. */
  situation(kind: string, id: string): Promise<Resource>;
  journaled(eventHash: string): Promise<Journaled>;
  /** The texts of leaves by their hashes. */
  texts(hashes: readonly string[]): Promise<ReadonlyMap<string, LeafText>>;
  /** Number of entries in the journal, if no other client writes to it. */
  readonly entries?: () => Promise<number>;
}

/** The node did something that it must not do, or failed; the walk continues with the next request. */
export class Astray extends Error {
  override name = 'Astray';

  constructor(
    readonly what: string,
    readonly expected?: Json,
    readonly came?: Json,
  ) {
    super(what);
  }
}
