/**
 * Where HTTP hands a signed write to the actors: the common write fields, who signs, idempotency keys
 * (interface, Common write fields; decisions.md, General).
 */
import { createHmac } from 'node:crypto';
import type { Actors } from '../actors/actor.js';
import type { Accepted, Command, Idempotency } from '../actors/command.js';
import type { Settled, Settlement } from '../chain/chain.js';
import type { OnChain } from '../chain/on-chain.js';
import { bounds } from '../config.js';
import type { Keystore } from '../keys/keystore.js';
import { canonical, type JsonObject } from '../machines/kernel/canonical.js';
import { invalid, isRefusal, type Refusal, refuse } from '../machines/kernel/refusal.js';
import type { AnyResource } from '../machines/kernel/resource.js';
import * as is from '../machines/kernel/scalar.js';
import type { NumberedEntry } from '../store/entry.js';
import type { FindQuery, Listing, Snapshot } from '../store/store.js';
import type { Looking } from './render.js';
import type { Call, Caller, Reply } from './route.js';
import { Turns } from './turns.js';

/** In every signed write's body. */
export const signerFields = {
  did: is.described(is.did, 'Who signs.'),
  passphrase: is.described(is.secret(is.text(1024, 1)), 'Unlocks the signer’s key.'),
  nonce: is.described(is.integer(1), 'Counts the signer’s writes: `nextNonce` of its wallet.'),
  prev: is.optional(is.described(is.nullable(is.hash), 'Hash of the signer’s last event; another is refused.')),
  ts: is.optional(is.described(is.time, 'The time as the signer states it, within 10 minutes of the node’s.')),
};

const unsigned =
  'Who signs. Without it: the DID of the API key, else the node’s own; the node unlocks it and counts its nonce, and the ' +
  'request needs an `Idempotency-Key`.';

const newest = 'Hash of the resource’s last event, as its view says: refused where something has happened to it since.';
/** In every write of a resource that is there already. */
export const resourcePrev = is.described(is.hash, newest);
export const optionalResourcePrev = is.optional(is.described(is.nullable(is.hash), newest));

/** The same where the interface lets a caller leave the signer out. */
export const optionalSignerFields = {
  ...signerFields,
  did: is.optional(is.described(signerFields.did, unsigned)),
  passphrase: is.optional(signerFields.passphrase),
  nonce: is.optional(signerFields.nonce),
};

export interface SignedBody {
  readonly did?: string;
  readonly passphrase?: string;
  readonly nonce?: number;
  readonly prev?: string | null;
  readonly ts?: number;
  readonly resourcePrev?: string | null;
}

export interface Signable {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  readonly ids?: { readonly [part: string]: string } | undefined;
  /** See Command. */
  readonly contents?: Command['contents'];
  /** HTTP status of the reply. */
  readonly status: 200 | 201;
  /** See Command. */
  readonly breaks?: Refusal | undefined;
}

export interface DeskOptions {
  readonly actors: Actors;
  readonly keystore: Keystore;
  readonly settlement: Settlement;
  /** Undefined where the node settles on no chain. */
  readonly onChain: OnChain | undefined;
  /** The node's own DID: signs for keyless loopback callers where the signer may be left out. */
  readonly nodeDid: string;
  /** Secret of the database, for fingerprints. */
  readonly fingerprintKey: Uint8Array;
}

/** The chain refused what the journal holds (decisions.md, a revert on chain): the event stands all the same. */
const reverted = ({ core: { event } }: NumberedEntry): Refusal =>
  refuse('INTERNAL_ERROR', 'the event is committed, and the chain has refused to settle it: settlement has halted', {
    eventHash: event.hash,
    nonce: event.nonce,
    committed: true,
  });

/** What a reply tells, as it is or as JSON text. */
type Told = JsonObject | string;
type Render = (accepted: Accepted, receipt: Settled | undefined) => Told | Promise<Told>;

/** The action that nobody is granted for being on this machine alone (decisions.md, Access and operators: Loopback). */
const neverByLoopback = 'resolve';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** FORBIDDEN where the caller's API key is bound to a DID and the request names another one. */
export const boundToAnother = (caller: Caller, did: string | undefined): Refusal | undefined =>
  caller.did !== undefined && did !== undefined && caller.did !== did
    ? refuse('FORBIDDEN', 'the API key is bound to another DID')
    : undefined;

export class Desk {
  /** Of all markets. */
  readonly searches = new Turns(bounds.searchesWaiting);
  readonly #lists = new Turns(bounds.listsWaiting);

  constructor(readonly options: DeskOptions) {}

  get hasChain(): boolean {
    return this.options.settlement.status().kind !== 'none';
  }

  /** The definition of a kind that has a machine. */
  definitionOf(kind: string): AnyResource {
    return this.options.actors.options.catalogue.definitions[kind] as AnyResource;
  }

  /** How a caller looks at a resource now; each member by its name, since every read makes one. */
  looking({ caller }: Call, receipt?: Settled, beside?: JsonObject, withoutPermitted = false): Looking {
    return {
      time: this.options.actors.options.world.now(),
      reader: caller.did,
      receipt,
      beside,
      withoutPermitted,
    };
  }

