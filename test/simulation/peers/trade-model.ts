/**
 * The properties of remote requests, by the entries of the homes' own journals alone:
 * - A request has at most one answer, which is about what its signer has asked of that home.
 * - It is closed at most once, as that home has answered it, or given up; an answer to a request that was given up is noted once.
 * - The account of a home at another one changes by the money of requests and by withdrawals only.
 * - Over all homes, residents have the Tokens that they were given, plus what was paid to them and not yet taken from the
 *   sender, plus exactly what was lost by giving up, which the request names.
 * - No request is refused for Tokens of its signer that were there when it was sent: Tokens that go home don't take them away.
 * - Each event uses its issuer's next nonce.
 * - A DID that has left a home, as its journal says, signs nothing there but its return.
 *
 * At the end Tokens of other homes' residents have gone home, unless the home has too few there to send them.
 *
 * If a home has two journals because its disk was set back, each of them has these properties. Between two homes of which one
 * has proof that the other has two journals, requests stay open (docs/decisions/0033). If all copies of the first journal
 * were set back as well there is no such proof: then what the home has lost stays as the other one knows it, a request
 * that it has answered or an answer that has closed a request.
 */
import type { JsonObject } from '../../../src/core/canonical.js';
import type { EntryCore, Payload } from '../../../src/store/entry.js';
import { payloadOf } from '../../../src/store/entry.js';
import type { MemoryEntryRow, Tables } from '../../../src/store/memory/tables.js';
import { nameOf } from '../../world/people.js';
import { DealModel } from './deal-model.js';
import { type ModelHome, ModelViolation } from './model-home.js';

export interface SentRequest {
  /** Hash of its event. */
  readonly hash: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly signer: string;
  readonly money: number;
  /** DID of the resident whose Tokens go home by it. */
  readonly owner: string | undefined;
  readonly subject: string;
  /** Tokens that the home withdraws by it. */
  readonly withdrawn: number;
}

/** What a home's journal says of its requests, as it becomes durable. */
export interface TradeListener {
  sent(request: SentRequest, moneyInOpenRequests: number): void;
  /** @param code null if it is accepted; undefined if it is given up */
  closed(request: SentRequest, code: string | null | undefined): void;
  answered(by: string, request: SentRequest): void;
}

interface Answer {
  /** Hash of the event that answers. */
  readonly event: string;
  readonly by: string;
  readonly code: string | null;
}

/** What a home's journal says up to some entry. */
class Books {
  length = 0;
  readonly sent = new Map<string, SentRequest>();
  readonly bySentId = new Map<string, SentRequest>();
  /** By hash of the request: null if it was accepted, else the code. */
  readonly closed = new Map<string, string | null>();
  /** Hashes of the requests that were given up, each with whether a late answer is noted. */
  readonly givenUp = new Map<string, boolean>();
  readonly answers = new Map<string, Answer>();
  readonly nonces = new Map<string, number>();
  /** DIDs that have left. */
  readonly left = new Set<string>();
  /** Tokens that residents were given at the start, less what they have transferred to the accounts of other homes. */
  given = 0;
  /** Expected Tokens of other homes. */
  readonly held = new Map<string, number>();

  constructor(
    readonly tables: Tables,
    readonly deals: DealModel,
  ) {}

  add(did: string, amount: number): void {
    if (this.held.has(did)) this.held.set(did, this.held.get(did)! + amount);
  }

  isOpen(hash: string): boolean {
    return !this.closed.has(hash) && !this.givenUp.has(hash);
  }

  /** Tokens in open requests to a home. */
  moneyTo(home: string): number {
    let sum = 0;
    for (const { hash, to, money } of this.sent.values()) if (to === home && this.isOpen(hash)) sum += money;
    return sum;
  }
}

export class TradeModel {
  readonly #books = new Map<string, Books>();
  readonly #names: ReadonlyMap<string, string>;
  /** Every request that was ever durable, by its hash. */
  readonly #everSent = new Map<string, SentRequest>();
  readonly #everGivenUp = new Set<string>();
  /** Every answer that was ever durable, by the hash of its request. */
  readonly #everAnswered = new Map<string, Answer[]>();

