/** An entry for each type of event, as a party sees it: from the journal of the exercises, and from further requests. */
import { scenarioOf } from '../../../packages/model/src/scenarios.js';
import { verdictOn } from '../../../packages/model/src/verdict.js';
import { exampleName as nameOf } from '../../../scripts/generate/events/event-page.js';
import { type EventType, eventTypes } from '../../../scripts/generate/events/event-types.js';
import { leavesIn } from '../../../src/core/leaf.js';
import { entryView } from '../../../src/http/render/entry-view.js';
import { catalogue, requestedOf } from '../../../src/machines/catalogue.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import type { NumberedEntry } from '../../../src/store/entry.js';
import { storedPayloadOf } from '../../../src/store/payload.js';
import type { StoreReader } from '../../../src/store/store.js';
import { publishedPayload } from '../../../src/verify/published-payload.js';
import type { Body } from '../../node/support/client.js';
import type { TestNode } from '../../node/support/node.js';
import { waysIn } from '../allowed.js';
import { type NodeStage, openStage } from '../stage.js';
import { shortened } from './recorded.js';

export type EventExamples = Map<string, Body>;

/** @returns entries by type and kind */
export async function eventExamples(node: TestNode): Promise<EventExamples> {
  const found: EventExamples = new Map();
  await collect(node, found);
  await node.operate('account', node.did, 'deposit', { amount: 40, ref: 1 });
  const correction = { reason: 'the clock was an hour ahead', operator: 'on call' };
  await node.operate('node', node.did, 'correct-clock', correction);
  const decision = { reason: 'sells stolen data', operator: 'on call' };
  await node.operate('moderation', 'lst-01J0000000000000000000000', 'hide', { ...decision, owners: [node.did] });
  await node.operate('moderation', 'lst-01J0000000000000000000000', 'show', { ...decision, reason: 'was a mistake' });
  await collect(node, found);
  for (const definition of requestedOf(catalogue)) await reachMissing(node, definition, found);
  return found;
}

const wantedOf = (kind: string, found: EventExamples): EventType[] =>
  eventTypes().filter((each) => each.kind === kind && !found.has(nameOf(each)));

async function collect({ store }: TestNode, found: EventExamples): Promise<void> {
  const types = new Set(eventTypes().map(nameOf));
  for (let after = 0; ; ) {
    const entries = await store.entries({ after, limit: 100 });
    for (const entry of entries) {
      const name = nameOf({ type: entry.core.event.type, kind: entry.payload.kind });
      if (types.has(name) && !found.has(name)) found.set(name, await shownEntry(entry, store));
    }
    const last = entries.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

async function shownEntry(entry: NumberedEntry, store: StoreReader): Promise<Body> {
  const texts = await store.texts([...leavesIn(entry.payload.input)]);
  const shown = publishedPayload(storedPayloadOf(entry.payloadText), true, (hash) => texts.get(hash));
  const view = entryView({ entry, receipt: undefined, ...shown, unreadable: [] });
  return JSON.parse(JSON.stringify({ ...view, payload: shortened(shown.payload) }));
}

/** Goes to every situation of every setting until there is no type without an entry. */
async function reachMissing(node: TestNode, definition: AnyResource, found: EventExamples): Promise<void> {
  for (const setting of Object.keys(scenarioOf(definition).settings)) {
    if (wantedOf(definition.kind, found).length === 0) return;
    const stage = await openStage(node, definition, { setting });
    for (const { path } of await waysIn(stage)) {
      for (const wanted of wantedOf(definition.kind, found)) {
        if (wanted.who.includes('clock')) await byClock(node, { stage, path, wanted });
        else await byRequest(node, { stage, path, wanted }, found);
        await collect(node, found);
      }
    }
  }
}

interface Search {
  readonly stage: NodeStage;
  readonly path: Parameters<NodeStage['reach']>[0];
  readonly wanted: EventType;
}

async function byClock(node: TestNode, { stage, path, wanted }: Search): Promise<void> {
  let view = await stage.reach(path);
  // A deadline of the contract may come before the end of a review.
  for (let passed = 0; passed < 2; passed++) {
    const { state, context } = await stage.situation(view);
    const alarm = stage.definition.alarm(state, context as never);
    if (!alarm) return;
    node.world.outrun(Math.max(0, alarm.at - node.world.now()) + 1);
    await node.operate(wanted.kind, view.id, alarm.action, {});
    if (alarm.action === wanted.action) return;
    view = await stage.view(view);
  }
}

/**
 * Sends requests until an entry of the wanted type exists. If another kind's machine decides the action, a request is
 * sent although a guard of this kind would refuse it, because the other kind decides first.
 */
async function byRequest(node: TestNode, { stage, path, wanted }: Search, found: EventExamples): Promise<void> {
  const { definition, fixture } = stage;
  const isDecidedElsewhere = definition.actions[wanted.action]!.decidedBy !== undefined;
  for (const asked of fixture.tries().filter(({ action }) => action === wanted.action)) {
    const view = await stage.reach(path, asked.late);
    const situation = await stage.situation(view);
    const verdict = verdictOn(definition, situation, stage.event(asked, situation.context, view));
    const mayGiveIt = verdict.allowed
      ? isDecidedElsewhere || (verdict.next.state === situation.state) === wanted.inPlace
      : isDecidedElsewhere && verdict.guard !== undefined;
    if (!mayGiveIt) continue;
    await stage.ask(view, asked);
    // If another kind decides, both parties may have to send the same request.
    const others = isDecidedElsewhere ? Object.keys(stage.cast).filter((name) => name !== asked.by) : [];
    for (const by of others) await stage.ask(await stage.view(view), { ...asked, by });
    await collect(node, found);
    if (found.has(nameOf(wanted))) return;
  }
}
