/** What a server does with more requests than it can start: who is refused, when, and who is not. */
import net from 'node:net';
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { realEnvironment } from '../../src/core/environment.js';
import { createLog } from '../../src/core/log.js';
import { freeObject } from '../../src/core/schema/scalar.js';
import type { ValidKey } from '../../src/http/access/access.js';
import { Metrics } from '../../src/http/server/metrics.js';
import type { HttpServer } from '../../src/http/server/server.js';
import { until } from '../support/until.js';
import { type RawReply, raw, request, route, sampleRoutes, start, stopAll } from './support.js';

describe('http: an overloaded server', () => {
  afterEach(stopAll);

  /** A server whose turns pass, and whose time passes, only when the test says so; with a request in progress. */
  async function held() {
    const turns: (() => void)[] = [];
    const state = { isHeld: false, now: 0 };
    const world = {
      ...realEnvironment,
      monotonic: () => state.now,
      after: (ms: number, call: () => void) => {
        if (ms > 0 || !state.isHeld) return realEnvironment.after(ms, call);
        turns.push(call);
        return { cancel: () => {} };
      },
    };
    const [metrics, lines] = [new Metrics(), [] as string[]];
    const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
    let inWork = 0;
    const handle = () => {
      inWork += 1;
      return new Promise<never>(() => {});
    };
    const routes = [...sampleRoutes, route({ method: 'POST', path: '/api/v1/held', handle })];
    const at = await start(routes, { world, metrics, log });
    const sockets: net.Socket[] = [];
    const hold = () => {
      const socket = net.connect(at.port, '127.0.0.1');
      sockets.push(socket.on('error', () => {}));
      socket.write(request('POST /api/v1/held', at.port));
    };
    /** Requests that wait for their turn, besides those that wait already. */
    const waiting = async (count: number, text: string): Promise<Promise<RawReply>[]> => {
      const before = await waitingNow();
      const replies = Array.from({ length: count }, () => raw(at.port, text, { quietMs: 60_000 }));
      await until('they wait', waitingNow, { is: (now) => now === before + count });
      return replies;
    };
    const waitingNow = async () => Number(/^svc_http_requests_waiting (\d+)/m.exec(await metrics.text())?.[1]);
    const pass = (ms: number) => {
      state.now += ms;
    };
    const free = () => {
      state.isHeld = false;
      for (const turn of turns.splice(0)) turn();
    };
    return {
      ...{ at, waiting, pass, free, lines },
      /** Begins requests that stay in progress, and a turn that does not end. */
      begin: async (count = 1) => {
        for (let index = 0; index < count; index++) hold();
        await until('they are in work', () => inWork === count);
        state.isHeld = true;
        hold();
        await until('the turn has begun', () => inWork === count + 1);
        pass(bounds.turnMs + 1);
      },
      end: () => {
        for (const socket of sockets) socket.destroy();
      },
    };
  }

  const close = ['Connection: close'];
  /** Its body is not JSON, so it is refused before or after the body was read. */
  const misread = (port: number, ...headers: string[]) =>
    `${request('POST /api/v1/things', port, ['Content-Type: application/json', 'Content-Length: 1', ...close, ...headers])}x`;
  const statuses = async (replies: readonly Promise<RawReply>[]) =>
    (await Promise.all(replies)).map(({ status }) => status);
  const counted = (all: readonly number[], status: number) => all.filter((each) => each === status).length;

  it('refuses those that have waited while too many wait behind them, without reading their bodies, and says so once', async () => {
    const { at, waiting, begin, pass, free, end, lines } = await held();
    await begin();
    const more = 20;
    const health = await waiting(1, request('GET /healthz', at.port, close));
    const replies = await waiting(bounds.requestsWaiting + more, misread(at.port));
    pass(bounds.requestWaitMs);
    free();
    const all = await statuses(replies);
    expect([counted(all, 503), counted(all, 400)]).to.deep.equal([more, bounds.requestsWaiting]);
    // It has waited in front of them all.
    expect(await statuses(health)).to.deep.equal([200]);
    const refused = (await Promise.all(replies)).find(({ status }) => status === 503)!;
    expect(refused.headers['retry-after']).to.equal('1');
    expect(JSON.parse(refused.body)).to.include({ code: 'SERVICE_UNAVAILABLE' });
    expect(lines.filter((line) => line.includes('overloaded'))).to.have.length(1);
    end();
  });

  it('refuses writes at once while too many others wait for the store, and no reads', async () => {
    let writes = bounds.requestsWaiting - 1;
    const at = await start(sampleRoutes, { writesInFlight: () => writes });
    expect((await raw(at.port, misread(at.port))).status).to.equal(400);
    writes += 1;
    expect((await raw(at.port, misread(at.port))).status).to.equal(503);
    expect((await raw(at.port, request('GET /api/v1/things', at.port, close))).status).to.equal(200);
  });

  it('refuses no write for the items of a batch, which were admitted with it', async () => {
    let begun = 0;
    const item = { path: '/api/v1/item', idempotencyKey: undefined, body: {}, onPlaced: () => {}, mayWait: false };
    const handle = () => {
      begun += 1;
      return new Promise<never>(() => {});
    };
    const routes = [
      ...sampleRoutes,
      route({ method: 'POST', path: item.path, prepares: freeObject, handle }),
      route({
        method: 'POST',
        path: '/api/v1/many',
        handle: (call) => {
          for (let index = 0; index < bounds.requestsWaiting; index++) void call.perform!({ ...item, index });
          return new Promise<never>(() => {});
        },
      }),
    ];
    const at = await start(routes, { writesInFlight: () => begun });
    const socket = net.connect(at.port, '127.0.0.1').on('error', () => {});
    socket.write(request('POST /api/v1/many', at.port));
    await until('all items have begun', () => begun === bounds.requestsWaiting);
    expect((await raw(at.port, misread(at.port))).status).to.equal(400);
  });

  it('refuses no request that has not waited, however many come at once', async () => {
    const { at, waiting, begin, free, end } = await held();
    await begin();
    const many = 2 * bounds.requestsWaiting + 20;
    const replies = await waiting(many, request('GET /api/v1/node', at.port, close));
    free();
    expect(counted(await statuses(replies), 200)).to.equal(many);
    end();
  });

  for (const [title, behind, status] of [
    ['spares a caller with fewer requests in progress than the average', bounds.requestsWaiting, 400],
    ['spares none while twice as many wait', 2 * bounds.requestsWaiting, 503],
  ] as const)
    it(title, async () => {
      const { at, waiting, begin, pass, free, end } = await held();
      await begin(2);
      const keyed = await waiting(1, misread(at.port, 'X-Api-Key: write-key'));
      const others = await waiting(behind, misread(at.port));
      pass(bounds.requestWaitMs);
      free();
      expect(await statuses(keyed)).to.deep.equal([status]);
      expect(counted(await statuses(others), 503)).to.equal(behind - bounds.requestsWaiting);
      end();
    });

  describe('judges a caller by the requests that it has in progress', () => {
    let writes: number;
    let inWork: number;
    let lookup: () => Promise<ValidKey | undefined>;
    /** Ends the writes of the batch. */
    let ends: (() => void)[];
    const item = { path: '/api/v1/item', idempotencyKey: undefined, body: {}, onPlaced: () => {}, mayWait: false };
    const keyOf = (scope: 'read' | 'write' | 'admin') => ({ id: scope, scope, limits: null });
    const [writer, reader, operator] = [keyOf('write'), keyOf('read'), keyOf('admin')];

    const connections = ({ server }: HttpServer): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      );

    async function begun() {
      [writes, inWork, ends] = [0, 0, []];
      lookup = async () => writer;
      const begins =
        <T>(reply: T) =>
        () => {
          inWork += 1;
          return reply;
        };
      async function* silent(): AsyncGenerator<string> {
        yield await new Promise<never>(() => {});
      }
      const routes = [
        ...sampleRoutes,
        route({ method: 'GET', path: '/api/v1/held', handle: begins(new Promise<never>(() => {})) }),
        route({
          method: 'POST',
          path: item.path,
          prepares: freeObject,
          handle: () => new Promise((resolve) => ends.push(() => resolve({ status: 200, body: {} }))),
        }),
        route({
          method: 'POST',
          path: '/api/v1/batch',
          handle: (call) => {
            for (let index = 0; index < bounds.batchItems; index++) void call.perform!({ ...item, index });
            return begins(new Promise<never>(() => {}))();
          },
        }),
        route({ method: 'POST', path: '/api/v1/operators', scope: 'admin' }),
        route({
          method: 'GET',
          path: '/api/v1/stream',
          handle: begins({ status: 200, stream: { type: 'text/plain', chunks: silent() } }),
        }),
      ];
      const keys = { known: () => undefined, lookup: () => lookup() };
      const at = await start(routes, { keys, writesInFlight: () => writes });
      const send = async (line: string, ...headers: string[]) => {
        const before = inWork;
        const socket = net.connect(at.port, '127.0.0.1').on('error', () => {});
        socket.write(request(line, at.port, headers));
        return { socket, begins: () => until('it is in progress', () => inWork === before + 1) };
      };
      return { at, send };
    }

    it('and not by its event streams', async () => {
      const { at, send } = await begun();
      await (await send('GET /api/v1/stream')).begins();
      lookup = async () => reader;
      for (const _ of [1, 2]) await (await send('GET /api/v1/held', 'X-Api-Key: read-key')).begins();
      writes = bounds.requestsWaiting;
      expect((await raw(at.port, misread(at.port))).status).to.equal(400);
    });

    it('and by the writes of its batches', async () => {
      const { at, send } = await begun();
      await (await send('POST /api/v1/batch', 'X-Api-Key: write-key')).begins();
      await (await send('GET /api/v1/held')).begins();
      await until('the writes are in progress', () => ends.length === bounds.batchItems);
      const answer = async (most: number) => {
        writes = most;
        return (await raw(at.port, misread(at.port))).status;
      };
      expect(await answer(bounds.requestsWaiting + ends.length)).to.equal(400);
      for (const end of ends) end();
      await until('they have ended', () => answer(bounds.requestsWaiting), { is: (status) => status === 503 });
    });

    it('unless it is an operator, of whom twice as many wait', async () => {
      const { at } = await begun();
      lookup = async () => operator;
      const answer = async (most: number) => {
        writes = most;
        const text = request('POST /api/v1/operators', at.port, [
          'X-Api-Key: admin-key',
          'Content-Length: 0',
          ...close,
        ]);
        return (await raw(at.port, text)).status;
      };
      expect(await answer(2 * bounds.requestsWaiting - 1)).to.equal(200);
      expect(await answer(2 * bounds.requestsWaiting)).to.equal(503);
    });

    it('and not by those whose connection was closed before they were admitted', async () => {
      const { at, send } = await begun();
      const late: (() => void)[] = [];
      lookup = () => new Promise((resolve) => late.push(() => resolve(writer)));
      const gone = [await send('GET /api/v1/held', 'X-Api-Key: a'), await send('GET /api/v1/held', 'X-Api-Key: b')];
      await until('their keys are looked up', () => late.length === 2);
      for (const { socket } of gone) socket.destroy();
      await until('they are closed', () => connections(at.http), { is: (count) => count === 0 });
      for (const found of late) found();
      writes = bounds.requestsWaiting;
      expect((await raw(at.port, misread(at.port))).status).to.equal(503);
    });
  });
});
