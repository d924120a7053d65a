/**
 * Trade with the residents of other homes (docs/reference/remote-requests.md): answers the remote requests in their
 * feeds, and closes this home's own requests by the answers there. The journals say what is open, so there is no cursor. At
 * the start, after a failure and after a gap in the news, this looks for everything that is open; otherwise only for what
 * the adopted entries name. A second look changes nothing.
 */

import { notByLocality } from '../../actors/command.js';
import { tradeBounds } from '../../core/bounds.js';
import type { Timer } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { balanceOf } from '../../machines/kernel/ledger.js';
import type { OfferedRequest } from '../../machines/kernel/other-signer.js';
import type { RemoteRequestContext } from '../../machines/remote-request/machine.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Account } from '../../store/store.js';
import type { ForeignHome } from '../reading/foreign.js';
import type { Residence } from '../residences.js';
import { Answering } from './answering.js';
import { closeAnswered } from './closing.js';
import { dryRun } from './dry-run.js';
import { Homeward } from './homeward.js';
import { type OutgoingRequest, Sendings } from './sendings.js';
import type { AskedPayout, TradeOptions } from './trade-options.js';
import { type SentWithdrawal, sendWithdrawal } from './withdrawing.js';

/** How the remote request stands that a withdrawal has sent; `answer`, `code` and `detail` are null before the answer. */
export interface WithdrawalState extends SentWithdrawal, Pick<RemoteRequestContext, 'answer' | 'code' | 'detail'> {
  readonly state: string;
}

/** One home's turn: at most one run, and one more if there was news meanwhile. */
interface HomeTurn {
  running: Promise<void> | undefined;
  isDue: boolean;
  /** Number of the newest entry that was reported to `adopted`. */
  adopted: number;
  /** Entries that were adopted since the last run. */
  news: readonly NumberedEntry[];
  /** Whether the next run looks for everything that is open: the first one, and one after a run that left something. */
  isWhole: boolean;
}

/** The most entries, and characters of them, that are kept for a run. After more, everything that is open is looked for. */
const mostNews = { entries: 1_000, characters: 4 * 1024 * 1024 };

