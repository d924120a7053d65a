/** Walks a setting, and records of each request what must be the same on one node and across homes. */
import { castOf } from '../../../packages/model/src/scenario.js';
import type { Ask, Driver, Reply } from '../../../scripts/conformance/driver.js';
import { Stage, type StageOptions } from '../../../scripts/conformance/stage.js';
import { type Finding, type WalkOptions, walk } from '../../../scripts/conformance/walk.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import type { AnyResource } from '../../../src/machines/kernel/resource.js';
import type { EvidenceInput } from '../../../src/machines/remote-answer/evidence.js';
import type { RemoteRequestInput } from '../../../src/machines/remote-request/resource.js';
import type { NumberedEntry, Payload } from '../../../src/store/entry.js';
import type { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';

/** One request of a walk and what it has led to, without what differs between any two walks. */
export interface Seen extends Finding {
  /** Status, and for a refusal code and sentence. */
  readonly reply: readonly unknown[];
  /** What the entry of the request has written, of the action alone. */
  readonly written: Written | undefined;
  /** Available and escrowed Tokens of each participant, over all nodes. */
  readonly balances: { readonly [name: string]: readonly number[] };
}

interface Written {
  /** Type of the action's event. */
  readonly event: string;
  /** Kind and version of each resource, its machine events, and the states that it went through. */
  readonly resources: readonly string[];
  readonly moves: readonly string[];
}

export interface Walked {
  readonly driver: Driver<Person>;
  readonly nodes: readonly TestNode[];
}

export async function* seenIn(
  { driver, nodes }: Walked,
  definition: AnyResource,
  options: WalkOptions & StageOptions,
): AsyncGenerator<Seen> {
  const heard = new HeardDriver(driver);
  const stage = await Stage.open(heard, definition, options);
  for await (const finding of walk(stage, options)) {
    const balances: { [name: string]: readonly number[] } = {};
    for (const name of castOf(stage.scenario)) balances[name] = await balanceOf(stage.cast[name]!.did, nodes);
    const { status, body } = heard.last!;
    const { dids } = stage.fixture;
    const reply = status < 300 ? [status] : [status, body?.code, nameless(String(body?.detail), dids)];
    const entry = status < 300 ? await entryOf(body.eventHash, nodes) : undefined;
    yield { ...finding, reply, written: entry && writtenIn(entry, finding.state, dids), balances };
  }
}

/** Remembers the last reply to a request. */
class HeardDriver implements Driver<Person> {
  last: Reply | undefined;
  readonly network: string;
  readonly outrun: NonNullable<Driver['outrun']>;
  readonly entries: NonNullable<Driver['entries']>;

  constructor(private readonly driver: Driver<Person>) {
    this.network = driver.network;
    this.outrun = driver.outrun!;
    this.entries = driver.entries!;
  }

  now = () => this.driver.now();
  join = (name: string) => this.driver.join(name);
  supply = (who: Person, tokens: number) => this.driver.supply(who, tokens);
  view = (...asked: Parameters<Driver<Person>['view']>) => this.driver.view(...asked);
  situation = (...asked: Parameters<Driver['situation']>) => this.driver.situation(...asked);
  journaled = (eventHash: string) => this.driver.journaled(eventHash);

  async ask(who: Person, asked: Ask): Promise<Reply> {
    this.last = await this.driver.ask(who, asked);
    return this.last;
  }
}

async function balanceOf(did: string, nodes: readonly TestNode[]): Promise<readonly number[]> {
  const accounts = await Promise.all(nodes.map(({ store }) => store.account(did)));
  const sum = (name: 'available' | 'escrowed') => accounts.reduce((all, account) => all + (account?.[name] ?? 0), 0);
  return [sum('available'), sum('escrowed')];
}

async function entryOf(eventHash: string, nodes: readonly TestNode[]): Promise<NumberedEntry | undefined> {
  for (const { store } of nodes) {
    const entry = await store.entryByEvent(eventHash);
    if (entry) return entry;
  }
  return undefined;
}

type Names = { readonly [name: string]: string };

/**
 * Without the answer of a remote request, and the Tokens that it takes from the account of the signer's home.
 * @param from the resource's state before
 */
function writtenIn({ core, payload }: NumberedEntry, from: string, dids: Names): Written {
  const asked = payload!.kind === 'remote-answer' ? askedIn(payload!) : undefined;
  const { action } = asked ?? payload!;
  const versions = core.versions.filter(({ kind }) => kind !== 'remote-answer');
  const isKept = versions.some(({ id, path }) => id === asked?.resource && path.at(-1) === from);
  const moves = asked && asked.money > 0 ? core.moves.slice(1) : core.moves;
  return {
    event: asked ? eventOf(asked, isKept) : core.event.type,
    resources: versions
      .map(({ kind, version, via = [action], path }) => `${kind}@${version}: ${via.join()} → ${path.join()}`)
      .sort(),
    moves: moves.map((move) => nameless(JSON.stringify(move), dids)),
  };
}

function askedIn({ input }: Payload): RemoteRequestInput {
  const { request, confidential } = input as unknown as EvidenceInput;
  return (request ?? confidential)!.input as unknown as RemoteRequestInput;
}

/** Type of the action's event at the resource's own home. */
function eventOf({ kind, action }: RemoteRequestInput, isKept: boolean): string {
  const { create, actions } = catalogue.definitions[kind] as AnyResource;
  if (action === 'create') return create.event;
  const { event, eventInPlace = event } = actions[action]!;
  return isKept ? eventInPlace : event;
}

/** The sentence without ids, DIDs, hashes and times. */
function nameless(detail: string, dids: Names): string {
  let text = detail.replace(/^did:\S+ has refused it: /, '');
  for (const [name, did] of Object.entries(dids)) text = text.replaceAll(did, name);
  return text
    .replace(/\b[a-z]+-[0-9A-Z]{26}\b/g, 'ID')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replace(/\b\d{13}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
}
