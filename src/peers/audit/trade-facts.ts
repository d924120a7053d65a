/** What one journal says about the remote requests that its home has sent and answered. */
import type { Resource } from '../../machines/kernel/definition.js';
import type { Move } from '../../machines/kernel/posting.js';
import { isWithheld } from '../../machines/kernel/withheld.js';
import type { RemoteAnswerContext } from '../../machines/remote-answer/machine.js';
import type { RemoteRequestContext } from '../../machines/remote-request/machine.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { Account } from '../../store/store.js';

/** An entry about a request. */
export interface TradePlace {
  readonly seq: number;
  readonly eventHash: string;
  readonly time: number;
}

export interface SentRequest extends TradePlace {
  readonly id: string;
  readonly state: string;
  readonly context: RemoteRequestContext;
  /** The entry that ended it, and what it paid to the account of the asked home; undefined while it is open. */
  readonly closed: (TradePlace & { readonly paid: number }) | undefined;
}

export interface GivenAnswer extends TradePlace {
  /** Hash of the event that sent the request. */
  readonly id: string;
  readonly state: string;
  readonly context: RemoteAnswerContext;
  /** What it paid from the account of the asking home to the signer. */
  readonly paid: number;
  /** Nonce and time of the event that sent it, if this node may read the evidence. */
  readonly evidence: { readonly nonce: number; readonly ts: number } | undefined;
}

/** What a journal says about requests. */
export interface KnownTrade {
  /** DID of its home. */
  readonly home: string;
  /** What was signed at the home before this time is in the journal. */
  readonly asOf: number;
  nonceOf(did: string): number;
  /** In the order of their entries, without those of which nothing is known. */
  requests(): Iterable<SentRequest>;
  answers(): Iterable<GivenAnswer>;
}

/** The state after the newest entry. */
interface TradeState {
  resource(kind: string, id: string): Resource | undefined;
  row(did: string): Pick<Account, 'nonce'> | undefined;
}

type WrittenEntry = Pick<NumberedEntry, 'seq' | 'core' | 'payload'>;

export class TradeFacts implements KnownTrade {
  readonly #sent = new Map<string, TradePlace & { readonly hash: string }>();
  readonly #closed = new Map<string, TradePlace & { readonly moves: readonly Move[] }>();
  readonly #answered = new Map<
    string,
    TradePlace & Pick<WrittenEntry, 'payload'> & { readonly moves: readonly Move[] }
  >();
  #state: TradeState | undefined;
  /** Time of the newest entry, or of a later checkpoint. */
  #asOf = 0;

  constructor(
    /** DID of the journal's home. */
    readonly home: string,
  ) {}

  readonly saw = ({ seq, core, payload }: WrittenEntry, after: TradeState): void => {
    this.#state = after;
    this.covered(core.time);
    const place = { seq, eventHash: core.event.hash, time: core.time };
    for (const { kind, id, version } of core.versions) {
      if (kind === 'remote-answer') this.#answered.set(id, { ...place, payload, moves: core.moves });
      if (kind !== 'remote-request') continue;
      if (version === 1) this.#sent.set(id, { ...place, hash: core.event.hash });
      else this.#closed.set(id, { ...place, moves: core.moves });
    }
  };

  /** Notes that the home has signed its journal at this time. */
  covered(time: number): void {
    this.#asOf = Math.max(this.#asOf, time);
  }

  get asOf(): number {
    return this.#asOf;
  }

  nonceOf(did: string): number {
    return this.#state?.row(did)?.nonce ?? 0;
  }

  *requests(): Iterable<SentRequest> {
    for (const [id, { seq, eventHash, time }] of this.#sent) {
      const found = this.#known<RemoteRequestContext>('remote-request', id);
      if (!found) continue;
      const { state, context } = found;
      const end = this.#closed.get(id);
      const closed = end && { seq: end.seq, eventHash: end.eventHash, time: end.time, paid: releasedBy(end, context) };
      yield { id, seq, eventHash, time, state, context, closed };
    }
  }

  *answers(): Iterable<GivenAnswer> {
    for (const [id, { seq, eventHash, time, payload, moves }] of this.#answered) {
      const found = this.#known<RemoteAnswerContext>('remote-answer', id);
      if (!found) continue;
      const { state, context } = found;
      const event = payload?.input.event as { readonly nonce: number; readonly ts: number } | undefined;
      const evidence = event && { nonce: event.nonce, ts: event.ts };
      yield { id, seq, eventHash, time, state, context, paid: paidBy(moves, context), evidence };
    }
  }

  #known<Context>(kind: string, id: string): { readonly state: string; readonly context: Context } | undefined {
    const found = this.#state?.resource(kind, id);
    return found && !isWithheld(found.context) ? { state: found.state, context: found.context as never } : undefined;
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What the escrow of a request paid to the asked home. */
const releasedBy = ({ moves }: { readonly moves: readonly Move[] }, { escrowId, home }: RemoteRequestContext): number =>
  sum(
    moves.flatMap((each) => (each.op === 'release' && each.escrow === escrowId && each.to === home ? each.amount : [])),
  );

/** What an answer paid to the signer, or to the owner of Tokens that go home: the first move, if there is one. */
function paidBy([first]: readonly Move[], { from, signer, subject, money }: RemoteAnswerContext): number {
  if (first?.op !== 'transfer' || first.from !== from) return 0;
  const isHomeward = subject.kind === 'account' && subject.id === from && first.amount === money;
  return first.to === signer || isHomeward ? first.amount : 0;
}
