/** A setting on a node: creates its cast in the keystore, brings resources into a situation, and sends requests. */

import { actionAddress, createAddress, isNamedInBody, placesIn } from '../../packages/model/src/address.js';
import { Fixture, type Try } from '../../packages/model/src/fixture.js';
import {
  type Body,
  castOf,
  type Known,
  type Setting,
  type SetupRequest,
  type View,
} from '../../packages/model/src/scenario.js';
import { ownKinds, scenarioOf, type WalkedKinds } from '../../packages/model/src/scenarios.js';
import type { JsonObject } from '../../src/core/canonical.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { MachineEvent, Resource } from '../../src/machines/kernel/resource.js';
import { Astray, type Driver, type Reply, type Who } from './driver.js';

export { spell, type Try } from '../../packages/model/src/fixture.js';

export interface StageOptions {
  /** Name of the setting; absent: the first of its kind. */
  readonly setting?: string | undefined;
  /** Absent: the kinds of this repository. */
  readonly from?: WalkedKinds;
}

export class Stage<W extends Who = Who> {
  readonly fixture: Fixture;
  readonly setting: Setting;
  #ids: { [name: string]: string } = {};

  private constructor(
    readonly driver: Driver<W>,
    readonly definition: AnyResource,
    readonly cast: { readonly [name: string]: W },
    private readonly options: StageOptions,
  ) {
    const scenario = scenarioOf(definition, options.from);
    this.setting = scenario.settings[options.setting ?? Object.keys(scenario.settings)[0]!]!;
    const dids = Object.fromEntries(Object.entries(cast).map(([name, { did }]) => [name, did]));
    this.fixture = new Fixture(definition, scenario, this.setting, dids);
  }

  /** @throws MissingScenario */
  static async open<W extends Who>(
    driver: Driver<W>,
    definition: AnyResource,
    options: StageOptions = {},
  ): Promise<Stage<W>> {
    const cast: { [name: string]: W } = {};
    for (const each of castOf(scenarioOf(definition, options.from))) cast[each] = await driver.join(each);
    const stage = new Stage(driver, definition, cast, options);
    for (const step of stage.setting.before ?? []) await stage.#run(step);
    return stage;
  }

  get base(): string {
    return `/api/v1${this.definition.route.path}`;
  }

  get scenario() {
    return this.fixture.scenario;
  }

  get creator(): W {
    return this.cast[this.setting.creator]!;
  }

  get known(): Known {
    return { now: this.driver.now(), dids: this.fixture.dids, ids: this.#ids };
  }

  /** Input of the creation. */
  get creation(): Body {
    return this.fixture.creation(this.known);
  }

  /** The path to which a creation is sent. */
  get createPath(): string {
    return createAddress(this.definition, this.creation);
  }

  pathOf(action: string, id: string, input: Body): string {
    return actionAddress(this.definition, action, id, input);
  }

  tryToCreate(): Promise<Reply> {
    return this.#create(this.creator, this.definition, this.creation);
  }

  #create(who: W, definition: AnyResource, input: Body): Promise<Reply> {
    const path = createAddress(definition, input);
    return this.driver.ask(who, { definition, action: 'create', input, path, body: input });
  }

  /** Creates a resource. @returns its view */
  async create(): Promise<View> {
    const { payer } = this.scenario;
    if (payer) await this.driver.supply(this.cast[payer.name]!, payer.tokens);
    const { make } = this.setting;
    let id: string = make ? '' : succeeded(await this.tryToCreate(), 'create').body.id;
    for (const step of make ?? []) id = await this.#run(step);
    return this.view({ id });
  }

  /** @returns id of the resource in the reply */
  async #run({ by, kind, action, on, body, keep }: SetupRequest): Promise<string> {
    const definition = (this.options.from ?? ownKinds).catalogue.definitions[kind] as AnyResource;
    const { example } = action === 'create' ? definition.create : definition.actions[action]!;
    const input = { ...example, ...body?.(this.known) };
    const who = this.cast[by]!;
    const reply = on
      ? await this.#act(who, definition, action, { id: this.#ids[on]!, resourcePrev: null, ...this.#ids }, input)
      : await this.#create(who, definition, input);
    const { id } = succeeded(reply, `${by}: ${kind} ${action}`).body;
    if (keep) this.#ids = { ...this.#ids, [keep]: id };
    return id;
  }

  ask(view: View, asked: Try): Promise<Reply> {
    const target = { ...view, id: view.id, resourcePrev: view.resourcePrev };
    return this.#act(this.cast[asked.by]!, this.definition, asked.action, target, this.fixture.inputOf(asked, view));
  }

  #act(who: W, definition: AnyResource, action: string, target: View, input: Body): Promise<Reply> {
    const { id, resourcePrev } = target;
    const named = Object.fromEntries(placesIn(definition, action).map((name) => [name, target[name]]));
    const path = actionAddress(definition, action, id, { ...named, ...input });
    const stated = { ...(resourcePrev === null ? {} : { resourcePrev }), ...input };
    const body = isNamedInBody(definition, action) ? { ...stated, [definition.route.param]: id } : stated;
    const given = resourcePrev === null ? { ...named, ...input } : input;
    return this.driver.ask(who, { definition, action, target: { id, resourcePrev }, input: given, path, body });
  }

  read({ id }: { readonly id: string }): Promise<Reply> {
    return this.driver.view(this.definition, id, this.creator);
  }

  async view(of: { readonly id: string }): Promise<View> {
    return succeeded(await this.read(of), `reading ${of.id}`).body;
  }

  situation({ id }: { readonly id: string }): Promise<Resource> {
    return this.driver.situation(this.definition.kind, id);
  }

  /** The machine event of a request. */
  event(asked: Try, context: JsonObject, view: View): MachineEvent {
    return this.fixture.event(asked, context, view, { time: this.driver.now(), network: this.driver.network });
  }

  /** The same event as recorded in the journal: with its time, and the ids given to its workflow, as `<part>Id`. */
  async journaled(event: MachineEvent, eventHash: string): Promise<MachineEvent> {
    const { time, input, ids = {} } = await this.driver.journaled(eventHash);
    const chosen = Object.fromEntries(Object.entries(ids).map(([part, id]) => [`${part}Id`, id]));
    return { ...event, time, input: { ...chosen, ...input } };
  }

  /**
   * Creates a resource and brings it into the situation at the end of this path; the clock is advanced before the
   * first late step.
   */
  async reach(path: readonly Try[], late = false): Promise<View> {
    let view = await this.create();
    let isLate = false;
    for (const step of path) {
      if (step.late && !isLate) this.#outrun();
      isLate ||= step.late;
      succeeded(await this.ask(view, step), `on the way, ${step.by}: ${step.action}`);
      view = await this.view(view);
    }
    if (!late || isLate) return view;
    this.#outrun();
    return this.view(view);
  }

  #outrun(): void {
    this.driver.outrun?.(this.scenario.laterMs);
  }
}

/** Requires that the request succeeded, because the walk cannot continue otherwise. */
function succeeded(reply: Reply, what: string): Reply {
  const isObject = typeof reply.body === 'object' && reply.body !== null;
  if (isObject && (reply.status === 200 || reply.status === 201)) return reply;
  throw new Astray(`${what} has not succeeded`, 200, `${reply.status}: ${reply.text.slice(0, 500)}`);
}
