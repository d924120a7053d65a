/**
 * Request transformers: what a kind does with a request before its machine decides, with keys, stored content or the
 * node's configuration: encrypting, wrapping, signing an envelope. A definition names them by action. Everything from
 * outside comes through a port, because machines import no keys and no store.
 */
import type { KeyObject } from 'node:crypto';
import type { JsonObject } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import type { Refusal } from '../../core/refusal.js';
import type { SchemaMembers } from '../../core/schema/shape.js';
import type { Resource } from './resource.js';

/** The signer's key, open for this request. */
export interface SigningKey {
  readonly did: Did;
  /** base58btc of the 64 bytes. */
  sign(message: Uint8Array | string): string;
  /** The X25519 form of the key, for what was wrapped for its DID. */
  agreementKey(): KeyObject;
}

type Labelled = { readonly items: readonly Resource[]; readonly hasMore: boolean };

/** What a transformer may ask for. */
export interface TransformerPort {
  /** DID of the signer; the refusal that the write itself would get. */
  signer(): Did | Refusal;
  /** Opens the signer's key. */
  openKey(): Promise<SigningKey | Refusal>;
  /** Committed state. */
  resource(kind: string, id: string): Promise<Resource | undefined>;
  /** Resources of a kind that have the label and are in one of the states, page by page; a refusal is the last. */
  labelled(kind: string, label: string, states: readonly string[]): AsyncIterable<Labelled | Refusal>;
  /** Bytes that an entry names by their SHA-256. */
  content(hash: string): Promise<Uint8Array | undefined>;
  /** The refusal where no listing of that id exists for this caller. */
  unknownListing(id: string): Promise<Refusal | undefined>;
  /** Epoch ms. */
  now(): number;
  random(bytes: number): Uint8Array;
  /** Makes an id: prefix + ULID. */
  newId(prefix: string): string;
  /** DID of the network's arbiter, if there is one. */
  readonly networkArbiter: string | undefined;
}

/** A validated request, secrets apart. */
export interface Untransformed {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  /** Ids chosen for further resources of the workflow. */
  readonly ids?: { readonly [part: string]: string } | undefined;
  readonly secrets: JsonObject;
}

export interface Transformed {
  readonly input: JsonObject;
  /** Bytes that the input names by hash. */
  readonly contents?: readonly { readonly hash: string; readonly bytes: Uint8Array }[] | undefined;
  /** A refusal that was found here and is given where the machine's own would be, so that the order of refusals holds. */
  readonly prechecked?: Refusal | undefined;
  /** Another action, if the body says so. */
  readonly action?: string;
  /** Members of this reply only: a replay of the reply shows null. */
  readonly once?: JsonObject;
}

export type RequestTransformer = (
  request: Untransformed,
  port: TransformerPort,
) => Promise<Transformed | Refusal> | Transformed | Refusal;

/** Which resource an action is about if neither path nor body names it. */
export interface DefaultId {
  /** For the documentation of the member. */
  readonly says: string;
  /** INVALID_REQUEST where that is not clear. @param params of the path */
  readonly find: (
    action: string,
    params: { readonly [name: string]: string },
    port: TransformerPort,
  ) => Promise<string | Refusal>;
}

/** What the definition of an action says of it. */
export interface Transforms {
  /** What is done with a request before the machine decides. */
  readonly transform?: RequestTransformer;
  /** Members that the reply shows only once, as `transform` makes them: a replay of the reply shows null. */
  readonly once?: SchemaMembers;
}
