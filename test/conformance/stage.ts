/** A node, a cast, and resources of one setting: brought into a situation over HTTP, and asked for things. */
import { expect } from 'chai';
import type { JsonObject } from '../../src/machines/kernel/canonical.js';
import type { Happening } from '../../src/machines/kernel/law.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';
import { expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import type { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import type { Attempt, Cast, KindInputs, Setting } from './inputs.js';
import { throughClient } from './through-client.js';
import { rolesHeld, type Situation } from './verdict.js';

/** One request: which action, asked how, by whom, when. */
export interface Try {
  readonly action: string;
  readonly attempt: Attempt;
  readonly by: string;
  readonly late: boolean;
}

export const spell = ({ action, attempt, by, late }: Try): string =>
  `${by}: ${action}${attempt.name ? `, ${attempt.name}` : ''}${late ? ', late' : ''}`;

export class Stage {
  private constructor(
    readonly node: TestNode,
    readonly definition: AnyResource,
    readonly inputs: KindInputs,
    readonly setting: Setting,
    readonly cast: Cast,
    private readonly given: Body,
    /** API key of the creator, where parties see more than others. */
    private readonly key: string | undefined,
  ) {}

  static async open(node: TestNode, definition: AnyResource, inputs: KindInputs, setting: Setting): Promise<Stage> {
    const cast: { [name: string]: Person } = {};
    for (const name of [...inputs.cast, 'stranger']) cast[name] = await node.rich(inputs.funds);
    const { did } = cast[setting.creator]!;
    const key = definition.privy && (await node.key({ scope: 'read', did })).key;
    return new Stage(node, definition, inputs, setting, cast, (await setting.before?.(cast)) ?? {}, key);
  }

  get base(): string {
    return `/api/v1${this.definition.route.path}`;
  }

  /** Actions that callers can ask for. */
  get actions(): string[] {
    return Object.entries(this.definition.actions).flatMap(([name, { internal }]) => (internal ? [] : [name]));
  }

  /** Every request that is worth a try, in any situation. */
  tries(): Try[] {
    return [false, true].flatMap((late) =>
      this.actions.flatMap((action) =>
        this.attemptsOf(action).flatMap((attempt) =>
          Object.keys(this.cast).map((by): Try => ({ action, attempt, by, late })),
        ),
      ),
    );
  }

  attemptsOf(action: string): readonly Attempt[] {
    return this.setting.attempts[action] ?? [{ name: '', body: () => ({}) }];
  }

  inputOf({ action, attempt }: Try, view: Body): Body {
    return { ...this.definition.actions[action]!.example, ...this.named(action, view), ...attempt.body(view) };
  }

  /** The same as the journal has it: with its time, and the ids that its workflow was given, as `<part>Id`. */
  async journaled(happening: Happening, eventHash: string): Promise<Happening> {
    const entry = await this.node.store.entryByEvent(eventHash);
    if (!entry?.payload) return expect.fail('the entry has no payload');
    const { input, ids = {} } = entry.payload;
    const chosen = Object.fromEntries(Object.entries(ids).map(([part, id]) => [`${part}Id`, id]));
    return { ...happening, time: entry.core.time, input: { ...chosen, ...input } };
  }

  /** What an action's own path says of the resource, and what it leaves to the body: its id. */
  named(action: string, view: Body): Body {
    const { path } = this.definition.actions[action]!;
    const { param } = this.definition.route;
    if (path === undefined) return {};
    const places = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    const shown = places.filter((name) => view[name] !== undefined).map((name) => [name, view[name]]);
    return { ...Object.fromEntries(shown), ...(places.includes(param) ? {} : { [param]: view.id }) };
  }

  /** Where an action of this resource is asked for. */
  pathOf(action: string, id: string, input: Body): string {
    const { definition } = this;
    const path = definition.actions[action]!.path;
    if (path === undefined) return `${this.base}/${id}/actions/${action}`;
    return `/api/v1${path.replace(/:(\w+)/g, (_, name: string) => (name === definition.route.param ? id : input[name]))}`;
  }

  /** The input that makes one. */
  get creation(): Body {
    const { create } = this.setting;
    return { ...this.definition.create.example, ...this.given, ...create(this.cast, this.node.world.now()) };
  }

  /** Where one is made. */
  get createPath(): string {
    const { create, route } = this.definition;
    return `/api/v1${(create.path ?? route.path).replace(/:(\w+)/g, (_, name: string) => this.creation[name])}`;
  }

  tryToCreate(): Promise<Reply> {
    return this.#through(this.setting.creator, (resource, options) => resource.create(this.creation, options));
  }

  /** As the published client sends it, with this person's next nonce. */
  async #through(name: string, call: Parameters<typeof throughClient>[2]): Promise<Reply> {
    const person = this.cast[name]!;
    const reply = await throughClient(this.definition, person, call);
    if (reply.status < 300) person.nonce += 1;
    return reply;
  }

  async create(): Promise<Body> {
    return this.setting.make ? this.setting.make(this) : expectStatus(await this.tryToCreate(), 201);
  }

  ask(view: Body, asked: Try): Promise<Reply> {
    const target = { id: view.id as string, resourcePrev: view.resourcePrev as string };
    const input = this.inputOf(asked, view);
    return this.#through(asked.by, (resource, options) => resource[asked.action]!(target, input, options));
  }

  async view({ id }: Body): Promise<Body> {
    const { creator } = this.setting;
    const person = this.cast[creator]!;
    return expectStatus(await throughClient(this.definition, person, (resource) => resource.get(id), this.key));
  }

  async situation({ id }: Body): Promise<Situation> {
    const snapshot = await this.node.store.load(this.definition.kind, id);
    return snapshot ?? expect.fail(`${id} is not in the store`);
  }

  /** What the machine is told of a request. */
  happening(asked: Try, context: JsonObject, view: Body, time: number): Happening {
    const { did } = this.cast[asked.by]!;
    const fields = Object.keys(this.definition.actions[asked.action]!.input.fields ?? {});
    const body: Body = { resourcePrev: view.resourcePrev, ...this.inputOf(asked, view) };
    return {
      type: asked.action,
      signer: did,
      roles: rolesHeld(this.definition, context, did),
      time,
      input: Object.fromEntries(fields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))),
      network: 'devnet',
      id: view.id,
      lastHash: view.resourcePrev,
    };
  }

  /** A new resource in the situation where this path ends; the clock is put forward before the first late step. */
  async reach(path: readonly Try[], late = false): Promise<Body> {
    let view = await this.create();
    let isLate = false;
    for (const step of path) {
      if (step.late && !isLate) this.node.world.outrun(this.inputs.laterMs);
      isLate ||= step.late;
      expectStatus(await this.ask(view, step));
      view = await this.view(view);
    }
    if (late && !isLate) this.node.world.outrun(this.inputs.laterMs);
    return view;
  }
}
