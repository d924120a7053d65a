/** The node under the walk: the walk knows the law, a driver knows how to ask a node and what it may look at. */

import type { Body, View } from '../../packages/model/src/scenario.js';
import type { Json, JsonObject } from '../../src/core/canonical.js';
import type { Resource } from '../../src/machines/kernel/definition.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';

/** Somebody who takes part. */
export interface Who {
  readonly did: string;
  /** Its next one. */
  nonce: number;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The parsed JSON; undefined where there was none. */
  readonly body: View;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** A request that somebody signs. */
export interface Ask {
  readonly definition: AnyResource;
  /** `create`, or an action on `target`. */
  readonly action: string;
  readonly target?: { readonly id: string; readonly resourcePrev: string | null };
  readonly input: Body;
  /** Where, and as what, the same goes out as plain HTTP. */
  readonly path: string;
  readonly body: Body;
}

/** What the journal keeps of a write. */
export interface Journaled {
  readonly time: number;
  readonly input: JsonObject;
  readonly ids?: { readonly [part: string]: string } | undefined;
}

export interface Driver<W extends Who = Who> {
  readonly network: string;
  /** The node's clock, epoch ms. */
  now(): number;
  /** Puts that clock forward, before the node's own timers notice; absent where it is not the walk's to move. */
  readonly outrun?: (ms: number) => void;
  /** Somebody new, with a DID in the node's keystore. */
  join(name: string): Promise<W>;
  /** Before each resource: so many Tokens at least. */
  supply(who: W, tokens: number): Promise<void>;
  /** The nonce of `who` grows with what is accepted. */
  ask(who: W, asked: Ask): Promise<Reply>;
  /** One resource; with the key of `who` where parties see more than others. */
  view(definition: AnyResource, id: string, who: W): Promise<Reply>;
  /** How it stands in truth. */
  situation(kind: string, id: string): Promise<Resource>;
  journaled(eventHash: string): Promise<Journaled>;
  /** Entries in the journal, where nobody else writes to it. */
  readonly entries?: () => Promise<number>;
}

/** What the node did that it must not do, or could not do: the walk goes on with the next request. */
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
