/**
 * Contracts along every simple path with up to two milestones, found by XState's graph tools over the pure machines, and
 * walked over HTTP: each edge at least once, and at each end the 100 Tokens are where the path says, to the unit. The
 * short form walks a choice of the paths that has every edge; SVC_TEST_LONG all of them.
 */
import { expect } from 'chai';
import { setup } from 'xstate';
import { getSimplePaths } from 'xstate/graph';
import { contractMachine } from '../../src/machines/contract/machine.js';
import { milestoneMachine } from '../../src/machines/contract/milestone.js';
import { candidatesFor } from '../../src/machines/kernel/definition.js';
import { TestNode } from '../node/support/node.js';
import { type Cast, castOf, Deal, wallets } from '../stories/contract/stage.js';
import { isLong } from '../support/long.js';

/** What a contract's path is made of, beside the milestones': the machine's own actions that callers ask for. */
type Step =
  | 'sign client'
  | 'sign provider'
  | 'activate'
  | 'complete'
  | 'terminate client'
  | 'terminate provider'
  | 'dispute'
  | 'release'
  | 'refund'
  | 'split'
  | 'resume'
  | `${'submit' | 'approve' | 'reject'} ${number}`;

interface Held {
  readonly state: string;
  readonly signed: readonly string[];
  readonly stages: readonly string[];
  readonly resumed: boolean;
}

const follow = (machine: typeof contractMachine | typeof milestoneMachine, state: string, action: string): boolean =>
  candidatesFor(machine, state === 'active' ? 'active.ongoing' : state, action).length > 0;

const afterStage: { readonly [action: string]: string } = {
  submit: 'submitted',
  approve: 'approved',
  reject: 'rejected',
};
const afterRuling: { readonly [ruling: string]: string } = {
  release: 'completed',
  split: 'completed',
  refund: 'terminated',
  resume: 'active',
};

/** The state after a step of somebody who may; undefined where the machines do not list it. */
function next(held: Held, step: Step): Held | undefined {
  const [action = '', which = ''] = step.split(' ');
  if (afterStage[action]) {
    const stage = held.stages[Number(which)];
    if (!follow(contractMachine, held.state, action) || stage === undefined) return undefined;
    if (!follow(milestoneMachine, stage, action)) return undefined;
    return { ...held, stages: held.stages.map((each, i) => (i === Number(which) ? afterStage[action]! : each)) };
  }
  if (action === 'sign') {
    if (!follow(contractMachine, held.state, 'sign') || held.signed.includes(which)) return undefined;
    const signed = [...held.signed, which].sort();
    return { ...held, signed, state: signed.length === 2 ? 'signed' : 'draft' };
  }
  if (afterRuling[action]) {
    if (!follow(contractMachine, held.state, 'resolve') || (action === 'resume' && held.resumed)) return undefined;
    return { ...held, state: afterRuling[action]!, resumed: held.resumed || action === 'resume' };
  }
  if (!follow(contractMachine, held.state, action)) return undefined;
  if (action === 'activate') return { ...held, state: 'active' };
  if (action === 'complete')
    return held.stages.every((each) => each === 'approved') ? { ...held, state: 'completed' } : undefined;
  if (action === 'dispute') return { ...held, state: 'disputed' };
  const isHandedIn = held.stages.some((each) => each === 'submitted' || each === 'rejected');
  if (which === 'client' && held.state === 'active' && isHandedIn) return undefined;
  return { ...held, state: 'terminated' };
}

function stepsFor(stages: number): Step[] {
  const on = Array.from({ length: stages }, (_, i) =>
    (['submit', 'approve', 'reject'] as const).map((each): Step => `${each} ${i}`),
  );
  return [
    'sign client',
    'sign provider',
    'activate',
    ...on.flat(),
    'complete',
    'terminate client',
    'terminate provider',
    'dispute',
    'release',
    'refund',
    'split',
    'resume',
  ];
}

const moves = setup({ types: { context: {} as Held, events: {} as { type: 'step'; step: Step } } });
const taken = moves.assign(({ context, event }) => next(context, event.step)!);

interface Path {
  readonly steps: readonly Step[];
  /** Each state with the step that leaves it. */
  readonly edges: readonly string[];
}

const spelled = new WeakMap<Held, string>();

/** The search for paths asks again and again of the same few. */
function spell(held: Held): string {
  const known = spelled.get(held) ?? JSON.stringify(held);
  spelled.set(held, known);
  return known;
}

