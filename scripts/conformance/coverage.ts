/** What a walk has covered of a definition, and what a complete walk covers. */

import { scenarioOf, type WalkedKinds } from '../../packages/model/src/scenarios.js';
import { type ChartTransition, chartOf } from '../../src/machines/kernel/chart.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import { isIn } from '../../src/machines/kernel/state-path.js';
import type { Finding } from './walk.js';

export class Met {
  readonly states = new Set<string>();
  readonly transitions = new Set<string>();
  readonly refusals = new Set<string>();
  readonly roles = new Set<string>();
  allowed = 0;
  refused = 0;

  add({ outcome, says, state, met }: Finding): void {
    if (outcome !== 'unreachable') this.states.add(state);
    if (says === 'allowed') this.allowed += 1;
    if (says === 'refused') this.refused += 1;
    for (const role of met?.roles ?? []) this.roles.add(role);
    if (met?.transition) this.transitions.add(met.transition);
    if (met?.refusal) this.refusals.add(met.refusal);
  }
}

/** Actions that only the node's clock or a workflow sends: no caller can. */
export const innerActions = (definition: AnyResource): string[] =>
  Object.entries(definition.actions).flatMap(([name, { internal }]) => (internal ? [name] : []));

/** A transition is covered if it was taken in its state or in one nested in it; without a target it stays there. */
const isMet = ({ from, event, to }: ChartTransition, { transitions }: Met): boolean =>
  [...transitions].some((each) => {
    const [at, by, arrived] = each.split(' ') as [string, string, string];
    return by === event && isIn(at, from) && arrived === (to === from ? at : to);
  });

/** What a complete walk covers and this one has not. Internal actions are the clock's. */
export function missing(definition: AnyResource, met: Met, from?: WalkedKinds): string[] {
  const { elsewhere = [] } = scenarioOf(definition, from);
  const { states, transitions, initial } = chartOf(definition);
  /** States that only the clock or a workflow reaches: clock.test.ts and test/stories cover them. */
  const isInner = (state: string): boolean =>
    state !== initial?.state &&
    transitions.every(
      ({ to, event, from }) => to !== state || isIn(state, from) || definition.actions[event]?.internal,
    );
  const open = transitions.filter(({ event, from }) => !definition.actions[event]?.internal && !isInner(from));
  // Of several candidates the last, most general one names the refusal.
  const general = open.filter(
    ({ event, from }, i) => open.findLastIndex((other) => other.event === event && other.from === from) === i,
  );
  return [
    ...states
      // A resource is in the innermost state.
      .filter(({ initial: nested }) => nested === undefined)
      .filter(({ name }) => !met.states.has(name) && !isInner(name) && !elsewhere.includes(name))
      .map(({ name }) => `state ${name}`),
    ...open
      .filter((each) => !isMet(each, met))
      .map(({ from, event, to }) => `${from} ${event} ${to}`)
      .filter((each) => !elsewhere.includes(each))
      .map((each) => `transition ${each}`),
    ...general
      .flatMap(({ guards }) => guards.map(({ name }) => name))
      .filter((name) => !met.refusals.has(name) && !elsewhere.includes(name))
      .map((name) => `a refusal by ${name}`),
    ...[definition.refusals.state, 'FORBIDDEN']
      .filter((code) => !met.refusals.has(code))
      .map((code) => `a refusal with ${code}`),
    ...Object.keys(definition.roles)
      .filter((role) => !met.roles.has(role) && !elsewhere.includes(role))
      .map((role) => `somebody as ${role}`),
  ];
}
