/**
 * Residents that act at other homes with keys that their own home keeps (docs/reference/other-homes.md#acts): what they ask
 * for, what they are told, and what must then be in the journals.
 */
import { ApiError, SigningError, UnreachableError } from '../../../packages/client/src/errors.js';
import { canonical, type JsonObject } from '../../../src/core/canonical.js';
import { isRefusal, type Refusal, type RefusalExtras } from '../../../src/core/refusal.js';
import type { HomeAct } from '../../../src/http/context/acts.js';
import type { EntryCore } from '../../../src/store/entry.js';
import { signer } from '../../world/people.js';
import type { Draws } from './draws.js';
import { listingOf, payeeOf, price, residentsOf, tokensAt, tokensOfVisitors, visitorOf } from './genesis.js';
import type { Home } from './home.js';
import { ModelViolation } from './model-home.js';
import { transfersAt } from './top-ups.js';

/** A request. What was refused is asked for again, under the same tag, with another nonce. */
interface VisitRequest {
  /** In the signed payload. */
  readonly tag: string;
  readonly what: string;
  readonly path: string;
  readonly body: JsonObject;
  readonly nonce: number;
  /** Taken from the available Tokens. */
  readonly cost: number;
  readonly most?: number;
  readonly until: number | undefined;
  told: 'nothing' | 'done' | 'refused';
  /** Whether its home has lost what it knew of it: a refusal may then be of a second event, though the first is done. */
  isForgotten: boolean;
  asking: number;
}

type Drawn = Omit<VisitRequest, 'nonce' | 'until' | 'told' | 'isForgotten' | 'asking'>;

interface SubmittedEvent {
  readonly event: { readonly hash: string; readonly issuer: string; readonly nonce: number; readonly home: string };
  readonly payload: { readonly id: string; readonly action: string; readonly input: JsonObject };
}

/** What of a request comes first in what is signed for it. */
const tagIn = ({ id, input }: SubmittedEvent['payload']): string => String(input.memo ?? input.reason ?? id);

/** A resident of one home at another one. */
class Visit {
  readonly requests: VisitRequest[] = [];
  /** The newest escrow that it has made: its last event, and what is left in it. */
  escrow: { readonly id: string; readonly prev: string; readonly left: number } | undefined;
  readonly again: VisitRequest[] = [];
  /** Whether the home that keeps the key has lost records of acts. */
  hasForgotten = false;
  hasEnded = false;

  constructor(
    readonly from: Home,
    readonly at: Home,
    readonly isAtLiar: boolean,
  ) {}

  get did(): string {
    return signer(visitorOf(this.from.name)).did;
  }

  /** Whether what the home says must be so: it does not lie, and its disk has lost nothing. */
  get isSafe(): boolean {
    return !this.isAtLiar && this.at.disk.cuts === 0;
  }

  get open(): readonly VisitRequest[] {
    return this.requests.filter(({ told }) => told === 'nothing');
  }
}

export interface VisitsOptions {
  readonly homes: readonly Home[];
  readonly liar: Home | undefined;
  /** Whether they also send Tokens home. */
  readonly hasTopUps: boolean;
  readonly draws: Draws;
  readonly count: (what: string) => void;
  readonly log: (line: string) => void;
}

export class Visits {
  readonly #visits: readonly Visit[];
  /** What was signed, by the event's hash. */
  readonly #signed = new Map<string, VisitRequest>();
  #violation: string | undefined;

