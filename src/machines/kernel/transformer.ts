/**
 * Request transformers: they change a request before its machine decides, using keys, stored content or the node's
 * configuration: encrypting, wrapping, signing an envelope. A definition registers them by action. Everything external
 * comes through a port, because machines import no keys and no store.
 */
import type { KeyObject } from 'node:crypto';
import type { JsonObject } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import type { Code, Refusal } from '../../core/refusal.js';
import type * as is from '../../core/schema/scalar.js';
import type { SchemaMembers } from '../../core/schema/shape.js';
import type { Request, Resource } from './resource.js';

/** The signer's key, unlocked for this request. */
export interface SigningKey {
  readonly did: Did;
  /** base64url of the 64 bytes. */
  sign(message: Uint8Array | string): string;
  /** The X25519 form of the key, which decrypts what was wrapped for its DID. */
  agreementKey(): KeyObject;
}

type Labelled = { readonly items: readonly Resource[]; readonly hasMore: boolean };

/** What a transformer may use. */
export interface TransformerPort {
  /** DID of the signer, or the refusal that the write would get. */
  signer(): Did | Refusal;
  /** Unlocks the signer's key. */
  openKey(): Promise<SigningKey | Refusal>;
  /** Committed state. */
  resource(kind: string, id: string): Promise<Resource | undefined>;
  /** Resources of a kind with this label and one of these states or any, page by page; a refusal may come last. */
  labelled(kind: string, label: string, states?: readonly string[]): AsyncIterable<Labelled | Refusal>;
  /** A content by its SHA-256, which an entry contains. */
  content(hash: string): Promise<Uint8Array>;
  /** The refusal if no listing of that id exists for this caller. */
  unknownListing(id: string): Promise<Refusal | undefined>;
  /** Epoch ms. */
  now(): number;
  random(bytes: number): Uint8Array;
  /** Creates an id: prefix + ULID. */
  newId(prefix: string): string;
  /** Version, network and home, which signed texts name: see placeText. */
  readonly place: string;
  /** DID of the network's arbiter, if there is one. */
  readonly networkArbiter: string | undefined;
}

/** A validated request, and the secrets that it was sent with. */
export interface Untransformed extends Request {
  readonly secrets: JsonObject;
}

export interface Transformed {
  readonly input: JsonObject;
  /** Contents whose hashes the input contains. */
  readonly contents?: readonly { readonly hash: string; readonly bytes: Uint8Array }[] | undefined;
  /**
   * A refusal found by the transformer. It is returned where the machine's own would be, so that the order of refusals
   * is kept.
   */
  readonly prechecked?: Refusal | undefined;
  /** Another action, if the body selects one. */
  readonly action?: string;
  /** Members for this reply only; null when the reply is replayed. */
  readonly once?: JsonObject;
}

export type RequestTransformer = (
  request: Untransformed,
  port: TransformerPort,
) => Promise<Transformed | Refusal> | Transformed | Refusal;

/** Finds the resource of an action if neither path nor body names it. */
export interface DefaultId {
  /** The description of the member in OpenAPI. */
  readonly says: string;
  /** INVALID_REQUEST if there is not exactly one. @param params parameters of the path */
  readonly find: (
    action: string,
    params: { readonly [name: string]: string },
    port: TransformerPort,
  ) => Promise<string | Refusal>;
}

/** The transformer of an action. */
export interface Transforms {
  /** Changes the request before the machine decides. */
  readonly transform?: RequestTransformer;
  /** Members that only the first reply shows, from `transform`; null in a replay. */
  readonly once?: SchemaMembers;
  /** Members that `transform` adds to the input, as the payload of the event shows them; who signs elsewhere makes them. */
  readonly adds?: is.Fields;
  /** Codes with which `check`, the workflow or the read itself may refuse. Those of guards need not be listed. */
  readonly mayRefuse?: readonly Code[];
}

/** What an additional read may use. */
export interface ReadPort extends Pick<TransformerPort, 'openKey' | 'resource' | 'content'> {
  /** `reader`: the DID that reads; `loopback`: the caller is on the node's machine, and needs no key. */
  readonly caller: { readonly reader?: string; readonly loopback: boolean };
  /** Up to `length` bytes of a content, by its SHA-256. */
  contentPart(hash: string, from: number, length: number): Promise<Uint8Array | undefined>;
}

export type ReadReply =
  | { readonly body: JsonObject }
  /** JSON text that is generated while it is sent; `window` bytes of it are in memory at a time. */
  | { readonly chunks: AsyncIterable<string>; readonly window: number };

/** A read of parts of a resource that its view does not show. It writes nothing. */
export interface ExtraRead extends Pick<Transforms, 'mayRefuse'> {
  /** Name of the operation: `getInfoDelivery`. */
  readonly name: string;
  /** Path below /api/v1. */
  readonly path: string;
  readonly summary: string;
  readonly schema: is.JsonSchema;
  readonly description: string;
  /** The reply has an `ETag`. */
  readonly tagged?: true;
  /** Set if it unlocks the key of a DID; it is then a POST with `did` and `passphrase`. */
  readonly opensKey?: true;
  read(params: { readonly [name: string]: string }, port: ReadPort): Promise<ReadReply | Refusal>;
}
