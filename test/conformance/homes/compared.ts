/** Walks a setting, and records of each request what must be the same on one node and across homes. */
import { castOf } from '../../../packages/model/src/scenario.js';
import type { Ask, Driver, Reply } from '../../../scripts/conformance/driver.js';
import { Stage, type StageOptions } from '../../../scripts/conformance/stage.js';
import { type Finding, type WalkOptions, walk } from '../../../scripts/conformance/walk.js';
import type { AnyResource } from '../../../src/machines/kernel/resource.js';
import type { TestNode } from '../../node/support/node.js';
import type { Person } from '../../node/support/person.js';

/** One request of a walk and what it has led to, without what differs between any two walks. */
export interface Seen extends Finding {
  /** Status, and for a refusal code and sentence. */
  readonly reply: readonly unknown[];
  /** Resources that the request wrote. */
  readonly written: readonly string[];
  /** Available and escrowed Tokens of each participant, over all nodes. */
  readonly balances: { readonly [name: string]: readonly number[] };
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
    const reply = status < 300 ? [status] : [status, body?.code, nameless(String(body?.detail), stage.fixture.dids)];
    yield { ...finding, reply, written: status < 300 ? await writtenBy(body.eventHash, nodes) : [], balances };
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

/** Kinds and versions, without the answer of a remote request. */
async function writtenBy(eventHash: string, nodes: readonly TestNode[]): Promise<readonly string[]> {
  for (const { store } of nodes) {
    const entry = await store.entryByEvent(eventHash);
    if (!entry) continue;
    const versions = entry.core.versions.filter(({ kind }) => kind !== 'remote-answer');
    return versions.map(({ kind, version }) => `${kind}@${version}`).sort();
  }
  return [];
}

/** The sentence without ids, DIDs, hashes and times. */
function nameless(detail: string, dids: { readonly [name: string]: string }): string {
  let text = detail.replace(/^did:\S+ has refused it: /, '');
  for (const [name, did] of Object.entries(dids)) text = text.replaceAll(did, name);
  return text
    .replace(/\b[a-z]+-[0-9A-Z]{26}\b/g, 'ID')
    .replace(/\b[0-9a-f]{64}\b/g, 'HASH')
    .replace(/\b\d{13}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
}
