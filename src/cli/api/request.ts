/** One operation asked of a node: what was typed becomes a request, and its answer a table, facts or JSON. */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { ApiError } from '../../client/errors.js';
import { Events } from '../../client/groups/events.js';
import type { Http, Query } from '../../client/http.js';
import { type WriteOptions, Writes } from '../../client/writes.js';
import type { Config } from '../../config.js';
import { CommandFailed, UsageFault } from '../failure.js';
import { fromInput } from '../input.js';
import { print, printJson } from '../output.js';
import { readPassphrase } from '../passphrase.js';
import { type CommonOptions, settingsOf } from '../settings.js';
import { type DoorOptions, openDoor } from './door.js';
import { type Field, valuesOf } from './fields.js';
import type { Operation } from './operations.js';
import { eventLine, listIn, nextOf, report } from './report.js';

interface Options extends CommonOptions, DoorOptions {
  readonly input?: string;
  readonly passphraseFile?: string;
  readonly idempotencyKey?: string;
  readonly all?: boolean;
  readonly [flag: string]: unknown;
}

export interface Asked {
  readonly operation: Operation;
  readonly words: string;
  readonly fields: readonly Field[];
  /** Values of the path's parameters, in their order. */
  readonly places: readonly string[];
  readonly options: Options;
}

interface Body {
  [name: string]: unknown;
}

export async function perform(asked: Asked): Promise<void> {
  const { operation, options } = asked;
  const values = valuesOf(asked.fields, options);
  const config = settingsOf(options);
  try {
    if (operation.operationId === 'streamEvents') return await follow(openDoor(options, config), values, options);
    const reply = operation.method === 'POST' ? await write(asked, values, config) : await read(asked, values, config);
    tell(operation.answers === 'text' ? ofText(String(reply)) : reply, options);
  } catch (error) {
    if (options.json && error instanceof ApiError && error.problem) printJson(error.problem);
    throw error;
  }
}

function tell(reply: unknown, { json }: Options): void {
  if (typeof reply === 'string') print(reply.trimEnd());
  else if (json) printJson(reply ?? {});
  else report(reply);
}

function ofText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // another form, as it was asked for
  }
}

/** The path with its parameters, behind /api/v1 where it is there. */
function pathOf({ operation, places }: Asked): string {
  let index = 0;
  const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(places[index++] ?? ''));
  return path.replace(/^\/api\/v1/, '');
}

async function read(asked: Asked, query: Body, config: Config): Promise<unknown> {
  const { operation, options } = asked;
  const http = openDoor(options, config);
  const path = pathOf(asked);
  if (operation.method === 'DELETE') return http.send({ method: 'DELETE', path });
  if (!operation.path.startsWith('/api/')) {
    const once = operation.operationId === 'readiness';
    return http.send({ method: 'GET', path, beside: operation.answers, once });
  }
  if (operation.answers === 'text') {
    return http.send({ method: 'GET', path: `/api/v1${path}`, query: query as Query, beside: 'text' });
  }
  return options.all ? everything(http, path, query as Query) : http.get(path, query as Query);
}

/** All pages as one. */
async function everything(http: Http, path: string, query: Query): Promise<unknown> {
  const { offset: _, page: __, pageSize: ___, ...filter } = query;
  const items: unknown[] = [];
  let page = await http.get<Body>(path, { limit: largestPage, ...query });
  for (;;) {
    const list = listIn(page);
    if (!list) return page;
    items.push(...list.items);
    const after = nextOf(page);
    if (after === undefined) return { [list.name]: items, total: items.length };
    page = await http.get<Body>(path, { limit: largestPage, ...filter, after });
  }
}

const largestPage = 100;

async function follow(http: Http, filter: Body, { json }: Options): Promise<void> {
  for await (const entry of new Events(new Writes(http)).stream(filter)) {
    if (json) printJson(entry);
    else print(eventLine(entry));
  }
}