  constructor(private readonly options: VisitsOptions) {
    const { homes, liar } = options;
    this.#visits = homes.flatMap((from) =>
      homes.filter((at) => at !== from).map((at) => new Visit(from, at, at === liar)),
    );
  }

  /** A resident of the home asks for something, or again for what it was not answered. */
  step(home: Home): void {
    const { draws } = this.options;
    const visit = draws.pick(this.#visits.filter(({ from }) => from === home));
    const { open, again } = visit;
    if (open.length > 1 || (open.length > 0 && draws.chance(0.6))) this.#ask(visit, draws.pick(open));
    else this.#ask(visit, again.length > 0 ? this.#repeated(visit) : this.#drawn(visit));
  }

  /** Compares what a home is sent with what was asked for. */
  submitted(at: Home, body: JsonObject): void {
    const { event, payload } = body as unknown as SubmittedEvent;
    // Of a node, for what it was sent.
    if (payload.input.onwardOf !== undefined && this.options.homes.some(({ did }) => did === event.issuer)) return;
    const visit = this.#visits.find((each) => each.did === event.issuer && each.at === at);
    const tag = tagIn(payload);
    const request = visit?.requests.find((each) => each.tag === tag && each.nonce === event.nonce);
    const asked = Object.entries(request?.body ?? {}).filter(([name]) => !['escrowId', 'orderId'].includes(name));
    const isAsked = asked.every(([name, value]) => canonical(payload.input[name] ?? null) === canonical(value));
    if (!request || !isAsked || event.home !== at.did)
      this.#violation ??= `${at.name} is sent what was not asked for: ${tag} with nonce ${event.nonce}`;
    else this.#signed.set(event.hash, request);
  }

  /** The records of acts of a home are lost, or older. */
  forgotten(home: Home): void {
    for (const visit of this.#visits.filter(({ from }) => from === home)) {
      visit.hasForgotten = true;
      for (const request of visit.open) request.isForgotten = true;
    }
  }

  check(): void {
    if (this.#violation !== undefined) throw new ModelViolation(this.#violation);
  }

  /** Asks again for all that has no answer, and then for one thing more. @returns what is not answered yet */
  unsettled(): string | undefined {
    const visits = this.#visits.filter(({ from, at, isSafe }) => isSafe && from.isOpen && at.isOpen);
    for (const visit of visits) {
      const [open] = visit.open;
      if (!open && !visit.hasEnded) {
        visit.hasEnded = true;
        this.#ask(visit, this.#transfer(visit, 1));
      } else if (open && open.asking === 0) this.#ask(visit, open);
    }
    const waiting = visits.find(({ open, requests }) => open.length > 0 || requests.at(-1)?.told !== 'done');
    if (!waiting) return undefined;
    // What was refused because of its nonce.
    const { open, again, from, at } = waiting;
    if (open.length === 0 && again.length > 0) this.#ask(waiting, this.#repeated(waiting));
    return `${from.name} is not done at ${at.name}`;
  }

  /** The journals have what the residents were told, and nothing else of them. */
  verify(): void {
    for (const visit of this.#visits) {
      const found = this.#verified(visit);
      if (found !== undefined)
        throw new ModelViolation(`a resident of ${visit.from.name} at ${visit.at.name}: ${found}`);
    }
    const { homes } = this.options;
    const made = tokensAt(homes.length - 1);
    for (const { name, disk } of homes) {
      const { accounts, house } = disk.tables;
      const sum = [...accounts.values()].reduce((all, each) => all + each.available + each.reserved + each.escrowed, 0);
      // A disk that was set back may lack some of the first.
      const expected = disk.cuts > 0 ? -house.supply : made;
      if (sum + house.fees !== expected) throw new ModelViolation(`${name} has ${sum} of ${expected} Tokens`);
    }
  }

  #verified({ did, at, requests, isSafe, isAtLiar, hasForgotten }: Visit): string | undefined {
    const { journal, accounts } = at.disk.tables;
    const events = journal.map(({ coreText }) => (JSON.parse(coreText) as EntryCore).event);
    const done = events.filter(({ issuer }) => issuer === did).map(({ hash }) => this.#signed.get(hash));
    const tags = done.map((request) => request?.tag ?? 'what was never sent');
    const twice = tags.find((tag, index) => tags.indexOf(tag) !== index);
    // A liar that has said of an event that it is refused can have the same again, once the node has lost that.
    if (twice !== undefined && !(isAtLiar && hasForgotten)) return `${twice} is done twice`;
    if (done.includes(undefined)) return 'an event is in the journal that was never sent';
    if (!isSafe) return undefined;
    const lost = requests.find((each) => each.told === 'done' && !done.includes(each));
    if (lost) return `${lost.tag} is said to be done, and is not`;
    const false_ = requests.find((each) => each.told === 'refused' && !each.isForgotten && done.includes(each));
    if (false_) return `${false_.tag} with nonce ${false_.nonce} is said to be refused, and is done`;
    const spent = done.reduce((tokens, request) => tokens + request!.cost, 0);
    const got = transfersAt(at).reduce((tokens, { to, amount }) => (to === did ? tokens + amount : tokens), 0);
    const left = tokensOfVisitors - spent + got;
    const { available } = accounts.get(did)!;
    return available === left ? undefined : `${available} Tokens are left, and not ${left}`;
  }

  #ask(visit: Visit, request: VisitRequest): void {
    const { from, at } = visit;
    const { tag, path, body, nonce, most, until } = request;
    if (request.asking > 1) return;
    const options = { nonce, ...(most !== undefined && { most }), ...(until !== undefined && { until }) };
    const act: HomeAct = { home: at.did, signer: signer(visitorOf(from.name)), path, body, options };
    request.asking++;
    const { process } = from;
    this.options.log(`${from.name} asks ${at.name} for ${tag} with nonce ${nonce}`);
    const answer = from.act(act);
    if (!answer) return void request.asking--;
    // No one hears what a process says that is dead.
    const heard = (take: () => void) => {
      if (from.process !== process) return;
      request.asking--;
      take();
    };
    answer.then(
      (reply) => heard(() => this.#answered(visit, request, reply)),
      (error: unknown) => heard(() => this.#failed(visit, request, error)),
    );
  }

  #answered(visit: Visit, request: VisitRequest, reply: JsonObject | Refusal): void {
    const said = (isRefusal(reply) ? reply.extras : { ...reply, committed: true }) as RefusalExtras;
    if (said.committed === true) this.#done(visit, request, String(said.eventHash));
    // By the home that keeps the key, before anything is signed.
    else if (isRefusal(reply) && reply.status === 422) this.#refused(visit, request, new ApiError(422, undefined));
  }

  /** The process of a home has ended: no answers come. */
  died(home: Home): void {
    for (const { from, requests } of this.#visits) if (from === home) for (const each of requests) each.asking = 0;
  }

  #failed(visit: Visit, request: VisitRequest, error: unknown): void {
    const isUnknown = (error as { readonly write?: unknown }).write !== undefined || error instanceof UnreachableError;
    if (isUnknown) this.options.count('act unanswered');
    else if (error instanceof ApiError) {
      const { problem, status } = error;
      if (problem?.committed === true) this.#done(visit, request, String(problem.eventHash));
      else if (status < 500 && status !== 429) this.#refused(visit, request, error);
    } else if (error instanceof SigningError) this.#refused(visit, request, error);
    else this.#violation ??= String(error);
  }

  #done(visit: Visit, request: VisitRequest, hash: string): void {
    const { tag, body, cost, nonce } = request;
    const { log, count } = this.options;
    log(`${visit.from.name} is told that ${tag} with nonce ${nonce} is done at ${visit.at.name}`);
    count(`act done: ${request.what}`);
    if (visit.isAtLiar) count('act done at a liar');
    if (visit.isSafe && this.#signed.get(hash) !== request)
      this.#violation ??= `${visit.from.name} is told that ${tag} was done by another event`;
    request.told = 'done';
    if (body.escrowId !== undefined) visit.escrow = { id: String(body.escrowId), prev: hash, left: cost };
    else if (body.reason !== undefined && visit.escrow)
      visit.escrow = { ...visit.escrow, prev: hash, left: visit.escrow.left - 1 };
  }

  #refused(visit: Visit, request: VisitRequest, error: ApiError | SigningError): void {
    const { tag, nonce, told } = request;
    const { from, at } = visit;
    const nextNonce = error instanceof ApiError ? error.nextNonce : undefined;
    this.options.log(`${from.name} is told that ${tag} with nonce ${nonce} is refused at ${at.name}: ${error.message}`);
    this.options.count(error instanceof ApiError ? 'act refused' : 'act not signed');
    // The other answer counts, if it is asked for twice at once.
    if (told !== 'nothing' || request.asking > 0) return;
    request.told = 'refused';
    // A careful caller asks no more for what may have been done before.
    const isAsked = visit.isAtLiar || nextNonce !== undefined || error instanceof SigningError;
    if (isAsked && !request.isForgotten) visit.again.push(request);
  }

  #repeated(visit: Visit): VisitRequest {
    return this.#added(visit, visit.again.shift()!);
  }

  #added(visit: Visit, request: Drawn): VisitRequest {
    // As the wallet there says.
    const next = (visit.at.disk.tables.accounts.get(visit.did)?.nonce ?? 0) + 1;
    const nonce = Math.max(next, ...visit.open.map((each) => each.nonce + 1));
    const { requests } = visit;
    const same = requests.findIndex((each) => each.tag === request.tag && each.nonce === nonce);
    const [known] = same < 0 ? [] : requests.splice(same, 1);
    const { draws } = this.options;
    const lives = !visit.hasEnded && draws.chance(0.3) ? draws.pick([300, 2_000]) : undefined;
    const until = lives && visit.from.process && visit.from.process.now() + lives;
    const added: VisitRequest = known ?? { ...request, nonce, until, told: 'nothing', isForgotten: false, asking: 0 };
    added.told = 'nothing';
    requests.push(added);
    return added;
  }

  #transfer(visit: Visit, amount: number): VisitRequest {
    const memo = this.#tag(visit);
    const body = { to: signer(payeeOf(visit.at.name)).did, amount, memo };
    return this.#added(visit, { tag: memo, what: 'transfer', path: '/transfers', body, cost: amount });
  }

  #tag({ from, at, requests }: Visit): string {
    return `${from.name}-${at.name}-${requests.length}`;
  }

  #drawn(visit: Visit): VisitRequest {
    const tag = this.#tag(visit);
    const { at, escrow } = visit;
    const { draws, homes, hasTopUps } = this.options;
    const usual = { transfer: 5, escrow: 3, release: 3, refund: 3, order: 2, tooMuch: 1 };
    const what = draws.weighted({ ...usual, home: hasTopUps ? 4 : 0 });
    if (what === 'escrow') {
      const id = `esc-${tag}`;
      const to = signer(payeeOf(at.name)).did;
      const body = { escrowId: id, beneficiary: to, amount: 3, releaseRules: [{ type: 'manual' }], autoFund: true };
      return this.#added(visit, { tag: id, what, path: '/escrows', body, cost: 3 });
    }
    if (what === 'order') {
      const tagged = `ord-${tag}`;
      const path = `/markets/info/${listingOf(at.name)}/actions/purchase`;
      return this.#added(visit, { tag: tagged, what, path, body: { orderId: tagged }, cost: price, most: price });
    }
    if ((what === 'release' || what === 'refund') && escrow && escrow.left > 0) {
      const body = { amount: 1, resourcePrev: escrow.prev, reason: tag };
      const cost = what === 'refund' ? -1 : 0;
      return this.#added(visit, { tag, what, path: `/escrows/${escrow.id}/actions/${what}`, body, cost });
    }
    if (what === 'home') {
      const home = draws.chance(0.8) ? visit.from : draws.pick(homes.filter((each) => each !== at));
      const onward = { home: home.did, to: signer(residentsOf(home.name)[1]!).did };
      const amount = draws.between(1, 4);
      const body = { to: home.did, amount, memo: tag, onward };
      return this.#added(visit, { tag, what, path: '/transfers', body, cost: amount });
    }
    return this.#transfer(visit, what === 'tooMuch' ? 10_000 : 1);
  }
}
