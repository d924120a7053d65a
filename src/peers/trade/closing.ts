/** Closes this home's requests to another home by the answers in its journal (docs/reference/remote-requests.md#closing). */
import { isRefusal, RefusedError } from '../../core/refusal.js';
import type { EvidenceInput } from '../../machines/remote-answer/evidence.js';
import type { NumberedEntry, Payload } from '../../store/entry.js';
import type { Snapshot } from '../../store/store.js';
import type { ForeignHome } from '../reading/foreign.js';
import { givenUpRequests, openRequests } from './open-requests.js';
import type { TradeOptions } from './trade-options.js';

type ClosingOptions = Pick<TradeOptions, 'own' | 'store' | 'resource' | 'write'>;
type Closing = Parameters<TradeOptions['write']>[0];

/**
 * Rejects with the refusal if one cannot be closed now.
 * @param news entries of the other home that were just adopted: only what they answer is closed; absent: everything
 */
export async function closeAnswered(
  { home, store }: ForeignHome,
  options: ClosingOptions,
  news?: readonly NumberedEntry[],
): Promise<void> {
  // Written only once all are read: a refusal in between would be a rejection that nothing waits for yet.
  const closing: Closing[] = [];
  for await (const { id, lastHash, state } of news ? answeredIn(news, home, options) : unansweredBy(home, options)) {
    // The answer has the hash of the event that sent the request, which is not the last one after a request was given up.
    const sent = state === 'sent' ? lastHash : await hashOfSending(options.store, id);
    const answer = await store.load('remote-answer', sent);
    if (!answer) continue;
    const { code, detail } = answer.context as { readonly code?: string | null; readonly detail?: string | null };
    const reason = { code: code ?? 'CONFLICT', detail: detail ?? '' };
    const isAccepted = answer.state === 'accepted';
    const input = { answer: answer.lastHash, ...(isAccepted ? {} : reason) };
    const action = state === 'sent' ? (isAccepted ? 'complete' : 'return') : 'note';
    closing.push({ kind: 'remote-request', id, action, input });
  }
  await Promise.all(closing.map((each) => closeOne(each, options)));
}

/** A request that was given up may be answered later. */
const isUnanswered = ({ state }: Pick<Snapshot, 'state'>): boolean => state === 'sent' || state === 'given-up';

/** The requests that the home has not answered, as far as is known here. */
async function* unansweredBy(home: string, { store }: ClosingOptions): AsyncGenerator<Snapshot> {
  yield* openRequests(store, `to:${home}`);
  for await (const request of givenUpRequests(store, home)) if (isUnanswered(request)) yield request;
}

/** The open and given-up requests to the home that these entries of its journal answer. */
async function* answeredIn(
  news: readonly NumberedEntry[],
  home: string,
  options: ClosingOptions,
): AsyncGenerator<Snapshot> {
  for (const { core, payload } of news) {
    const answer = core.versions.find(({ kind }) => kind === 'remote-answer');
    const id = answer && (await idOfRequest(answer.id, payload, options));
    const request = id === undefined ? undefined : await options.resource('remote-request', id);
    if (request?.context.home === home && isUnanswered(request)) yield request;
  }
}

/** The id of this home's request; undefined if the answer is to one of another home. */
async function idOfRequest(
  hash: string,
  payload: Payload | null,
  { own, store }: ClosingOptions,
): Promise<string | undefined> {
  if (!payload) {
    const sent = (await store.entryByEvent(hash))?.payload;
    return sent?.kind === 'remote-request' ? sent.id : undefined;
  }
  const { event, request, confidential } = payload.input as unknown as EvidenceInput;
  return event?.home === own ? String((request ?? confidential)?.id) : undefined;
}

async function hashOfSending(store: ClosingOptions['store'], id: string): Promise<string> {
  const [first] = await store.entries({ after: 0, limit: 1, resource: `remote-request/${id}` });
  return first!.core.event.hash;
}

async function closeOne(request: Closing, { resource, write }: ClosingOptions): Promise<void> {
  const done = await write(request);
  if (!isRefusal(done)) return;
  // Another process, or an earlier attempt, may have closed it. If it was given up meanwhile, its answer is still to be noted.
  const now = await resource(request.kind, request.id);
  if (now && isUnanswered(now)) throw new RefusedError(done);
}
