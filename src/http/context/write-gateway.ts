/**
 * Signs and submits writes: who signs, the signer's key, the idempotency key, the seven steps, the reply once it has
 * settled (docs/reference/accounts-and-nonces.md#who-signs, docs/reference/requests.md#idempotency).
 */
import { createHmac } from 'node:crypto';
import type { Accepted, Command, Idempotency, PresentedEvent } from '../../actors/command.js';
import type { WritePath } from '../../actors/write-path.js';
import type { SettlementReceipt } from '../../chain/settlement/settlement.js';
import { canonical, type JsonObject } from '../../core/canonical.js';
import { leavesIn } from '../../core/leaf.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { Keystore } from '../../keys/keystore.js';
import { dryRunSigner, noKey } from '../../keys/presented.js';
import type { Signer } from '../../keys/signing.js';
import type { Request } from '../../machines/kernel/resource.js';
import { boundToAnother, type Caller, callerName } from '../access/caller.js';
import type { KdfQuota } from '../access/quotas.js';
import { preparedView } from '../render/prepared-view.js';
import type { Call, Reply } from '../server/route.js';
import type { AwaitSettlement, Execute } from './execute.js';
import type { SignedBody } from './signed-body.js';

/** A request that is to be signed. `resourcePrev` replaces that of the body, if it names a transaction. */
export interface Signable extends Request, Pick<Command, 'resourcePrev' | 'contents' | 'prechecked'> {
  /** HTTP status of the reply. */
  readonly status: 200 | 201;
}

export interface WriteGatewayOptions {
  readonly actors: WritePath;
  readonly keystore: Keystore;
  readonly execute: Execute;
  readonly settle: AwaitSettlement;
  /** The node's own DID, which signs for keyless loopback callers on routes where the signer is optional. */
  readonly nodeDid: string;
  /** Secret of the database, for fingerprints. */
  readonly fingerprintKey: Uint8Array;
  readonly kdfQuota: KdfQuota;
}

type Render = (accepted: Accepted, receipt: SettlementReceipt | undefined) => JsonObject | Promise<JsonObject>;

/** How long a prepared event may be written after it was signed, if its signer says nothing else. */
const defaultLifeMs = 60_000;

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

export class WriteGateway {
  constructor(private readonly options: WriteGatewayOptions) {}

  /**
   * The signer of a write: the DID in the body, else the caller's own: the DID of its API key, or the node's for a
   * loopback caller.
   */
  signerOf({ body, caller }: Call): string | Refusal {
    const { did, passphrase, prepare } = body as SignedBody;
    const bound = boundToAnother(caller, did);
    if (bound) return bound;
    if (prepare) return did ?? caller.did ?? invalid('did', 'is required');
    // Without a passphrase a caller may only sign as its own DID, not as any DID that happens to be unlocked.
    const standsFor = caller.did ?? (caller.loopback ? this.options.nodeDid : undefined);
    const signer = did ?? standsFor;
    if (signer === undefined) return invalid('did', 'is required: this API key is bound to no DID');
    if (passphrase !== undefined || signer === standsFor) return signer;
    return caller.scope === 'admin' && signer === this.options.nodeDid ? signer : invalid('passphrase', 'is required');
  }

  /** Unlocks the signer's key. */
  unlock(call: Call, signer: string): Command['unlock'] {
    const { keystore } = this.options;
    const { passphrase, prepare } = call.body as SignedBody;
    if (prepare) return () => noKey;
    const noted = <T>(opened: T): T => {
      call.unlocked = !isRefusal(opened);
      return opened;
    };
    return () => {
      if (passphrase === undefined) {
        const says = 'the signer’s key is locked: send passphrase, or have the operator unlock it';
        return noted(keystore.held(signer) ?? refuse('TRANSFER_NOT_ALLOWED', says));
      }
      const opening = this.open(call.caller, signer, passphrase);
      return opening instanceof Promise ? opening.then(noted) : noted(opening);
    };
  }

  /** Whether the signer's key was requested. */
  hasAskedForKey = (call: Call): boolean => call.unlocked !== undefined;

  /** Whether the caller may act only because it is local. It may then not move the signer's Tokens. */
  isByLocality = ({ caller, body }: Call): boolean => caller.loopback && (body as SignedBody).passphrase === undefined;

  /** Whether the caller has proven to be the signer: by its API key, a proof, or by unlocking the signer's key. */
  hasProven = (call: Call, signer: string): boolean => call.caller.reader === signer || call.unlocked === true;

  /** Unlocks a signer by passphrase: at once if it is in memory already, else within the caller's quota of KDF runs. */
  open(caller: Caller, did: string, passphrase: string): Signer | Refusal | Promise<Signer | Refusal> {
    const { keystore, kdfQuota } = this.options;
    return (
      keystore.unlocked(did, passphrase) ??
      kdfQuota.take(caller).then((refused) => refused ?? keystore.unlock(did, passphrase, callerName(caller)))
    );
  }

