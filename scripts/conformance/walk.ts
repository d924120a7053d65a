/**
 * The walk through a kind: reaches every situation by its shortest path, and tries every action in it, by every
 * participant, now and late. Each must be accepted, or refused with the exact code and without a change. The
 * definition decides what is expected (packages/model/src/verdict.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import type { View } from '../../packages/model/src/scenario.js';
import type { Situation, Verdict } from '../../packages/model/src/verdict.js';
import { permissionsOf, verdictOn, violationOfPermitted } from '../../packages/model/src/verdict.js';
import { type Walking, type Way, waysOf } from '../../packages/model/src/ways.js';
import type { Json, JsonObject } from '../../src/core/canonical.js';
import { leavesIn, withTexts } from '../../src/core/leaf.js';
import { type Code, codes } from '../../src/core/refusal.js';
import type { AnyResource } from '../../src/machines/kernel/definition.js';
import type { Permitted } from '../../src/machines/kernel/permitted.js';
import type { MachineEvent, Resource } from '../../src/machines/kernel/resource.js';
import { Astray, type Reply, type Who } from './driver.js';
import { mustAccept, mustRefuse } from './problem.js';
import { type Stage, spell, type Try } from './stage.js';

/** The result of one request in one situation. */
export interface Finding {
  readonly kind: string;
  readonly setting: string;
  readonly situation: string;
  readonly state: string;
  readonly action: string;
  readonly asked: string;
  /** `unreachable`: it needs a clock that the walk cannot control. */
  readonly outcome: 'passed' | 'failed' | 'unreachable';
  readonly says?: 'allowed' | 'refused';
  /** What is wrong, with the expected and the actual value. */
  readonly flaw?: { readonly what: string; readonly expected?: Json | undefined; readonly came?: Json | undefined };
  /** What the request covers, for the check of completeness. */
  readonly met?: { readonly roles: readonly string[]; readonly transition?: string; readonly refusal?: string };
}

export interface WalkOptions {
  readonly setting: string;
  /** Tries one in this many requests; default all. */
  readonly stride?: number;
  /** Tries about this many requests, spread over all situations; default all. */
  readonly most?: number | undefined;
}

/** A resource in a situation, reused until a request changes it. */
interface Held {
  readonly view: View;
  readonly shown: string;
  readonly situation: Resource;
  readonly entries: number | undefined;
}

export async function* walk(stage: Stage<Who>, { setting, ...options }: WalkOptions): AsyncGenerator<Finding> {
  let turn = 0;
  const { reachable, beyond } = await waysIn(stage);
  const stride = options.stride ?? strideOf(reachable.length * stage.fixture.tries().length, options.most);
  const described = (way: Way, asked: Try) => ({
    kind: stage.definition.kind,
    setting,
    situation: way.name,
    state: way.state,
    action: asked.action,
    asked: spell(asked),
  });
  for (const way of reachable) {
    for (const late of [false, true]) {
      if (!late && way.path.some((step) => step.late)) continue;
      const tries = stage.fixture.tries().filter((each) => each.late === late && turn++ % stride === 0);
      if (late && !stage.driver.outrun) {
        for (const asked of tries) yield { ...described(way, asked), outcome: 'unreachable' };
        continue;
      }
      let held: Held | undefined;
      for (const asked of tries) {
        const seen = await lookedAt(async () => {
          held ??= await hold(stage, await stage.reach(way.path, late));
          return tried(stage, held, asked);
        });
        if (seen.outcome === 'failed' || seen.says === 'allowed') held = undefined;
        yield { ...described(way, asked), ...seen };
      }
    }
  }
  for (const way of beyond) {
    for (const asked of stage.fixture.tries()) {
      if (asked.late) yield { ...described(way, asked), outcome: 'unreachable' };
    }
  }
}

/** Odd, because tries come in groups of one for each participant. */
const strideOf = (all: number, most = all): number => Math.max(1, Math.floor(all / most)) | 1;

