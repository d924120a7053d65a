/**
 * The properties of remote requests, by the entries of the homes' own journals alone:
 * - A request has at most one answer, which is about what its signer has asked of that home.
 * - It is closed at most once, as that home has answered it.
 * - The account of a home at another one changes by the money of requests only.
 * - Over all homes, residents have the Tokens that they were given, plus what was paid to them and not yet taken from the
 *   sender.
 * - Each event uses its issuer's next nonce.
 *
 * If a home has two journals because its disk was set back, each of them has these properties. Between two homes of which one
 * has proof that the other has two journals, requests stay open (docs/decisions/0033). If all copies of the first journal
 * were set back as well there is no such proof: then what the home has lost stays as the other one knows it, a request
 * that it has answered or an answer that has closed a request.
 */
import type { EntryCore, Payload } from '../../../src/store/entry.js';
import { payloadOf } from '../../../src/store/entry.js';
import type { Tables } from '../../../src/store/memory/tables.js';
import { type ModelHome, ModelViolation } from './model-home.js';

interface Sent {
  /** Hash of its event. */
  readonly hash: string;
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly signer: string;
  readonly money: number;
  readonly subject: string;
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
  readonly sent = new Map<string, Sent>();
  readonly bySentId = new Map<string, Sent>();
  /** By hash of the request: null if it was accepted, else the code. */
  readonly closed = new Map<string, string | null>();
  readonly answers = new Map<string, Answer>();
  readonly nonces = new Map<string, number>();
  /** Tokens that residents were given at the start, less what they have transferred to the accounts of other homes. */
  given = 0;
  /** Expected Tokens of other homes. */
  readonly held = new Map<string, number>();

  constructor(readonly tables: Tables) {}

  add(did: string, amount: number): void {
    if (this.held.has(did)) this.held.set(did, this.held.get(did)! + amount);
  }
}

export class TradeModel {
  readonly #books = new Map<string, Books>();
  readonly #names: ReadonlyMap<string, string>;
  /** Every request that was ever durable, by its hash. */
  readonly #everSent = new Map<string, Sent>();
  /** Every answer that was ever durable, by the hash of its request. */
  readonly #everAnswered = new Map<string, Answer[]>();

  constructor(
    private readonly homes: readonly ModelHome[],
    private readonly hasFork: (did: string) => boolean,
  ) {
    this.#names = new Map(homes.map(({ did, name }) => [did, name]));
  }

  /** Called after every event. Reads only journals that have grown. */
  check(): void {
    let isNew = false;
    for (const home of this.homes) isNew = this.#read(home) || isNew;
    if (isNew) this.#conserved();
  }

