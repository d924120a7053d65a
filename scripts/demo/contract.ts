/** A contract in three stages: one approved, one sent back and approved, one disputed and split by the arbiter. */
import type { Client, Contract, Milestone } from '../../packages/client/src/index.js';
import { Person, refused } from './people.js';
import { check, short, shortName, step } from './stage.js';

const milestones = [
  { id: 'sketch', title: 'Sketch', amount: 20, criteria: 'two variants' },
  { id: 'drawing', title: 'Drawing', amount: 30 },
  { id: 'prints', title: 'Prints', amount: 40, criteria: ['A4', 'A3'] },
];

interface Cast {
  readonly eve: Person;
  readonly finn: Person;
  readonly gil: Person;
}

/** @returns the contract's id */
export async function contractStory(client: Client): Promise<string> {
  step('A contract: drafted, signed by both, activated');
  const [eve, finn] = [await Person.join(client, 'Eve'), await Person.join(client, 'Finn')];
  const cast = { eve, finn, gil: await Person.join(client, 'Gil') };
  await eve.claims();
  const contract = await signed(cast);
  step('Its milestones: approved, sent back, disputed');
  await carriedOut(contract.id, cast);
  step('The arbiter splits the rest, and both have a reputation');
  await decided(contract.id, cast);
  return contract.id;
}

async function signed({ eve, finn, gil }: Cast): Promise<Contract> {
  const { contracts } = eve.client;
  const draft = await contracts.create({
    provider: finn.did,
    terms: { title: 'A poster', arbiter: gil.did },
    payment: { totalAmount: 90 },
    milestones,
  });
  checkContract('Eve drafts it for Finn, with three milestones', draft, { state: 'draft', amount: 0 });
  const { termsHash } = await contracts.update(draft, { terms: { title: 'A poster, in colour', arbiter: gil.did } });
  const stale = finn.client.contracts.sign(draft.id, { termsHash: draft.termsHash });
  await refused('Finn signs what he read before that', stale, 409, 'CONFLICT');
  const first = await finn.client.contracts.sign(draft.id, { termsHash });
  checkContract('he reads it again, and signs', first, { state: 'draft' }, `terms ${short(termsHash)}`);
  await refused('Eve activates it', contracts.activate(draft.id, { amount: 90 }), 409, 'CONTRACT_NOT_SIGNED');
  checkContract('she signs', await contracts.sign(draft.id, { termsHash }), { state: 'signed' });
  const active = await contracts.activate(draft.id, { amount: 90 });
  checkContract('and activates it: 90 are locked', active, { state: 'active', remaining: 90 });
  await eve.has(10, 0, 90);
  return active;
}

async function carriedOut(id: string, { eve, finn }: Cast): Promise<void> {
  const { contracts } = eve.client;
  const submit = (milestoneId: string, notes: string) => finn.client.contracts.submit(id, { milestoneId, notes });
  checkMilestone('Finn hands the sketch in', await submit('sketch', 'two variants'), 'submitted');
  checkMilestone('Eve approves it', await contracts.approve(id, { milestoneId: 'sketch', rating: 5 }), 'approved');
  await finn.has(20);
  await submit('drawing', 'in pencil');
  const rejected = await contracts.reject(id, { milestoneId: 'drawing', feedback: 'in colour, please' });
  checkMilestone('the drawing goes back', rejected, 'rejected');
  await submit('drawing', 'in colour');
  checkMilestone('and comes in colour', await contracts.approve(id, { milestoneId: 'drawing' }), 'approved');
  await finn.has(50);
  await submit('prints', 'A4');
  await refused('Eve gives up', contracts.terminate(id), 409, 'CONTRACT_INVALID_STATE');
  const evidence = ['photograph of one print, A4'];
  const { status, amount, contract } = await contracts.dispute(id, { reason: 'quality', evidence });
  check('she disputes the prints', [status, amount], ['open', 40], {
    as: 'open',
    aside: `${amount} Tokens in question`,
  });
  checkContract('the contract waits', contract, { state: 'disputed', remaining: 40 });
}

async function decided(id: string, { eve, finn, gil }: Cast): Promise<void> {
  const { disputes, contracts } = gil.client;
  const open = await disputes.list({ role: 'arbiter', did: gil.did, status: 'open' });
  check(
    'Gil has one dispute to decide',
    open.disputes.map(({ contractId }) => contractId),
    [id],
    { as: '1 dispute' },
  );
  const split = { resolution: 'split', clientRefund: 15, providerPayment: 25 } as const;
  await refused(
    'a split of more than there is',
    contracts.resolve(id, { ...split, clientRefund: 16 }),
    422,
    'UNPROCESSABLE',
  );
  const ended = await contracts.resolve(id, { ...split, note: 'half of the prints came' });
  checkContract('he splits it', ended, { state: 'completed', released: 75, refunded: 15, remaining: 0 });
  await eve.has(25);
  await finn.has(75);
  for (const [who, dimension] of [
    [eve, 'transaction'],
    [finn, 'fulfillment'],
  ] as const) {
    const { dimensions } = await gil.client.reputations.get(who.did);
    check(`${who.name}'s ${dimension}`, dimensions[dimension]?.score, 1000);
  }
}

function checkContract(what: string, contract: Contract, expected: Partial<Contract>, aside = ''): void {
  const names = Object.keys(expected) as (keyof Contract)[];
  const actual = Object.fromEntries(names.map((name) => [name, contract[name]]));
  check(what, actual, expected, { as: contract.state, aside: aside || shortName(contract.id) });
}

function checkMilestone(what: string, milestone: Milestone, expected: Milestone['status']): void {
  check(what, milestone.status, expected, { aside: `${milestone.title}, ${milestone.amount} Tokens` });
}
