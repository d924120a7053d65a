/** Converts the errors of a chain that does not answer, or does not exist, into refusals. */
import { ChainAway, ChainRefused } from '../../chain/evm/evm.js';
import { type Refusal, refuse } from '../../core/refusal.js';

export const noChain: Refusal = refuse('UNPROCESSABLE', 'this node settles on no chain');

/** SERVICE_UNAVAILABLE if the chain did not answer; rethrows everything else. */
export async function fromChain<T>(question: Promise<T>): Promise<T | Refusal> {
  try {
    return await question;
  } catch (error) {
    if (!(error instanceof ChainAway || error instanceof ChainRefused)) throw error;
    return refuse('SERVICE_UNAVAILABLE', `the chain gives no answer: ${error.message}`, { retryAfter: 5 });
  }
}
