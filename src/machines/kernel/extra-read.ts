/**
 * Reads that a definition has beside the derived ones: something of a resource that its view does not show. They write
 * nothing. They use a port for everything outside, because machines import no keys and no store.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Refusal } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import type { TransformerPort, Transforms } from './transformer.js';

export interface ReadPort extends Pick<TransformerPort, 'openKey' | 'resource' | 'content'> {
  /** `did`: of the caller's API key; `loopback`: it is on the machine of the node, and needs no key. */
  readonly caller: { readonly did?: string; readonly loopback: boolean };
  /** Up to `length` of the bytes that an entry names by their SHA-256. */
  contentPart(hash: string, from: number, length: number): Promise<Uint8Array | undefined>;
}

export type ReadReply =
  /** `version` is the value to send next as `resourcePrev`. */
  | { readonly body: JsonObject; readonly version?: string }
  /** JSON text that is generated while it is sent; `window` bytes of it are in memory at a time. */
  | { readonly chunks: AsyncIterable<string>; readonly window: number };

export interface ExtraRead extends Pick<Transforms, 'mayRefuse'> {
  /** Of the operation: `getInfoDelivery`. */
  readonly name: string;
  /** Below /api/v1. */
  readonly path: string;
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly description: string;
  /** It opens the key of a DID, so it is a POST with `did` and `passphrase`. */
  readonly opensKey?: true;
  read(params: { readonly [name: string]: string }, port: ReadPort): Promise<ReadReply | Refusal>;
}
