/** Builds the resource of a setting without a node: the definitions alone decide the same requests. */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { JsonObject } from '../../../src/core/canonical.js';
import { didOf } from '../../../src/core/codecs/did.js';
import { assert, isRefusal } from '../../../src/core/refusal.js';
import * as is from '../../../src/core/schema/scalar.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import type { Request, Resource } from '../../../src/machines/kernel/resource.js';
import { placesIn } from './address.js';
import { Fixture } from './fixture.js';
import { ReferenceModel } from './reference-model.js';
import { type Body, castOf, type Known, type Setting, type SetupRequest } from './scenario.js';
import { scenarioOf, type WalkedKinds } from './scenarios.js';

/** The time at which a dry run begins. */
export const epoch = Date.UTC(2027, 2, 5, 6, 7, 8, 9);
export const network = 'devnet';

/** Prefix of an Ed25519 private key in PKCS 8, before its 32 bytes. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The DID of a cast member, derived from the name so that every run has the same one. */
function didNamed(name: string): string {
  const seed = createHash('sha256').update(`rehearsal of ${name}`).digest();
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return didOf(Buffer.from(x as string, 'base64url'));
}

const hashNamed = (name: string): string => createHash('sha256').update(name).digest('hex');

/** A request of the dry run and the name of its signer. */
export interface Made {
  readonly by: string;
  readonly definition: AnyResource;
  readonly action: string;
  /** Id of the resource that the action is about, or that was created. */
  readonly id: string;
  readonly input: Body;
  /** The name under which the id of the resource in the reply is kept. */
  readonly keep?: string | undefined;
  /** State of that resource after the request. */
  state?: string;
}

export class DryRun {
  readonly model: ReferenceModel;
  readonly fixture: Fixture;
  readonly setting: Setting;
  readonly known: { readonly now: number; readonly dids: Known['dids']; ids: { [name: string]: string } };
  /** Requests on other resources, in order. */
  readonly setUp: Made[] = [];
  /** The request that creates the resource; absent if the last one of `setUp` creates it. */
  made: Made | undefined;

  constructor(
    readonly definition: AnyResource,
    setting: string,
    private readonly from: WalkedKinds,
  ) {
    const scenario = scenarioOf(definition, from);
    this.setting = scenario.settings[setting]!;
    this.model = new ReferenceModel(from.catalogue, network);
    const dids = Object.fromEntries(castOf(scenario).map((name) => [name, didNamed(name)]));
    this.fixture = new Fixture(definition, scenario, this.setting, dids);
    this.known = { now: epoch, dids, ids: {} };
  }

  /** Makes the requests of the set-up, then creates the resource. */
  play(): Resource {
    const { make, before = [], creator } = this.setting;
    let id = '';
    for (const step of make ?? before) id = this.#run(step);
    if (!make) {
      const { kind, route } = this.definition;
      id = `${route.idPrefix}rehearsed`;
      const input = this.fixture.creation(this.known);
      this.made = { by: creator, definition: this.definition, action: 'create', id, input, keep: route.param };
      this.#ask(this.made, { kind, id, action: 'create', input: this.#given(this.definition, 'create', input) });
    }
    const resource = this.model.resource(this.definition.kind, id);
    assert(resource, `the setting makes no ${this.definition.kind}`);
    return resource;
  }

  #machineNamed(kind: string): AnyResource {
    const found = this.from.catalogue.definitions[kind];
    assert(found?.form === 'machine', `${kind} has no machine`);
    return found;
  }

  /** @returns id of the resource in the reply */
  #run({ by, kind, action, on, body, keep }: SetupRequest): string {
    const definition = this.#machineNamed(kind);
    const { example } = action === 'create' ? definition.create : definition.actions[action]!;
    const named = action === 'create' ? [] : placesIn(definition, action).filter((name) => this.known.ids[name]);
    const places = Object.fromEntries(named.map((name) => [name, this.known.ids[name]]));
    const input = { ...example, ...places, ...body?.(this.known) };
    const id = on ? this.known.ids[on]! : `${definition.route.idPrefix}rehearsed`;
    const made: Made = { by, definition, action, id, input, keep };
    this.setUp.push(made);
    const shown = this.#ask(made, { kind, id, action, input: this.#given(definition, action, input) });
    if (keep) this.known.ids[keep] = shown;
    return shown;
  }

  /** @returns id of the resource in the reply */
  #ask(made: Made, request: Omit<Request, 'ids'>): string {
    const { by, definition, action } = made;
    const { makes = {}, reply } =
      action === 'create' ? { ...definition.create, reply: 'view' } : actionIn(definition, action);
    const ids = Object.fromEntries(Object.entries(makes).map(([part, prefix]) => [part, `${prefix}${part}`]));
    const hash = hashNamed(`${request.kind} ${request.id} ${action} ${by}`);
    const outcome = this.model.ask({ ...request, ids }, { signer: this.known.dids[by]!, time: epoch, hash });
    assert(!isRefusal(outcome), `${request.kind} ${action} is refused: ${isRefusal(outcome) && outcome.detail}`);
    made.state = this.model.resource(request.kind, request.id)?.state ?? '';
    const shown = typeof reply === 'object' && 'kind' in reply ? reply.kind : request.kind;
    return outcome.written.find(({ kind }) => kind === shown)?.id ?? request.id;
  }

  /** The input as the node passes it to a definition: parsed by the schema, with what the node itself adds. */
  #given(definition: AnyResource, action: string, body: Body): JsonObject {
    const { input } = action === 'create' ? definition.create : definition.actions[action]!;
    const added = scenarioOf(definition, this.from).added?.[action];
    return { ...(is.parse(input, body as JsonObject) as JsonObject), ...(added as JsonObject | undefined) };
  }
}

const actionIn = ({ actions }: AnyResource, action: string) => actions[action]!;
