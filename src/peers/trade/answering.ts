/** Answers the remote requests in the journal of another home (docs/reference/remote-requests.md#answers). */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { parse } from '../../core/schema/scalar.js';
import { withdrawInput } from '../../machines/account/account.js';
import { movedAway } from '../../machines/kernel/moved.js';
import { lawOf, offeredAction } from '../../machines/kernel/other-signer.js';
import type { NumberedEntry, Payload } from '../../store/entry.js';
import type { ForeignHome } from '../reading/foreign.js';
import { hasSigned } from '../residences.js';
import { openRequests } from './open-requests.js';
import type { Sendings } from './sendings.js';
import type { Payout, TradeOptions } from './trade-options.js';

const kind = 'remote-answer';

/**
 * The most requests, and characters of them, that are read before they are answered: a home may open them faster than
 * they are answered.
 */
const mostRead = { requests: 100, characters: 4 * 1024 * 1024 };
/** The most signers whose requests are left in one run. */
const mostLeft = 1_000;

export class Answering {
  constructor(
    private readonly options: Pick<
      TradeOptions,
      | 'own'
      | 'catalogue'
      | 'networkArbiter'
      | 'resource'
      | 'write'
      | 'limits'
      | 'store'
      | 'holdsKey'
      | 'refusalOfPayout'
      | 'moved'
    >,
    private readonly sendings: Pick<Sendings, 'has'>,
  ) {}

  /**
   * Answers what is open, oldest first, and each signer's requests in their order.
   * @param news entries of the home that were just adopted: only the requests in them are answered; absent: all
   * @returns whether nothing is left
   */
  async answer({ home, store }: ForeignHome, news?: readonly NumberedEntry[]): Promise<boolean> {
    /** Signers whose request is left: their later ones wait for it. */
    const left = new Set<string>();
    for await (const batch of batchesOf(news ? this.#sentIn(news, store) : this.#open(store))) {
      const bySigner = new Map<string, NumberedEntry[]>();
      for (const entry of batch) {
        const { hash, issuer } = entry.core.event;
        if (left.has(issuer) || (await this.#isAnswered(hash))) continue;
        bySigner.set(issuer, [...(bySigner.get(issuer) ?? []), entry]);
      }
      const answered = async ([signer, entries]: [string, NumberedEntry[]]) => {
        const end = await this.#inOrder(home, entries);
        if (end === 'left') left.add(signer);
        return end;
      };
      const ends = await Promise.all([...bySigner].map(answered));
      if (ends.includes('limited') || left.size >= mostLeft) return false;
    }
    return left.size === 0;
  }

  // A request whose home withholds it, though it is for this home, asks for nothing that could be answered.

  async *#open(store: ForeignHome['store']): AsyncGenerator<NumberedEntry> {
    for await (const { lastHash } of openRequests(store, `to:${this.options.own}`, 'oldest')) {
      const entry = await store.entryByEvent(lastHash);
      if (entry?.payload) yield entry;
    }
  }

  /** The requests to this home in these entries that are still open: one may have been given up since. */
  async *#sentIn(news: readonly NumberedEntry[], store: ForeignHome['store']): AsyncGenerator<NumberedEntry> {
    for (const entry of news) {
      const { kind, id, action, input } = entry.payload ?? {};
      if (kind !== 'remote-request' || action !== 'create' || input?.home !== this.options.own) continue;
      if ((await store.load(kind, id!))?.state === 'sent') yield entry;
    }
  }

  /** @returns `limited`: no more requests of the home are answered now */
  async #inOrder(home: string, entries: NumberedEntry[]): Promise<'done' | 'left' | 'limited'> {
    entries.sort((one, other) => one.seq - other.seq);
    for (const entry of entries) {
      if (this.options.limits?.takeAnswer(home) === false) return 'limited';
      if (!(await this.#answerOne(home, entry))) return 'left';
    }
    return 'done';
  }

  async #answerOne(home: string, { core, payload, payloadText }: NumberedEntry): Promise<boolean> {
    const id = core.event.hash;
    const { salt } = JSON.parse(payloadText!) as { readonly salt: string };
    const evidence = evidenceOf(core.event as unknown as JsonObject, salt, payload!);
    const unwanted =
      (await this.#refusalOfLeft(home, core.event.issuer)) ??
      (await this.#refusalOfHomeward(home, payload!)) ??
      (await this.#refusalOfPayout(payload!));
    const accept = () => this.#write(id, { ...evidence, ...this.#decidedBy(payload!) });
    let accepted = unwanted ?? (await accept());
    if (isRefusal(accepted) && accepted.code === 'INSUFFICIENT_BALANCE') {
      if (await this.#isHomeward(core.event.issuer)) return false;
      // Tokens that were on their way home may have come back between the attempt and this look.
      accepted = unwanted ?? (await accept());
    }
    if (!isRefusal(accepted)) return true;
    if (isTemporary(accepted)) return false;
    const { code, detail } = accepted;
    const refused = await this.#write(id, { ...evidence, code, detail: detail.slice(0, 1_024) });
    // A request that cannot even be refused is not valid: news of its home is needed.
    return !isRefusal(refused) || !isTemporary(refused);
  }

  /** A home that the signer has left may still hold its key, so what it sends in the signer’s name is not taken. */
  async #refusalOfLeft(home: string, signer: string): Promise<Refusal | undefined> {
    const residences = (await this.options.moved?.of(signer)) ?? [];
    if (residences.length === 0 || residences.some((each) => each.home === home)) return undefined;
    return movedAway(signer, residences, home);
  }

  /** Tokens that the signer has here are on their way home: the request counts on them if its home refuses to take them. */
  async #isHomeward(signer: string): Promise<boolean> {
    for await (const _ of openRequests(this.options.store, `owner:${signer}`)) return true;
    return false;
  }

  /** Why Tokens of a resident that come home are not taken now. */
  async #refusalOfHomeward(home: string, { input }: Payload): Promise<Refusal | undefined> {
    const { owner } = input as { readonly owner?: string };
    if (owner === undefined) return undefined;
    if (this.sendings.has(owner, home)) {
      return refuse('CONFLICT', 'a request of their owner may count on these Tokens: send them once it is closed');
    }
    const { store, holdsKey } = this.options;
    const hasMoved = async () => ((await this.options.moved?.of(owner)) ?? []).length > 0;
    const lives = hasSigned(await store.account(owner)) || (await holdsKey?.(owner)) || (await hasMoved());
    return lives ? undefined : refuse('DID_NOT_FOUND', `${owner} does not live at this home`);
  }

  /** What a route here checks of a withdrawal, and the step cannot: the chain and its contracts. */
  async #refusalOfPayout({ input }: Payload): Promise<Refusal | undefined> {
    if (input.kind !== 'account' || input.action !== 'withdraw') return undefined;
    const asked = parse(withdrawInput, structuredClone(input.input ?? {}));
    return isRefusal(asked) ? asked : this.options.refusalOfPayout?.(asked as Payout);
  }

  #write(id: string, input: JsonObject): Promise<unknown> {
    return this.options.write({ kind, id, action: 'create', input });
  }

