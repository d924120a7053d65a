/**
 * Writes that are signed with the caller's own key (docs/signing.md): the client builds them, or the node says what to sign,
 * and gets a signature only for what the caller asked for. Each event names the one before, so a DID's are signed in turn;
 * those that the client builds need not wait for the answer to the one before.
 */
import { ApiError, SigningError, UnreachableError } from '../errors.js';
import { Http } from '../http.js';
import { unlessAborted } from '../nonces.js';
import type { WriteOptions } from '../write-options.js';
import { actions, type SignedAction } from './actions.js';
import { built } from './built.js';
import {
  canonicalText,
  eventMessageOf,
  hashHex,
  hexText,
  type JsonMembers,
  type JsonValue,
  toBase64Url,
  utf8,
} from './bytes.js';
import { type Completed, type Completing, completed } from './completed.js';
import { type HeldKey, publicKeyIn } from './key.js';
import {
  type AskedWrite,
  checkPayload,
  hashOfPayload,
  type Payload,
  type PreparedEvent,
  type PreparedWrite,
  UnexpectedPayload,
} from './prepared.js';
import { type CompleteEvent, isSigned } from './shown-entry.js';

/** A signed write as it is sent; the same again gives the same reply, and is never a second write. */
export interface SignedWrite {
  readonly event: CompleteEvent;
  readonly payload: Payload;
  readonly leaves?: PreparedWrite['leaves'];
  readonly salt?: string;
  readonly contents?: readonly { readonly dataBase64: string }[];
}

/** Keeps signed writes whose reply has not come, so that a program that ends does not lose them. */
export interface Outbox {
  /** Resolves once the write is safe: it is sent after that. */
  put(write: SignedWrite): Promise<void>;
  /** The write has its reply, or can never take effect. */
  drop(write: SignedWrite): Promise<void>;
}

/** Homes on whose resources a signer writes without being told to: DIDs, or any. */
export type AcceptedHomes = readonly string[] | 'any';

export interface KeyCredentials {
  readonly key: HeldKey;
  readonly outbox?: Outbox;
  /** DID of the node's home; without it, that of the first answer counts from then on. */
  readonly home?: string;
  /** The only network that is signed for; without it, that of the first answer. */
  readonly network?: string;
  /** Other homes on whose resources the client writes by itself; without it, none. */
  readonly homes?: AcceptedHomes;
  /** The arbiter of the network that may decide disputes of this caller; without it, none is accepted. */
  readonly networkArbiter?: string;
  /** Signed writes that the client does not know by itself, by path, as `x-signs` of the node describes them. */
  readonly actions?: SignedActions;
}

/** What a write would do, as the node says. */
export interface WriteOutcome {
  /** Tokens that leave what is available. */
  readonly taken: number;
  /** Tokens that escrows pay to others. */
  readonly paid: number;
  /** DIDs that get Tokens. */
  readonly to: readonly string[];
  /** The states that each resource goes through. */
  readonly versions: readonly { readonly kind: string; readonly id: string; readonly path: readonly string[] }[];
}

/** What is known of a DID at a node. */
export interface KnownEvents {
  home: string | undefined;
  network: string | undefined;
  /** The newest event that this program has signed and knows to be accepted. */
  last: { readonly nonce: number; readonly hash: string } | undefined;
  /** How far the node's clock is ahead, ms, as the newest prepared event showed it. */
  aheadMs: number;
  /** Writes that were sent after it and have no answer yet. Each follows the one before it. */
  inFlight: readonly SentEvent[];
  /** How many may be: half as many after a refusal, which takes along what follows it, and one more after an acceptance. */
  window: number;
  /** Whether an event has got no answer, so that only the node knows which is the newest. */
  isLost: boolean;
  /** Events that were signed after `last` and refused, by hash; without the write, if an earlier program has sent it. */
  readonly refused: Map<string, { readonly nonce: number; readonly write?: SignedWrite }>;
  /** Never rejects. */
  turn: Promise<unknown>;
}

export const noEvents = (home?: string, network?: string): KnownEvents => ({
  ...{ home, network, last: undefined, aheadMs: 0, inFlight: [], isLost: false, window: mostInFlight },
  ...{ refused: new Map(), turn: Promise.resolve() },
});

/** Of an event: whether it is in the journal, as far as the node has said. */
type Fate = 'accepted' | 'refused' | 'unknown';

interface SentEvent {
  readonly write: SignedWrite;
  readonly fate: Promise<Fate>;
}

