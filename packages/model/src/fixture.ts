/** A setting of a kind with its cast: all requests that a walk tries, and the machine event of each. */
import type { JsonObject } from '../../../src/core/canonical.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import type { MachineEvent } from '../../../src/machines/kernel/resource.js';
import { isNamedInBody, placesIn } from './address.js';
import { type Attempt, type Body, castOf, type Known, type Scenario, type Setting, type View } from './scenario.js';
import { rolesHeld } from './verdict.js';

/** One attempted request: its action, body, signer and time. */
export interface Try {
  readonly action: string;
  readonly attempt: Attempt;
  readonly by: string;
  /** Sent after the scenario's `laterMs`. */
  readonly late: boolean;
}

export const spell = ({ action, attempt, by, late }: Try): string =>
  `${by}: ${action}${attempt.name ? `, ${attempt.name}` : ''}${late ? ', late' : ''}`;

export interface At {
  readonly time: number;
  readonly network: string;
}

const asExample: readonly Attempt[] = [{ name: '', body: () => ({}) }];

export class Fixture {
  constructor(
    readonly definition: AnyResource,
    readonly scenario: Scenario,
    readonly setting: Setting,
    readonly dids: Known['dids'],
  ) {}

  /** Actions that have a route. */
  get actions(): string[] {
    return Object.entries(this.definition.actions).flatMap(([name, { internal }]) => (internal ? [] : [name]));
  }

  /** All requests to try, in any situation. */
  tries(): Try[] {
    const names = castOf(this.scenario);
    return [false, true].flatMap((late) =>
      this.actions.flatMap((action) =>
        (this.setting.attempts[action] ?? asExample).flatMap((attempt) =>
          names.map((by): Try => ({ action, attempt, by, late })),
        ),
      ),
    );
  }

  inputOf({ action, attempt }: Try, view: View): Body {
    return { ...this.definition.actions[action]!.example, ...this.named(action, view), ...attempt.body(view) };
  }

  /** Members that the action's path does not contain and the body must carry: the resource's id. */
  named(action: string, view: View): Body {
    const { param } = this.definition.route;
    const places = placesIn(this.definition, action);
    const shown = places.filter((name) => name !== param && view[name] !== undefined);
    return {
      ...Object.fromEntries(shown.map((name) => [name, view[name]])),
      ...(places.includes(param) || isNamedInBody(this.definition, action) ? { [param]: view.id } : {}),
    };
  }

  /** Input of the creation, unless other kinds' requests create the resource. */
  creation(known: Known): Body {
    const { example, input } = this.definition.create;
    const kept = Object.entries(known.ids).filter(([name]) => name in (input.fields ?? {}));
    return { ...example, ...Object.fromEntries(kept), ...this.setting.create?.(known) };
  }

  /** The machine event of a request. */
  event(asked: Try, context: JsonObject, view: View, { time, network }: At): MachineEvent {
    const did = this.dids[asked.by]!;
    const fields = Object.keys(this.definition.actions[asked.action]!.input.fields ?? {});
    const body: Body = { resourcePrev: view.resourcePrev, ...this.inputOf(asked, view) };
    const input = Object.fromEntries(fields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
    return {
      type: asked.action,
      signer: did,
      roles: rolesHeld(this.definition, context, did),
      time,
      input: input as JsonObject,
      network,
      home: '',
      id: view.id,
      lastHash: view.resourcePrev,
    };
  }
}
