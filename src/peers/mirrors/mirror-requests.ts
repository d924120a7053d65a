/** The requests of a home to its mirror (docs/reference/mirrors.md#requests), as both sides write them. */
import { mirrorBounds } from '../../core/bounds.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import { parseShaped } from '../../core/json-text.js';
import { Allowance } from '../allowance.js';
import type { MirroredEnd } from '../own-head.js';
import {
  type PeerConnection,
  PeerError,
  type PeerHandler,
  type PeerReply,
  type PeerRequest,
  type PeerResponse,
  problemText,
} from '../transport/transport.js';
import type { MirrorKeeper } from './mirror-keeper.js';
import {
  entriesIn,
  isPieceName,
  type JournalPiece,
  journalPieceOf,
  type PieceCipher,
  type SealedPiece,
} from './piece.js';

/** The mirror's side. A home reaches its own pieces alone: the connection has proven its DID. */
export function mirrorHandlers(keeper: MirrorKeeper): { readonly [route: string]: PeerHandler } {
  return {
    'POST /mirror': (request, reply) => change(keeper, request, reply),
    'GET /mirror/piece': async ({ did, query }, reply) => {
      const name = query.get('name');
      if (!isPieceName(name)) return reply.send(400, problemText('name must be that of a piece'));
      const bytes = await keeper.read(did, name);
      return reply.send(200, JSON.stringify({ bytes: bytes ? base64Of(bytes) : null }));
    },
    'GET /mirror/names': async ({ did, query }, reply) => {
      const after = query.get('after') ?? '';
      const all = await keeper.names(did);
      if (!all) return reply.send(429, problemText('the pieces were listed too often'));
      const names = all.filter((name) => name > after);
      const page = names.slice(0, mirrorBounds.namesAtOnce);
      return reply.send(200, JSON.stringify({ names: page, isMore: page.length < names.length }));
    },
  };
}

async function change(keeper: MirrorKeeper, request: PeerRequest, reply: PeerReply): Promise<unknown> {
  // The largest bodies are for those alone whom the operator has named.
  const body = await request.body(keeper.keeps(request.did) ? mirrorBounds.messageBytes : undefined);
  if (body === undefined) return undefined;
  const { keep, drop } = objectIn(body) ?? {};
  const pieces = listIn(keep, pieceIn);
  const drops = listIn(drop, (name) => (isPieceName(name) ? name : undefined));
  if (!pieces || !drops) return reply.send(400, problemText('the body is not a valid message'));
  const names = [...pieces.map(({ name }) => name), ...drops];
  if (new Set(names).size < names.length) return reply.send(400, problemText('the message names a piece twice'));
  const refused = await keeper.change(request.did, pieces, drops);
  return refused ? reply.send(refused.status, problemText(refused.why)) : reply.send(204);
}

const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

type MirrorMessage = { readonly [member: string]: unknown };

function objectIn(text: string): MirrorMessage | undefined {
  const parsed = parseShaped(text);
  return typeof parsed === 'string' ? undefined : (Object(parsed.value) as MirrorMessage);
}

