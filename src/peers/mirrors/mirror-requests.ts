/** The requests of a home to its mirror (docs/reference/mirrors.md#requests), as both sides write them. */
import { mirrorBounds } from '../../core/bounds.js';
import { parseShaped } from '../../core/json-text.js';
import {
  type PeerConnection,
  PeerError,
  type PeerHandler,
  type PeerReply,
  type PeerRequest,
} from '../transport/transport.js';
import type { MirrorKeeper } from './mirror-keeper.js';
import { isPieceName, type SealedPiece } from './piece.js';

/** The mirror's side. A home reaches its own pieces alone: the connection has proven its DID. */
export function mirrorHandlers(keeper: MirrorKeeper): { readonly [route: string]: PeerHandler } {
  return {
    'POST /mirror': (request, reply) => change(keeper, request, reply),
    'GET /mirror/piece': async ({ did, query }, reply) => {
      const name = query.get('name');
      if (!isPieceName(name)) return reply.send(400, problem('name must be that of a piece'));
      const bytes = await keeper.read(did, name);
      return reply.send(200, JSON.stringify({ bytes: bytes ? base64Of(bytes) : null }));
    },
    'GET /mirror/names': async ({ did, query }, reply) => {
      const after = query.get('after') ?? '';
      const all = await keeper.names(did);
      if (!all) return reply.send(429, problem('the pieces were listed too often'));
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
  if (!pieces || !drops) return reply.send(400, problem('the body is not a valid message'));
  const refused = await keeper.change(request.did, pieces, drops);
  return refused === undefined ? reply.send(204) : reply.send(507, problem(refused));
}

const problem = (detail: string): string => JSON.stringify({ detail });
const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

type Message = { readonly [member: string]: unknown };

function objectIn(text: string): Message | undefined {
  const parsed = parseShaped(text);
  return typeof parsed === 'string' ? undefined : (Object(parsed.value) as Message);
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

/** The home's side: one mirror. All of it rejects with PeerError alone. */
export class MirrorLink {
  constructor(
    readonly did: string,
    private readonly link: { readonly address: string; readonly request: PeerConnection['request'] },
  ) {}

  /** Durable at the mirror when it resolves. */
  async change(pieces: readonly SealedPiece[], drops: readonly string[]): Promise<void> {
    const keep = pieces.map(({ name, bytes }) => [name, base64Of(bytes)]);
    const body = JSON.stringify({ keep, drop: drops });
    const answer = await this.link.request('POST', '/mirror', { body });
    if (answer.status === 204) return;
    const detail = objectIn(answer.body)?.detail;
    const why = typeof detail === 'string' ? detail.slice(0, 200) : `it answered ${answer.status}`;
    throw new PeerError('status', why, answer.status);
  }

  /** Null if the mirror does not have it. */
  async read(name: string): Promise<Uint8Array | null> {
    const { bytes } = await this.#get(`/mirror/piece?name=${name}`);
    if (bytes !== null && typeof bytes !== 'string') throw this.#malformed('/mirror/piece');
    return bytes === null ? null : Buffer.from(bytes, 'base64');
  }

  /** All pieces of the journal that it says it has, in order; none if it does not keep this home. */
  async names(): Promise<readonly string[]> {
    const found: string[] = [];
    for (let isMore = true; isMore; ) {
      const answer = await this.#get(`/mirror/names?after=${found.at(-1) ?? ''}`);
      const { names } = answer;
      if (!Array.isArray(names) || !names.every(isPieceName)) throw this.#malformed('/mirror/names');
      // Without these checks a mirror could keep the home asking.
      const isInOrder = names.every((name, index) => name > (names[index - 1] ?? found.at(-1) ?? ''));
      if (!isInOrder || found.length + names.length > mirrorBounds.pieces) throw this.#malformed('/mirror/names');
      found.push(...names);
      isMore = answer.isMore === true && names.length > 0;
    }
    return found;
  }

  async #get(path: string): Promise<Message> {
    const { status, body } = await this.link.request('GET', path, { maxBytes: mirrorBounds.messageBytes });
    const parsed = status === 200 ? objectIn(body) : undefined;
    if (!parsed) throw this.#malformed(path);
    return parsed;
  }

  #malformed = (path: string): PeerError =>
    new PeerError('malformed', `${this.link.address}: the answer to ${path.replace(/\?.*/, '')} is not valid`);
}
