/** Closes this home's requests to another home by the answers in its journal (docs/reference/remote-requests.md#closing). */
import { isRefusal, RefusedError } from '../../core/refusal.js';
import type { ForeignHome } from '../reading/foreign.js';
import { openRequests } from './open-requests.js';
import type { TradeOptions } from './trade-options.js';

type ClosingOptions = Pick<TradeOptions, 'store' | 'resource' | 'write'>;
interface Closing {
  readonly request: Parameters<TradeOptions['write']>[0];
  /** The state that it ends. */
  readonly before: string;
}

/** Rejects with the refusal if one cannot be closed now. */
export async function closeAnswered({ home, store }: ForeignHome, options: ClosingOptions): Promise<void> {
  // Written only once all are read: a refusal in between would be a rejection that nothing waits for yet.
  const closing: Closing[] = [];
  for await (const { id, lastHash, state } of openRequests(options.store, `to:${home}`, unanswered)) {
    // The answer has the hash of the event that sent the request, which is not the last one after a request was given up.
    const sent = state === 'sent' ? lastHash : await hashOfSending(options.store, id);
    const answer = await store.load('remote-answer', sent);
    if (!answer) continue;
    const { code, detail } = answer.context as { readonly code?: string | null; readonly detail?: string | null };
    const reason = { code: code ?? 'CONFLICT', detail: detail ?? '' };
    const isAccepted = answer.state === 'accepted';
    const input = { answer: answer.lastHash, ...(isAccepted ? {} : reason) };
    const action = state === 'sent' ? (isAccepted ? 'complete' : 'return') : 'note';
    closing.push({ request: { kind: 'remote-request', id, action, input }, before: state });
  }
  await Promise.all(closing.map((each) => closeOne(each, options)));
}

/** A request that was given up may be answered later. */
const unanswered = ['sent', 'given-up'];

async function hashOfSending(store: ClosingOptions['store'], id: string): Promise<string> {
  const [first] = await store.entries({ after: 0, limit: 1, resource: `remote-request/${id}` });
  return first!.core.event.hash;
}

async function closeOne({ request, before }: Closing, { resource, write }: ClosingOptions): Promise<void> {
  const done = await write(request);
  // Another process, or an earlier attempt, may have closed it.
  if (isRefusal(done) && (await resource(request.kind, request.id))?.state === before) throw new RefusedError(done);
}
