/** A body on its way: its bytes, packed ones as they come, are bounded for each body, for its caller, and for all; and in time. */
import { bounds } from '../../../core/bounds.js';
import { type Refusal, refuse } from '../../../core/refusal.js';
import { nameOf } from '../../access/quotas.js';
import { answerClientError, LateRequest } from '../client-error.js';
import type { RequestContext } from '../request-context.js';

const tooLarge = refuse('PAYLOAD_TOO_LARGE', `the body has more than ${bounds.bodyBytes} bytes`);
const tooMany = refuse('SERVICE_UNAVAILABLE', 'too many bodies are on their way to this node', { retryAfter: 1 });

/** @param read takes the body; what it resolves to is given where no bound is passed before */
export async function withinBounds<T>(exchange: RequestContext, read: () => Promise<T>): Promise<T | Refusal> {
  const { req, site, caller } = exchange;
  const { arriving, arrivals } = site.connections;
  const who = nameOf(caller);
  let refuseNow: (refusal: Refusal) => void = () => {};
  const refused = new Promise<Refusal>((resolve) => {
    refuseNow = resolve;
  });
  const arrival = { held: 0, late: () => endLate(exchange) };
  const count = ({ length }: Buffer) => {
    if (arriving.exceeds(who, length)) refuseNow(tooMany);
    arriving.take(who, length);
    arrival.held += length;
    if (arrival.held > bounds.bodyBytes) refuseNow(tooLarge);
  };
  try {
    const whole = read();
    arrivals.begin(arrival);
    // Listening before the reader does would let the first bytes pass it by.
    req.on('data', count);
    const outcome = await Promise.race([whole, refused]);
    return outcome;
  } finally {
    // Whoever still gathers what comes would do so until the end.
    req.removeAllListeners('data');
    arriving.give(who, arrival.held);
    arrivals.end(arrival);
  }
}

/** As node ends a request that takes too long: with 408, and its connection. */
function endLate({ site, req }: RequestContext): void {
  answerClientError(site, new LateRequest('the body comes too slowly'), req.socket);
}
