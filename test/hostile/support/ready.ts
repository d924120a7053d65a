/**
 * Requests that a node would accept now. The exercise of each operation (test/conformance/exercises.ts) brings a resource into the
 * state that it needs; its last request is held back, and becomes the operation's example in `/openapi.json`. A generator that
 * starts from examples then reaches what lies behind a valid signature and a right state.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { placesOf } from '../../../src/http/openapi/recorded.js';
import type { Route } from '../../../src/http/server/route.js';
import { derivedExercises, ownExercises } from '../../conformance/exercises.js';
import { type Body, Client } from '../../node/support/client.js';
import type { TestNode } from '../../node/support/node.js';

interface Held {
  readonly path: string;
  readonly body?: Body;
}

const bodyOf = (text: string): Body => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A proxy before a node. */
export class Gate {
  readonly #server: http.Server;
  #awaited: { readonly route: Route; readonly found: (held: Held) => void } | undefined;
  readonly #ready = new Map<Route, Held>();

  private constructor(private readonly node: TestNode) {
    this.#server = http.createServer((asked, answer) => {
      const chunks: Buffer[] = [];
      asked.on('data', (chunk: Buffer) => chunks.push(chunk));
      asked.on('end', () => void this.#take(asked, Buffer.concat(chunks), answer));
    });
  }

  static async before(node: TestNode): Promise<Gate> {
    const gate = new Gate(node);
    await new Promise<void>((resolve) => gate.#server.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Prepares these operations. Those whose exercise moves the clock come first, so that no deadline of the others passes. */
  async prepare(names: readonly string[]): Promise<void> {
    this.node.world.hold();
    const client = new Client(this.url);
    const node = behind(this.node, client);
    const [ada, ben] = [await node.rich(10_000), await node.person()];
    const admin = await node.keyed({ scope: 'admin' });
    const exercises = { ...(await derivedExercises(node)), ...ownExercises({ node, ada, ben, admin }) };
    const routes = this.node.running.routes.filter(({ name }) => names.includes(name));
    const prepare = async (route: Route): Promise<void> => {
      this.#awaited = { route, found: (held) => this.#ready.set(route, held) };
      await exercises[route.name]!().catch(() => {});
      this.#awaited = undefined;
    };
    const later: Route[] = [];
    for (const route of routes) {
      const time = this.node.world.now();
      await prepare(route);
      if (this.node.world.now() === time) later.push(route);
    }
    if (later.length < routes.length) for (const route of later) await prepare(route);
    client.close();
  }

  async #take(asked: http.IncomingMessage, bytes: Buffer, answer: http.ServerResponse): Promise<void> {
    const { method = '', url = '' } = asked;
    const awaited = this.#awaited;
    if (awaited && method === awaited.route.method && matches(awaited.route, url)) {
      this.#awaited = undefined;
      awaited.found({ path: url, ...(bytes.length > 0 ? { body: bodyOf(bytes.toString()) } : {}) });
      const held = { type: 'about:blank', title: 'Held', status: 400, detail: 'held back', code: 'INVALID_REQUEST' };
      answer.writeHead(400, { 'Content-Type': 'application/problem+json' }).end(JSON.stringify(held));
      return;
    }
    const body = await this.#withNextNonce(bytes);
    const headers = asked.rawHeaders.flatMap((value, index, all) => (index % 2 ? [] : [[value, all[index + 1]!]]));
    const kept = headers.filter(([name]) => !/^(content-length|connection)$/i.test(name!));
    const hosted = kept.map(([name, value]) =>
      /^host$/i.test(name!) && value === new URL(this.url).host
        ? [name!, new URL(this.node.url).host]
        : [name!, value!],
    );
    const to = http.request(this.node.url, { method, path: url, setHost: false }, (reply) => {
      if (url === '/openapi.json') return void this.#withExamples(reply, answer);
      answer.writeHead(reply.statusCode!, reply.rawHeaders);
      reply.pipe(answer);
    });
    for (const [name, value] of hosted) to.appendHeader(name!, value!);
    to.on('error', () => answer.destroy());
    if (body.length > 0) to.setHeader('Content-Length', body.length);
    to.end(body);
  }

  /** A nonce of a prepared request becomes the signer's next, because requests of other operations have used it. */
  async #withNextNonce(bytes: Buffer): Promise<Buffer> {
    const body = bodyOf(bytes.toString());
    const isPrepared = [...this.#ready.values()].some(
      (held) => held.body?.nonce !== undefined && held.body.did === body?.did && held.body.nonce === body?.nonce,
    );
    if (!isPrepared) return bytes;
    const { nonce = 0 } = (await this.node.store.account(body.did)) ?? {};
    return Buffer.from(JSON.stringify({ ...body, nonce: nonce + 1 }));
  }

  async #withExamples(reply: http.IncomingMessage, answer: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk as Buffer);
    const document = bodyOf(Buffer.concat(chunks).toString());
    for (const [route, { path, body }] of this.#ready) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()];
      const query = Object.fromEntries(new URL(path, this.url).searchParams);
      const places: { readonly [name: string]: string } = { ...placesOf(route.path, path), ...query };
      for (const parameter of operation.parameters)
        if (places[parameter.name] !== undefined) parameter.example = places[parameter.name];
      const content = operation.requestBody?.content?.['application/json'];
      if (content && body) content.example = body;
    }
    answer.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  }
}

const matches = ({ path }: Route, url: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(url.split('?')[0]!);

/** The same node, whose callers pass through the client. */
function behind(node: TestNode, client: Client): TestNode {
  const own: { readonly [name: string]: unknown } = {
    client,
    rich: (amount?: number) => node.rich(amount, client),
    person: () => node.person(client),
    keyed: async (key: Parameters<TestNode['key']>[0]) => client.keyed((await node.key(key)).key),
  };
  return new Proxy(node, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return own[String(name)];
      const value = Reflect.get(node, name, node);
      return typeof value === 'function' ? value.bind(node) : value;
    },
  });
}
