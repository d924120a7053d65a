/**
 * Takes one step of a state machine with XState, as a pure function. Only this file asks XState to choose and to apply
 * a transition.
 * XState's `transition()` creates an actor for each call (43 µs). `machine.transition`, the method of actor logic
 * behind it, takes an actor scope instead; one scope per machine is created here and reused. XState executes no effect:
 * the scope records their names, and the resource definition defines which moves follow from each.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, type AnyStateNode, and, createActor } from 'xstate';
import type { JsonObject } from '../../core/canonical.js';
import { assert } from '../../core/refusal.js';
import type { MachineEvent } from './resource.js';
import { statePath, stateValue } from './state-path.js';

/** Result of an accepted event. */
export interface Stepped {
  readonly state: string;
  readonly context: JsonObject;
  /** Names of the effects to carry out, in order. */
  readonly effects: readonly string[];
}

/**
 * Why an event was not accepted: `guard` is the first guard that failed, or null if the state has no such transition.
 */
export type Denial = { readonly guard: string | null };

type ActorScope = Parameters<AnyStateMachine['transition']>[2];

export class MachineStepper {
  readonly #scope: ActorScope;
  #effects: string[] = [];

  constructor(readonly machine: AnyStateMachine) {
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
    } as ActorScope;
  }

  /** Enters the initial state. */
  begin(context: JsonObject): Stepped {
    this.#effects = [];
    return this.#stepped(this.machine.getInitialSnapshot(this.#scope, context));
  }

  /** Applies the event, or returns why the machine does not accept it. */
  take(state: string, context: JsonObject, event: MachineEvent): Stepped | Denial {
    return this.#step(state, context, event) ?? this.#denied(state, context, event);
  }

  /** Applies the event; one that is not accepted changes nothing. */
  move(state: string, context: JsonObject, event: MachineEvent): Stepped {
    return this.#step(state, context, event) ?? { state, context, effects: [] };
  }

  /** @returns undefined if the machine accepts the event */
  denial(state: string, context: JsonObject, event: MachineEvent): Denial | undefined {
    const isAccepted = this.#at(state, context).can(event);
    return isAccepted ? undefined : this.#denied(state, context, event);
  }

  /** Evaluates one guard by its name, for `permittedActions`, which checks guards one by one. */
  guardHolds(name: string, context: JsonObject, event: MachineEvent): boolean {
    const guard = this.machine.implementations.guards[name];
    assert(typeof guard === 'function', `machine ${this.machine.id} has no guard ${name}`);
    return (guard as (args: object, params: undefined) => boolean)({ context, event }, undefined);
  }

  #denied(state: string, context: JsonObject, event: MachineEvent): Denial {
    // Candidates are ordered from the special to the general, and the refusal is that of the last one's first failing
    // guard.
    const last = candidatesFor(this.machine, state, event.type).at(-1);
    if (!last) return { guard: null };
    for (const name of guardNames(last.guard)) {
      if (!this.guardHolds(name, context, event)) return { guard: name };
    }
    return { guard: null };
  }

  #step(state: string, context: JsonObject, event: MachineEvent): Stepped | undefined {
    const before = this.#at(state, context);
    this.#effects = [];
    const after = this.machine.transition(before, event, this.#scope) as AnyMachineSnapshot;
    // XState returns the same snapshot if no transition is enabled, and also if a transition only has effects.
    return after === before && this.#effects.length === 0 ? undefined : this.#stepped(after);
  }

  #at(state: string, context: JsonObject): AnyMachineSnapshot {
    return this.machine.resolveState({ value: stateValue(state), context }) as AnyMachineSnapshot;
  }

  #stepped(snapshot: AnyMachineSnapshot): Stepped {
    assert(snapshot.status !== 'error', `machine ${this.machine.id} failed: ${String(snapshot.error)}`);
    return { state: statePath(snapshot.value), context: snapshot.context as JsonObject, effects: this.#effects };
  }
}

const steppers = new WeakMap<AnyStateMachine, MachineStepper>();

export function stepperFor({ machine }: { readonly machine: AnyStateMachine }): MachineStepper {
  let stepper = steppers.get(machine);
  if (!stepper) {
    stepper = new MachineStepper(machine);
    steppers.set(machine, stepper);
  }
  return stepper;
}

/** The node of a state; undefined if the machine has no such state. */
export function nodeOf(machine: AnyStateMachine, path: string): AnyStateNode | undefined {
  let node: AnyStateNode | undefined = machine.root;
  for (const name of path.split('.')) node = node && Object.hasOwn(node.states, name) ? node.states[name] : undefined;
  return node;
}

/** Paths of a state, and of those nested in it at any depth. */
export function pathsFrom(machine: AnyStateMachine, path: string): string[] {
  const names = Object.keys(nodeOf(machine, path)?.states ?? {});
  return [path, ...names.flatMap((name) => pathsFrom(machine, `${path}.${name}`))];
}

/** A transition of a definition, with the state that it belongs to. */
export type Candidate = AnyStateNode['transitions'] extends Map<string, (infer T)[]> ? T : never;

/** Transitions for an event: those of the state itself, then those of the states around it, in XState's order. */
export function candidatesFor(machine: AnyStateMachine, path: string, event: string): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (let node = nodeOf(machine, path); node; node = node.parent) {
    candidates.push(...((node.transitions.get(event) ?? []) as Candidate[]));
  }
  return candidates;
}

/** Names of the events that a state or one around it has transitions for. */
export function eventsIn(machine: AnyStateMachine, path: string): string[] {
  const events = new Set<string>();
  for (let node = nodeOf(machine, path); node; node = node.parent) {
    for (const event of node.transitions.keys()) events.add(event);
  }
  return [...events];
}

/**
 * Identifies `and([...])`: guards made by `not` and `or` look the same otherwise, and have no single name to refuse
 * with.
 */
const conjunction = (and([]) as { check?: unknown }).check;

/** Names in a transition's guard: a single name, or those of `and([...])`. */
export function guardNames(guard: unknown): string[] {
  if (guard === undefined) return [];
  if (typeof guard === 'string') return [guard];
  const { check, guards, type } = guard as { check?: unknown; guards?: readonly unknown[]; type?: string };
  if (guards && check === conjunction) return guards.flatMap(guardNames);
  assert(!guards && typeof type === 'string', 'guards are names, or and([...]) of names');
  return [type];
}
