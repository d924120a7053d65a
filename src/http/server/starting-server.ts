/** The server while the node starts: it is alive and not ready, with the reason, and all other requests get 503. */
import { refuse } from '../../core/refusal.js';
import { answerRefusal, conclude } from './answer.js';
import { close, type Listening, listen, listenerOf } from './listener.js';
import { RequestContext, ServerContext } from './request-context.js';
import { guardTarget } from './request-head.js';

type SiteParts = ConstructorParameters<typeof ServerContext>;

export class StartingServer {
  #reason = 'the node is starting';
  #listening: Promise<Listening> | undefined;
  #close: () => Promise<void> = async () => {};

  constructor(private readonly parts: SiteParts) {}

  /** Listens, unless it already does. Rejects if it cannot. */
  open(reason = this.#reason): Promise<Listening> {
    this.#reason = reason;
    this.#listening ??= this.#listen();
    return this.#listening;
  }

  /** Frees the port. */
  async close(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    await listening?.catch(() => {}); // the caller of open() gets the error
    await this.#close();
  }

  #listen(): Promise<Listening> {
    const serverContext = new ServerContext(...this.parts);
    const server = listenerOf(serverContext, (req, res) => this.#answer(new RequestContext(serverContext, req, res)));
    this.#close = () => close(server, serverContext, 0);
    return listen(server, serverContext);
  }

  #answer(context: RequestContext): void {
    const { server, req, path } = context;
    server.metrics.inFlight += 1;
    const refusal = guardTarget(req);
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (refusal) answerRefusal(context, refusal);
    else if (isRead && path === '/healthz') conclude(context, { status: 200, body: { status: 'ok' } });
    else answerRefusal(context, refuse('SERVICE_UNAVAILABLE', this.#reason, { retryAfter: 5 }));
  }
}