export class RemoteTrading {
  readonly #answering: Answering;
  readonly #homeward: Homeward | undefined;
  readonly #turns = new Map<string, HomeTurn>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #sendings = new Sendings();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(private readonly options: TradeOptions) {
    this.#answering = new Answering(options, this.#sendings);
    const { homewardMs: afterMs = 0 } = options;
    if (afterMs === 0) return;
    this.#homeward = new Homeward({ ...options, afterMs, pay: (home, money, send) => this.#pay(home, money, send) });
  }

  /** Must be called before anything is written. */
  load(): Promise<void> {
    return this.#sendings.load(this.options.store);
  }

  /** Continues with what an earlier run has left open. */
  start(): void {
    for (const { home } of this.options.homes.all()) this.wake(home);
  }

  /** Sends home what residents of other homes have earned here, from now on. */
  startHomeward(): void {
    this.#homeward?.start();
  }

  /** Call when the operator has changed what trade with the home may come to. */
  limitChanged(home: string): void {
    this.#homeward?.retry(home);
  }

  /** Call when entries of a home were adopted. */
  adopted(home: string, entries: readonly NumberedEntry[]): void {
    this.#homeward?.adopted(home, entries);
    const turn = this.#turnOf(home);
    // A copy that has failed may have written entries that were never reported.
    const isComplete = entries[0]?.seq === turn.adopted + 1;
    turn.adopted = entries.at(-1)?.seq ?? turn.adopted;
    const news = entries.filter(({ core }) => core.versions.some(({ kind }) => isTrade(kind)));
    if (!isComplete) this.wake(home);
    else if (news.length > 0) this.#wake(home, news);
  }

  /** Call when an own entry is on disk and readable. */
  committed(entry: Pick<NumberedEntry, 'payload' | 'core'>): void {
    const { payload } = entry;
    this.#homeward?.committed(entry);
    if (payload?.kind !== 'remote-request') return;
    this.#sendings.committed(entry);
    if (payload.action === 'create') return;
    for (const resolve of this.#waiting.get(payload.id) ?? []) resolve();
  }

  /** Answers all requests of a home and closes all those to it. */
  wake(home: string): void {
    this.#wake(home, undefined);
  }

  #wake(home: string, news: readonly NumberedEntry[] | undefined): void {
    const turn = this.#turnOf(home);
    turn.isDue = true;
    const kept = news && [...turn.news, ...news];
    turn.isWhole ||= kept === undefined || isLong(kept);
    turn.news = turn.isWhole ? [] : kept!;
    turn.running ??= this.#run(home, turn);
  }

  #turnOf(home: string): HomeTurn {
    const known = this.#turns.get(home);
    if (known) return known;
    const turn: HomeTurn = { running: undefined, isDue: false, adopted: 0, news: [], isWhole: true };
    this.#turns.set(home, turn);
    return turn;
  }

  /** Resolves when the own request is closed, with false after the given time. */
  async closed(id: string, waitMs: number): Promise<boolean> {
    const isClosed = async () => (await this.options.resource('remote-request', id))?.state !== 'sent';
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(end));
    const timer = this.options.world.after(waitMs, end);
    if (!(await isClosed())) await ended;
    timer.cancel();
    waiting.delete(end);
    if (waiting.size === 0) this.#waiting.delete(id);
    return isClosed();
  }

  /**
   * Writes a request of this signer to a home. Requests that are written at the same time know of each other's Tokens.
   */
  async sending<T>(signer: string, home: string, write: (sending: OutgoingRequest) => Promise<T>): Promise<T> {
    const sending = this.#sendings.begin(signer, home);
    try {
      return await write(sending);
    } finally {
      this.#sendings.end(sending);
    }
  }

  /**
   * Runs the request on the copy of its home.
   * @param asked `mayNotDebit`: FORBIDDEN if it debits its signer
   * @returns the Tokens to send with it, or the refusal that it would get, INSUFFICIENT_BALANCE if this home's account
   * there is too small, or as much is at risk there as its operator allows
   */
  async moneyFor(
    home: ForeignHome,
    asked: Omit<OfferedRequest, 'network'> & { readonly mayNotDebit?: boolean },
    sending: OutgoingRequest,
  ): Promise<number | Refusal> {
    const { own, network, catalogue, world, refusalOf } = this.options;
    const refusal = refusalOf(home.home);
    if (refusal) return refusal;
    const time = world.now();
    const cost = await dryRun(catalogue, home.store, { ...asked, network, home: home.home, time });
    if (isRefusal(cost)) return cost;
    if (asked.mayNotDebit && cost.isDebit) return notByLocality;
    // Tokens that the signer has there are counted for one request at a time, so that each finds them.
    const isCounted = asked.by.did === own || this.#sendings.has(asked.by.did, home.home, sending);
    const money = Math.max(0, cost.needed - (isCounted ? 0 : cost.available));
    if (money === 0) return 0;
    const account = await home.store.account(own);
    // Nothing is awaited between this check and the note of the Tokens, so that no other request comes in between.
    const tooMuch = this.#exceeds(home.home, account, { ...sending, money });
    if (tooMuch) return tooMuch;
    sending.money = money;
    return money;
  }

  /** Why this DID may not sign here: it has left this home. */
  refusalOfSigner(did: string): Refusal | undefined | Promise<Refusal | undefined> {
    return this.options.moved?.refusalOf(did);
  }

  /** Where a DID lives that has moved; empty for one that has not. */
  async movesOf(did: string): Promise<readonly Residence[]> {
    return (await this.options.moved?.of(did)) ?? [];
  }

  async #pay({ home, store }: ForeignHome, money: number, send: () => Promise<void>): Promise<boolean> {
    return this.sending(this.options.own, home, async (sending) => {
      const account = await store.account(this.options.own);
      // As in `moneyFor`: requests that are written at the same time count these Tokens.
      if (this.#exceeds(home, account, { ...sending, money })) return false;
      sending.money = money;
      await send();
      return true;
    });
  }

  /**
   * Gives up a request whose home does not answer: its Tokens go back, and this home loses them if the other one has accepted
   * it (docs/reference/remote-requests.md#giving-up).
   */
  async giveUp(id: string, reason: string): Promise<{ readonly loss: number } | Refusal> {
    const { resource, isFollowing, write } = this.options;
    const request = await resource('remote-request', id);
    if (!request) return refuse('NOT_FOUND', `there is no remote request ${id}`);
    const { home, money: loss } = request.context as unknown as RemoteRequestContext;
    if (request.state !== 'sent') return refuse('CONFLICT', `the remote request ${id} is ${request.state}`);
    if (isFollowing?.(home)) return refuse('CONFLICT', `${home} is connected, and will answer: wait for it`);
    const done = await write({ kind: 'remote-request', id, action: 'give-up', input: { loss, reason } });
    return isRefusal(done) ? done : { loss };
  }

  /** Withdraws what this home holds at another one, and waits for the answer. */
  async withdraw(did: string, payout: AskedPayout, waitMs: number): Promise<WithdrawalState | Refusal> {
    const home = this.options.homes.all().find((each) => each.home === did);
    if (!home) return refuse('NOT_FOUND', `${did} is not a followed home`);
    const sent = await sendWithdrawal(home, payout, { ...this.options, sendings: this.#sendings });
    if (isRefusal(sent)) return sent;
    const { id, replayed } = sent;
    await this.closed(id, waitMs);
    const { state, context } = (await this.options.resource('remote-request', id))!;
    const { answer, code, detail } = context as unknown as RemoteRequestContext;
    return { id, replayed, state, answer, code, detail };
  }

  #exceeds(home: string, account: Account | undefined, sending: OutgoingRequest): Refusal | undefined {
    const { own, limits } = this.options;
    const { money } = sending;
    const held = account?.available ?? 0;
    if (held < money) {
      const says = `the account of this home (${own}) at ${home} has ${held} of the ${money} Tokens that this costs there`;
      return refuse(
        'INSUFFICIENT_BALANCE',
        `${says}: its operator tops it up by a transfer or deposit to that DID there`,
      );
    }
    const { mostAtRisk = null } = limits?.of(home) ?? {};
    const atRisk = (account ? balanceOf(account) : 0) + this.#sendings.sum(home);
    if (mostAtRisk === null || atRisk + money <= mostAtRisk) return undefined;
    const says = `this home has ${atRisk} Tokens at risk with ${home}, and ${money} more would exceed the ${mostAtRisk} that its operator allows`;
    return refuse('INSUFFICIENT_BALANCE', `${says} (svc-node peers limit)`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#homeward?.close();
    await Promise.all([...this.#turns.values()].map(({ running }) => running));
    for (const waiting of this.#waiting.values()) for (const resolve of waiting) resolve();
  }

  async #run(home: string, turn: HomeTurn): Promise<void> {
    while (turn.isDue && !this.#isClosed) {
      turn.isDue = false;
      const news = turn.isWhole ? undefined : turn.news;
      turn.news = [];
      turn.isWhole = false;
      const outcome = await this.#tried(home, news);
      if (outcome !== 'done') turn.isWhole = true;
      if (outcome === 'failed') this.#retry();
    }
    // At once, and not when the promise has resolved: news in between would start nothing.
    turn.running = undefined;
  }

  /** @returns `waits`: what is left is looked for when the home has news */
  async #tried(home: string, news: readonly NumberedEntry[] | undefined): Promise<'done' | 'waits' | 'failed'> {
    const { homes, log, refusalOf } = this.options;
    const found = homes.all().find((each) => each.home === home);
    if (!found) return 'waits';
    try {
      await closeAnswered(found, this.options, news);
      if (refusalOf(home)) return 'waits';
      return (await this.#answering.answer(found, news)) ? 'done' : 'failed';
    } catch (error) {
      log('remote requests could not be answered; the node will try again', { home, error: messageOf(error) });
      return 'failed';
    }
  }

  #retry(): void {
    if (this.#isClosed) return;
    this.#timer?.cancel();
    this.#timer = this.options.world.after(tradeBounds.retryMs, () => this.start());
  }
}

function isLong(news: readonly NumberedEntry[]): boolean {
  const lengths = news.map(({ coreText, payloadText }) => coreText.length + (payloadText?.length ?? 0));
  return news.length > mostNews.entries || lengths.reduce((sum, each) => sum + each, 0) > mostNews.characters;
}

const isTrade = (kind: string): boolean => kind === 'remote-request' || kind === 'remote-answer';