  /**
   * A page of a list. Of what carries a label a status is counted one by one, which takes a tenth of a second where somebody
   * has 100,000: where one thread answers all lists, these wait for each other.
   */
  find(call: Call, query: FindQuery): Promise<Listing<Snapshot> | Refusal> {
    const { store } = this.options.actors.options;
    const isLong = store.exclusive && query.states !== undefined;
    return isLong ? this.#lists.take(call, () => store.find(query)) : store.find(query);
  }

  /** The state of what a kind shows beside a resource. */
  async beside({ beside }: AnyResource, id: string): Promise<JsonObject | undefined> {
    return beside === undefined ? undefined : (await this.options.actors.committed.resource(beside, id))?.context;
  }

  /** Who signs a write: the DID that its body names, else the one that the caller stands for. */
  signerOf({ body, caller }: Call): string | Refusal {
    const { did, passphrase } = body as SignedBody;
    const bound = boundToAnother(caller, did);
    if (bound) return bound;
    // Without a passphrase a caller signs as whom it stands for, and as nobody else who happens to be unlocked.
    const standsFor = caller.did ?? (caller.loopback ? this.options.nodeDid : undefined);
    const signer = did ?? standsFor;
    if (signer === undefined) return invalid('did', 'is required: this API key is bound to no DID');
    return passphrase === undefined && signer !== standsFor ? invalid('passphrase', 'is required') : signer;
  }

  /** Opens the key of who signs. */
  unlock({ body, caller }: Call, signer: string): Command['unlock'] {
    const { keystore } = this.options;
    const { passphrase } = body as SignedBody;
    return () =>
      passphrase === undefined
        ? (keystore.held(signer) ??
          refuse('TRANSFER_NOT_ALLOWED', 'the signer’s key is locked: send passphrase, or have the operator unlock it'))
        : keystore.unlock(signer, passphrase, caller.keyId ?? caller.origin);
  }

  /** Takes a signed write through the seven steps. `call.body` was validated with `signerFields` or the optional ones. */
  async sign(call: Call, what: Signable): Promise<Accepted | Refusal> {
    const body = call.body as SignedBody;
    const signer = this.signerOf(call);
    if (isRefusal(signer)) return signer;
    if (what.action === neverByLoopback && call.caller.loopback && body.passphrase === undefined) {
      return refuse('FORBIDDEN', `${what.action} takes did and passphrase, or an API key: being local is not enough`);
    }
    const idempotency = this.idempotency(call, signer, what.status);
    if (isRefusal(idempotency)) return idempotency;
    if (body.nonce === undefined && !idempotency) {
      return invalid('Idempotency-Key', 'is required where the node assigns the nonce');
    }
    // `what` comes last: V8 adds members to a spread one by one, at a price. The actors don't look at its `status`.
    return this.options.actors.execute({
      signer,
      unlock: this.unlock(call, signer),
      nonce: body.nonce,
      prev: body.prev,
      resourcePrev: body.resourcePrev,
      ts: body.ts,
      idempotency,
      ...what,
    });
  }

  /** The request's Idempotency-Key, if it has one; INVALID_REQUEST where it is malformed. */
  idempotency(call: Call, principal: string, status: number): Idempotency | undefined | Refusal {
    const key = call.header('idempotency-key');
    if (key === undefined) return undefined;
    if (!visibleAscii.test(key)) return invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
    return { principal: this.#named(principal), key, status, fingerprint: this.fingerprint(call) };
  }

  /** The journal is for everybody to read: a DID may stand in it, an address of origin or a key's id may not. */
  #named(principal: string): string {
    if (principal.startsWith('did:')) return principal;
    return createHmac('sha256', this.options.fingerprintKey).update(`principal:${principal}`).digest('hex');
  }

  /** Whether a request with this key was accepted before. */
  async isKnown({ principal, key }: Idempotency): Promise<boolean> {
    const { committer, options } = this.options.actors;
    return (await options.store.recall(principal, key, committer.tick())) !== undefined;
  }

  /** HMAC over route and body, the passphrase left out. */
  fingerprint(call: Call): string {
    const { passphrase: _, ...body } = call.body as { passphrase?: string };
    return createHmac('sha256', this.options.fingerprintKey)
      .update(canonical({ body: body as JsonObject, params: call.params, path: call.path }))
      .digest('hex');
  }

  /** Waits for settlement, then renders; marks a reply that was recorded before. */
  async answer(
    accepted: Accepted | Refusal,
    status: 200 | 201,
    render: Render,
    location?: string,
  ): Promise<Reply | Refusal> {
    if (isRefusal(accepted)) return accepted;
    const { settlement } = this.options;
    const { entry, replayed } = accepted;
    const receipt =
      entry.core.moves.length === 0
        ? undefined
        : await (replayed ? settlement.receipt(entry.core.event.hash) : settlement.settled(entry));
    if (receipt?.status === 'reverted') return reverted(entry);
    const headers: { [name: string]: string } = {};
    if (location) headers.Location = location;
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    const told = await render(accepted, receipt);
    return typeof told === 'string' ? { status, text: told, headers } : { status, body: told, headers };
  }
}