  /** `<DID> <hash>` of requests that this home has read as open, and of those that it has read together with their end. */
  readonly #readOpen = new Set<string>();
  readonly #readWithEnd = new Set<string>();

  constructor(
    private readonly homes: readonly ModelHome[],
    private readonly hasFork: (did: string) => boolean,
    private readonly listener: TradeListener,
  ) {
    this.#names = new Map(homes.map(({ did, name }) => [did, name]));
  }

  /** Called after every event. Reads only journals that have grown. */
  check(): void {
    let isNew = false;
    for (const home of this.homes) isNew = this.#read(home) || isNew;
    if (isNew) this.#conserved();
  }

  /** A home has read these entries of another one's journal, in one write, or finds them on its disk when it starts. */
  copied({ did }: ModelHome, rows: readonly Pick<MemoryEntryRow, 'coreText' | 'payloadText'>[]): void {
    const idsOf = (type: string) =>
      rows
        .filter(({ coreText }) => coreText.includes(`"${type}"`))
        .map(({ coreText, payloadText }) => ({ coreText, id: payloadOf(payloadText)?.id }));
    const ended = new Set(idsOf('remote.given-up').map(({ id }) => id));
    for (const { coreText, id } of idsOf('remote.sent')) {
      const key = `${did} ${(JSON.parse(coreText) as EntryCore).event.hash}`;
      if (ended.has(id)) {
        if (!this.#readOpen.has(key)) this.#readWithEnd.add(key);
        continue;
      }
      this.#readOpen.add(key);
      // Its end may have been lost with the tail of the copy.
      this.#readWithEnd.delete(key);
    }
  }

  #booksOf({ did }: ModelHome): Books {
    return this.#books.get(did)!;
  }