/** Given by the command itself where nobody typed it. */
const ownFields = ['did', 'passphrase', 'nonce', 'prev', 'ts', 'resourcePrev'];

async function write(asked: Asked, flags: Body, config: Config): Promise<unknown> {
  const { operation, options, words } = asked;
  const { properties = {}, required = [] } = operation.body ?? {};
  const body: Body = { ...(await inputOf(options)), ...flags };
  fillFromPath(asked, body);
  const missing = asked.fields.filter(
    ({ name }) => required.includes(name) && body[name] === undefined && !ownFields.includes(name),
  );
  if (missing.length > 0) {
    const named = missing.map(({ option }) => option.long).join(', ');
    throw new UsageFault([`${words} needs ${named}: as options, or in the JSON of --input.`]);
  }
  const http = openDoor(options, config);
  const path = pathOf(asked);
  if (required.includes('resourcePrev') && body.resourcePrev === undefined) {
    // What is acted on is what it is now; who wants another version says so.
    const { resourcePrev } = await http.get<Body>(path.replace(/\/actions\/[^/]+$/, ''));
    body.resourcePrev = resourcePrev;
  }
  const key = options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey };
  if (!properties.passphrase) return new Writes(http).plain(path, body, key);
  const signer = await signerOf(asked, body, config);
  if (!signer) return new Writes(http).plain(path, body, key);
  const { did: _, passphrase: __, ...rest } = body;
  if (!properties.nonce) return new Writes(http).plain(path, { ...rest, ...signer }, key);
  const { nonce, prev, ts, ...input } = rest as Body & WriteOptions;
  const stated = Object.fromEntries(Object.entries({ nonce, prev, ts }).filter(([, value]) => value !== undefined));
  return new Writes(http, signer as { did: string; passphrase: string }).signed(path, input, { ...stated, ...key });
}

/** A member that the path has said already. */
function fillFromPath({ operation, places }: Asked, body: Body): void {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const properties = operation.body?.properties ?? {};
  names.forEach((name, index) => {
    const place = places[index] ?? '';
    const member = memberOf(name, place, properties);
    if (member in properties) body[member] ??= place;
  });
}

/** A review is of whom the path names, a withdrawal by whom it names; elsewhere it is the member of that name. */
function memberOf(name: string, place: string, properties: object): string {
  if (name === 'did' && 'target' in properties) return 'target';
  return name === 'address' && place.startsWith('did:') ? 'did' : name;
}

interface Unlocked {
  readonly did?: string;
  readonly passphrase: string;
}

/** undefined: the node knows who signs, by the API key. */
async function signerOf(
  { operation, options, words }: Asked,
  body: Body,
  config: Config,
): Promise<Unlocked | undefined> {
  const { properties = {}, required = [] } = operation.body ?? {};
  const did = (body.did as string | undefined) ?? (process.env.SVC_NODE_DID || undefined);
  if (properties.did && did === undefined) {
    if (!required.includes('did')) return undefined;
    throw new UsageFault([`${words} is signed: say by whom, with --did or SVC_NODE_DID.`]);
  }
  if (options.input === '-' && options.passphraseFile === '-') {
    throw new UsageFault(['Only one of --input and --passphrase-file can be standard input.']);
  }
  const isNew = operation.operationId === 'createIdentity';
  const passphrase =
    (body.passphrase as string | undefined) ??
    (await readPassphrase({
      prompt: isNew ? 'New passphrase (at least 12 characters)' : `Passphrase${did ? ` of ${did}` : ''}`,
      file: options.passphraseFile,
      option: '--passphrase-file',
      config,
      isNew,
    }));
  return properties.did && did !== undefined ? { did, passphrase } : { passphrase };
}

async function inputOf({ input }: Options): Promise<Body> {
  if (input === undefined) return {};
  const text = input === '-' ? await fromInput() : await readFile(input, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CommandFailed(`${input} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandFailed(`${input} holds no JSON object`);
  }
  return value as Body;
}
