/**
 * The request that each command of the API sends, compared with the routes. The input is the documented example.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { everyRoute, network } from '../../../scripts/generate/routes.js';
import { bodyFields } from '../../../src/cli/api/fields.js';
import { commandWords, kebab } from '../../../src/cli/api/names.js';
import { readOperations } from '../../../src/cli/api/operations.js';
import { flagsOf } from '../../../src/cli/api/sample-line.js';
import { version } from '../../../src/core/version.js';
import { openApiOf } from '../../../src/http/openapi/openapi.js';
import { isLong } from '../../support/long.js';
import { scratch, tidy } from '../../support/scratch.js';
import { vectorsIn } from '../../support/vectors.js';
import { ada } from '../../world/people.js';
import { runHere } from '../support/here.js';

interface Asked {
  readonly method: string;
  readonly url: URL;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the type of the body
  readonly body: any;
}

/** Accepts every request, answers the reads before a signed write, and records the requests. */
class Stub {
  readonly asked: Asked[] = [];
  readonly #server: Server = createServer((request, response) => {
    void this.#take(request).then(({ method, url }) => {
      response.setHeader('Content-Type', 'application/json');
      // The stream is refused, because an accepted one would be requested again and again.
      response.statusCode = url.pathname.endsWith('/stream') ? 404 : method === 'DELETE' ? 204 : 200;
      const said = {
        did: 'x',
        nextNonce: 7,
        matches: [],
        resourcePrev: 'as-it-is',
        status: 404,
        code: 'NOT_FOUND',
        detail: 'no stream',
      };
      response.end(method === 'DELETE' ? undefined : JSON.stringify(said));
    });
  });

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #take(request: IncomingMessage): Promise<Asked> {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url = '/' } = request;
    const asked = { method, url: new URL(url, 'http://stub'), body: text === '' ? undefined : JSON.parse(text) };
    this.asked.push(asked);
    return asked;
  }
}

/** Splits a line into words as a shell does, with 'quoted words'. */
const wordsIn = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
/** DIDs are abbreviated in examples. */
const anyDid = /did:svc:z6Mk[\w…]+/g;
const withoutDids = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null).replaceAll(anyDid, 'DID'));

/** Flags for the whole documented example of the operation. */
function exampleOf(operationId: string, words: string): string[] {
  const operation = readOperations().find((each) => each.operationId === operationId)!;
  if (operation.method === 'GET' || operation.method === 'DELETE') return [];
  const { nonce: _, resourcePrev: __, ...written } = operation.example ?? {};
  const [group = ''] = words.split(' ');
  const flags = flagsOf(bodyFields(operation, group), written).join(' ');
  return wordsIn(flags).map((word) => word.replaceAll(anyDid, ada));
}

/** Path parameters, with characters that must be encoded. */
const placesOf = (path: string): Map<string, string> =>
  new Map(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, /did|address/i.test(name!) ? ada : `odd/${name} 100%`]),
  );

/** Whether the path already contains the member: a review's subject is its DID. */
const isSaid = (member: string, places: readonly string[]): boolean =>
  places.includes(member) || (member === 'target' && places.includes('did'));

/** The flags without those for members that the path contains, because a command fills these in. */
function unsaid(flags: readonly string[], places: readonly string[]): string[] {
  const said = new Set([...places, 'target'].filter((name) => isSaid(name, places) && name !== 'did').map(kebab));
  return flags.filter((word, index) => !said.has(word.slice(2)) && !said.has((flags[index - 1] ?? '').slice(2)));
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: { readonly [name: string]: { readonly writeOnly?: boolean } };
  readonly required?: readonly string[];
}

interface Media {
  readonly schema: { readonly $ref: string };
  readonly example?: object;
}

const sampleOf = ({ type, enum: choices }: Schema): string =>
  choices ? String(choices.at(-1)) : type === 'integer' || type === 'number' ? '3' : type === 'boolean' ? '' : 'one';