interface SentAnswer<T> {
  readonly fate: Fate;
  readonly reply?: T;
  readonly error?: unknown;
  /** The event before it was refused. */
  readonly isDead?: boolean;
}

/** By path below /api/v1. */
export type SignedActions = { readonly [path: string]: readonly SignedAction[] };

const anotherEvent = 'the node answers about another event: whether it has this one is unknown';
const contradiction = 'the node refuses an event, and has accepted one that follows it';

/** Events of a DID without an answer. */
const mostInFlight = 16;

/** Events that are read to learn whether an older one is in the journal. */
const mostWalked = 1_000;
/** Refused events after which the client builds none until one is accepted: each may still take effect. */
const mostRefused = 64;

const mostConflicts = 5;
/** Between two looks for an event that is not on disk yet. */
const notShownMs = 20;
/** How far the node's clock may differ from this one, and how long an event lives at most, ms. */
export const tenMinutes = 600_000;
/** How long an event lives that the client builds, ms. */
const builtLifeMs = 60_000;
/** Half of what a node accepts, because clocks differ. */
const proofLifeMs = 150_000;

export class KeyWrites {
  readonly #known: KnownEvents;
  /** Reads as the DID of the key. */
  readonly http: Http;
  #proof: { readonly staleAt: number; readonly header: Promise<string> } | undefined;

  constructor(
    private readonly anonymous: Http,
    readonly credentials: KeyCredentials,
    all: Map<string, KnownEvents> = new Map(),
  ) {
    const { key } = credentials;
    const { home, network } = { ...credentials, ...anonymous.options.place };
    const known = all.get(key.did) ?? noEvents(home, network);
    all.set(key.did, known);
    this.#known = known;
    this.http = new Http({ ...anonymous.options, reader: () => this.#reader() });
  }

  /** `Svc-Reader` (docs/reference/access.md#readers). Signed again when half of its life is over. */
  async #reader(): Promise<string> {
    const now = this.anonymous.options.environment.now();
    if (!this.#proof || this.#proof.staleAt <= now || this.#proof.staleAt > now + proofLifeMs) {
      const header = this.#signedReader(now + proofLifeMs);
      this.#proof = { staleAt: now + proofLifeMs / 2, header };
      header.catch(() => {
        this.#proof = undefined;
      });
    }
    return this.#proof.header;
  }

  async #signedReader(exp: number): Promise<string> {
    await this.#place();
    const { key, home = this.#known.home } = this.credentials;
    return readerProof(key, { exp, home, network: this.#known.network });
  }

  /** Signs and sends. What the client has built and the node refuses is prepared: that gives the refusal of the action. */
  async signed<T>(path: string, body: object, options: WriteOptions = {}): Promise<T> {
    const context = this.#context(path, body as JsonMembers);
    let made: Completed | undefined;
    // What another home may have to do is prepared, so that nothing is signed here first.
    let mayBuild = !(this.credentials.homes?.length && isOnResource(path, this.credentials.actions));
    let signedHash: string | undefined;
    const noting = (error: unknown) =>
      error instanceof ApiError && signedHash !== undefined ? Object.assign(error, { signedHash }) : error;
    for (let conflicts = 0; ; ) {
      const { isBuilt, answered } = await this.#inTurn(async () => {
        made ??= await completed(context);
        const asked = this.#askedWrite(context, made);
        const known = this.#known;
        while (known.inFlight.length >= known.window) await unlessAborted(known.inFlight[0]!.fate, options.signal);
        const newest = known.inFlight.at(-1);
        // Its answer can come after that to the one that follows it.
        const before = newest && newest.write.event.nonce > (known.last?.nonce ?? 0) ? newest : undefined;
        const its = mayBuild ? await this.#built(before, asked, made, options) : undefined;
        const write = its ?? (await this.#prepared(path, asked, made, options));
        options.signal?.throwIfAborted();
        signedHash = write.event.hash;
        const answered = await this.#begun<T>(write, { options, before: its && before?.fate });
        if (!its) await answered.answer;
        return { isBuilt: its !== undefined, answered };
      }, options.signal).catch((error: unknown) => {
        throw noting(error);
      });
      const { fate, reply, error, isDead } = await answered.answer;
      if (fate === 'accepted' && !error) return { ...reply!, ...made!.kept };
      if (isDead) continue;
      if (fate !== 'refused') throw noting(error);
      mayBuild = false;
      if (isBuilt) continue;
      noting(error);
      if (!(error instanceof ApiError) || error.nextNonce === undefined || options.nonce !== undefined) throw error;
      if (conflicts++ < mostConflicts) continue;
      error.message += `: another program signs with this key (${mostConflicts + 1} times it was first)`;
      throw error;
    }
  }

  /** What a write would do. Nothing is signed, and nothing is written. */
  async outcome(path: string, body: object): Promise<WriteOutcome> {
    const context = this.#context(path, body as JsonMembers);
    const made = await completed(context);
    const { prepared, outcome } = (await this.#asked(path, made.members, {})) ?? {};
    checkPayload(prepared, this.#askedWrite(context, made));
    if (!outcome) throw new UnexpectedPayload(['outcome']);
    return outcome;
  }

  /** Sends a write of the outbox again. One for another home stays there: a refusal here would say nothing about it. */
  again<T>(write: SignedWrite, options: WriteOptions = {}): Promise<T> {
    return this.#inTurn(async () => {
      await this.#place();
      const { home = this.#known.home } = this.credentials;
      if (write.event.home !== home)
        throw new SigningError(`it is for the home ${write.event.home}, and this client is at ${home}`);
      await this.#drained(options.signal);
      const { answer } = await this.#begun<T>(write, { options, isAgain: true });
      const { reply, error } = await answer;
      if (error) throw error;
      return reply!;
    }, options.signal);
  }

  async #drained(signal: AbortSignal | undefined): Promise<void> {
    const { inFlight } = this.#known;
    await unlessAborted(Promise.all(inFlight.map(({ fate }) => fate)), signal);
    if (this.#known.inFlight.length > 0) await this.#drained(signal);
  }

  /** @param signal heeded while it waits */
  #inTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { turn } = this.#known;
    const its = unlessAborted(turn, signal).then(work);
    this.#known.turn = Promise.allSettled([turn, its]);
    return its;
  }

  #context(path: string, body: JsonMembers) {
    const { key, actions: more } = this.credentials;
    const { action, parameters } = actionAt(path, more);
    return { action, key, http: this.http, parameters, body, place: () => this.#place() };
  }

  #askedWrite({ action, parameters, key }: Completing, made: Completed): AskedWrite {
    const { networkArbiter } = this.credentials;
    return { action, members: { ...parameters, ...made.members }, issuer: key.did, networkArbiter };
  }

  async #place(): Promise<string> {
    const known = this.#known;
    if (known.home === undefined || known.network === undefined) {
      const node = await this.anonymous.get<{ home: string; network: string }>('/node');
      known.home ??= node.home;
      known.network ??= node.network;
      if (known.network !== node.network)
        throw new SigningError(`this key is used for ${known.network}, and the node is of ${node.network}`);
    }
    return `v2:${known.network}:${known.home}`;
  }

