/**
 * Requests that a node would accept now. The exercise of each operation (test/conformance/exercises.ts) brings a resource into the
 * state that it needs; its last request is held back, and becomes the operation's example in `/openapi.json`. A generator that
 * starts from examples then reaches what lies behind a valid signature and a right state.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Route } from '../../../src/http/server/route.js';
import { derivedExercises, ownExercises } from '../../conformance/exercises.js';
import { type Passing, Tamperer } from '../../injection/tamperer.js';
import { through } from '../../injection/through.js';
import type { Body, Reply } from '../../node/support/client.js';
import type { TestNode } from '../../node/support/node.js';

type Ready = ReadonlyMap<Route, Passing>;

const held: Reply = { status: 400, headers: {}, text: 'held back', body: undefined };

/** Prepares these operations. Those whose exercise moves the clock come first, so that no deadline of the others passes. */
async function prepare(node: TestNode, names: readonly string[]): Promise<Ready> {
  const ready = new Map<Route, Passing>();
  const tamperer = await Tamperer.before(node.url);
  const seen = through(node, tamperer);
  node.world.hold();
  const [ada, ben] = [await seen.rich(10_000), await seen.person()];
  const admin = await seen.keyed({ scope: 'admin' });
  const exercises = { ...(await derivedExercises(seen)), ...ownExercises({ node: seen, ada, ben, admin }) };
  const take = (route: Route) =>
    tamperer.intercept(
      route,
      async (request) => {
        ready.set(route, request);
        return held;
      },
      exercises[route.name]!,
    );
  const routes = node.running.routes.filter(({ name }) => names.includes(name));
  const later: Route[] = [];
  for (const route of routes) {
    const time = node.world.now();
    await take(route);
    if (node.world.now() === time) later.push(route);
  }
  if (later.length < routes.length) for (const route of later) await take(route);
  await tamperer.close();
  return ready;
}

const bodyOf = (bytes: Buffer): Body => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

async function bytesOf(message: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Changes the headers of the request with this number. */
export type Amend = (request: http.ClientRequest, number: number) => void;

/** A proxy before a node, whose `/openapi.json` has these requests as examples. */
export class Gate {
  readonly #server: http.Server;
  #passed = 0;

  private constructor(
    private readonly node: TestNode,
    private readonly ready: Ready,
    private readonly amend: Amend,
  ) {
    this.#server = http.createServer((asked, answer) => {
      this.#pass(asked, answer).catch(() => answer.destroy());
    });
  }

  static async before(node: TestNode, names: readonly string[], amend: Amend): Promise<Gate> {
    const gate = new Gate(node, await prepare(node, names), amend);
    gate.#server.listen(0, '127.0.0.1');
    await once(gate.#server, 'listening');
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(asked: http.IncomingMessage, answer: http.ServerResponse): Promise<void> {
    const body = await this.#withNextNonce(await bytesOf(asked));
    const request = http.request(this.node.url, { method: asked.method, path: asked.url, setHost: false });
    const own = new URL(this.url).host;
    for (let at = 0; at < asked.rawHeaders.length; at += 2) {
      const [name, value] = [asked.rawHeaders[at]!, asked.rawHeaders[at + 1]!];
      if (!/^(content-length|connection)$/i.test(name))
        request.appendHeader(name, value === own ? new URL(this.node.url).host : value);
    }
    this.amend(request, this.#passed++);
    if (body.length > 0) request.setHeader('Content-Length', body.length);
    request.end(body);
    const [reply] = (await once(request, 'response')) as [http.IncomingMessage];
    if (asked.url === '/openapi.json') {
      answer
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify(this.#withExamples(await bytesOf(reply))));
    } else {
      answer.writeHead(reply.statusCode!, reply.rawHeaders);
      reply.pipe(answer);
    }
  }

  /** A nonce of a prepared request becomes the signer's next, because requests of other operations have used it. */
  async #withNextNonce(bytes: Buffer): Promise<Buffer> {
    const body = bodyOf(bytes);
    const prepared = [...this.ready.values()].map((each) => each.body ?? {});
    if (!body?.nonce || !prepared.some(({ did, nonce }) => did === body.did && nonce === body.nonce)) return bytes;
    const { nonce = 0 } = (await this.node.store.account(body.did)) ?? {};
    return Buffer.from(JSON.stringify({ ...body, nonce: nonce + 1 }));
  }

  #withExamples(bytes: Buffer): Body {
    const document = bodyOf(bytes);
    for (const [{ path, method }, { segments, query, body }] of this.ready) {
      const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      const places = Object.fromEntries([
        ...path.split('/').map((name, index) => [name.slice(1), segments[index]]),
        ...new URLSearchParams(query),
      ]);
      for (const parameter of operation.parameters)
        if (places[parameter.name] !== undefined) parameter.example = places[parameter.name];
      const content = operation.requestBody?.content?.['application/json'];
      if (content && body) content.example = body;
    }
    return document;
  }
}
