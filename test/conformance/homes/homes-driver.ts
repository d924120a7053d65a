/** The conformance walk's connection to three homes: each participant lives at one of them, and asks only there. */
import { expect } from 'chai';
import type { Ask, Driver, Journaled, Reply } from '../../../scripts/conformance/driver.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import type { AnyResource } from '../../../src/machines/kernel/resource.js';
import type { EvidenceInput } from '../../../src/machines/remote-answer/evidence.js';
import type { RemoteRequestInput } from '../../../src/machines/remote-request/resource.js';
import type { Body } from '../../node/support/client.js';
import type { Person } from '../../node/support/person.js';
import type { Home } from '../../peers/nodes/network.js';
import { funds, NodeDriver } from '../stage.js';
import type { ThreeHomes } from './three-homes.js';

/** Members of a reply or a view that only another home's resource has. */
const ofOtherHome = ['home', 'asOf', 'remoteRequestId'];

export class HomesDriver implements Driver<Person> {
  readonly network = 'devnet';
  readonly #drivers: ReadonlyMap<Home, NodeDriver>;
  readonly #homes = new Map<string, Home>();
  /** Entries that a node without other homes would not have written. */
  #more = 0;
  /** Requests that another home has refused after they were sent. */
  refusedAfterSending = 0;

  constructor(
    readonly three: ThreeHomes,
    /** The number of the home at which a participant lives. */
    private readonly placeOf: (name: string) => 0 | 1 | 2,
  ) {
    this.#drivers = new Map(three.homes.map((home) => [home, new NodeDriver(home.node)]));
  }

  now(): number {
    return this.three.clock.now();
  }

  readonly outrun = (ms: number): void => this.three.clock.outrun(ms);

  readonly entries = async (): Promise<number> => {
    await this.three.settled();
    const heads = await Promise.all(this.three.homes.map(({ node }) => node.store.head()));
    return heads.reduce((sum, { seq }) => sum + seq, 0) - this.#more;
  };

  /** Signs an entry at its home, because other homes know residents by what they have signed. */
  async join(name: string): Promise<Person> {
    const home = this.three.homes[this.placeOf(name)]!;
    const person = await home.node.rich(funds + 1);
    this.#homes.set(person.did, home);
    await person.pays(home.did, 1);
    return person;
  }

  async supply(): Promise<void> {}

  async ask(who: Person, asked: Ask): Promise<Reply> {
    await this.three.settled();
    const reply = await this.#at(who).ask(who, asked);
    const { remoteRequestId } = reply.body ?? {};
    if (remoteRequestId === undefined) return reply;
    const isRefused = reply.status >= 300;
    if (isRefused) {
      // It has used its nonce.
      who.nonce += 1;
      this.refusedAfterSending += 1;
    }
    this.#more += isRefused ? 3 : 2;
    const { answer } = await this.#homeOf(who).get(`/remote-requests/${remoteRequestId}`);
    return isRefused ? reply : asAtHome(reply, { eventHash: answer });
  }

  async view(definition: AnyResource, id: string, who: Person): Promise<Reply> {
    await this.three.settled();
    return asAtHome(await this.#at(who).view(definition, id, who));
  }

  async situation(kind: string, id: string) {
    for (const { node } of this.three.homes) {
      const found = await node.store.load(kind, id);
      if (found) return found;
    }
    return expect.fail(`${id} is in no store`);
  }

  async journaled(eventHash: string): Promise<Journaled> {
    for (const { node } of this.three.homes) {
      const entry = await node.store.entryByEvent(eventHash);
      if (!entry?.payload) continue;
      const { kind, input, ids } = entry.payload;
      return { time: entry.core.time, ...(kind === 'remote-answer' ? askedIn(input) : { input, ids }) };
    }
    return expect.fail('no journal has the entry with its payload');
  }

  #homeOf({ did }: Person): Home {
    return this.#homes.get(did)!;
  }

  #at(who: Person): NodeDriver {
    return this.#drivers.get(this.#homeOf(who))!;
  }
}

/** The action that an answer has carried out. */
function askedIn(input: JsonObject): Pick<Journaled, 'input' | 'ids'> {
  const { request, confidential } = input as unknown as EvidenceInput;
  const asked = (request ?? confidential)!.input as unknown as RemoteRequestInput;
  return { input: (asked.input ?? asked.confidential) as JsonObject, ids: asked.ids as Journaled['ids'] };
}

/** The reply as the home of the resource would give it. */
function asAtHome(reply: Reply, more: Body = {}): Reply {
  if (typeof reply.body !== 'object') return reply;
  const members = Object.entries(reply.body).filter(([name]) => !ofOtherHome.includes(name));
  return { ...reply, body: { ...Object.fromEntries(members), ...more } };
}
