/** Finds a situation in which the definition allows an action, and a person who may take it there. */
import { expect } from 'chai';
import { verdictOn } from '../../packages/model/src/verdict.js';
import { type Way, waysOf } from '../../packages/model/src/ways.js';
import type { Body } from '../node/support/client.js';
import type { NodeStage, Try } from './stage.js';

/** The shortest path to each situation. */
export async function waysIn(stage: NodeStage): Promise<Way[]> {
  const view = await stage.create();
  const { driver } = stage;
  const walking = { time: driver.now(), network: driver.network };
  return waysOf(stage.fixture, { ...(await stage.situation(view)), view }, walking);
}

/** Results, so that an action is searched for only once. */
const found = new WeakMap<NodeStage, Map<string, { path: readonly Try[]; asked: Try }>>();

/** Creates a resource, and returns the request that is allowed on it now. */
export async function allowedTry(stage: NodeStage, action: string): Promise<[view: Body, asked: Try]> {
  const known = found.get(stage) ?? new Map();
  found.set(stage, known);
  const way = known.get(action);
  if (way) return [await stage.reach(way.path, way.asked.late), way.asked];
  const [path, view, asked] = await allowedWay(stage, action);
  known.set(action, { path, asked });
  return [view, asked];
}

async function allowedWay(stage: NodeStage, action: string): Promise<[path: readonly Try[], view: Body, asked: Try]> {
  for (const way of await waysIn(stage)) {
    for (const late of [false, true]) {
      const view = await stage.reach(way.path, late);
      const situation = await stage.situation(view);
      const asked = stage.fixture.tries().find((each) => {
        if (each.action !== action || each.late !== late) return false;
        const verdict = verdictOn(stage.definition, situation, stage.event(each, situation.context, view));
        // If another kind's machine decides, a path counts as open when only guards are in the way here.
        const { decidedBy } = stage.definition.actions[action]!;
        return verdict.allowed || (decidedBy !== undefined && verdict.guard !== undefined);
      });
      if (asked) return [way.path, view, asked];
    }
  }
  return expect.fail(
    `no role may ever ${action}: extend the scenario of ${stage.definition.kind} in packages/model/src/scenarios`,
  );
}
