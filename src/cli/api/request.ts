/** Runs one operation: arguments become a request, and the reply a table, names and values, or JSON. */
import process from 'node:process';
import { ApiError, UnreachableError } from '../../../packages/client/src/errors.js';
import { Events } from '../../../packages/client/src/groups/events.js';
import { Information } from '../../../packages/client/src/groups/information.js';
import { leasesOf } from '../../../packages/client/src/groups/leases.js';
import type { Http, Query } from '../../../packages/client/src/http.js';
import type { Replies } from '../../../packages/client/src/wire.js';
import type { WriteOptions } from '../../../packages/client/src/write-options.js';
import { type SignerCredentials, Writes } from '../../../packages/client/src/writes.js';
import { canonical, isJsonObject, sha256Hex } from '../../core/canonical.js';
import type { Config } from '../../node/config/config.js';
import { CommandFailed, UsageFault } from '../failure.js';
import { readJson } from '../input.js';
import { keyFileAt } from '../key/key-file.js';
import { outputLost, print, printJson, tellIfLost } from '../output.js';
import { readPassphrase } from '../passphrase.js';
import { withProfile } from '../profile/defaults.js';
import { didNamed, tellIfAlike } from '../profile/preferences.js';
import { type CommonOptions, loadSettings } from '../settings.js';
import { type ApiConnectionOptions, connectToApi } from './connection.js';
import { namesIn, namesLike, namesOfDids } from './did-names.js';
import { type CommandField, isUsual, valuesOf } from './fields.js';
import { type ApiOperation, opensHere, signedActionsOf, takesKey } from './operations.js';
import { formatOf, isForPrograms, printForPrograms } from './output-format.js';
import { canonicalForms, type OwnKeyOptions, ownKey, writesWith, writeWithOwnKey } from './own-key.js';
import { eventLine, listIn, nextOf, report } from './report.js';
import { replySentence } from './sentence.js';
import { withRules } from './step-rules.js';
import { secondsOf, watch } from './watch.js';

interface ApiCommandOptions extends CommonOptions, ApiConnectionOptions, Partial<OwnKeyOptions> {
  readonly input?: string;
  readonly idempotencyKey?: string;
  readonly all?: boolean;
  readonly output?: string;
  readonly wide?: boolean;
  /** The signer, unless the write states another one. */
  readonly ownDid?: string;
  readonly [flag: string]: unknown;
}

export interface ApiRequest {
  readonly operation: ApiOperation;
  readonly words: string;
  readonly fields: readonly CommandField[];
  /** Values of the path's parameters, in their order. */
  readonly places: readonly string[];
  readonly options: ApiCommandOptions;
}

interface JsonBody {
  [name: string]: unknown;
}

export async function perform(given: ApiRequest): Promise<void> {
  const { operation } = given;
  const { signingKey } = given.options;
  if (signingKey !== undefined && !takesKey(operation))
    throw new UsageFault([`${given.words} needs no key of yours: leave out --signing-key.`]);
  const filled = withProfile(given.options);
  // A key on the command line says who asks.
  const options = signingKey === undefined ? filled : { ...filled, ownDid: (await keyFileAt(signingKey)).did };
  const asked = { ...given, options, places: placesOf(given, options.ownDid) };
  const values = valuesOf(asked.fields, options);
  const config = loadSettings(options);
  try {
    if (operation.method === 'POST') return await printWrite(asked, await write(asked, values, config), config);
    const plain = connectToApi(options, config);
    // Only where it is typed: it asks for a passphrase.
    const http = signingKey === undefined ? plain : (await keyed(plain, options, config)).http;
    if (operation.operationId === 'streamEvents') return await follow(http, values, options);
    const reads = async () => {
      const reply = await read(asked, values, http);
      if (operation.operationId === 'getMachineHistory' && !isForPrograms(options))
        return withRules(reply as Replies['getMachineHistory'], asked.places, http);
      return operation.answers === 'text' ? ofText(String(reply)) : reply;
    };
    if (options.watch === undefined) await tell(await reads(), options, http);
    else await watch(secondsOf(options.watch), reads, (reply) => tell(reply, options, http));
  } catch (error) {
    if (formatOf(options) === 'json' && error instanceof ApiError && error.problem) printJson(error.problem);
    throw error;
  }
}

/** The path's parameters: names from the address book become DIDs, and a missing DID is the caller's. */
function placesOf({ operation, places, words }: ApiRequest, signer: string | undefined): string[] {
  const names = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  return names.map((name, index) => {
    const place = places[index];
    if (place !== undefined) return /did|address/i.test(name) ? (didNamed(place) ?? place) : place;
    if (signer !== undefined) return signer;
    throw new UsageFault([`${words} needs a DID: as an argument, by SVC_NODE_DID, or in a profile (svc-node config).`]);
  });
}