  /** What the client can build after its newest event; undefined: the node must prepare it. */
  async #built(
    before: SentEvent | undefined,
    asked: AskedWrite,
    made: Completed,
    options: WriteOptions,
  ): Promise<SignedWrite | undefined> {
    const { isLost, home, network, aheadMs, refused } = this.#known;
    const last = before?.write.event ?? this.#known.last;
    if (refused.size >= mostRefused) return undefined;
    if (isLost || !last || home === undefined || network === undefined) return undefined;
    const { credentials } = this;
    if ((credentials.home ?? home) !== home || (credentials.network ?? network) !== network) return undefined;
    const { drawBytes, now } = this.http.options.environment;
    const { nonce = last.nonce + 1, prev, ts = now() + aheadMs, until = ts + builtLifeMs, most } = options;
    if (nonce !== last.nonce + 1 || (prev ?? last.hash) !== last.hash) return undefined;
    const write = await built(asked, drawBytes);
    if (!write) return undefined;
    const { type, ...payload } = write;
    const { issuer } = asked;
    const event: PreparedEvent = {
      ...{ v: 3, type, issuer, pub: hexText(publicKeyIn(issuer)), home, network, nonce, prev: last.hash, ts, until },
      ...(most !== undefined && { most }),
    };
    return this.#completed({ ...payload, event }, made);
  }

  async #prepared(path: string, asked: AskedWrite, made: Completed, options: WriteOptions): Promise<SignedWrite> {
    const { key } = this.credentials;
    await this.#drained(options.signal);
    const { prepared } = (await this.#asked(path, made.members, options)) ?? {};
    checkPayload(prepared, asked);
    await this.#checkEvent(prepared.event, options);
    const { signatureOver } = made;
    const signs = signatureOver === undefined ? [] : [{ at: '/signature', message: hexText(utf8(signatureOver)) }];
    if (canonicalText((prepared.signs ?? []) as JsonValue) !== canonicalText(signs))
      throw new UnexpectedPayload(['signs']);
    if (signatureOver === undefined) return this.#completed(prepared, made);
    const signature = toBase64Url(await key.sign(utf8(signatureOver)));
    const { payload } = prepared;
    return this.#completed({ ...prepared, payload: { ...payload, input: { ...payload.input, signature } } }, made);
  }

  /** With hashes and signature. */
  async #completed(whole: PreparedWrite, { contents }: Completed): Promise<SignedWrite> {
    const { event, payload, leaves, confidential, salt } = whole;
    const text = { ...event, payloadHash: await hashOfPayload(whole) };
    const bodyText = canonicalText(text as unknown as JsonMembers);
    const hash = await hashHex(bodyText);
    const sig = toBase64Url(await this.credentials.key.sign(eventMessageOf(bodyText, hash)));
    return {
      ...{ event: { ...text, hash, sig }, payload },
      ...(leaves && { leaves }),
      ...(confidential && salt !== undefined && { salt }),
      ...(contents && { contents }),
    };
  }

  #asked(path: string, members: JsonMembers, options: WriteOptions) {
    const { key } = this.credentials;
    const { nonce, prev, ts, most, until, signal, timeoutMs } = options;
    const stated = Object.entries({ nonce, prev, ts, most, until }).filter(([, value]) => value !== undefined);
    const body = { did: key.did, prepare: true, ...members, ...Object.fromEntries(stated) };
    return this.http.send<{ prepared?: unknown; outcome?: WriteOutcome } | null>({
      method: 'POST',
      path,
      body,
      signal,
      timeoutMs,
    });
  }

  /** @throws UnexpectedPayload if the event is not one that this caller would make */
  async #checkEvent(event: PreparedEvent, options: WriteOptions): Promise<void> {
    const { did } = this.credentials.key;
    const known = this.#known;
    const ownHome = this.credentials.home ?? known.home;
    const { v, type, issuer, pub, home, network, nonce, prev, ts, most, until, ...more } = event;
    const now = this.http.options.environment.now();
    const checks: { readonly [name: string]: boolean } = {
      v: v === 3,
      type: typeof type === 'string' && /^[a-z.-]{1,200}$/.test(type),
      issuer: issuer === did,
      pub: pub === hexText(publicKeyIn(did)),
      home: home === (ownHome ?? String(home)),
      network: network === (this.credentials.network ?? known.network ?? String(network)),
      nonce: Number.isSafeInteger(nonce) && nonce > (known.last?.nonce ?? 0) && nonce === (options.nonce ?? nonce),
      prev: nonce === 1 ? prev === null : /^[0-9a-f]{64}$/.test(String(prev)),
      ts: Number.isSafeInteger(ts) && (options.ts === undefined ? Math.abs(ts - now) <= tenMinutes : ts === options.ts),
      most: most === options.most,
      until:
        Number.isSafeInteger(until) &&
        (options.until === undefined ? until! > ts && until! <= ts + tenMinutes : until === options.until),
    };
    const wrong = [...Object.keys(checks).filter((name) => !checks[name]), ...Object.keys(more)];
    if (wrong.length > 0) throw new UnexpectedPayload(wrong.map((name) => `event.${name}`));
    const isNext = known.last && nonce === known.last.nonce + 1;
    if (isNext && prev !== known.last!.hash) throw new UnexpectedPayload(['event.prev']);
    if (prev !== null && !isNext) await this.#checkPrevious(event, prev);
    known.home = home;
    known.network = network;
    known.isLost = false;
    if (options.ts === undefined) known.aheadMs = ts - now;
  }

  /**
   * The event before must be this key's own: else a node could have a write signed again, though the first is in its journal.
   * So must those before it be, down to the nonce of an event that the node says it has refused.
   */
  async #checkPrevious(event: PreparedEvent, prev: string): Promise<void> {
    const { refused } = this.#known;
    const newest = { nonce: event.nonce - 1, hash: prev };
    const first = Math.min(newest.nonce, ...[...refused.values()].map(({ nonce }) => nonce));
    const own = await this.#ownEvents(newest, first, event);
    const committed = own?.filter(({ hash }) => refused.has(hash)).at(-1);
    if (own && !committed) return;
    const { write } = refused.get(committed?.hash ?? '') ?? {};
    throw Object.assign(new UnexpectedPayload(['event.prev'], committed?.hash), { write });
  }

  /**
   * @param first nonce of the oldest that is read
   * @returns from the newest down to that; undefined unless the node shows each as this key's own
   */
  async #ownEvents(
    newest: { readonly nonce: number; readonly hash: string },
    first: number,
    { home, network }: Pick<PreparedEvent, 'home' | 'network'>,
  ): Promise<readonly CompleteEvent[] | undefined> {
    const { key } = this.credentials;
    const found: CompleteEvent[] = [];
    let { nonce, hash } = newest;
    if (nonce - first >= mostWalked)
      throw new SigningError(`more than ${mostWalked} events follow one that was refused`);
    for (; nonce >= first; nonce--) {
      const event = this.#known.refused.get(hash)?.write?.event ?? (await this.#shown(hash));
      const isOwn =
        event?.hash === hash &&
        event.issuer === key.did &&
        event.home === home &&
        event.network === network &&
        event.nonce === nonce;
      if (!isOwn || !(await isSigned(event))) return undefined;
      found.push(event);
      hash = String(event.prev);
    }
    return found;
  }

  /** An event counts as the newest a moment before it is on disk and shown: one that another program has just signed. */
  async #shown(hash: string): Promise<CompleteEvent | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        return (await this.http.get<{ event?: CompleteEvent } | null>(`/events/${hash}`))?.event;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404 || tries > mostConflicts) throw error;
        await this.http.options.environment.wait(tries * notShownMs);
      }
    }
  }

  /** Sends a write once it is in the outbox. */
  async #begun<T>(write: SignedWrite, sending: SendingEvent): Promise<{ answer: Promise<SentAnswer<T>> }> {
    const known = this.#known;
    await this.credentials.outbox?.put(write);
    // What is prepared can be the same event as the one that was refused.
    known.refused.delete(write.event.hash);
    const answer = this.#answered<T>(write, sending).then((found) => this.#settled(write, found, sending.isAgain));
    const fate = answer.then(
      (found) => found.fate,
      () => 'unknown' as const,
    );
    known.inFlight = [...known.inFlight, { write, fate }];
    return { answer };
  }

  /** The answer to a write, once that to the one before it is known. */
  async #answered<T>(write: SignedWrite, { options, before, isAgain }: SendingEvent): Promise<SentAnswer<T>> {
    // While it was signed.
    if (this.#known.refused.has(String(write.event.prev))) return { fate: 'refused', isDead: true };
    const answer = await this.#sent<T>(write, options, isAgain);
    if (!before || answer.fate === 'accepted') return answer;
    const fate = await before;
    if (fate === 'refused') return { ...answer, fate: 'refused', isDead: true };
    // It may have been refused because the one before it had not come yet.
    return fate === 'accepted' && answer.fate === 'refused' ? this.#sent<T>(write, options) : answer;
  }

  async #settled<T>(write: SignedWrite, came: SentAnswer<T>, isAgain = false): Promise<SentAnswer<T>> {
    const known = this.#known;
    const { nonce, hash } = write.event;
    const isOver = nonce <= (known.last?.nonce ?? 0);
    // The one before it was refused.
    const isDead = came.isDead || (came.fate === 'accepted' && known.refused.has(hash));
    const found: SentAnswer<T> = isDead ? { ...came, fate: 'refused', isDead } : came;
    const isProven = async () => found.isDead || (isAgain && (await this.#isReplaced(write.event).catch(() => false)));
    const isDoubtful = found.fate === 'refused' && isOver && !(await isProven());
    const doubt = isAgain ? found.error : new SigningError(contradiction);
    const answer: SentAnswer<T> = isDoubtful ? { fate: 'unknown', error: doubt } : found;
    const at = known.inFlight.findIndex((each) => each.write === write);
    if (answer.fate === 'accepted') this.#accepted(nonce, hash);
    if (answer.fate === 'refused' && !isOver) {
      // What follows a refused event can't take effect either.
      const following = known.inFlight.slice(at < 0 ? Infinity : at).map((each) => each.write);
      for (const { contents: _, ...each } of [write, ...following])
        known.refused.set(each.event.hash, { nonce: each.event.nonce, write: each });
      if (!isDead) known.window = Math.max(Math.floor(known.window / 2), 1);
    }
    known.inFlight = known.inFlight.filter((each) => each.write !== write && !known.refused.has(each.write.event.hash));
    if (answer.fate === 'unknown') {
      known.isLost = true;
      if ([ApiError, UnreachableError, SigningError].some((kind) => answer.error instanceof kind))
        Object.assign(answer.error as Error, { write });
    } else {
      try {
        await this.credentials.outbox?.drop(write);
      } catch {
        // What stays in the outbox gets the same answer again.
      }
    }
    return answer;
  }

  /** Whether the node shows another event of this key in its place, under the newest one. */
  async #isReplaced(event: CompleteEvent): Promise<boolean> {
    const { last } = this.#known;
    const own = last && (await this.#ownEvents(last, event.nonce, event));
    return own !== undefined && own.at(-1)?.hash !== event.hash;
  }

  async #sent<T>(write: SignedWrite, { signal, timeoutMs }: WriteOptions, isAgain = false): Promise<SentAnswer<T>> {
    const { hash } = write.event;
    try {
      // The event identifies itself, so that it can be sent again after a broken connection.
      const reply = await this.http.send<T>({
        ...{ method: 'POST', path: '/events', body: write, idempotencyKey: hash, signal, timeoutMs },
      });
      if ((reply as { readonly eventHash?: string } | null)?.eventHash === hash) return { fate: 'accepted', reply };
      return { fate: 'unknown', error: new SigningError(anotherEvent) };
    } catch (error) {
      if (!(error instanceof ApiError)) return { fate: 'unknown', error };
      const fate = isSure(error, isAgain) ? 'refused' : 'unknown';
      return { fate: error.problem?.committed === true ? 'accepted' : fate, error };
    }
  }

  /** A write of the outbox may be older than the newest one. */
  #accepted(nonce: number, hash: string): void {
    const known = this.#known;
    if (nonce <= (known.last?.nonce ?? 0)) return;
    known.last = { nonce, hash };
    known.window = Math.min(known.window + 1, mostInFlight);
    for (const [each, its] of known.refused) if (its.nonce <= nonce) known.refused.delete(each);
  }
}

