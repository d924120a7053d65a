/**
 * Reads that a definition adds to the derived ones: parts of a resource that its view does not show. They write
 * nothing. Everything external comes through a port, because machines import no keys and no store.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Refusal } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import type { TransformerPort, Transforms } from './transformer.js';

export interface ReadPort extends Pick<TransformerPort, 'openKey' | 'resource' | 'content'> {
  /** `did`: the DID of the caller's API key; `loopback`: the caller is on the node's machine, and needs no key. */
  readonly caller: { readonly did?: string; readonly loopback: boolean };
  /** Up to `length` bytes of a content, by its SHA-256. */
  contentPart(hash: string, from: number, length: number): Promise<Uint8Array | undefined>;
}

export type ReadReply =
  | { readonly body: JsonObject }
  /** JSON text that is generated while it is sent; `window` bytes of it are in memory at a time. */
  | { readonly chunks: AsyncIterable<string>; readonly window: number };

export interface ExtraRead extends Pick<Transforms, 'mayRefuse'> {
  /** Name of the operation: `getInfoDelivery`. */
  readonly name: string;
  /** Path below /api/v1. */
  readonly path: string;
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly description: string;
  /** The reply has an `ETag`. */
  readonly tagged?: true;
  /** Set if it unlocks the key of a DID; it is then a POST with `did` and `passphrase`. */
  readonly opensKey?: true;
  read(params: { readonly [name: string]: string }, port: ReadPort): Promise<ReadReply | Refusal>;
}