/** Every simple path to an end. */
function pathsOf(stages: number): Path[] {
  const steps = stepsFor(stages);
  const machine = moves.createMachine({
    context: { state: 'draft', signed: [], stages: Array.from({ length: stages }, () => 'pending'), resumed: false },
    on: { step: { guard: ({ context, event }) => next(context, event.step) !== undefined, actions: taken } },
  });
  const found = getSimplePaths(machine, {
    events: ({ context }) =>
      steps.filter((step) => next(context, step)).map((step) => ({ type: 'step' as const, step })),
    serializeState: ({ context }) => spell(context),
    toState: ({ context }) => context.state === 'completed' || context.state === 'terminated',
  });
  return found.map((path) => {
    const taking = path.steps.flatMap(({ state, event }) => ('step' in event ? [{ state, step: event.step }] : []));
    return {
      steps: taking.map(({ step }) => step),
      edges: taking.map(({ state, step }) => `${spell(state.context)} ${step}`),
    };
  });
}

/** As few as have every edge of all, or nearly. */
function covering(paths: readonly Path[]): Path[] {
  const seen = new Set<string>();
  return paths.filter(({ edges }) => {
    const isNew = edges.some((edge) => !seen.has(edge));
    for (const edge of edges) seen.add(edge);
    return isNew;
  });
}

const amounts = [30, 50];

/** What a path comes to: to the provider, back to the client; undefined where it was never activated. */
function outcomeOf(steps: readonly Step[]): readonly [paid: number, refunded: number] | undefined {
  if (!steps.includes('activate')) return undefined;
  const paid = steps.reduce((sum, step) => {
    const [action, which] = step.split(' ');
    return sum + (action === 'approve' ? amounts[Number(which)]! : 0);
  }, 0);
  const last = steps.at(-1)!;
  if (last === 'complete' || last === 'release') return [100, 0];
  if (last === 'split') return [paid + Math.floor((100 - paid) / 3), 100 - paid - Math.floor((100 - paid) / 3)];
  return [paid, 100 - paid];
}

async function take(deal: Deal, step: Step): Promise<void> {
  const [action = '', which = ''] = step.split(' ');
  if (afterStage[action]) return deal.steps(`m${which}`, action);
  if (afterRuling[action]) {
    const { remaining } = await deal.view();
    const providerPayment = Math.floor(remaining / 3);
    const amount = action === 'split' ? { providerPayment, clientRefund: remaining - providerPayment } : {};
    await deal.does('arbiter', 'resolve', { resolution: action, ...amount });
    return;
  }
  const more = { activate: { amount: 100 }, dispute: { reason: 'other' } }[action] ?? {};
  await deal.does(which === 'provider' ? 'provider' : 'client', action, more);
}

describe('Every path of a contract, over HTTP', function () {
  this.timeout(1_800_000);
  let node: TestNode;
  let cast: Cast;
  before(async () => {
    node = await TestNode.start();
    node.world.hold();
    cast = await castOf(node);
    await node.fund(cast.client, 100_000_000);
  });
  after(async () => {
    const report = await node?.audit();
    await node?.discard();
    expect(report?.flaw?.what).to.equal(undefined);
  });

  for (const stages of [0, 1, 2]) {
    it(`with ${stages} milestones ends with each Token where the path says`, async () => {
      const all = pathsOf(stages);
      const chosen = isLong ? all : covering(all);
      const edges = new Set(all.flatMap((path) => path.edges));
      expect(new Set(chosen.flatMap((path) => path.edges)).size, 'every edge').to.equal(edges.size);
      const milestones = amounts.slice(0, stages).map((amount, i) => ({ id: `m${i}`, amount }));
      for (const { steps } of chosen) {
        const [client, provider] = await wallets(cast);
        const deal = await Deal.draft(node, cast, { milestones });
        try {
          for (const step of steps) await take(deal, step);
          const outcome = outcomeOf(steps);
          const [paid] = outcome ?? [0];
          if (outcome) await deal.expectPaid(...outcome);
          expect(await wallets(cast)).to.deep.equal([client - paid, provider + paid]);
        } catch (error) {
          throw Object.assign(error as Error, { message: `${steps.join(', ')}: ${(error as Error).message}` });
        }
      }
      expect(chosen.length).to.be.above(stages * 10);
    });
  }
});