describe('svc-node, what each command asks a node for', () => {
  const stub = new Stub();
  let url: string;
  before(async () => {
    url = await stub.open();
  });
  after(async () => {
    stub.close();
    await tidy();
  });

  /** The last request; those before it read a nonce or a version, and `status` asks for the readiness after it. */
  async function asks(words: readonly string[]): Promise<Asked> {
    stub.asked.splice(0);
    const env = { SVC_NODE_DID: ada, SVC_PASSPHRASE: 'a passphrase of nobody' };
    const end = await runHere([...words, '--url', url, '--data', dir, '--json'], env);
    const last = stub.asked.findLast(({ url: { pathname } }) => pathname !== '/readyz') ?? stub.asked.at(-1);
    expect(last, end.stderr).to.not.equal(undefined);
    if (!last!.url.pathname.endsWith('/stream')) expect(end.code, end.stderr).to.equal(0);
    return last!;
  }
  const dir = scratch();

  it('a time as how long ago', async () => {
    const before = Date.now();
    const { url: asked } = await asks(['event', 'list', '--since', '2h', '--until', '2026-11-01']);
    const since = Number(asked.searchParams.get('since'));
    expect(since).to.be.within(before - 7_200_000, Date.now() - 7_200_000);
    expect(asked.searchParams.get('until')).to.equal('2026-11-01T00:00:00Z');
  });

  it('lists of values, with commas in them too', async () => {
    for (const [given, values] of [
      ['a,b', ['a', 'b']],
      ['["Arts, Crafts"]', ['Arts, Crafts']],
    ] as const) {
      const { url: asked } = await asks(['market', 'search', '--category', given]);
      expect(asked.searchParams.getAll('category[]')).to.deep.equal(values);
    }
  });

  it('takes the one thing that a lookup or the faucet is about as a word', async () => {
    expect((await asks(['lookup', 'Ada'])).url.search).to.equal('?text=Ada');
    expect((await asks(['faucet', ada])).body).to.deep.equal({ did: ada });
  });

  it('the Big List of Naughty Strings as it is, in a query and in a body', async () => {
    const texts = vectorsIn<string>('naughty-strings.json').filter((_, index) => isLong || index % 8 === 0);
    for (const text of texts) {
      const { url: asked } = await asks(['lookup', `--text=${text}`]);
      expect(asked.searchParams.get('text')).to.equal(text);
      const { body } = await asks(['transfer', '--to', ada, '--amount', '1', `--memo=${text}`]);
      expect(body.memo).to.equal(text);
    }
  });

  const { paths, components } = openApiOf(everyRoute(), { version, network });
  const schemas = components.schemas as { readonly [title: string]: Schema };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const operationId = described.operationId as string;
      const words = commandWords({ operationId, path });
      if (words === undefined) continue;
      const parameters = described.parameters as readonly { name: string; in: string; schema: Schema }[];
      const queries = parameters.filter(
        (each) => each.in === 'query' && !['q', 'per_page'].includes(each.name) && method === 'get',
      );
      it(`svc-node ${words}`, async () => {
        const places = placesOf(path);
        const example = [
          ...words.split(' '),
          ...places.values(),
          ...unsaid(exampleOf(operationId, words), [...places.keys()]),
        ];
        // `all` and `after` lead to further pages, which the stub does not have.
        const flags = queries.flatMap(({ name, schema }) => [`--${flagOf(name)}`, sampleOf(schema)].filter(Boolean));
        const sent = await asks([...example, ...flags]);
        expect(sent.method).to.equal(method.toUpperCase());
        const expected = path.split('/').map((part) => places.get(part.slice(1, -1)) ?? part);
        expect(sent.url.pathname.split('/').map(decodeURIComponent)).to.deep.equal(expected);
        for (const { name, schema } of queries) {
          const sentName = [schema.type].flat().includes('array') ? `${name}[]` : name;
          expect(sent.url.searchParams.get(sentName), name).to.equal(sampleOf(schema) || 'true');
        }
        const media = (described.requestBody as { content: { [type: string]: Media } })?.content['application/json'];
        if (!media) return;
        const schema = schemas[media.schema.$ref.split('/').at(-1)!]!;
        expectBody(sent.body, { ...media, schema }, places);
      });
    }
  }

  const flagOf = (name: string): string => (kebab(name) === 'network' ? `market-${name}` : kebab(name));

  function expectBody(
    body: { [name: string]: unknown },
    { schema, example = {} }: { schema: Schema; example?: object },
    places: ReadonlyMap<string, string>,
  ) {
    const { properties = {}, required = [] } = schema;
    expect(
      Object.keys(body ?? {}).filter((name) => !(name in properties)),
      'unknown members',
    ).to.deep.equal([]);
    expect(
      required.filter((name) => body[name] === undefined && !(properties[name]?.writeOnly && name !== 'passphrase')),
      'missing',
    ).to.deep.equal([]);
    for (const [name, value] of Object.entries(example)) {
      if (name === 'nonce') expect(body.nonce).to.equal(7);
      else if (name === 'passphrase') expect(body.passphrase).to.equal('a passphrase of nobody');
      else if (name === 'resourcePrev') expect(body[name]).to.be.oneOf(['as-it-is', undefined]);
      else if (isSaid(name, [...places.keys()])) expect(body[name], name).to.be.oneOf([...places.values()]);
      else if (!properties[name]?.writeOnly) expect(withoutDids(body[name]), name).to.deep.equal(withoutDids(value));
    }
  }
});
