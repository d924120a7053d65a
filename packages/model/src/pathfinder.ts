/**
 * Turns ways through the pure machine into HTTP steps: the body of each step, and the reply that the definition
 * requires.
 */
import { codes } from '../../../src/core/refusal.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import type { Resource } from '../../../src/machines/kernel/resource.js';
import { isIn, substateOf, topState } from '../../../src/machines/kernel/state-path.js';
import { readAddress } from './address.js';
import { DryRun, epoch, network } from './dry-run.js';
import type { Fixture, Try } from './fixture.js';
import type { Path, PathOptions } from './path.js';
import type { View } from './scenario.js';
import { ownKinds, type WalkedKinds } from './scenarios.js';
import { type Expected, type Placeholders, type Step, stepOf } from './steps.js';
import { rolesHeld, type Situation, type Verdict, verdictOn } from './verdict.js';
import { simpleWays, type Walking, type Way, waysOf } from './ways.js';

const defaultSteps = 8;

interface ViewedSituation extends Situation {
  readonly view: View;
}

/** Builds the paths of a setting, after a dry run of it. */
export class Pathfinder {
  readonly #dryRun: DryRun;
  readonly #fixture: Fixture;
  readonly #first: Resource;
  readonly #names: Placeholders;

  constructor(
    private readonly definition: AnyResource,
    private readonly setting: string,
    from: WalkedKinds = ownKinds,
  ) {
    this.#dryRun = new DryRun(definition, setting, from);
    this.#first = this.#dryRun.play();
    this.#fixture = this.#dryRun.fixture;
    const { dids, ids } = this.#dryRun.known;
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
      time: epoch,
      network,
      only: (asked) => (late || !asked.late) && decides(asked),
    };
    const from = this.#standing(this.#first.state, this.#first.context);
    const all =
      by === 'simple' ? simpleWays(this.#fixture, from, walking, steps) : waysOf(this.#fixture, from, walking);
    for (const way of all) {
      if (way.path.length <= steps && (to === undefined || isIn(way.state, to))) yield way;
    }
  }

  /** Leaves out actions that another kind decides, because they are paths of that kind. */
  readonly decides = ({ action }: Try): boolean => this.definition.actions[action]!.decidedBy === undefined;

  /**
   * Undefined if the way does not lead to its situation in this dry run: situations that look alike may have different
   * contexts.
   */
  path(way: Way, late: boolean): Path | undefined {
    const { scenario } = this.#fixture;
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
      cast: Object.keys(this.#fixture.dids),
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
    return this.#fixture.tries().flatMap((asked) => {
      if (!this.decides(asked) || (isLate ? !asked.late : asked.late && !late)) return [];
      const verdict = this.#verdict(asked, standing, asked.late);
      if (verdict.allowed) return [];
      const { state } = standing;
      return [this.#step(asked, standing, { status: codes[verdict.code][0], code: verdict.code, ...shown(state) })];
    });
  }

  #verdict(asked: Try, standing: ViewedSituation, isLate: boolean): Verdict {
    const time = isLate ? epoch + this.#fixture.scenario.laterMs : epoch;
    const event = this.#fixture.event(asked, standing.context, standing.view, { time, network });
    return verdictOn(this.definition, standing, event);
  }

  #standing(state: string, context: Situation['context']): ViewedSituation {
    const resource = { ...this.#first, state, context };
    return { state, context, view: this.definition.view(resource as never, { time: epoch }) };
  }

  #step(asked: Try, { context, view }: ViewedSituation, expects: Expected): Step {
    const { definition } = this;
    const input = { resourcePrev: view.resourcePrev, ...this.#fixture.inputOf(asked, view) };
    const { action, by, late } = asked;
    const { reply } = definition.actions[action]!;
    const from = typeof reply === 'object' && 'kind' in reply ? `${definition.kind}.resourcePrev` : 'resourcePrev';
    return stepOf(
      { by, definition, action, id: view.id, input },
      {
        roles: rolesHeld(definition, context, this.#fixture.dids[by]!),
        late,
        expects,
        keeps: expects.code === undefined ? { resourcePrev: from } : {},
      },
      this.#names,
    );
  }

  #setUp(): Step[] {
    const { setUp, made } = this.#dryRun;
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
  ['state', 'status'].find((name) => view[name] === topState(state)) ?? 'status';

/** Status and substate as a view shows them. */
function shown(path: string): Pick<Expected, 'state' | 'substate'> {
  const substate = substateOf(path);
  return { state: topState(path), ...(substate === undefined ? {} : { substate }) };
}
