/**
 * Acts at other homes with keys of this node's keystore (docs/reference/other-homes.md#acts): the node is a client of that
 * home. It signs what the caller asked for and nothing else, keeps the signed event until its home has answered, and sends
 * it again until then.
 */
import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { ApiError, SigningError } from '../../../packages/client/src/errors.js';
import { Http } from '../../../packages/client/src/http.js';
import { agreementKeyOf, type HeldKey } from '../../../packages/client/src/signing/key.js';
import {
  KeyWrites,
  type KnownEvents,
  noEvents,
  readerProof,
  type SignedWrite,
} from '../../../packages/client/src/signing/key-writes.js';
import type { WriteOptions } from '../../../packages/client/src/write-options.js';
import { Background } from '../../core/background.js';
import { actBounds, bounds, dayMs } from '../../core/bounds.js';
import { canonical, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { agreement } from '../../core/codecs/x25519.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import type { Log } from '../../core/log.js';
import { isRefusal, type Refusal, RefusedError, refuse } from '../../core/refusal.js';
import { type Signer, x25519KeyOf } from '../../keys/signing.js';
import type { ForeignViews, HomeView } from '../../peers/views/foreign-views.js';
import type { Store } from '../../store/store.js';

export interface ActsOptions {
  readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal' | 'listLocal'>;
  readonly world: Environment;
  readonly network: string;
  /** DID of this node. */
  readonly nodeDid: string;
  /** The arbiter of the network that this node's callers accept. */
  readonly networkArbiter: string | undefined;
  readonly views: ForeignViews;
  readonly log: Log;
}

export interface HomeAct {
  /** DID of the home. */
  readonly home: string;
  readonly signer: Signer;
  /** Below /api/v1. */
  readonly path: string;
  /** What the caller asks for, without who signs. */
  readonly body: JsonObject;
  readonly options: WriteOptions & { readonly nonce: number };
  /** A refusal of this node, before anything is signed. */
  readonly admits?: () => Promise<Refusal | undefined>;
}

/** Decrypts something with the caller's key (packages/client/src/signing/opening.ts). */
export type Opener<T> = (http: Http, key: HeldKey, id: string) => Promise<T>;

/** The newest act of a DID at a home. Local to the database: it is in its backups, and not in the journal. */
interface ActRecord {
  /** Hash of what its caller asked for. */
  readonly request: string;
  readonly write: SignedWrite;
  /** Whether the home has not answered. */
  readonly isOpen: boolean;
  readonly last: KnownEvents['last'] | null;
  readonly refused: readonly string[];
  /** The newest acts that were accepted. */
  readonly done: readonly DoneAct[];
}

interface DoneAct {
  readonly nonce: number;
  readonly request: string;
  /** Of its event. */
  readonly hash: string;
}

const acts = 'acts';
/** Names of the acts without an answer. */
const open = 'open-acts';
/** Statements that let this node read at a home for a DID. */
const readers = 'readers';

interface KeptReader {
  readonly exp: number;
  /** The text of a `Svc-Reader`. */
  readonly proof: string;
}

const withDone = (done: readonly DoneAct[], act: DoneAct): readonly DoneAct[] =>
  [...done.filter(({ hash }) => hash !== act.hash), act].slice(-actBounds.remembered);

const nameOf = (did: string, home: string): string => `${did} ${home}`;

const homeIn = (name: string): string => name.slice(name.indexOf(' ') + 1);

/** A home's answer to an act that neither commits nor refuses it. */
const isUnsure = (status: number): boolean => status >= 500 || [401, 403, 429].includes(status);

const json = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

export class Acts {
  readonly #listeners: ((write: SignedWrite) => void)[] = [];
  readonly #queues = new Map<string, PQueue>();
  readonly #again: Background;
  readonly #over = new AbortController();
  #delayMs: number = actBounds.againFirstMs;

  constructor(private readonly options: ActsOptions) {
    const { world, log } = options;
    // One for each act that is under way.
    setMaxListeners(0, this.#over.signal);
    this.#again = new Background({
      world,
      round: () => this.#sendAgain(),
      onFailure: (err) => log.error({ err }, 'acts at other homes cannot be sent again'),
    });
  }

  /** @param listener gets each act that its home says it has committed, also after it was sent again */
  listen(listener: (write: SignedWrite) => void): void {
    this.#listeners.push(listener);
  }

  /** Sends again what had no answer when the process ended. */
  start(): void {
    this.#again.start();
  }

  async close(): Promise<void> {
    this.#over.abort(refuse('SERVICE_UNAVAILABLE', 'the node stops'));
    await this.#again.stop();
    await Promise.all([...this.#queues.values()].map((queue) => queue.onIdle()));
  }

  /**
   * The home's reply. The same request again sends the same event. A refusal of the home is rejected with as ApiError; with
   * UnreachableError while it is unknown whether the act takes effect, and with SigningError if nothing was signed.
   */
  act(act: HomeAct): Promise<JsonObject | Refusal> {
    const { home, signer } = act;
    return this.#inTurn(nameOf(signer.did, home), (name) => this.#perform(name, act));
  }

  /** What was encrypted for the DID at that home. Rejects as `act` does. */
  open<T>(home: string, signer: Signer, opener: Opener<T>, id: string): Promise<T> {
    const key = heldKeyOf(signer);
    const { network } = this.options;
    return opener(new KeyWrites(this.#http(home), { key, home, network }).http, key, id);
  }

  /** Keeps what shows that home that this node reads there for the DID, also without its key. */
  async keepReader(home: string, signer: Signer): Promise<void> {
    const { store, world, network, nodeDid: through } = this.options;
    const name = nameOf(signer.did, home);
    const stored = await store.getLocal(readers, name);
    const leftMs = ((stored?.value as KeptReader | undefined)?.exp ?? 0) - world.now();
    if (leftMs > bounds.readerThroughMs / 2 && leftMs <= bounds.readerThroughMs) return;
    // Less than the home accepts, because clocks differ.
    const exp = world.now() + bounds.readerThroughMs - dayMs;
    const proof = await readerProof(heldKeyOf(signer), { exp, home, network, through });
    // Another process may have kept one just now: either serves.
    await store.putLocal(readers, name, { exp, proof }, stored?.revision ?? 0);
  }

  /** What `keepReader` has kept. */
  async readerAt(home: string, did: string): Promise<string | undefined> {
    const kept = await this.options.store.getLocal(readers, nameOf(did, home));
    return (kept?.value as KeptReader | undefined)?.proof;
  }

  async #inTurn<T>(name: string, work: (name: string) => Promise<T>): Promise<T | Refusal> {
    const queue = this.#queues.get(name) ?? new PQueue({ concurrency: 1 });
    if (queue.size >= actBounds.waiting)
      return refuse('RATE_LIMITED', 'too many acts of this DID at that home are waiting', { retryAfter: 1 });
    this.#queues.set(name, queue);
    try {
      return await queue.add(() => work(name));
    } finally {
      if (queue.size === 0 && queue.pending === 0) this.#queues.delete(name);
    }
  }

  async #perform(name: string, { home, signer, path, body, options, admits }: HomeAct): Promise<JsonObject | Refusal> {
    const { network, networkArbiter, store } = this.options;
    const request = sha256Hex(canonical({ path, body, options: json(options) }));
    const stored = await store.getLocal(acts, name);
    const record = stored?.value as unknown as ActRecord | undefined;
    let revision = stored?.revision ?? 0;
    let done = record?.done ?? [];
    const earlier = doneBefore(done, request, options.nonce);
    if (earlier && earlier.hash !== record?.write.event.hash) return earlier.refusal;
    const next = (record?.last?.nonce ?? 0) + 1;
    const known: KnownEvents = {
      ...noEvents(home, network),
      last: record?.last ?? undefined,
      refused: new Map(record?.refused.map((hash) => [hash, { nonce: next }])),
    };
    const put = async (write: SignedWrite, isOpen: boolean): Promise<void> => {
      const { last = null, refused } = known;
      const isEarlier = write.event.hash === record?.write.event.hash;
      const asked = isEarlier ? record!.request : request;
      const { hash, nonce } = write.event;
      if (!isOpen && last?.hash === hash) done = withDone(done, { nonce, request: asked, hash });
      const refusals = [...refused.keys()].slice(-actBounds.remembered);
      const value: ActRecord = { request: asked, write, isOpen, last, refused: refusals, done };
      if (!(await store.putLocal(acts, name, json(value), revision)))
        throw new RefusedError(refuse('CONFLICT', `another process sends an act of ${signer.did} to ${home}`));
      revision++;
    };
    const outbox = {
      put: async (write: SignedWrite) => {
        // First, so that no open act is without its name.
        await store.putLocal(open, name, {}, 0);
        await put(write, true);
      },
      drop: async ({ contents: _, ...write }: SignedWrite) => {
        await put(write, false);
        await store.deleteLocal(open, name);
        if (known.last?.hash === write.event.hash) this.#tell(write);
      },
    };
    const credentials = { key: heldKeyOf(signer), home, network, outbox, ...(networkArbiter && { networkArbiter }) };
    const writes = new KeyWrites(this.#http(home), credentials, new Map([[signer.did, known]]));
    try {
      const isKnown = record?.request === request && (record.isOpen || known.last?.hash === record.write.event.hash);
      if (isKnown) return await writes.again<JsonObject>(record.write).catch(contradicted(earlier?.refusal));
      if (record?.isOpen) await settled(writes.again(record.write));
      return (await admits?.()) ?? (await writes.signed<JsonObject>(path, body, options));
    } finally {
      this.#delayMs = actBounds.againFirstMs;
      this.#again.wake(this.#delayMs);
    }
  }

  /** The home's API, over the connection to this peer. */
  #http(home: string): Http {
    const { views, world, network } = this.options;
    const over = this.#over.signal;
    return new Http({
      // Only its path is used.
      url: 'https://home.invalid',
      readTimeoutMs: actBounds.timeMs,
      writeTimeoutMs: actBounds.timeMs,
      place: { home, network },
      environment: {
        async fetch(url, { body, headers, signal }) {
          const { pathname, search } = new URL(url);
          const reader = (headers as { readonly [name: string]: string })['Svc-Reader'];
          const sent = { ...(reader && { reader }), ...(body && { body: JSON.parse(String(body)) as JsonObject }) };
          const ended = AbortSignal.any([signal!, over]);
          const view = await views.ask(home, `${pathname.slice('/api/v1'.length)}${search}`, ended, sent);
          signal!.throwIfAborted();
          return responseOf(view);
        },
        wait: (delayMs, signal = over) => pauseUnless(signal, world, delayMs),
        random: () => world.random(1)[0]! / 256,
        now: () => world.now(),
        drawBytes: (count) => new Uint8Array(world.random(count)),
        newKey: () => Buffer.from(world.random(16)).toString('hex'),
      },
    });
  }

  /** One round over all acts without an answer. @returns the delay before the next one, ms; undefined if there are none */
  async #sendAgain(): Promise<number | undefined> {
    const { store } = this.options;
    const named = await store.listLocal(open);
    if (named.length === 0) return undefined;
    const homes = new Set(named.map(({ id }) => homeIn(id)));
    // Side by side, because one home may be slow.
    await Promise.all([...homes].map((home) => this.#sendTo(named.filter(({ id }) => homeIn(id) === home))));
    if (this.#over.signal.aborted) return undefined;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(2 * delayMs, actBounds.againLongestMs);
    return delayMs;
  }

  async #sendTo(acts: readonly { readonly id: string }[]): Promise<void> {
    for (const { id } of acts) if (!this.#over.signal.aborted) await this.#inTurn(id, () => this.#sendOnce(id));
  }

  async #sendOnce(name: string): Promise<void> {
    const { store, views } = this.options;
    const stored = await store.getLocal(acts, name);
    const record = stored?.value as unknown as ActRecord | undefined;
    if (stored && record?.isOpen) {
      const { write } = record;
      const { home, hash, nonce } = write.event;
      const view = await views.ask(home, '/events', this.#over.signal, { body: json(write) });
      const isDone = !isRefusal(view) && view.status < 300 && view.body.eventHash === hash;
      const isRefused = !isRefusal(view) && view.status >= 400 && !isUnsure(view.status);
      const isCommitted = isDone || (isRefused && view.body.committed === true);
      if (!isCommitted && !isRefused) return;
      const after = isCommitted
        ? { last: { nonce, hash }, refused: [], done: withDone(record.done, { nonce, request: record.request, hash }) }
        : { refused: [...record.refused, hash].slice(-actBounds.remembered) };
      const { contents: _, ...kept } = write;
      const value: ActRecord = { ...record, ...after, write: kept, isOpen: false };
      if (!(await store.putLocal(acts, name, json(value), stored.revision))) return;
      if (isCommitted) this.#tell(write);
    }
    await store.deleteLocal(open, name);
  }

  #tell(write: SignedWrite): void {
    for (const listener of this.#listeners) listener(write);
  }
}

/**
 * The refusal of a request that was done before the newest one, or may have been: without the next nonce, because a caller
 * who takes that for the same request would have it done twice.
 */
function doneBefore(done: readonly DoneAct[], request: string, nonce: number) {
  const same = done.find((each) => each.nonce === nonce && each.request === request);
  if (same) {
    const says = 'this request is done already: read what it has made';
    return {
      hash: same.hash,
      refusal: refuse('CONFLICT', says, { eventHash: same.hash, nonce, committed: true }),
    };
  }
  const isForgotten = done.length === actBounds.remembered && nonce < done[0]!.nonce;
  return isForgotten
    ? { hash: undefined, refusal: refuse('CONFLICT', 'this nonce was used long ago: read the wallet there') }
    : undefined;
}

/** A home that has said once that an event is done is not believed that it is refused: the caller would have it done again. */
function contradicted(done: Refusal | undefined) {
  return (error: unknown): Refusal => {
    if (done && error instanceof ApiError && !isUnsure(error.status)) return done;
    throw error;
  };
}

/** Waits until it is known whether an event took effect. Rejects with UnreachableError, or ApiError, while it is not. */
async function settled(answer: Promise<unknown>): Promise<void> {
  await answer.catch((error: unknown) => {
    if (!(error instanceof ApiError) || isUnsure(error.status)) throw error;
  });
}

/** A key of the keystore, as the client uses the keys of its callers. */
export const heldKeyOf = (signer: Signer): HeldKey => ({
  did: signer.did,
  sign: (message) => Buffer.from(signer.sign(message), 'base64url'),
  agreement: {
    publicKeyHex: agreementKeyOf(signer.did),
    agree(publicKey) {
      const secret = agreement(x25519KeyOf(signer), publicKey);
      if (!secret) throw new SigningError('it was encrypted by a key that keeps no secret');
      return secret;
    },
  },
});

/** @throws RefusedError if the home has not answered */
function responseOf(view: HomeView | Refusal): Response {
  if (isRefusal(view)) throw new RefusedError(view);
  const { status, body } = view;
  const isAnswer = status === 200 || status === 201 || (Number.isInteger(status) && status >= 400 && status <= 599);
  if (!isAnswer) throw new RefusedError(refuse('SERVICE_UNAVAILABLE', `the home has answered with status ${status}`));
  // Problem documents of the API have this member; those to peers don't.
  const text = JSON.stringify(status < 400 ? body : { ...body, error: { code: 'VALIDATION' } });
  return new Response(text, { status });
}
