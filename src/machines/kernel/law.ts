/**
 * The one place that calls XState: how a machine, pure, takes one event.
 *
 * `transition()` of XState builds an actor for each call (43 µs); `machine.transition` is the documented method of
 * actor logic that it calls, with an actor scope that we build once per machine (8 to 15 µs). Where the machine is flat,
 * XState chooses the transition, and what that comes to is known already (plain.ts; 2 µs). Nothing here runs an action:
 * effects come back as names, their executors are the resource definition's.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, and, createActor } from 'xstate';
import type { JsonObject } from './canonical.js';
import { assigned, isFlat, type Plain, plainOf, type Transition } from './plain.js';
import { assert } from './refusal.js';

/** What a machine sees of a request: its event. Plain data; time and ids come in with it. */
export interface Happening<Type extends string = string, Input = JsonObject> {
  readonly type: Type;
  readonly signer: string;
  /** Roles that the signer holds on the resource. */
  readonly roles: readonly string[];
  /** The entry's own time, epoch ms. */
  readonly time: number;
  readonly input: Input;
  readonly network: string;
  readonly id: string;
  /** Hash of the resource's last event; null while it is created. */
  readonly lastHash: string | null;
}

export interface Moved {
  readonly state: string;
  readonly context: JsonObject;
  /** Names of the effects to carry out, in order. */
  readonly effects: readonly string[];
}

/** Why an event was not accepted: no such transition in this state, or the first guard that said no. */
export type Denial = { readonly guard: string | null };

type Scope = Parameters<AnyStateMachine['transition']>[2];

export class Law {
  readonly #scope: Scope;
  /** By state, without a context: what XState finds out about a state again each time it resolves one. */
  readonly #resolved = new Map<string, AnyMachineSnapshot>();
  /** What each transition comes to, once it was chosen; undefined where XState has to carry it out. */
  readonly #plain = new Map<Transition, Plain | undefined>();
  readonly #isFlat: boolean;
  #effects: string[] = [];

  constructor(readonly machine: AnyStateMachine) {
    this.#isFlat = isFlat(machine);
    const self = createActor(machine, { input: {} });
    this.#scope = {
      self,
      id: '',
      sessionId: '',
      system: self.system,
      logger: () => {},
      defer: () => {},
      emit: () => {},
      stopChild: () => {},
      actionExecutor: (action) => {
        this.#effects.push(action.type);
      },
    } as Scope;
  }

  begin(context: JsonObject): Moved {
    this.#effects = [];
    return this.#moved(this.machine.getInitialSnapshot(this.#scope, context));
  }

  /** What becomes of it, or why the machine does not accept the event now. */
  take(state: string, context: JsonObject, happening: Happening): Moved | Denial {
    const snapshot = this.#at(state, context);
    const chosen = this.#chosen(snapshot, happening);
    return chosen ? this.#carriedOut(snapshot, chosen, happening) : this.#denied(state, context, happening);
  }

  /** The same where it is known that it is accepted; what is not leaves everything as it is. */
  move(state: string, context: JsonObject, happening: Happening): Moved {
    const snapshot = this.#at(state, context);
    const chosen = this.#chosen(snapshot, happening);
    return chosen ? this.#carriedOut(snapshot, chosen, happening) : { state, context, effects: [] };
  }

  /** Undefined where the machine accepts the event now. */
  denial(state: string, context: JsonObject, happening: Happening): Denial | undefined {
    const isAccepted = this.#chosen(this.#at(state, context), happening) !== undefined;
    return isAccepted ? undefined : this.#denied(state, context, happening);
  }

  #denied(state: string, context: JsonObject, happening: Happening): Denial {
    const candidates = this.machine.states[state]?.transitions.get(happening.type) ?? [];
    // Candidates go from the special to the general; the general one's first failing guard names the refusal.
    const last = candidates.at(-1);
    if (!last) return { guard: null };
    for (const name of guardNames(last.guard)) {
      if (!this.guardHolds(name, context, happening)) return { guard: name };
    }
    return { guard: null };
  }

  /** Asks one named guard (also for `permittedActions`, which names the guards that are still open). */
  guardHolds(name: string, context: JsonObject, happening: Happening): boolean {
    const guard = this.machine.implementations.guards[name];
    assert(typeof guard === 'function', `machine ${this.machine.id} has no guard ${name}`);
    return (guard as (args: object, params: undefined) => boolean)({ context, event: happening }, undefined);
  }

  /** By its guards, as `snapshot.can` asks. */
  #chosen(snapshot: AnyMachineSnapshot, happening: Happening): Transition | undefined {
    const [chosen] = this.machine.getTransitionData(snapshot, happening);
    return chosen?.target || chosen?.actions.length ? chosen : undefined;
  }

  #carriedOut(snapshot: AnyMachineSnapshot, chosen: Transition, happening: Happening): Moved {
    let plain = this.#plain.get(chosen);
    if (!plain && !this.#plain.has(chosen)) {
      plain = this.#isFlat ? plainOf(this.machine, chosen) : undefined;
      this.#plain.set(chosen, plain);
    }
    this.#effects = [];
    if (!plain) return this.#moved(this.machine.transition(snapshot, happening, this.#scope) as AnyMachineSnapshot);
    let context = snapshot.context as JsonObject;
    for (const action of plain.actions) {
      if (typeof action === 'string') this.#effects.push(action);
      else context = assigned(action, context, happening);
    }
    return { state: plain.state ?? (snapshot.value as string), context, effects: this.#effects };
  }

  #at(state: string, context: JsonObject): AnyMachineSnapshot {
    let resolved = this.#resolved.get(state);
    if (!resolved) {
      resolved = this.machine.resolveState({ value: state, context: {} }) as AnyMachineSnapshot;
      this.#resolved.set(state, resolved);
    }
    const snapshot = { ...resolved };
    snapshot.context = context;
    return snapshot;
  }

  #moved(snapshot: AnyMachineSnapshot): Moved {
    assert(snapshot.status !== 'error', `machine ${this.machine.id} failed: ${String(snapshot.error)}`);
    assert(typeof snapshot.value === 'string', `machine ${this.machine.id} must have flat states`);
    return { state: snapshot.value, context: snapshot.context as JsonObject, effects: this.#effects };
  }
}

/** How XState evaluates `and([...])`: `not` and `or` look the same otherwise, and no one name says why they refuse. */
const conjunction = (and([]) as { check?: unknown }).check;

/** Names behind a transition's guard: a name, or `and([...])` of names. */
export function guardNames(guard: unknown): string[] {
  if (guard === undefined) return [];
  if (typeof guard === 'string') return [guard];
  const { check, guards, type } = guard as { check?: unknown; guards?: readonly unknown[]; type?: string };
  if (guards && check === conjunction) return guards.flatMap(guardNames);
  assert(!guards && typeof type === 'string', 'guards are names, or and([...]) of names');
  return [type];
}