  /** What this home decides by. The step refuses a kind that this release does not know. */
  #decidedBy({ input }: Payload): { readonly law: string; readonly networkArbiter?: string } {
    const { catalogue, networkArbiter } = this.options;
    const [kind, action] = [String(input.kind), String(input.action)];
    if (!Object.hasOwn(catalogue.definitions, kind)) return { law: 'unknown' };
    const law = lawOf(catalogue, kind, action);
    const storesArbiter = offeredAction(catalogue.definitions[kind], action)?.adds?.networkArbiter !== undefined;
    return storesArbiter && networkArbiter !== undefined ? { law, networkArbiter } : { law };
  }

  async #isAnswered(id: string): Promise<boolean> {
    return (await this.options.resource(kind, id)) !== undefined;
  }
}

async function* batchesOf(requests: AsyncGenerator<NumberedEntry>): AsyncGenerator<readonly NumberedEntry[]> {
  let batch: NumberedEntry[] = [];
  let characters = 0;
  for await (const request of requests) {
    batch.push(request);
    characters += request.coreText.length + (request.payloadText?.length ?? 0);
    if (batch.length < mostRead.requests && characters < mostRead.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  yield batch;
}

function evidenceOf(event: JsonObject, salt: string, payload: Payload): JsonObject {
  const member = payload.input.confidential === undefined ? 'request' : 'confidential';
  return { event, salt, [member]: payload as unknown as JsonObject };
}

/** The node is busy, or cannot write at present: another attempt may be accepted. */
const isTemporary = ({ status }: Refusal): boolean => status === 429 || status >= 500;