type Seen = Pick<Finding, 'outcome' | 'says' | 'flaw' | 'met'>;

/** Turns Astray into a finding; any other error is a fault of the walk. */
async function lookedAt(look: () => Promise<Seen>): Promise<Seen> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof Astray)) throw error;
    const { what, expected, came } = error;
    return { outcome: 'failed', flaw: { what, expected, came } };
  }
}

/** Ways that this node can take; `beyond` are those that need a later time, if the walk cannot set its clock. */
async function waysIn(stage: Stage<Who>): Promise<{ reachable: readonly Way[]; beyond: readonly Way[] }> {
  const view = await stage.create();
  const from = { ...(await stage.situation(view)), view };
  const walking: Walking = { time: stage.driver.now(), network: stage.driver.network };
  const all = waysOf(stage.fixture, from, walking);
  if (stage.driver.outrun) return { reachable: all, beyond: [] };
  const reachable = waysOf(stage.fixture, from, { ...walking, only: ({ late }) => !late });
  const names = new Set(reachable.map(({ name }) => name));
  return { reachable, beyond: all.filter(({ name }) => !names.has(name)) };
}

async function hold(stage: Stage<Who>, view: View): Promise<Held> {
  const situation = await stage.situation(view);
  const flaw = await violationOfView(stage, view, situation);
  if (flaw) throw flaw;
  return { view, shown: shownIn(view), situation, entries: await stage.driver.entries?.() };
}

/** Members that settlement changes independently of requests. */
const settling = ['txHash', 'blockNumber', 'confirmations'];

const shownIn = (view: View): string => JSON.stringify(withoutSettling(view ?? {}));

const withoutSettling = (view: View): View =>
  Object.fromEntries(Object.entries(view).filter(([name]) => !settling.includes(name)));

/** Compares the view with the resource that results from the journal. */
async function violationOfView(
  { definition, driver, creator }: Stage<Who>,
  view: View,
  resource: Resource,
): Promise<Astray | undefined> {
  const reader = definition.payloadReaders ? creator.did : undefined;
  const said = definition.view(resource as Resource<never>, { time: driver.now(), reader });
  const texts = await driver.texts([...leavesIn(said)]);
  const told = withTexts(said, (hash) => texts.get(hash)) as JsonObject;
  for (const [name, member] of Object.entries(told)) {
    if (isShownByItself(definition, name) || isDeepStrictEqual(view[name], plain(member))) continue;
    return new Astray(`the view shows another ${name}`, member, view[name]);
  }
  return undefined;
}

/** Members of a companion projection are not part of the resource. */
const isShownByItself = ({ companion }: AnyResource, name: string): boolean =>
  companion !== undefined && name === 'stats';

/** Sends the request, and compares the reply with the definition's verdict. */
async function tried(stage: Stage<Who>, held: Held, asked: Try): Promise<Seen> {
  const { definition } = stage;
  const { view, situation } = held;
  const event = stage.event(asked, situation.context, view);
  // The other kind's walk tries this decision; here only a partial write would be a failure.
  const decidedElsewhere = definition.actions[asked.action]!.decidedBy !== undefined;
  const verdict = verdictOn(definition, situation, event);
  const flaw = violationOfPermitted(definition, view.permittedActions ?? {}, event, verdict);
  if (flaw && !decidedElsewhere) throw new Astray(flaw, undefined, view.permittedActions);
  const { roles } = event;
  const nonce = stage.cast[asked.by]!.nonce;
  const reply = await stage.ask(view, asked);
  if (decidedElsewhere ? reply.status >= 300 : !verdict.allowed) {
    if (decidedElsewhere) mustBeOpen(view.permittedActions ?? {}, event, reply);
    else if (!verdict.allowed) mustRefuse(reply, verdict.code);
    await mustBeUnchanged(stage, held);
    const refusal = verdict.allowed ? reply.body.code : (verdict.guard ?? verdict.code);
    return { outcome: 'passed', says: 'refused', met: { roles, refusal } };
  }
  mustAccept(reply, nonce);
  const after = await stage.situation(view);
  if (!decidedElsewhere) {
    // The verdict on the recorded event, which has the ids and signatures that the node added.
    const journaled = verdictOn(definition, situation, await stage.journaled(event, reply.body.eventHash));
    mustArriveAt(journaled, after);
  }
  await mustShow({ stage, held, asked, reply });
  const transition = `${situation.state} ${asked.action} ${after.state}`;
  return { outcome: 'passed', says: 'allowed', met: { roles, transition } };
}