async function tell(reply: unknown, options: ApiCommandOptions, http: Http): Promise<void> {
  if (typeof reply === 'string') return print(reply.trimEnd());
  if (printForPrograms(reply ?? {}, options)) return;
  const nameOf = process.stdout.isTTY ? await namesIn(reply, http) : () => undefined;
  report(reply, { nameOf, isFull: formatOf(options) === 'full', wide: options.wide === true });
}

/** Prints one sentence, unless another format was requested, or the reply is not that of a signed write. */
async function printWrite({ operation, options, words }: ApiRequest, reply: unknown, config: Config): Promise<void> {
  const hash = isJsonObject(reply) ? reply.eventHash : undefined;
  if (typeof hash === 'string') tellIfLost(`${words} was accepted as event ${hash}`);
  const http = connectToApi(options, config);
  if (formatOf(options) !== 'table' || typeof hash !== 'string') return tell(reply, options, http);
  const nameOf = process.stdout.isTTY ? namesOfDids() : () => undefined;
  const show = (value: unknown) => (typeof value === 'string' ? (nameOf(value) ?? value) : String(value));
  const seq = await entryOf(http, hash);
  print(replySentence(operation.operationId, reply, { seq }, show) ?? '');
}

/** The number of the entry; undefined while it has none, or if the caller may not read it. */
async function entryOf(http: Http, hash: string): Promise<number | undefined> {
  try {
    const { seq } = await http.get<JsonBody>(`/events/${hash}`, {});
    return typeof seq === 'number' ? seq : undefined;
  } catch (error) {
    // The write was accepted, and only its number is unknown.
    if (error instanceof ApiError || error instanceof UnreachableError) return undefined;
    throw error;
  }
}

function ofText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // another format, as requested
  }
}

/** The path with its parameters filled in, without the prefix /api/v1. */
function pathOf({ operation, places }: ApiRequest): string {
  let index = 0;
  const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(places[index++] ?? ''));
  return path.replace(/^\/api\/v1/, '');
}

async function read(asked: ApiRequest, query: JsonBody, http: Http): Promise<unknown> {
  const { operation, options } = asked;
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

/** Reads all pages as one list. */
async function everything(http: Http, path: string, query: Query): Promise<unknown> {
  const { offset: _, page: __, pageSize: ___, ...filter } = query;
  const items: unknown[] = [];
  let page = await http.get<JsonBody>(path, { limit: largestPage, ...query });
  for (;;) {
    const list = listIn(page);
    if (!list) return page;
    items.push(...list.items);
    const after = nextOf(page);
    if (after === undefined) return { [list.name]: items, total: items.length };
    page = await http.get<JsonBody>(path, { limit: largestPage, ...filter, after });
  }
}

const largestPage = 100;

async function follow(http: Http, filter: JsonBody, options: ApiCommandOptions): Promise<void> {
  for await (const entry of new Events(new Writes(http)).stream(filter, { signal: outputLost })) {
    if (formatOf(options) !== 'table') printJson(entry);
    else print(eventLine(entry));
  }
}

/** Members that the command fills in where the user has not given them. */
const isFilledIn = (name: string): boolean => isUsual(name) || name === 'passphrase';

async function write(asked: ApiRequest, flags: JsonBody, config: Config): Promise<unknown> {
  const { operation, options, words } = asked;
  const { properties = {}, required = [] } = operation.body ?? {};
  const body: JsonBody = { ...(await inputOf(options)), ...flags };
  fillFromPath(asked, body);
  // The faucet credits its caller, without a signature.
  if (properties.did && !properties.passphrase && body.did === undefined && options.ownDid) body.did = options.ownDid;
  const missing = asked.fields.filter(
    ({ name }) => required.includes(name) && body[name] === undefined && !isFilledIn(name),
  );
  if (missing.length > 0) {
    const named = missing.map(({ option }) => option.long).join(', ');
    throw new UsageFault([`${words} needs ${named}: as options, or in the JSON of --input.`]);
  }
  const http = connectToApi(options, config);
  const { document } = body;
  if (isJsonObject(document) && typeof document.displayName === 'string')
    tellIfAlike(document.displayName, asked.places[0] ?? '', await namesLike(document.displayName, http));
  const path = pathOf(asked);
  if (options.signingKey !== undefined && signedActionsOf(operation)) {
    if (options.idempotencyKey !== undefined)
      throw new UsageFault(['A write that you sign is identified by its event: leave out --idempotency-key.']);
    const own = await ownKey(options as OwnKeyOptions, config, body.did ?? options.ownDid);
    const given = canonicalForms(asked.fields, body);
    const complete = async (reader: Http) => divided(await withVersion(asked, { ...given, home: undefined }, reader));
    const request = sha256Hex(canonical([path, divided(given)[0]]));
    return writeWithOwnKey(http, own, options, { path, complete, request });
  }
  if (options.signingKey !== undefined && opensHere(operation)) {
    const writes = await keyed(http, options, config, body.did ?? options.ownDid);
    const [id = ''] = asked.places;
    return operation.operationId === 'openOrder' ? new Information(writes).open(id) : leasesOf(writes).open(id);
  }
  if (options.signingKey !== undefined && properties.passphrase)
    throw new UsageFault([
      `${words} would send the node a passphrase, and that of ${options.signingKey} stays here: choose a profile without a key file, or unset SVC_NODE_SIGNING_KEY.`,
    ]);
  const whole = await withVersion(asked, body, http);
  const key = options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey };
  if (!properties.passphrase) return new Writes(http).plain(path, whole, key);
  const signer = await signerOf(asked, body, config);
  if (!signer) return new Writes(http).plain(path, whole, key);
  const [input, stated] = divided(whole);
  const home = whole.home === undefined ? {} : { home: String(whole.home) };
  if (!properties.nonce) return new Writes(http).plain(path, { ...input, ...stated, ...signer, ...home }, key);
  return new Writes(http, signer as SignerCredentials).signed(path, input, { ...stated, ...key, ...home });
}