interface SendingEvent {
  readonly options: WriteOptions;
  /** Of the event before it. */
  readonly before?: Promise<Fate> | undefined;
  /** The event may be in the journal already. */
  readonly isAgain?: boolean;
}

/** Whether an error says that an event was refused. @param isAgain the event may be in the journal already */
function isSure({ status, refusal, isRepeated }: ApiError, isAgain: boolean): boolean {
  if (status >= 500 || status === 429 || refusal === undefined) return false;
  // These come before the node has looked for the event in its journal.
  return !(isAgain || isRepeated) || !['UNAUTHORIZED', 'FORBIDDEN'].includes(refusal);
}

/** The text of a `Svc-Reader`. */
export async function readerProof(key: HeldKey, stated: JsonMembers): Promise<string> {
  const text = canonicalText({ did: key.did, ...stated });
  const signature = await key.sign(utf8(`svc:reader:v1:${text}`));
  return `v1.${toBase64Url(utf8(text))}.${toBase64Url(signature)}`;
}

/** Whether a write is on a resource of its path, which can be another home's: no home can move one on the signer's own account. */
export const isOnResource = (path: string, more?: SignedActions): boolean =>
  Object.keys(actionAt(path, more).parameters).some((name) => name !== 'did' && name !== 'address');

/** The action behind a path below /api/v1. */
export function actionAt(
  path: string,
  more: SignedActions = {},
): { action: SignedAction; parameters: { readonly [name: string]: string } } {
  const parts = path.split('/');
  // Its own come first: no node can say what those are.
  for (const [template, found] of [...Object.entries(actions), ...Object.entries(more)]) {
    const names = template.split('/');
    const isIts =
      names.length === parts.length && names.every((name, at) => name.startsWith(':') || name === parts[at]);
    if (!isIts) continue;
    const values = names.flatMap((name, at) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[at]!)]] : [],
    );
    const parameters: { [name: string]: string } = Object.fromEntries(values);
    // Kinds that share a path differ in how their ids begin.
    const kinds = found.filter(({ id, prefix = '' }) => found.length === 1 || parameters[id ?? '']?.startsWith(prefix));
    if (kinds[0]) return { action: kinds[0], parameters };
  }
  throw new SigningError(`${path} takes no write that a key of the caller can sign`);
}