/** If `permittedActions` listed the action, it must also have listed the code of this refusal. */
function mustBeOpen(permitted: Permitted, event: MachineEvent, { body }: Reply): void {
  const shown = permissionsOf(permitted, event);
  if (shown.length === 0 || shown.some(({ open }) => open.includes(body.code as Code))) return;
  throw new Astray(`${event.type} was shown as permitted, and another code as open`, JSON.stringify(shown), body.code);
}

async function mustBeUnchanged(stage: Stage<Who>, { view, shown, entries }: Held): Promise<void> {
  const now = await stage.read(view);
  if (shownIn(now.body) !== shown) throw new Astray('it was refused and has changed something', shown, now.text);
  const written = await stage.driver.entries?.();
  if (written !== entries) throw new Astray('it was refused and has left an entry', entries, written);
}

function mustArriveAt(verdict: Verdict, after: Situation): void {
  const { state, context } = after;
  if (!verdict.allowed)
    throw new Astray('it was accepted against the law', `${codes[verdict.code][0]} ${verdict.code}`);
  if (verdict.next.state !== state) throw new Astray('it arrives at another state', verdict.next.state, state);
  if (!isDeepStrictEqual(plain(verdict.next.context), plain(context)))
    throw new Astray('what it keeps is not what the law gives', verdict.next.context, context);
}

/** A copy without members that are undefined. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The view in the reply to an action: the reply, or inside it. */
function viewIn(body: View, answers: NonNullable<AnyResource['actions'][string]['reply']>, param: string): View {
  if (answers === 'view') return body;
  const isNewest = answers !== 'transfer' && 'among' in answers && answers.named === undefined;
  return isNewest ? { ...body, [answers.among]: [body[answers.among]] } : body[param.replace(/Id$/, '')];
}

/** The reply must hold the resource's new view, and exactly one entry must be written. */
async function mustShow({
  stage,
  held,
  asked,
  reply,
}: {
  stage: Stage<Who>;
  held: Held;
  asked: Try;
  reply: Reply;
}): Promise<void> {
  const { definition } = stage;
  const { body } = reply;
  const shown = await stage.view(held.view);
  const { reply: answers = 'view' } = definition.actions[asked.action]!;
  const inside = viewIn(body, answers, definition.route.param);
  const { properties = {} } = definition.viewSchema as { readonly properties?: JsonObject };
  for (const [name, member] of Object.entries(withoutSettling(shown))) {
    // Reads add the title of what it is about.
    if (name === definition.repeatedAs || (name === 'title' && properties.title === undefined)) continue;
    if (!isDeepStrictEqual(inside?.[name], member))
      throw new Astray(`the reply says another ${name} than the view`, member as Json, inside?.[name]);
  }
  const flaw = await violationOfView(stage, shown, await stage.situation(held.view));
  if (flaw) throw flaw;
  if (shown.resourcePrev !== body.eventHash)
    throw new Astray('resourcePrev is not the hash of the last event', body.eventHash, shown.resourcePrev);
  const written = await stage.driver.entries?.();
  if (held.entries !== undefined && written !== held.entries + 1)
    throw new Astray('not one entry', held.entries + 1, written);
}