const keyed = async (http: Http, options: ApiCommandOptions, config: Config, stated?: unknown): Promise<Writes> =>
  writesWith(http, await ownKey(options as OwnKeyOptions, config, stated), options);

/** With the current version of the resource, unless `--resource-prev` names another. */
async function withVersion(asked: ApiRequest, body: JsonBody, http: Http): Promise<JsonBody> {
  const { required = [] } = asked.operation.body ?? {};
  if (!required.includes('resourcePrev') || body.resourcePrev !== undefined) return body;
  const at = body.home === undefined ? '' : `~${body.home}`;
  const { resourcePrev } = await http.get<JsonBody>(pathOf(asked).replace(/\/actions\/[^/]+$/, at));
  return { ...body, resourcePrev };
}

/** The input of an action, and what its caller states beside it. */
function divided({ did: _, passphrase: __, home: ___, nonce, prev, ts, most, until, ...input }: JsonBody) {
  const stated = Object.entries({ nonce, prev, ts, most, until }).filter(([, value]) => value !== undefined);
  return [input, Object.fromEntries(stated) as WriteOptions] as const;
}

/** Fills in the members whose values the path contains already. */
function fillFromPath({ operation, places }: ApiRequest, body: JsonBody): void {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const properties = operation.body?.properties ?? {};
  names.forEach((name, index) => {
    const place = places[index] ?? '';
    const member = memberOf(name, place, properties);
    if (member in properties) body[member] ??= place;
  });
}

/**
 * The body member that repeats a path parameter: `target` for the subject of a review, `did` for a wallet, otherwise
 * the member of the same name.
 */
function memberOf(name: string, place: string, properties: object): string {
  if (name === 'did' && 'target' in properties) return 'target';
  return name === 'address' && place.startsWith('did:') ? 'did' : name;
}

interface Unlocked {
  readonly did?: string;
  readonly passphrase: string;
}

/** The signer; undefined when the node derives it from the API key. */
async function signerOf(
  { operation, options, words }: ApiRequest,
  body: JsonBody,
  config: Config,
): Promise<Unlocked | undefined> {
  const { properties = {}, required = [] } = operation.body ?? {};
  const did = (body.did as string | undefined) ?? options.ownDid;
  if (properties.did && did === undefined) {
    if (!required.includes('did')) return undefined;
    throw new UsageFault([`${words} is signed: say by whom, with --did, SVC_NODE_DID or a profile (svc-node config).`]);
  }
  if (options.input === '-' && options.passphraseFile === '-') {
    throw new UsageFault(['Only one of --input and --passphrase-file can be standard input.']);
  }
  const isNew = operation.operationId === 'createIdentity';
  const passphrase =
    (body.passphrase as string | undefined) ??
    (await readPassphrase({
      prompt: isNew ? 'New passphrase (at least 12 characters)' : `Passphrase${did ? ` of ${did}` : ''}`,
      ...{ file: options.passphraseFile, config, isNew },
    }));
  return properties.did && did !== undefined ? { did, passphrase } : { passphrase };
}

async function inputOf({ input }: ApiCommandOptions): Promise<JsonBody> {
  if (input === undefined) return {};
  const value = await readJson(input);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandFailed(`${input} holds no JSON object`);
  }
  return value as JsonBody;
}