  #read(home: ModelHome): boolean {
    const { tables } = home.disk;
    let books = this.#books.get(home.did);
    if (books?.tables !== tables) {
      const names = this.homes.map(({ name }) => name);
      books = new Books(tables, new DealModel(home.name, names, tables));
      this.#books.set(home.did, books);
    }
    if (books.length === tables.journal.length) return false;
    for (; books.length < tables.journal.length; books.length++) {
      const { coreText, payloadText } = tables.journal[books.length]!;
      this.#entry(home, books, JSON.parse(coreText) as EntryCore, payloadOf(payloadText)!);
    }
    books.deals.compare();
    for (const [did, expected] of books.held) {
      const { available = 0, reserved = 0, escrowed = 0 } = tables.accounts.get(did) ?? {};
      if (available !== expected || reserved + escrowed !== 0) {
        const says = `${this.#names.get(did)} has ${available} at ${home.name}, and by its requests ${expected}`;
        throw new ModelViolation(says);
      }
    }
    return true;
  }

  #entry(home: ModelHome, books: Books, core: EntryCore, payload: Payload): void {
    const { event } = core;
    books.deals.entry(core, payload);
    const { issuer, nonce, hash } = event;
    if (nonce !== (books.nonces.get(issuer) ?? 0) + 1) {
      throw new ModelViolation(`${home.name}: entry ${books.length + 1} has nonce ${nonce} of its issuer again`);
    }
    books.nonces.set(issuer, nonce);
    const { kind, action, id, input } = payload;
    if (books.left.has(issuer) && kind !== 'residence') {
      throw new ModelViolation(`${home.name}: ${nameOf(issuer)} signs entry ${books.length + 1}, and has left before`);
    }
    if (kind === 'residence') {
      if (input.to === home.did) books.left.delete(issuer);
      else books.left.add(issuer);
    } else if (kind === 'account') {
      const [to, amount] = [action === 'mint' ? id : String(input.to), Number(input.amount)];
      if (this.#names.has(to)) books.held.set(to, (books.held.get(to) ?? 0) + amount);
      if (action === 'mint') books.given += this.#names.has(to) ? 0 : amount;
      else if (this.#names.has(to)) books.given -= amount;
    } else if (kind === 'remote-request' && action === 'create') {
      const subject = `${String(input.kind)} ${String(input.resource)} ${String(input.action)}`;
      const [to, money, owner] = [String(input.home), Number(input.money), input.owner as string | undefined];
      const isWithdrawal = input.kind === 'account' && input.action === 'withdraw';
      const withdrawn = isWithdrawal ? Number((input.input as JsonObject).amount) : 0;
      const sent = { hash, id, from: home.did, to, signer: issuer, money, owner, subject, withdrawn };
      books.sent.set(hash, sent);
      books.bySentId.set(id, sent);
      // A disk that was set back is read again.
      const isNew = !this.#everSent.has(hash);
      this.#everSent.set(hash, sent);
      if (isNew) this.listener.sent(sent, books.moneyTo(to));
    } else if (kind === 'remote-request') this.#close(home, books, payload);
    else if (kind === 'remote-answer') this.#answer(home, books, payload, hash);
  }

  #answer(home: ModelHome, books: Books, { id, input }: Payload, event: string): void {
    const { hash } = input.event as { readonly hash: string };
    const label = `${home.name} answers ${this.#labelOf(hash)}`;
    const sent = this.#everSent.get(hash);
    if (!sent) throw new ModelViolation(`${label}, which no home has sent`);
    if (sent.to !== home.did) throw new ModelViolation(`${label}, which was sent to ${this.#names.get(sent.to)}`);
    if (books.answers.has(hash)) throw new ModelViolation(`${label} a second time`);
    const kept = books.tables.snapshot('remote-answer', id);
    const { signer, from, money, subject, code, detail } = (kept?.context ?? {}) as {
      readonly [name: string]: unknown;
    };
    const { kind, id: about, action } = (subject ?? {}) as { readonly [name: string]: string };
    const isOther = signer !== sent.signer || from !== sent.from || money !== sent.money;
    if (isOther || `${kind} ${about} ${action}` !== sent.subject) {
      throw new ModelViolation(`${label}, and records another request`);
    }
    const answer = { event, by: home.did, code: (code as string | null) ?? null };
    if ((answer.code === null) !== (kept?.state === 'accepted')) {
      throw new ModelViolation(`${label} with the code ${code} as ${kept?.state}`);
    }
    const earlier = this.#everAnswered.get(hash) ?? [];
    // An answer that the disk has lost may be taken back from a peer.
    const isNew = earlier.every((each) => each.event !== event);
    if (isNew && this.#readWithEnd.has(`${home.did} ${hash}`) && !this.hasFork(home.did)) {
      throw new ModelViolation(`${label}, which it has never known as open`);
    }
    if (earlier.some((each) => each.event !== event) && !this.hasFork(home.did)) {
      throw new ModelViolation(`${label} with two events, though it has one journal`);
    }
    this.#everAnswered.set(hash, [...earlier.filter((each) => each.event !== event), answer]);
    books.answers.set(hash, answer);
    if (isNew) this.listener.answered(home.did, sent);
    if (answer.code === null) books.add(sent.from, -sent.money - sent.withdrawn);
    else if (this.#lacksTokensOfSigner(sent, answer.code, String(detail))) {
      throw new ModelViolation(
        `${label} with: ${detail}. Its ${sent.money} Tokens were to make up what its signer lacks`,
      );
    }
  }

  /** The node has sent what its signer lacked there, and then less was there. */
  #lacksTokensOfSigner({ from, to, signer, money }: SentRequest, code: string, detail: string): boolean {
    // A home's own Tokens pay for what its residents ask for in the meantime.
    if (signer === from) return false;
    const needed = Number(/^(\d+) Tokens are needed/.exec(detail)?.[1] ?? 0);
    if (code !== 'INSUFFICIENT_BALANCE' || needed <= money || this.hasFork(from) || this.hasFork(to)) return false;
    // A request that was given up may use the same Tokens, also if the journal has lost since that it was.
    return [...this.#everGivenUp].every((hash) => {
      const other = this.#everSent.get(hash)!;
      return other.from !== from || other.signer !== signer;
    });
  }

  #close(home: ModelHome, books: Books, { id, action, input }: Payload): void {
    const sent = books.bySentId.get(id);
    if (!sent) throw new ModelViolation(`${home.name} closes ${id}, which it has not sent`);
    const label = `${home.name} closes ${this.#labelOf(sent.hash)}`;
    const isNoted = action === 'note' && books.givenUp.get(sent.hash) === false;
    if (!isNoted && !books.isOpen(sent.hash)) throw new ModelViolation(`${label} a second time`);
    if (action === 'give-up') {
      if (input.loss !== sent.money) throw new ModelViolation(`${label} and names ${input.loss} Tokens as lost`);
      books.givenUp.set(sent.hash, false);
      this.#everGivenUp.add(sent.hash);
      this.listener.closed(sent, undefined);
      return;
    }
    const answer = this.#everAnswered.get(sent.hash)?.find(({ event }) => event === input.answer);
    if (answer?.by !== sent.to) throw new ModelViolation(`${label} without an answer of ${this.#names.get(sent.to)}`);
    const code = action === 'return' || isNoted ? ((input.code as string | undefined) ?? null) : null;
    if (code !== answer.code) throw new ModelViolation(`${label} with ${code}, and the answer has ${answer.code}`);
    if (isNoted) {
      books.givenUp.set(sent.hash, true);
      return;
    }
    books.closed.set(sent.hash, code);
    if (code === null) books.add(sent.to, sent.money);
    this.listener.closed(sent, code);
  }

  /** Residents have what they were given, plus what was paid to them and not yet, or never, taken from the sender. */
  #conserved(): void {
    let [given, had, inFlight, lost] = [0, 0, 0, 0];
    for (const home of this.homes) {
      const { tables, answers, closed } = this.#booksOf(home);
      given += this.#booksOf(home).given;
      for (const { did, available, reserved, escrowed } of tables.accounts.values()) {
        if (!this.#names.has(did)) had += available + reserved + escrowed;
      }
      for (const [hash, { code }] of answers) {
        if (code !== null) continue;
        const { from, money } = this.#everSent.get(hash)!;
        if (this.#books.get(from)?.givenUp.has(hash)) lost += money;
        else inFlight += money;
      }
      for (const [hash, code] of closed) if (code === null) inFlight -= this.#everSent.get(hash)!.money;
    }
    if (had === given + inFlight + lost) return;
    const more = `${inFlight} are in flight, and ${lost} were lost by giving up`;
    throw new ModelViolation(`residents have ${had} Tokens, were given ${given}, ${more}`);
  }

  /** Requests of this home to the other one that are open. */
  openTo(home: ModelHome, to: string): readonly SentRequest[] {
    const books = this.#booksOf(home);
    return [...books.sent.values()].filter((sent) => sent.to === to && books.isOpen(sent.hash));
  }

  /** @returns what is still open between two homes that run and follow each other; undefined if nothing is */
  unsettled(isUp: (home: ModelHome) => boolean): string | undefined {
    for (const home of this.homes) {
      for (const other of this.homes) {
        if (home === other || !isUp(home) || !isUp(other)) continue;
        if (home.proofOf(other.did) || other.proofOf(home.did)) continue;
        const flaw = this.#unsettledBetween(home, other) ?? this.#notGoneHome(home, other);
        if (flaw !== undefined) return flaw;
      }
    }
    return undefined;
  }

  #unsettledBetween(home: ModelHome, other: ModelHome): string | undefined {
    const [books, theirs] = [this.#booksOf(home), this.#booksOf(other)];
    for (const { hash, to, id, money } of books.sent.values()) {
      if (to !== other.did) continue;
      const label = this.#labelOf(hash);
      const isGivenUp = books.givenUp.has(hash);
      const code = isGivenUp ? 'given up' : books.closed.get(hash);
      if (isGivenUp && !books.givenUp.get(hash) && theirs.answers.has(hash))
        return `the late answer to ${label} is not noted`;
      if (!isGivenUp && !theirs.answers.has(hash)) {
        // The other home and all copies of its journal have lost the answer since.
        if (code !== undefined && this.hasFork(other.did)) continue;
        return `${label} has no answer`;
      }
      if (code === undefined) return `${label} is open`;
      if (money === 0) continue;
      const escrowId = String(books.tables.snapshot('remote-request', id)?.context.escrowId);
      const { funded, released, refunded } = books.tables.snapshot('escrow', escrowId)?.context ?? {};
      const [paid, back] = code === null ? [money, 0] : [0, money];
      if (funded === money && released === paid && refunded === back) continue;
      return `${label} has paid ${released} and returned ${refunded} of ${funded} Tokens`;
    }
    if (this.hasFork(home.did)) return undefined;
    const unknown = [...theirs.answers.keys()].find(
      (hash) => this.#everSent.get(hash)!.from === home.did && !books.sent.has(hash),
    );
    return unknown && `${other.name} has answered ${this.#labelOf(unknown)}, which ${home.name} has lost`;
  }

  /** @returns Tokens of the other home's residents that this one could send home */
  #notGoneHome(home: ModelHome, other: ModelHome): string | undefined {
    const held = other.disk.tables.accounts.get(home.did)?.available ?? 0;
    for (const { did, nonce } of other.disk.tables.accounts.values()) {
      const available = home.disk.tables.accounts.get(did)?.available ?? 0;
      if (nonce === 0 || available === 0 || available > held || this.#names.has(did)) continue;
      return `${nameOf(did)} has ${available} Tokens at ${home.name}, which has ${held} at ${other.name}`;
    }
    return undefined;
  }

  /** Whether the home has sent, or is asked for, what is not closed. */
  hasOpen(did: string): boolean {
    return [...this.#books.values()].some((books) =>
      [...books.sent.values()].some(({ hash, from, to }) => (from === did || to === did) && books.isOpen(hash)),
    );
  }

  /** How many requests of all present journals came to what. */
  counts(): { readonly [what: string]: number } {
    const all = [...this.#books.values()];
    const sent = all.flatMap((books) => [...books.sent.values()]);
    const givenUp = all.flatMap((books) => [...books.givenUp]);
    const noted = givenUp.filter(([, isNoted]) => isNoted).map(([hash]) => this.#everAnswered.get(hash)!.at(-1)!.code);
    const open = all.reduce(
      (sum, books) => sum + [...books.sent.keys()].filter((hash) => books.isOpen(hash)).length,
      0,
    );
    const withdrawals = all.flatMap(({ closed, sent: own }) =>
      [...closed].filter(([hash]) => own.get(hash)!.withdrawn > 0).map(([, code]) => code),
    );
    const goneHome = all.flatMap(({ closed, sent: own }) =>
      [...closed].filter(([hash, code]) => code === null && own.get(hash)?.owner !== undefined),
    );
    const deals = all.map((books) => books.deals.counts());
    const sums = Object.keys(deals[0]!).map((what) => [what, deals.reduce((sum, each) => sum + each[what]!, 0)]);
    return {
      ...(Object.fromEntries(sums) as { readonly [what: string]: number }),
      ...{ 'requests sent': sent.length, 'requests open at the end': open, 'given up': givenUp.length },
      withdrawn: withdrawals.filter((code) => code === null).length,
      'withdrawals refused': withdrawals.filter((code) => code !== null).length,
      ...{ 'Tokens gone home': goneHome.length, 'answered late': noted.length },
      'lost by giving up': noted.filter((code) => code === null).length,
    };
  }

  #labelOf(hash: string): string {
    const sent = this.#everSent.get(hash);
    return sent ? `${sent.id} of ${this.#names.get(sent.from)} (${sent.subject})` : `request ${hash.slice(0, 6)}`;
  }
}
