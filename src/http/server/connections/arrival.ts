/**
 * A body that is arriving: its bytes, counted before decompression, are bounded per body, per caller and in total; and
 * so is its time.
 */
import { bounds } from '../../../core/bounds.js';
import { type Refusal, refuse } from '../../../core/refusal.js';
import { nameOf } from '../../access/quotas.js';
import { answerClientError, LateRequest } from '../client-error.js';
import type { RequestContext } from '../request-context.js';

const tooLarge = refuse('PAYLOAD_TOO_LARGE', `the body has more than ${bounds.bodyBytes} bytes`);
const tooMany = refuse('SERVICE_UNAVAILABLE', 'too many bodies are on their way to this node', { retryAfter: 1 });

/** @param read reads the body; its result is returned unless a bound is exceeded first */
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
    // Listening before the reader does would lose the first bytes.
    req.on('data', count);
    const outcome = await Promise.race([whole, refused]);
    return outcome;
  } finally {
    // Otherwise these listeners would collect data until the end.
    req.removeAllListeners('data');
    arriving.give(who, arrival.held);
    arrivals.end(arrival);
  }
}

/** Ends the request as node ends one that takes too long: with 408, closing the connection. */
function endLate({ site, req }: RequestContext): void {
  answerClientError(site, new LateRequest('the body comes too slowly'), req.socket);
}