  /**
   * Takes a signed write through the seven steps (actors/write-path.ts). `call.body` was validated with `signerFields` or
   * the optional ones.
   */
  async sign(call: Call, what: Signable): Promise<Accepted | Refusal> {
    const body = call.body as SignedBody;
    const signer = this.signerOf(call);
    if (isRefusal(signer)) return signer;
    if (body.prepare) return this.#prepare(call, signer, what);
    const unproven = this.unproven(call, what);
    if (unproven) return unproven;
    const idempotency = this.idempotency(call, signer, what.status);
    if (isRefusal(idempotency)) return idempotency;
    // Where the signer may be left out, a local caller may omit both: the node then assigns the nonce, and the reply can't be replayed.
    if (body.nonce === undefined && !idempotency && !call.caller.loopback) {
      return invalid('Idempotency-Key', 'is required where the node assigns the nonce');
    }
    // `what` comes last, because V8 adds members after a spread one by one, which is slow. The actors ignore its
    // `status`.
    const command: Command = {
      signer,
      unlock: this.unlock(call, signer),
      nonce: body.nonce,
      // Null means the same as absent.
      prev: body.prev ?? undefined,
      resourcePrev: body.resourcePrev ?? undefined,
      ts: body.ts,
      most: body.most,
      until: body.until,
      idempotency,
      mayNotDebit: this.isByLocality(call) ? signer : undefined,
      isAbandoned: () => call.abandoned,
      onPlaced: call.onPlaced,
      mayWait: call.mayWait,
      ...what,
    };
    return this.#execute(command, call);
  }

  /** What the signer would sign, and what would follow (docs/signing.md#prepare). Writes nothing. */
  #prepare(call: Call, signer: string, what: Signable): Promise<Accepted | Refusal> {
    const { nonce, prev, resourcePrev, ts, most, until } = call.body as SignedBody;
    // As if the key did not open: what the caller may not see stays hidden.
    call.unlocked = false;
    const now = this.options.actors.options.world.now();
    const command: Command = {
      ...{ signer, unlock: () => dryRunSigner(signer), dryRun: { reader: call.caller.reader } },
      ...{ nonce, prev: prev ?? undefined, resourcePrev: resourcePrev ?? undefined },
      ...{ ts, most, until: until ?? (ts ?? now) + defaultLifeMs, isAbandoned: () => call.abandoned },
      ...what,
    };
    return this.options.execute(command, call);
  }

  /** Takes an event that was signed elsewhere through the same steps. */
  present(call: Call, what: Omit<Signable, 'status'>, presented: PresentedEvent): Promise<Accepted | Refusal> {
    const { event, signer } = presented;
    const { nonce, prev, ts, most, until } = event;
    const command: Command = {
      ...{ signer: event.issuer, presented, nonce, prev, ts, most, until, isAbandoned: () => call.abandoned },
      ...{ unlock: () => signer, onPlaced: call.onPlaced, mayWait: call.mayWait },
      ...what,
    };
    return this.#execute(command, call);
  }

  /** The replies of a batch are rendered a few in a turn, although its writes reach the disk together. */
  #execute(command: Command, call: Call): Promise<Accepted | Refusal> {
    const outcome = this.options.execute(command, call);
    return call.rendersInTurn ? outcome.then((accepted) => call.rendersInTurn!().then(() => accepted)) : outcome;
  }

  /** FORBIDDEN if the action requires a passphrase or a key even from loopback callers, and there is none. */
  unproven({ caller, body }: Call, { kind, action }: Pick<Signable, 'kind' | 'action'>): Refusal | undefined {
    if (!caller.loopback || (body as SignedBody).passphrase !== undefined) return undefined;
    const definition = this.options.actors.options.catalogue.definitions[kind];
    return definition?.form === 'machine' && definition.actions[action]?.notByLoopback === true
      ? refuse('FORBIDDEN', `${action} takes did and passphrase, or an API key: being local is not enough`)
      : undefined;
  }

  /** The request's Idempotency-Key, if it has one; INVALID_REQUEST if it is malformed. */
  idempotency(call: Call, principal: string, status: number): Idempotency | undefined | Refusal {
    const key = call.header('idempotency-key');
    if (key === undefined) return undefined;
    if (!visibleAscii.test(key)) return invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
    return { fingerprint: this.fingerprint(call), key, principal: this.#named(principal), status };
  }

  /**
   * The principal as the journal records it. Everyone may read the journal, so addresses and ids of API keys are
   * hashed, and DIDs are not.
   */
  #named(principal: string): string {
    if (principal.startsWith('did:')) return principal;
    return createHmac('sha256', this.options.fingerprintKey).update(`principal:${principal}`).digest('hex');
  }

  /** Whether a request with this key was accepted before. */
  async isKnown({ principal, key }: Idempotency): Promise<boolean> {
    return (await this.options.actors.recorded(principal, key)) !== undefined;
  }

  /** The id of the resource that an earlier request with this Idempotency-Key wrote, if it was of this kind. */
  async recalledId(call: Call, kind: string): Promise<string | undefined> {
    const signer = this.signerOf(call);
    const idempotency = isRefusal(signer) ? undefined : this.idempotency(call, signer, 200);
    if (!idempotency || isRefusal(idempotency)) return undefined;
    const recorded = await this.options.actors.recorded(idempotency.principal, idempotency.key);
    return recorded?.snapshots.find((each) => each.kind === kind)?.id;
  }

  /** HMAC over path and body, without the passphrase. */
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
    const { entry, prepared } = accepted;
    if (prepared) {
      const drawn = new Set(prepared.contents.map(({ hash }) => hash));
      const earlier = [...leavesIn(entry.payload.input)].filter((hash) => !drawn.has(hash));
      const texts = await this.options.actors.options.store.texts(earlier);
      return { status: 200, body: preparedView(entry, prepared, texts) };
    }
    const receipt = await this.options.settle(accepted);
    if (isRefusal(receipt)) return receipt;
    const headers: { [name: string]: string } = {};
    if (location) headers.Location = location;
    if (accepted.replayed) headers['Idempotent-Replayed'] = 'true';
    return { status, body: await render(accepted, receipt), headers, contents: accepted.contents };
  }
}
