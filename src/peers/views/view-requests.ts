/** Asks other homes for views, and sends them writes, within bounds. What they answer is kept nowhere. */
import PQueue from 'p-queue';
import { actBounds, type ViewBounds, viewBounds } from '../../core/bounds.js';
import { isJsonObject } from '../../core/canonical.js';
import { type Environment, pauseUnless } from '../../core/environment.js';
import { guardJson, parseShaped } from '../../core/json-text.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import { Allowance } from '../allowance.js';
import { type PeerConnection, PeerError, type PeerErrorKind } from '../transport/transport.js';
import type { HomeView, SentFor } from './foreign-views.js';

/** The connection to a home. */
export interface HomeLink {
  readonly connection: Pick<PeerConnection, 'did' | 'request'>;
}

interface AskedHome {
  readonly queue: PQueue;
  readonly allowance: Allowance;
  /** Of the bodies that are sent. */
  readonly bytes: Allowance;
}

const said: { readonly [kind in PeerErrorKind]?: string } = {
  silent: 'has not answered in time',
  closed: 'has not answered in time',
  'too-large': 'has sent too large an answer',
  malformed: 'has sent no JSON',
};

const unanswered = (home: string, what: string): Refusal =>
  refuse('SERVICE_UNAVAILABLE', `the home ${home} ${what}`, { retryAfter: 5 });

export class ViewRequests {
  readonly #all: PQueue;
  readonly #allowance: Allowance;
  readonly #homes = new WeakMap<HomeLink, AskedHome>();

  constructor(
    private readonly world: Environment,
    private readonly bounds: ViewBounds = viewBounds,
  ) {
    this.#all = new PQueue({ concurrency: bounds.asked });
    this.#allowance = new Allowance(world, bounds.allPerSecond, bounds.allBurst);
  }

  /** As in `ForeignViews`. What is sent for an act waits its turn; a view is refused if too much is asked. */
  async ask(link: HomeLink, path: string, signal: AbortSignal, sent?: SentFor): Promise<HomeView | Refusal> {
    const asked = this.#asked(link);
    const { queue, allowance } = asked;
    const home = link.connection.did;
    const isAct = sent !== undefined && !sent.isView;
    const isTooMuch = !isAct && (!allowance.take() || !this.#allowance.take());
    if (queue.size >= this.bounds.waiting || isTooMuch)
      return refuse('RATE_LIMITED', `too much is asked of the home ${home}`, { retryAfter: 1 });
    const body = sent && JSON.stringify({ path, reader: sent.reader, body: sent.body });
    const maxBytes = (sent ? actBounds : this.bounds).bytes;
    if (signal.aborted) return signal.reason as Refusal;
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = this.world.after(this.bounds.timeMs, end);
    signal.addEventListener('abort', end, { once: true });
    const options = { signal: ended.signal };
    try {
      const answer = () => answerOf(link, { path, body, ...options, maxBytes });
      const inTurn = async () => {
        if (isAct) await this.#pace(asked, Buffer.byteLength(body!), ended.signal);
        return this.#all.add(answer, options);
      };
      return await queue.add(inTurn, options);
    } catch (error) {
      if (signal.aborted) return signal.reason as Refusal;
      if (ended.signal.aborted) return unanswered(home, said.silent!);
      if (!(error instanceof PeerError)) throw error;
      return unanswered(home, said[error.kind] ?? 'cannot be reached');
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', end);
    }
  }

  /** Waits until the home may be sent this much: it would bar a peer that sends more. */
  async #pace({ allowance, bytes }: AskedHome, size: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !allowance.take()) await pauseUnless(signal, this.world, actBounds.paceMs);
    while (!signal.aborted && !bytes.take(size)) await pauseUnless(signal, this.world, actBounds.paceMs);
  }

  #asked(link: HomeLink): AskedHome {
    const known = this.#homes.get(link);
    if (known) return known;
    const made = {
      queue: new PQueue({ concurrency: this.bounds.perHome }),
      allowance: new Allowance(this.world, this.bounds.perSecond, this.bounds.burst),
      bytes: new Allowance(this.world, actBounds.bytesPerSecond, actBounds.bytesBurst),
    };
    this.#homes.set(link, made);
    return made;
  }
}

interface AskedPath {
  readonly path: string;
  /** JSON text of what is sent. */
  readonly body: string | undefined;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function answerOf(
  { connection }: HomeLink,
  { path, body: sent, ...most }: AskedPath,
): Promise<HomeView | Refusal> {
  const { did: home } = connection;
  const { status, body } = sent
    ? await connection.request('POST', '/view', { ...most, body: sent })
    : await connection.request('GET', `/view?path=${encodeURIComponent(path)}`, most);
  if (status !== 200) return unanswered(home, `does not answer such requests (${status})`);
  return viewIn(body) ?? unanswered(home, 'has sent an answer that cannot be shown');
}

/** Undefined unless the text has the form of an answer, and is harmless. */
function viewIn(text: string): HomeView | undefined {
  const parsed = parseShaped(text);
  if (typeof parsed === 'string' || !isJsonObject(parsed.value)) return undefined;
  // References to leaves stay as they are: nothing below shows texts in an answer.
  if (guardJson(parsed.value, text, undefined, true)) return undefined;
  const { status, body, ...more } = parsed.value;
  const isWhole = typeof status === 'number' && isJsonObject(body) && Object.keys(more).length === 0;
  return isWhole ? { status, body } : undefined;
}
