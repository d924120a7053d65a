/** Applies one sub-command of a request to a machine, a reducer or the ledger, without its postings. */
import { canonical, inOrder, type JsonObject } from '../../core/canonical.js';
import { assert, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { AnyDefinition, AnyResource, LedgerDefinition, ReducerDefinition } from './definition.js';
import { denied, notAParty, unknownResource } from './denial.js';
import type { Move } from './posting.js';
import type { MachineEvent, ReadResource, Resource, StepContext, SubCommand } from './resource.js';
import { stepperFor } from './stepper.js';
import { definitionVersion } from './versioning.js';
import { isVisible } from './visibility.js';

/** Roles that a DID holds on a resource (or would hold, if a reducer has no state yet). */
export function rolesOf(definition: AnyDefinition, id: string, context: JsonObject | null, who: StepContext): string[] {
  const roles = ['anyone'];
  if (who.system) roles.push('clock', 'operator');
  for (const role in definition.roles) {
    const holders = definition.roles[role]!;
    const dids =
      definition.form === 'machine' ? context && holders(context as never, null) : holders(id as never, context);
    if (dids?.includes(who.signer)) roles.push(role);
  }
  return roles;
}

export interface Written {
  readonly kind: string;
  readonly id: string;
  readonly before: Resource | undefined;
  readonly state: string;
  readonly context: JsonObject;
  readonly path: readonly string[];
  /**
   * The machine events that led to the states of `path`. Undefined for the resource that the request is about, and for
   * kinds without a machine.
   */
  readonly via?: readonly string[] | undefined;
  readonly machine: string;
  /** The RFC 8785 form of the context, as a store writes it. */
  readonly contextText: string;
}

export interface Applied {
  readonly eventType: string;
  readonly moves: readonly Move[];
  readonly written?: Written;
}

export function applySubCommand(
  definition: AnyDefinition,
  part: SubCommand,
  who: StepContext,
  read: ReadResource,
): Applied | Refusal {
  if (definition.form === 'ledger') return applyLedger(definition, part, who);
  const resource = read(part.kind, part.id);
  if (definition.form === 'reducer') return applyReducer(definition, part, who, resource);
  return part.action === 'create' ? create(definition, part, who, resource) : act(definition, part, who, resource);
}

function machineEventOf(
  part: SubCommand,
  who: StepContext,
  roles: readonly string[],
  resource: Resource | undefined,
): MachineEvent<string, never> {
  return {
    type: part.action,
    signer: who.signer,
    roles: part.asWorkflow ? [...roles, 'workflow'] : roles,
    time: who.time,
    input: part.input as never,
    network: who.network,
    home: who.home,
    id: part.id,
    lastHash: resource?.lastHash ?? null,
  };
}

function applyLedger(definition: LedgerDefinition, part: SubCommand, who: StepContext): Applied | Refusal {
  const action = definition.actions[part.action];
  assert(action, `no action ${part.kind}.${part.action}`);
  const roles = rolesOf(definition, part.id, null, who);
  if (!part.asWorkflow && !mayAct(action.who, roles)) {
    // The only case of a wrong owner that has its own code (docs/reference/errors.md#codes).
    return refuse('TRANSFER_NOT_ALLOWED', 'the signer does not own this wallet');
  }
  const moves = action.moves(machineEventOf(part, who, roles, undefined));
  return isRefusal(moves) ? moves : { eventType: action.event, moves };
}

function applyReducer(
  definition: ReducerDefinition,
  part: SubCommand,
  who: StepContext,
  resource: Resource | undefined,
): Applied | Refusal {
  const action = definition.actions[part.action];
  assert(action, `no action ${part.kind}.${part.action}`);
  const roles = rolesOf(definition, part.id, resource?.context ?? null, who);
  if (!part.asWorkflow && !mayAct(action.who, roles)) return notAParty(definition, action.who);
  const context = action.reduce(resource?.context ?? null, machineEventOf(part, who, roles, resource));
  if (isRefusal(context)) return context;
  return {
    eventType: action.event,
    moves: [],
    written: written(definition, part, resource, { state: 'current', context, path: ['current'] }),
  };
}

function create(
  definition: AnyResource,
  part: SubCommand,
  who: StepContext,
  existing: Resource | undefined,
): Applied | Refusal {
  if (existing) return refuse('CONFLICT', `${definition.kind} ${part.id} exists already`);
  const roles = rolesOf(definition, part.id, null, who);
  const makers = definition.create.who ?? ['anyone'];
  if (!part.asWorkflow && !mayAct(makers, roles)) return notAParty(definition, makers);
  const event = machineEventOf(part, who, roles, undefined) as unknown as MachineEvent<'create', never>;
  const refusal = definition.create.check(event);
  if (refusal) return refusal;
  const stepper = stepperFor(definition);
  const context = inOrder(definition.create.context(event));
  let now = stepper.begin(context);
  const moves = effectsOf(definition, now.effects, null, event, now.context);
  const path = [now.state];
  const via = ['create'];
  for (const next of definition.create.followUps?.(part.input as never) ?? []) {
    const follow: MachineEvent = {
      ...event,
      type: next.type,
      input: next.input,
      roles: rolesOf(definition, part.id, now.context, who),
    };
    const before = now.context;
    const taken = stepper.take(now.state, before, follow);
    if ('guard' in taken) return denied(definition, taken.guard, follow, now.state, before);
    now = taken;
    moves.push(...effectsOf(definition, now.effects, before, follow, now.context));
    path.push(now.state);
    via.push(next.type);
  }
  return {
    eventType: definition.create.event,
    moves,
    written: written(definition, part, undefined, { state: now.state, context: now.context, path, via }),
  };
}

function act(
  definition: AnyResource,
  part: SubCommand,
  who: StepContext,
  resource: Resource | undefined,
): Applied | Refusal {
  const seesAll = part.asWorkflow || who.system;
  if (!resource || !(seesAll || isVisible(definition, resource, who.signer)))
    return unknownResource(definition, part.id);
  const action = definition.actions[part.action];
  assert(action, `no action ${part.kind}.${part.action}`);
  if (!part.asWorkflow && !who.system && definition.owned?.when(resource.context)) {
    return refuse(definition.owned.code, definition.owned.says);
  }
  const roles = rolesOf(definition, part.id, resource.context, who);
  if (!part.asWorkflow && !mayAct(action.who, roles)) return notAParty(definition, action.who, action.refusals?.who);
  const event: MachineEvent = machineEventOf(part, who, roles, resource);
  const after = stepperFor(definition).take(resource.state, resource.context, event);
  if ('guard' in after) return denied(definition, after.guard, event, resource.state, resource.context);
  const { event: eventType, eventInPlace = eventType } = action;
  const { state, context, effects } = after;
  return {
    eventType: state === resource.state ? eventInPlace : eventType,
    moves: effectsOf(definition, effects, resource.context, event, context),
    written: written(definition, part, resource, { state, context, path: [state], via: [part.action] }),
  };
}

const mayAct = (who: readonly string[], roles: readonly string[]): boolean => who.some((role) => roles.includes(role));

function effectsOf(
  definition: AnyResource,
  names: readonly string[],
  before: JsonObject | null,
  event: MachineEvent,
  after: JsonObject,
): Move[] {
  return names.flatMap((name) => {
    const effect = definition.effects[name];
    assert(effect, `effect ${name} of ${definition.kind} has no executor`);
    return effect(before, event, after);
  });
}

const written = (
  definition: AnyDefinition,
  { kind, id }: SubCommand,
  before: Resource | undefined,
  { state, context, path, via }: Pick<Written, 'state' | 'context' | 'path' | 'via'>,
): Written => {
  const machine = definitionVersion(definition);
  return { kind, id, before, state, context, path, via, machine, contextText: canonical(context) };
};
