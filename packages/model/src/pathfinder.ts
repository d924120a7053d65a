/** From ways over the pure machine to HTTP steps: each step's body, and what the definition says must come back. */
import { codes } from '../../../src/core/refusal.js';
import { isIn, type Resource, substateOf, topStateOf } from '../../../src/machines/kernel/definition.js';
import type { AnyResource } from '../../../src/machines/kernel/resource.js';
import { readAddress } from './address.js';
import type { Path, PathOptions } from './path.js';
import { curtain, network, Rehearsal } from './rehearsal.js';
import type { View } from './scenario.js';
import { scenarioOf } from './scenarios.js';
import type { Scene, Try } from './scene.js';
import { type Expected, type Placeholders, type Step, stepOf } from './steps.js';
import { rolesHeld, type Situation, type Verdict, verdictOn } from './verdict.js';
import { simpleWays, type Walking, type Way, waysOf } from './ways.js';

const defaultSteps = 8;

interface ViewedSituation extends Situation {
  readonly view: View;
}

/** A setting, rehearsed: its ways become paths. */
export class Pathfinder {
  readonly #rehearsal: Rehearsal;
  readonly #scene: Scene;
  readonly #first: Resource;
  readonly #names: Placeholders;

  constructor(
    private readonly definition: AnyResource,
    private readonly setting: string,
  ) {
    const scenario = scenarioOf(definition);
    this.#rehearsal = new Rehearsal(definition, scenario.settings[setting]!);
    this.#first = this.#rehearsal.play();
    this.#scene = this.#rehearsal.scene;
    const { dids, ids } = this.#rehearsal.known;
    this.#names = new Map([
      ...Object.entries(dids).map(([name, did]) => [did, `{${name}}`] as const),
      ...Object.entries(ids).map(([name, id]) => [id, `{${name}}`] as const),
      [this.#first.id, `{${definition.route.param}}`] as const,
      [this.#first.lastHash, '{resourcePrev}'] as const,
    ]);
  }

  *ways({ by = 'shortest', steps = defaultSteps, to, late = false }: PathOptions): Generator<Way> {
    const { decides } = this;
    const walking: Walking = {
      time: curtain,
      network,
      only: (asked) => (late || !asked.late) && decides(asked),
    };
    const from = this.#standing(this.#first.state, this.#first.context);
    const all = by === 'simple' ? simpleWays(this.#scene, from, walking, steps) : waysOf(this.#scene, from, walking);
    for (const way of all) {
      if (way.path.length <= steps && (to === undefined || isIn(way.state, to))) yield way;
    }
  }

  /** Leaves out what another kind decides: it is a path of that kind. */
  readonly decides = ({ action }: Try): boolean => this.definition.actions[action]!.decidedBy === undefined;

  /** Undefined where the way does not lead there from here: situations that look alike may differ in what they hold. */
  path(way: Way, late: boolean): Path | undefined {
    const { scenario } = this.#scene;
    let standing = this.#standing(this.#first.state, this.#first.context);
    let isLate = false;
    const steps: Step[] = [];
    for (const asked of way.path) {
      isLate ||= asked.late;
      const verdict = this.#verdict(asked, standing, isLate);
      if (!verdict.allowed) return undefined;
      const { state, context } = verdict.next;
      steps.push(this.#step(asked, standing, { status: 200, ...shown(state) }));
      standing = this.#standing(state, context);
    }
    const { kind, route } = this.definition;
    return {
      kind,
      setting: this.setting,
      name: way.name,
      ...shown(standing.state),
      cast: Object.keys(this.#scene.dids),
      ...(scenario.payer ? { payer: scenario.payer } : {}),
      setUp: this.#setUp(),
      steps,
      read: {
        method: 'GET',
        path: decodeURIComponent(readAddress(this.definition, `{${route.param}}`)),
        member: memberOf(standing),
      },
      refusals: this.#refusals(standing, { isLate, late }),
      laterMs: scenario.laterMs,
    };
  }

  #refusals(standing: ViewedSituation, { isLate, late }: { isLate: boolean; late: boolean }): Step[] {
    return this.#scene.tries().flatMap((asked) => {
      if (!this.decides(asked) || (isLate ? !asked.late : asked.late && !late)) return [];
      const verdict = this.#verdict(asked, standing, asked.late);
      if (verdict.allowed) return [];
      const { state } = standing;
      return [this.#step(asked, standing, { status: codes[verdict.code][0], code: verdict.code, ...shown(state) })];
    });
  }

  #verdict(asked: Try, standing: ViewedSituation, isLate: boolean): Verdict {
    const time = isLate ? curtain + this.#scene.scenario.laterMs : curtain;
    const happening = this.#scene.happening(asked, standing.context, standing.view, { time, network });
    return verdictOn(this.definition, standing, happening);
  }

  #standing(state: string, context: Situation['context']): ViewedSituation {
    const resource = { ...this.#first, state, context };
    return { state, context, view: this.definition.view(resource as never, { time: curtain }) };
  }

  #step(asked: Try, { context, view }: ViewedSituation, expects: Expected): Step {
    const { definition } = this;
    const input = { resourcePrev: view.resourcePrev, ...this.#scene.inputOf(asked, view) };
    const { action, by, late } = asked;
    const { reply } = definition.actions[action]!;
    const from = typeof reply === 'object' && 'kind' in reply ? `${definition.kind}.resourcePrev` : 'resourcePrev';
    return stepOf(
      { by, definition, action, id: view.id, input },
      {
        roles: rolesHeld(definition, context, this.#scene.dids[by]!),
        late,
        expects,
        keeps: expects.code === undefined ? { resourcePrev: from } : {},
      },
      this.#names,
    );
  }

  #setUp(): Step[] {
    const { setUp, made } = this.#rehearsal;
    const last = made ?? setUp.at(-1);
    return [...setUp, ...(made ? [made] : [])].map((each) => {
      const isLast = each === last;
      return stepOf(
        each,
        {
          roles: [],
          late: false,
          expects: {
            status: each.action === 'create' ? 201 : 200,
            ...shown((isLast ? this.#first.state : each.state) ?? ''),
          },
          keeps: {
            ...(each.keep ? { [each.keep]: 'id' } : {}),
            ...(isLast ? { [this.definition.route.param]: 'id', resourcePrev: 'resourcePrev' } : {}),
          },
        },
        this.#names,
      );
    });
  }
}

/** Views show their state as `state` or `status`. */
const memberOf = ({ state, view }: ViewedSituation): string =>
  ['state', 'status'].find((name) => view[name] === topStateOf(state)) ?? 'status';

/** A state as views show it. */
function shown(path: string): Pick<Expected, 'state' | 'substate'> {
  const substate = substateOf(path);
  return { state: topStateOf(path), ...(substate === undefined ? {} : { substate }) };
}