/** Undefined if it is no list, or longer than allowed, or one of its members is not valid. */
function listIn<T>(value: unknown, read: (each: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > mirrorBounds.messagePieces) return undefined;
  const found = value.map(read);
  return found.some((each) => each === undefined) ? undefined : (found as T[]);
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

function pieceIn(value: unknown): SealedPiece | undefined {
  const [name, text] = Array.isArray(value) ? value : [];
  if (!isPieceName(name) || typeof text !== 'string' || !base64.test(text)) return undefined;
  return { name, bytes: Buffer.from(text, 'base64') };
}

export interface MirrorLinkOptions {
  readonly did: string;
  readonly link: { readonly address: string; readonly request: PeerConnection['request'] };
  readonly cipher: PieceCipher;
  readonly world: Environment;
}

/** The home's side: one mirror. It keeps to what a mirror accepts. All of it rejects with PeerError alone. */
export class MirrorLink {
  readonly did: string;
  readonly #bytes: Allowance;
  readonly #requests: Allowance;
  readonly #closing = new AbortController();

  constructor(private readonly options: MirrorLinkOptions) {
    const { bytesPerSecond, messageBytes, requestsPerSecond, requestsBurst } = mirrorBounds;
    this.did = options.did;
    this.#bytes = new Allowance(options.world, bytesPerSecond, messageBytes);
    this.#requests = new Allowance(options.world, requestsPerSecond, requestsBurst);
  }

  /** Ends what waits for its turn. */
  close(): void {
    this.#closing.abort();
  }

  /** Durable at the mirror when it resolves. */
  async change(pieces: readonly SealedPiece[], drops: readonly string[]): Promise<void> {
    const keep = pieces.map(({ name, bytes }) => [name, base64Of(bytes)]);
    const answer = await this.#request('POST', '/mirror', JSON.stringify({ keep, drop: drops }));
    if (answer.status === 204) return;
    const detail = objectIn(answer.body)?.detail;
    const why = typeof detail === 'string' ? detail.slice(0, 200) : `it answered ${answer.status}`;
    throw new PeerError('status', why, answer.status);
  }

  /** @returns a piece as it was before it was sealed, or what is wrong with what the mirror has */
  async read(name: string): Promise<Buffer | string> {
    const { bytes } = await this.#get(`/mirror/piece?name=${name}`);
    if (bytes === null) return 'it does not have it';
    const piece = typeof bytes === 'string' && (await this.options.cipher.open(name, Buffer.from(bytes, 'base64')));
    return piece || 'it returns other bytes than it was given';
  }

  /** All pieces of the journal that it says it has, in order; none if it does not keep this home. */
  async pieces(): Promise<readonly JournalPiece[]> {
    const found: JournalPiece[] = [];
    for (let isMore = true; isMore; ) {
      const after = found.at(-1)?.name ?? '';
      const answer = await this.#get(`/mirror/names?after=${after}`);
      const pieces = Array.isArray(answer.names)
        ? answer.names.map((name) => journalPieceOf(String(name)))
        : [undefined];
      // Without these checks a mirror could keep the home asking.
      const isInOrder = pieces.every((piece, index) => piece && piece.name > (pieces[index - 1]?.name ?? after));
      if (!isInOrder || found.length + pieces.length > mirrorBounds.pieces) throw this.#malformed('/mirror/names');
      found.push(...(pieces as JournalPiece[]));
      isMore = answer.isMore === true && pieces.length > 0;
    }
    return found;
  }

  /**
   * The newest entry that it has, which this home's key has sealed.
   * @param head the last entry of the own journal. A newer one that the mirror names and does not show may be one that the
   * own journal lacks: `unread` says so
   */
  async newest(head: number): Promise<MirroredEnd> {
    const pieces = (await this.pieces()).toSorted((one, other) => other.last - one.last);
    let unread: string | undefined;
    // Without the bound, a list with many false names would hold up the start.
    for (const { name, last, chainHash } of pieces.slice(0, mirrorBounds.candidates)) {
      const read = await this.read(name);
      if (typeof read !== 'string') {
        return { end: { seq: last, chainHash, time: entriesIn(read).at(-1)!.core.time }, unread };
      }
      if (last > head) unread ??= `its piece up to entry ${last} can't be read: ${read}`;
    }
    return { end: undefined, unread };
  }

  async #get(path: string): Promise<MirrorMessage> {
    const { status, body } = await this.#request('GET', path);
    const parsed = status === 200 ? objectIn(body) : undefined;
    if (!parsed) throw this.#malformed(path);
    return parsed;
  }

  async #request(method: 'GET' | 'POST', path: string, body?: string): Promise<PeerResponse> {
    const { link, world } = this.options;
    const { signal } = this.#closing;
    const bytes = Math.min(body?.length ?? 0, mirrorBounds.messageBytes);
    while (!signal.aborted && !this.#requests.take()) await pauseUnless(signal, world, 20);
    while (!signal.aborted && !this.#bytes.take(bytes)) await pauseUnless(signal, world, 50);
    if (signal.aborted) throw new PeerError('closed', `${link.address}: closed`);
    return link.request(method, path, { maxBytes: mirrorBounds.messageBytes, ...(body === undefined ? {} : { body }) });
  }

  #malformed = (path: string): PeerError =>
    new PeerError('malformed', `${this.options.link.address}: the answer to ${path.replace(/\?.*/, '')} is not valid`);
}
