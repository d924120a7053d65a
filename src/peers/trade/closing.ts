/** Closes this home's requests to another home by the answers in its journal (docs/reference/remote-requests.md#closing). */
import { isRefusal, RefusedError } from '../../core/refusal.js';
import type { ForeignHome } from '../reading/foreign.js';
import { openRequests } from './open-requests.js';
import type { TradeOptions } from './trade-options.js';

type ClosingOptions = Pick<TradeOptions, 'store' | 'resource' | 'write'>;

/** Rejects with the refusal if one cannot be closed now. */
export async function closeAnswered({ home, store }: ForeignHome, options: ClosingOptions): Promise<void> {
  const closing: Promise<void>[] = [];
  for await (const { id, lastHash } of openRequests(options.store, `to:${home}`)) {
    const answer = await store.load('remote-answer', lastHash);
    if (!answer) continue;
    const { code, detail } = answer.context as { readonly code?: string | null; readonly detail?: string | null };
    const reason = { code: code ?? 'CONFLICT', detail: detail ?? '' };
    const isAccepted = answer.state === 'accepted';
    const input = { answer: answer.lastHash, ...(isAccepted ? {} : reason) };
    closing.push(closeOne({ kind: 'remote-request', id, action: isAccepted ? 'complete' : 'return', input }, options));
  }
  await Promise.all(closing);
}

async function closeOne(request: Parameters<ClosingOptions['write']>[0], { resource, write }: ClosingOptions) {
  const done = await write(request);
  // Another process, or an earlier attempt, may have closed it.
  if (isRefusal(done) && (await resource(request.kind, request.id))?.state === 'sent') throw new RefusedError(done);
}
