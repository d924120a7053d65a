/** One write of a batch (docs/reference/requests.md#batches), which is handled as a request that was sent alone. */
import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../core/canonical.js';
import type { Code } from '../../core/refusal.js';
import type { Caller } from '../access/caller.js';
import type { RouteMeter } from './metrics.js';
import type { RequestContext, ServerContext } from './request-context.js';
import type { BatchItem, Call } from './route.js';

const nothing = Object.freeze({});

export class ItemContext implements Call {
  caller: Caller;
  params: Call['params'] = nothing;
  query: unknown = nothing;
  body: JsonObject = nothing;
  ignored: readonly string[] | undefined;
  meter: RouteMeter;
  unlocked: boolean | undefined;
  refusedAs: Code | null = null;
  abandoned = false;
  readonly server: ServerContext;
  readonly req: IncomingMessage;
  readonly requestId: string;
  readonly startedAt: number;

  constructor(
    readonly batch: RequestContext,
    readonly item: BatchItem,
  ) {
    this.caller = batch.caller;
    this.server = batch.server;
    this.req = batch.req;
    this.meter = this.server.unknownRoute;
    this.requestId = `${batch.requestId}/${item.index}`;
    this.startedAt = this.server.world.monotonic();
  }

  get path(): string {
    return this.item.path;
  }

  get url(): string {
    return this.item.path;
  }

  get signal(): AbortSignal {
    return this.batch.signal;
  }

  get onPlaced(): BatchItem['onPlaced'] {
    return this.item.onPlaced;
  }

  get mayWait(): boolean {
    return this.item.mayWait;
  }

  rendersInTurn(): Promise<void> {
    return new Promise((resolve) => this.server.connections.pace.take(resolve));
  }

  header(name: string): string | undefined {
    if (name === 'idempotency-key') return this.item.idempotencyKey;
    if (name === 'content-length') return String(Buffer.byteLength(JSON.stringify(this.item.body)));
    return this.batch.header(name);
  }

  /** The batch has the headers of the limits. */
  addHeaders(): void {}
}
