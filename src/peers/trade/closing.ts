/** Closes this home's requests to another home by the answers in its journal (docs/reference/remote-requests.md#closing). */
import { isRefusal, RefusedError } from '../../core/refusal.js';
import type { ForeignHome } from '../reading/foreign.js';
import { openRequests } from './open-requests.js';
import type { TradeOptions } from './trade-options.js';

type ClosingOptions = Pick<TradeOptions, 'store' | 'resource' | 'write'>;
type Closing = Parameters<TradeOptions['write']>[0];

/** Rejects with the refusal if one cannot be closed now. */
export async function closeAnswered({ home, store }: ForeignHome, options: ClosingOptions): Promise<void> {
  // Written only once all are read: a refusal in between would be a rejection that nothing waits for yet.
  const closing: Closing[] = [];
  for await (const { id, lastHash } of openRequests(options.store, `to:${home}`)) {
    const answer = await store.load('remote-answer', lastHash);
    if (!answer) continue;
    const { code, detail } = answer.context as { readonly code?: string | null; readonly detail?: string | null };
    const reason = { code: code ?? 'CONFLICT', detail: detail ?? '' };
    const isAccepted = answer.state === 'accepted';
    const input = { answer: answer.lastHash, ...(isAccepted ? {} : reason) };
    closing.push({ kind: 'remote-request', id, action: isAccepted ? 'complete' : 'return', input });
  }
  await Promise.all(closing.map((each) => closeOne(each, options)));
}

async function closeOne(request: Closing, { resource, write }: ClosingOptions): Promise<void> {
  const done = await write(request);
  // Another process, or an earlier attempt, may have closed it.
  if (isRefusal(done) && (await resource(request.kind, request.id))?.state === 'sent') throw new RefusedError(done);
}