  #booksOf({ did }: ModelHome): Books {
    return this.#books.get(did)!;
  }

  #read(home: ModelHome): boolean {
    const { tables } = home.disk;
    let books = this.#books.get(home.did);
    if (books?.tables !== tables) {
      books = new Books(tables);
      this.#books.set(home.did, books);
    }
    if (books.length === tables.journal.length) return false;
    for (; books.length < tables.journal.length; books.length++) {
      const { coreText, payloadText } = tables.journal[books.length]!;
      this.#entry(home, books, JSON.parse(coreText) as EntryCore, payloadOf(payloadText)!);
    }
    for (const [did, expected] of books.held) {
      const { available = 0, reserved = 0, escrowed = 0 } = tables.accounts.get(did) ?? {};
      if (available !== expected || reserved + escrowed !== 0) {
        const says = `${this.#names.get(did)} has ${available} at ${home.name}, and by its requests ${expected}`;
        throw new ModelViolation(says);
      }
    }
    return true;
  }

  #entry(home: ModelHome, books: Books, { event }: EntryCore, payload: Payload): void {
    const { issuer, nonce, hash } = event;
    if (nonce !== (books.nonces.get(issuer) ?? 0) + 1) {
      throw new ModelViolation(`${home.name}: entry ${books.length + 1} has nonce ${nonce} of its issuer again`);
    }
    books.nonces.set(issuer, nonce);
    const { kind, action, id, input } = payload;
    if (kind === 'account') {
      const [to, amount] = [action === 'mint' ? id : String(input.to), Number(input.amount)];
      if (this.#names.has(to)) books.held.set(to, (books.held.get(to) ?? 0) + amount);
      if (action === 'mint') books.given += this.#names.has(to) ? 0 : amount;
      else if (this.#names.has(to)) books.given -= amount;
    } else if (kind === 'remote-request' && action === 'create') {
      const subject = `${String(input.kind)} ${String(input.resource)} ${String(input.action)}`;
      const [to, money] = [String(input.home), Number(input.money)];
      const sent = { hash, id, from: home.did, to, signer: issuer, money, subject };
      books.sent.set(hash, sent);
      books.bySentId.set(id, sent);
      this.#everSent.set(hash, sent);
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
    const { signer, from, money, subject, code } = (kept?.context ?? {}) as { readonly [name: string]: unknown };
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
    if (earlier.some((each) => each.event !== event) && !this.hasFork(home.did)) {
      throw new ModelViolation(`${label} with two events, though it has one journal`);
    }
    this.#everAnswered.set(hash, [...earlier.filter((each) => each.event !== event), answer]);
    books.answers.set(hash, answer);
    if (answer.code === null) books.add(sent.from, -sent.money);
  }

  #close(home: ModelHome, books: Books, { id, action, input }: Payload): void {
    const sent = books.bySentId.get(id);
    if (!sent) throw new ModelViolation(`${home.name} closes ${id}, which it has not sent`);
    const label = `${home.name} closes ${this.#labelOf(sent.hash)}`;
    if (books.closed.has(sent.hash)) throw new ModelViolation(`${label} a second time`);
    const answer = this.#everAnswered.get(sent.hash)?.find(({ event }) => event === input.answer);
    if (answer?.by !== sent.to) throw new ModelViolation(`${label} without an answer of ${this.#names.get(sent.to)}`);
    const code = action === 'complete' ? null : String(input.code);
    if (code !== answer.code) throw new ModelViolation(`${label} with ${code}, and the answer has ${answer.code}`);
    books.closed.set(sent.hash, code);
    if (code === null) books.add(sent.to, sent.money);
  }

  /** Residents have what they were given, plus what was paid to them and not yet taken from the sender. */
  #conserved(): void {
    let [given, had, inFlight] = [0, 0, 0];
    for (const home of this.homes) {
      const { tables, answers, closed } = this.#booksOf(home);
      given += this.#booksOf(home).given;
      for (const { did, available, reserved, escrowed } of tables.accounts.values()) {
        if (!this.#names.has(did)) had += available + reserved + escrowed;
      }
      for (const [hash, { code }] of answers) if (code === null) inFlight += this.#everSent.get(hash)!.money;
      for (const [hash, code] of closed) if (code === null) inFlight -= this.#everSent.get(hash)!.money;
    }
    if (had === given + inFlight) return;
    throw new ModelViolation(`residents have ${had} Tokens, were given ${given}, and ${inFlight} are in flight`);
  }

  /** @returns what is still open between two homes that run and follow each other; undefined if nothing is */
  unsettled(isUp: (home: ModelHome) => boolean): string | undefined {
    for (const home of this.homes) {
      for (const other of this.homes) {
        if (home === other || !isUp(home) || !isUp(other)) continue;
        if (home.proofOf(other.did) || other.proofOf(home.did)) continue;
        const flaw = this.#unsettledBetween(home, other);
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
      const code = books.closed.get(hash);
      if (!theirs.answers.has(hash)) {
        // The other home and all copies of its journal have lost the answer since.
        if (code !== undefined && this.hasFork(other.did)) continue;
        return `${label} has no answer`;
      }
      if (code === undefined) return `${label} is open`;
      if (money === 0) continue;
      const { funded, released, refunded } = books.tables.snapshot('escrow', `esc-of-${id}`)?.context ?? {};
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

  /** Whether the home has sent, or is asked for, what is not closed. */
  hasOpen(did: string): boolean {
    return [...this.#books.values()].some(({ sent, closed }) =>
      [...sent.values()].some(({ hash, from, to }) => (from === did || to === did) && !closed.has(hash)),
    );
  }

  /** Requests in all present journals, and how many of them are accepted, refused and open. */
  counts(): { readonly sent: number; readonly accepted: number; readonly refused: number; readonly open: number } {
    const all = [...this.#books.values()];
    const sent = all.reduce((sum, books) => sum + books.sent.size, 0);
    const closed = all.flatMap((books) => [...books.closed.values()]);
    const accepted = closed.filter((code) => code === null).length;
    return { sent, accepted, refused: closed.length - accepted, open: sent - closed.length };
  }

  #labelOf(hash: string): string {
    const sent = this.#everSent.get(hash);
    return sent ? `${sent.id} of ${this.#names.get(sent.from)} (${sent.subject})` : `request ${hash.slice(0, 6)}`;
  }
}
