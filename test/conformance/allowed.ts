/** Looks for a situation in which the law allows an action, and for somebody who may ask for it there. */
import { expect } from 'chai';
import type { Body } from '../node/support/client.js';
import { waysOf } from './paths.js';
import type { Stage, Try } from './stage.js';
import { verdictOn } from './verdict.js';

/** What was found once leads there again. */
const found = new WeakMap<Stage, Map<string, { path: readonly Try[]; asked: Try }>>();

/** A resource, and the request that the law allows on it now. */
export async function allowedTry(stage: Stage, action: string): Promise<[view: Body, asked: Try]> {
  const known = found.get(stage) ?? new Map();
  found.set(stage, known);
  const way = known.get(action);
  if (way) return [await stage.reach(way.path, way.asked.late), way.asked];
  const [path, view, asked] = await allowedWay(stage, action);
  known.set(action, { path, asked });
  return [view, asked];
}

async function allowedWay(stage: Stage, action: string): Promise<[path: readonly Try[], view: Body, asked: Try]> {
  for (const way of await waysOf(stage, await stage.create())) {
    for (const late of [false, true]) {
      const view = await stage.reach(way.path, late);
      const situation = await stage.situation(view);
      const asked = stage.tries().find((each) => {
        if (each.action !== action || each.late !== late) return false;
        const happening = stage.happening(each, situation.context, view, stage.node.world.now());
        const verdict = verdictOn(stage.definition, situation, happening);
        // What another kind decides is open where no more than a guard is in its way here.
        const { decidedBy } = stage.definition.actions[action]!;
        return verdict.allowed || (decidedBy !== undefined && verdict.guard !== undefined);
      });
      if (asked) return [way.path, view, asked];
    }
  }
  return expect.fail(`nobody may ever ${action}: extend inputs/${stage.definition.kind}.ts`);
}
