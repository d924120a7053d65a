/** Proves that both ends of the remote requests between two homes agree (docs/auditing.md#other-homes). */
import { bounds } from '../../core/bounds.js';
import type { GivenAnswer, KnownTrade, SentRequest, TradePlace } from './trade-facts.js';

/** The requests of one home to another. */
export interface TradeSummary {
  /** DID of the home that asks. */
  readonly from: string;
  /** DID of the home that is asked. */
  readonly to: string;
  readonly accepted: number;
  readonly refused: number;
  /** Requests that are not closed yet. */
  readonly open: number;
  /** Requests that the operator of the asking home has given up. */
  readonly givenUp: number;
  /** Tokens of the closed, accepted requests: by as much `to` has gained at `from`, and `from` has lost at `to`. */
  readonly paid: number;
  /** Tokens of the open requests that are answered already: paid at `to`, and not yet at `from`. */
  readonly inFlight: number;
  /** Entries whose other end this node has not read yet, so that they were not compared. */
  readonly unseen: number;
}

/** A disagreement, at an entry of one of the two journals. */
export interface TradeConflict extends TradePlace {
  /** DID of the home of the journal. */
  readonly home: string;
  readonly what: string;
}

export interface TradeComparison {
  readonly summary: TradeSummary;
  readonly disagreement?: TradeConflict;
}

/** Clocks of different homes, and of an event and its entry, may differ by this much. */
const slackMs = bounds.clockSkewMs;

export function agreementOf(asking: KnownTrade, asked: KnownTrade): TradeComparison {
  const counts = { accepted: 0, refused: 0, open: 0, givenUp: 0, paid: 0, inFlight: 0, unseen: 0 };
  const answers = new Map<string, GivenAnswer>();
  for (const answer of asked.answers()) if (answer.context.from === asking.home) answers.set(answer.id, answer);
  const summary = (): TradeSummary => ({ from: asking.home, to: asked.home, ...counts });
  const at = ({ seq, eventHash, time }: TradePlace, { home }: KnownTrade, what: string): TradeComparison => ({
    summary: summary(),
    disagreement: { home, seq, eventHash, time, what },
  });
  for (const request of asking.requests()) {
    if (request.context.home !== asked.home) continue;
    const answer = answers.get(request.eventHash);
    answers.delete(request.eventHash);
    const wrongAnswer = answer && violationOfAnswer(answer, request);
    if (wrongAnswer) return at(answer, asked, wrongAnswer);
    if (!request.closed) {
      counts.open++;
      if (answer?.state === 'accepted') counts.inFlight += answer.context.money;
      continue;
    }
    // The operator of the asking home bears what a request costs that was given up.
    if (request.state === 'given-up' || request.state === 'answered-late') {
      counts.givenUp++;
      continue;
    }
    if (!answer && asked.asOf - slackMs <= request.closed.time) {
      counts.unseen++;
      continue;
    }
    const wrongClose = answer ? violationOfClosing(request, answer) : `${asked.home} has not answered it`;
    if (wrongClose) return at(request.closed, asking, `it closes ${request.id}, and ${wrongClose}`);
    if (request.state === 'accepted') {
      counts.accepted++;
      counts.paid += request.context.money;
    } else counts.refused++;
  }
  for (const answer of answers.values()) {
    if (mustBeJournaled(answer, asking)) {
      return at(answer, asked, `it answers ${answer.id}, which ${asking.home} has not sent to this home`);
    }
    counts.unseen++;
  }
  return { summary: summary() };
}

/** Whether the request would be in what is known of the asking home's journal, if that home had sent it. */
function mustBeJournaled({ evidence, context }: GivenAnswer, asking: KnownTrade): boolean {
  if (!evidence) return false;
  return asking.nonceOf(context.signer) >= evidence.nonce || asking.asOf - slackMs > evidence.ts;
}

function violationOfAnswer({ context, state, paid }: GivenAnswer, request: SentRequest): string | undefined {
  const { signer, subject, money } = request.context;
  const name = `the request ${request.id}`;
  if (context.signer !== signer) return `its signer is ${context.signer}, and that of ${name} is ${signer}`;
  const [given, asked] = [context.subject, subject].map(({ kind, id, action }) => `${kind}.${action} of ${id}`);
  if (given !== asked) return `it is about ${given}, and ${name} about ${asked}`;
  if (context.money !== money) return `it names ${context.money} Tokens, and ${name} ${money}`;
  const due = state === 'accepted' && signer !== context.from ? money : 0;
  return paid === due ? undefined : `it pays ${paid} Tokens to its signer, and ${due} belong to ${name}`;
}

function violationOfClosing({ state, context, closed }: SentRequest, answer: GivenAnswer): string | undefined {
  const { answer: hash, code, money } = context;
  if (hash !== answer.eventHash) return `names the answer ${hash}, which is ${answer.eventHash}`;
  if (state !== answer.state) return `says that it was ${state}, and it was ${answer.state}`;
  if (code !== answer.context.code) return `gives the code ${code}, and the answer ${answer.context.code}`;
  const due = state === 'accepted' ? money : 0;
  return closed!.paid === due ? undefined : `pays ${closed!.paid} Tokens to the other home, and ${due} are due`;
}
