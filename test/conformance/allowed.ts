/** Finds a situation in which the definition allows an action, and a person who may take it there. */
import { expect } from 'chai';
import { verdictOn } from '../../packages/model/src/verdict.js';
import { type Way, waysOf } from '../../packages/model/src/ways.js';
import { candidatesFor } from '../../src/machines/kernel/stepper.js';
import type { Body } from '../node/support/client.js';
import type { NodeStage, Try } from './stage.js';

/** The shortest path to each situation. */
export async function waysIn(stage: NodeStage): Promise<Way[]> {
  const view = await stage.create();
  const { driver } = stage;
  const walking = { time: driver.now(), network: driver.network };
  return waysOf(stage.fixture, { ...(await stage.situation(view)), view }, walking);
}

interface Found {
  readonly path: readonly Try[];
  readonly asked: Try;
}

/** What was found on a stage: the ways, and for each action the one that is allowed. */
const found = new WeakMap<NodeStage, { readonly ways: readonly Way[]; readonly actions: Map<string, Found> }>();

/** Creates a resource, and returns the request that is allowed on it now. */
export async function allowedTry(stage: NodeStage, action: string): Promise<[view: Body, asked: Try]> {
  const known = found.get(stage) ?? { ways: await waysIn(stage), actions: new Map<string, Found>() };
  found.set(stage, known);
  const way = known.actions.get(action);
  if (way) return [await stage.reach(way.path, way.asked.late), way.asked];
  const { view, ...now } = await allowedWay(stage, known.ways, action);
  known.actions.set(action, now);
  return [view, now.asked];
}

async function allowedWay(
  stage: NodeStage,
  ways: readonly Way[],
  action: string,
): Promise<Found & { readonly view: Body }> {
  const { definition } = stage;
  const isOpen = ({ state }: Way) => candidatesFor(definition.machine, state, action).length > 0;
  const situations = [
    ...ways.filter(isOpen).map(({ path }) => ({ path, late: false })),
    ...ways.map(({ path }) => ({ path, late: true })),
  ];
  for (const { path, late } of situations) {
    const view = await stage.reach(path, late);
    const situation = await stage.situation(view);
    const asked = stage.fixture.tries().find((each) => {
      if (each.action !== action || each.late !== late) return false;
      const verdict = verdictOn(definition, situation, stage.event(each, situation.context, view));
      // If another kind's machine decides, a path counts as open when only guards are in the way here.
      const { decidedBy } = definition.actions[action]!;
      return verdict.allowed || (decidedBy !== undefined && verdict.guard !== undefined);
    });
    if (asked) return { path, asked, view };
  }
  return expect.fail(
    `no role may ever ${action}: extend the scenario of ${definition.kind} in packages/model/src/scenarios`,
  );
}
