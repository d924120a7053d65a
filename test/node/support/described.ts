/**
 * A client that validates every reply against the node's OpenAPI document, and more strictly than the document: a member that
 * no schema names, or that occurs twice, is an error too.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { type Body, Client, type Headers, type Reply, type Request } from './client.js';

type Schema = { readonly [keyword: string]: Body };

const applicators = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

/** `closed`: no schema around this one counts its members together with others. */
function strict(schema: Body, closed = true): Body {
  if (typeof schema !== 'object') return schema;
  const inner: Record<string, Body> = { ...schema };
  for (const keyword of applicators) {
    if (schema[keyword]) inner[keyword] = schema[keyword].map((each: Body) => strict(each, keyword === 'prefixItems'));
  }
  for (const keyword of ['items', 'additionalProperties']) {
    if (schema[keyword] !== undefined) inner[keyword] = strict(schema[keyword]);
  }
  if (schema.properties) inner.properties = strictMembers(schema.properties);
  return closed ? { ...inner, unevaluatedProperties: false } : inner;
}

const strictMembers = (members: Schema): Schema =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, strict(member)]));

/** Whether the operation's success is covered by reply-schemas-of-markets. */
export const ofMarkets = (tags: readonly string[]): boolean =>
  tags.some((tag) => tag.startsWith('Market') || tag === 'Orders' || tag === 'Contracts');

export class Description {
  readonly #ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: true,
    formats: { uri: (text: string) => URL.canParse(text), int64: true },
    keywords: ['discriminator'],
  });
  readonly #validators = new Map<string, ValidateFunction>();
  /** Operations that were answered with success. */
  readonly answered = new Set<string>();

  constructor(readonly document: Body) {}

  get operations(): readonly Body[] {
    return Object.entries<Schema>(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
    );
  }

  /** The schema with components in place of the references to them. */
  resolved(schema: Body): Body {
    if (Array.isArray(schema)) return schema.map((each) => this.resolved(each));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $ref, ...others } = schema;
    const whole = $ref ? { ...this.document.components.schemas[$ref.split('/').at(-1)], ...others } : schema;
    return Object.fromEntries(Object.entries(whole).map(([name, each]) => [name, this.resolved(each)]));
  }

  /** The matching path with the fewest parameters. */
  operationOf({ method, path }: Request): Body {
    const plain = path.split('?')[0]!;
    const fits = this.operations.filter(
      (each) => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain),
    );
    return fits.find((each) => each.path === plain) ?? fits[0];
  }

  /** Fails if the reply does not match the document. */
  check(request: Request, { status, headers, body, text }: Reply): void {
    if (status === 304) return;
    const operation = this.operationOf(request);
    if (!operation) return void this.expectValid('#/components/schemas/Problem', body);
    const said = operation.responses[status];
    expect(said, `${operation.operationId} may answer ${status}: ${text.slice(0, 300)}`).to.be.an('object');
    if (status >= 400)
      expect(operation['x-error-codes'], `${operation.operationId} may refuse so`).to.include(body.code);
    const { content } = said.$ref ? this.document.components.responses[status] : said;
    if (status < 300) this.answered.add(operation.operationId);
    if (content === undefined) return void expect(text).to.equal('');
    const type = headers['content-type']!.split(';')[0]!;
    expect(content, `${operation.operationId} ${status}`).to.include.keys(type);
    const { schema } = content[type];
    if (!/json$/.test(type)) return;
    // JSON.parse keeps only the last of two members with one name, so the text would be longer than its parsed form.
    const written = text.endsWith('\n') ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body);
    expect(written.length, `${operation.operationId}: each member once in ${text}`).to.equal(text.length);
    this.expectValid(schema, body);
  }

  /** @param schema a schema, or its place in the document */
  expectValid(schema: Schema | string, value: Body): void {
    const validate = this.#validator(typeof schema === 'string' ? { $ref: schema } : schema);
    if (validate(value)) return;
    const flaws = validate.errors!.map((each) => `${each.instancePath} ${each.message} ${JSON.stringify(each.params)}`);
    expect.fail(`${flaws.join('\n')}\n${JSON.stringify(value, null, 1).slice(0, 3_000)}`);
  }

  #validator(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    let validate = this.#validators.get(key);
    if (!validate) {
      const components = Object.entries<Schema>(this.document.components.schemas);
      // References add members to those of the component, so a component can be closed only where it is used.
      const $defs = Object.fromEntries(components.map(([name, each]) => [name, strict(each, false)]));
      const whole = JSON.stringify({ ...strict(schema), $defs });
      validate = this.#ajv.compile(JSON.parse(whole.replaceAll('#/components/schemas/', '#/$defs/')));
      this.#validators.set(key, validate);
    }
    return validate;
  }
}

export class DescribedClient extends Client {
  readonly #opened: Client[] = [];

  constructor(
    url: string,
    private readonly description: Description,
    private readonly headers: Headers = {},
  ) {
    super(url, headers);
  }

  override with(headers: Headers): Client {
    const other = new DescribedClient(this.url, this.description, { ...this.headers, ...headers });
    this.#opened.push(other);
    return other;
  }

  override async send(request: Request): Promise<Reply> {
    const reply = await super.send(request);
    this.description.check(request, reply);
    return reply;
  }

  override close(): void {
    super.close();
    for (const each of this.#opened) each.close();
  }
}
