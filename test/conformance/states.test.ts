/**
 * Every kind with a machine: every situation that can be reached, by its shortest path, through HTTP against a real
 * node; then every action in it, by everybody, now and late. Allowed, or refused with the exact code and nothing
 * changed. New kinds join by themselves; see inputs.ts for what they need.
 */
import { AssertionError, expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { chartOf } from '../../src/machines/kernel/chart.js';
import type { AnyResource } from '../../src/machines/kernel/resource.js';
import { expectProblem, expectStatus, expectWritten } from '../node/support/answers.js';
import type { Body } from '../node/support/client.js';
import { TestNode } from '../node/support/node.js';
import { onMongo } from '../node/support/shared-store.js';
import { inputsOf, type KindInputs } from './inputs.js';
import { waysOf } from './paths.js';
import { Stage, spell, type Try } from './stage.js';
import { flawOfPermitted, verdictOn } from './verdict.js';

/** On another store than its own the law is the same: in the short form one in so many tries will do there. */
const stride = onMongo && !process.env.SVC_TEST_LONG ? 8 : 1;

/** What the walk of a kind has seen, over all its settings. */
class Seen {
  readonly states = new Set<string>();
  readonly transitions = new Set<string>();
  readonly refusals = new Set<string>();
  readonly roles = new Set<string>();
  allowed = 0;
  refused = 0;
}

for (const definition of machinesOf(catalogue)) {
  describe(`The law of ${definition.kind}, over HTTP`, function () {
    this.timeout(300_000);
    const seen = new Seen();
    let inputs: KindInputs;
    let node: TestNode;

    before(async () => {
      inputs = await inputsOf(definition);
      node = await TestNode.start();
      node.world.hold();
    });
    after(async () => {
      const report = await node?.audit();
      await node?.discard();
      expect(report?.flaw?.what).to.equal(undefined);
    });

    it('holds in every situation of every setting, for everybody', async () => {
      for (const [name, setting] of Object.entries(inputs.settings)) {
        await walk(await Stage.open(node, definition, inputs, setting), name, seen);
      }
      expect(Object.keys(inputs.settings)).not.to.deep.equal([]);
    });

    const whole = stride === 1 ? it : () => {};
    whole('was walked whole: every state, transition, role, and the code of every guard', function () {
      if (seen.allowed === 0) this.skip();
      expect(
        missing(definition, seen, inputs.elsewhere ?? []),
        'extend inputs/<kind>.ts until the walk meets these',
      ).to.deep.equal([]);
      expect(seen.refused, 'refusals').to.be.greaterThan(seen.allowed);
    });
  });
}

async function walk(stage: Stage, setting: string, seen: Seen): Promise<void> {
  let turn = 0;
  for (const way of await waysOf(stage, await stage.create())) {
    seen.states.add(way.state);
    for (const late of [false, true]) {
      if (!late && way.path.some((step) => step.late)) continue;
      let shared = await stage.reach(way.path, late);
      for (const asked of stage.tries().filter((each) => each.late === late)) {
        if (turn++ % stride > 0) continue;
        const label = `${setting} / ${way.name} / ${spell(asked)}`;
        if (!(await tried(stage, shared, asked, { label, seen }))) continue;
        shared = await stage.reach(way.path, late);
      }
    }
  }
}

/** Asks, and compares with the verdict of the definition. @returns whether it was accepted */
async function tried(
  stage: Stage,
  view: Body,
  asked: Try,
  { label, seen }: { label: string; seen: Seen },
): Promise<boolean> {
  const { definition, node, cast } = stage;
  const before = await stage.situation(view);
  const happening = stage.happening(asked, before.context, view, node.world.now());
  for (const role of happening.roles) seen.roles.add(role);
  // What another kind decides is walked there; here it only must not be half done.
  const decidedElsewhere = definition.actions[asked.action]!.decidedBy !== undefined;
  const verdict = verdictOn(definition, before, happening);
  const world = [await node.store.head(), await stage.view(view)] as const;
  const flaw = flawOfPermitted(definition, world[1].permittedActions, happening, verdict);
  if (flaw && !decidedElsewhere) throw new AssertionError(`${label}: ${flaw}`);
  const reply = await stage.ask(view, asked);
  try {
    if (decidedElsewhere ? reply.status >= 300 : !verdict.allowed) {
      if (!verdict.allowed && !decidedElsewhere) expectProblem(reply, verdict.code);
      expect([await node.store.head(), await stage.view(view)], 'nothing has changed').to.deep.equal(world);
      seen.refused += 1;
      seen.refusals.add(verdict.allowed ? reply.body.code : (verdict.guard ?? verdict.code));
      return false;
    }
    const body = expectStatus(reply);
    expectWritten(body, cast[asked.by]!.nonce - 1);
    const after = await stage.situation(view);
    if (!decidedElsewhere) {
      // With what the node has put into it: ids, signatures.
      const journaled = verdictOn(definition, before, await stage.journaled(happening, body.eventHash));
      expect({ allowed: true, next: { state: after.state, context: after.context } }).to.deep.equal(journaled);
    }
    const shown = await stage.view(view);
    const { reply: answers = 'view' } = definition.actions[asked.action]!;
    expect(answers === 'view' ? body : body[definition.kind], 'the reply holds the view').to.deep.include(shown);
    expect(shown.resourcePrev).to.equal(body.eventHash);
    expect((await node.store.head()).seq, 'one entry').to.equal(world[0].seq + 1);
    seen.allowed += 1;
    seen.transitions.add(`${before.state} ${asked.action} ${after.state}`);
    return true;
  } catch (error) {
    throw Object.assign(error as Error, { message: `${label}: ${(error as Error).message}` });
  }
}

/** What a complete walk would have met and this one has not. Internal actions are the clock's. */
function missing(definition: AnyResource, seen: Seen, elsewhere: readonly string[]): string[] {
  const { states, transitions, initial } = chartOf(definition);
  /** Only the clock or a workflow brings it there: clock.test.ts and the stories tell of it. */
  const isInner = (state: string): boolean =>
    state !== initial?.state &&
    transitions.every(({ to, event, from }) => to !== state || from === state || definition.actions[event]?.internal);
  const open = transitions.filter(({ event, from }) => !definition.actions[event]?.internal && !isInner(from));
  // Of several candidates the last, most general one names the refusal.
  const general = open.filter(
    ({ event, from }, i) => open.findLastIndex((other) => other.event === event && other.from === from) === i,
  );
  return [
    ...states
      .filter(({ name }) => !seen.states.has(name) && !isInner(name) && !elsewhere.includes(name))
      .map(({ name }) => `state ${name}`),
    ...open
      .map(({ from, event, to }) => `${from} ${event} ${to}`)
      .filter((each) => !seen.transitions.has(each) && !elsewhere.includes(each))
      .map((each) => `transition ${each}`),
    ...general
      .flatMap(({ guards }) => guards.map(({ name }) => name))
      .filter((name) => !seen.refusals.has(name) && !elsewhere.includes(name))
      .map((name) => `a refusal by ${name}`),
    ...[definition.refusals.state, 'FORBIDDEN']
      .filter((code) => !seen.refusals.has(code))
      .map((code) => `a refusal with ${code}`),
    ...Object.keys(definition.roles)
      .filter((role) => !seen.roles.has(role) && !elsewhere.includes(role))
      .map((role) => `somebody as ${role}`),
  ];
}
