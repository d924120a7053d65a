/** Asks other homes for views, and sends them writes, within bounds. What they answer is kept nowhere. */
import PQueue from 'p-queue';
import { type ViewBounds, viewBounds } from '../../core/bounds.js';
import { isJsonObject } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
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

  /** As in `ForeignViews`. */
  async ask(link: HomeLink, path: string, signal: AbortSignal, sent?: SentFor): Promise<HomeView | Refusal> {
    const { queue, allowance } = this.#asked(link);
    const home = link.connection.did;
    if (queue.size >= this.bounds.waiting || !allowance.take() || !this.#allowance.take()) {
      return refuse('RATE_LIMITED', `too much is asked of the home ${home}`, { retryAfter: 1 });
    }
    if (signal.aborted) return signal.reason as Refusal;
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = this.world.after(this.bounds.timeMs, end);
    signal.addEventListener('abort', end, { once: true });
    const options = { signal: ended.signal };
    try {
      return await queue.add(
        () => this.#all.add(() => answerOf(link, { path, sent, ...options, maxBytes: this.bounds.bytes }), options),
        options,
      );
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

  #asked(link: HomeLink): AskedHome {
    const known = this.#homes.get(link);
    if (known) return known;
    const made = {
      queue: new PQueue({ concurrency: this.bounds.perHome }),
      allowance: new Allowance(this.world, this.bounds.perSecond, this.bounds.burst),
    };
    this.#homes.set(link, made);
    return made;
  }
}

interface AskedPath {
  readonly path: string;
  readonly sent: SentFor | undefined;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function answerOf({ connection }: HomeLink, { path, sent, ...most }: AskedPath): Promise<HomeView | Refusal> {
  const { did: home } = connection;
  const { status, body } = sent
    ? await connection.request('POST', '/view', { ...most, body: JSON.stringify({ path, ...sent }) })
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
