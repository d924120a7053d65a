/**
 * The contract as callers see it (docs/reference/contracts-and-disputes.md#contract-view), and its schema. `state` is
 * the machine's state, `status` the value of the list filter.
 */
import type { Json, JsonObject } from '../../core/canonical.js';
import { publicForm, resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Seen } from '../kernel/definition.js';
import type { Resource } from '../kernel/resource.js';
import { isIn, substateOf, topState } from '../kernel/state-path.js';
import { versionFields } from '../kernel/version-fields.js';
import { type ContractContext, deadlineOf, partiesOf, rest } from './machine.js';
import { type Milestone, milestoneActions, milestoneStates, takes } from './milestone.js';
import { termsOf } from './terms.js';

export const states = ['draft', 'signed', 'active', 'completed', 'terminated', 'disputed'] as const;
export const substates = ['ongoing', 'consented'] as const;
export const statuses = ['draft', 'active', 'completed', 'disputed', 'cancelled'] as const;

/** The states of each status that is not itself the name of a state. */
export const statesOf = { draft: ['draft', 'signed'], cancelled: ['terminated'] } as const;

const statusBy = new Map(
  Object.entries<readonly string[]>(statesOf).flatMap(([status, held]) =>
    held.map((state) => [state, status] as const),
  ),
);
export const statusOf = (state: string): string => statusBy.get(state) ?? topState(state);

const doers = { submit: 'provider', approve: 'client', reject: 'client' } as const;

/** The actions that each role may perform on a milestone in some state; its machine has no guards. */
function permittedIn(state: string): JsonObject {
  const by: { [role: string]: Json[] } = {};
  for (const action of milestoneActions) {
    if (!takes({ state }, action)) continue;
    const doer = doers[action];
    by[doer] = [...(by[doer] ?? []), { action, open: [] }];
  }
  return by;
}

/** Computed once, shared by all views. */
const permittedBy = new Map<string, JsonObject>(milestoneStates.map((state) => [state, permittedIn(state)]));
const nothing: JsonObject = {};

export const permitted = (milestone: Pick<Milestone, 'state'>, state: string): JsonObject =>
  (isIn(state, 'active') && permittedBy.get(milestone.state)) || nothing;

const optionalTime = a.nullable(a.time);

/** When the last party signed; null before. */
const signedAtOf = ({ client, provider, signatures }: ContractContext): number | null =>
  signatures.length < partiesOf({ client, provider }).length
    ? null
    : Math.max(...signatures.map(({ signedAt }) => signedAt));

const permission = a.object({
  action: a.described(a.text, 'What state and time allow now.'),
  open: a.described(a.list(a.text), 'Error codes that may still result from the input.'),
});

interface MilestoneOf {
  readonly milestone: Milestone;
  readonly terms: ReturnType<typeof termsOf>;
  readonly state: string;
}

/** The time that a milestone in this state waits for: nothing ends by itself in a contract that is not active. */
const waitingIn =
  (name: string) =>
  ({ milestone, state }: MilestoneOf): number | null =>
    (isIn(state, 'active') && milestone.state === name && milestone.waitsUntil) || null;

const milestoneForm = publicForm<MilestoneOf, Seen>(
  {
    id: [a.described(a.text, 'Id of the milestone.'), ({ milestone }) => milestone.id],
    milestoneId: [a.described(a.text, 'The same as `id`.'), ({ milestone }) => milestone.id],
    title: [a.confidential(a.erasable(a.text, 'Title of the milestone.')), ({ terms }) => terms.title],
    description: [a.confidential(a.erasable(a.text, 'What is to be done.')), ({ terms }) => terms.description],
    amount: [a.described(a.tokens, 'Tokens that its approval releases.'), ({ terms }) => terms.amount],
    criteria: [
      a.confidential(a.erasable({ description: 'When it is met, as the parties put it.' })),
      ({ terms }) => terms.criteria,
    ],
    deadline: [
      a.described(optionalTime, 'If the milestone is not submitted by this time, the client may terminate.'),
      ({ terms }) => terms.deadline,
    ],
    status: [a.described(a.oneOf(...milestoneStates), 'State of the milestone.'), ({ milestone }) => milestone.state],
    submissionCount: [a.described(a.count, 'Number of submissions.'), ({ milestone }) => milestone.submissions ?? 0],
    deliverables: [
      a.confidential(
        a.described(a.list(a.erasable(a.anything)), 'Of the newest submission, as the provider gave them.'),
      ),
      ({ milestone }) => milestone.submission?.deliverables ?? [],
    ],
    notes: [
      a.confidential(a.erasable(a.text, 'The provider’s note to it; null: none.')),
      ({ milestone }) => milestone.submission?.notes ?? null,
    ],
    envelope: [
      a.confidential(a.nullable(a.freeObject, 'The deliverable envelope of the newest submission.')),
      ({ milestone }) => milestone.submission?.envelope ?? null,
    ],
    envelopeDigest: [
      a.nullable(a.hash, 'SHA-256 of the RFC 8785 form of the envelope.'),
      ({ milestone }) => milestone.submission?.envelopeDigest ?? null,
    ],
    submittedAt: [
      a.described(optionalTime, 'When it was last submitted; epoch milliseconds, null until then.'),
      ({ milestone }) => milestone.submission?.at ?? null,
    ],
    reviewBy: [
      a.described(
        optionalTime,
        'When a submission in time is approved and paid unless it is answered before; null if none waits.',
      ),
      waitingIn('submitted'),
    ],
    resubmitBy: [
      a.described(
        optionalTime,
        'Of a rejected milestone that was submitted by its deadline: until then the client can’t terminate, and it can be ' +
          'submitted again in time.',
      ),
      waitingIn('rejected'),
    ],
    rating: [
      a.confidential(a.nullable(a.count, '1 to 5, given with the approval.')),
      ({ milestone }) => milestone.rating ?? null,
    ],
    feedback: [
      a.confidential(a.erasable(a.text, 'The client’s words to its approval or rejection.')),
      ({ milestone }) => milestone.feedback ?? null,
    ],
    decidedAt: [
      a.described(optionalTime, 'When the client approved or rejected it; epoch milliseconds, null before.'),
      ({ milestone }) => milestone.answeredAt ?? null,
    ],
  },
  {
    permittedActions: [
      a.described(
        { type: 'object', additionalProperties: a.list(permission) },
        'The actions that each role may take now, computed when you read the resource; absent if not requested.',
      ),
      ({ milestone, state }, { withoutPermitted }) => (withoutPermitted ? undefined : permitted(milestone, state)),
    ],
  },
);

export const milestoneSchema = a.named('Milestone', milestoneForm.schema);

const party = {
  did: a.described(a.did, 'DID of the party.'),
  role: a.described(a.oneOf('client', 'provider'), 'Which party it is.'),
};

const form = resourceForm<Resource<ContractContext>, Seen>(
  {
    contractId: [a.described(a.text, 'Id of the contract.'), ({ id }) => id],
    id: [a.described(a.text, 'The same as `contractId`.'), ({ id }) => id],
    state: [a.described(a.oneOf(...states), 'State in the life cycle.'), ({ state }) => topState(state)],
    status: [
      a.described(a.oneOf(...statuses), 'The status that lists filter by: signed is draft, terminated is cancelled.'),
      ({ state }) => statusOf(state),
    ],
    client: a.described(a.did, 'DID that orders and pays.'),
    provider: a.described(a.did, 'DID that does the work.'),
    parties: [a.described(a.list(a.object(party)), 'Client and provider.'), ({ context }) => partiesOf(context)],
    arbiter: a.nullable(a.did, 'DID that decides disputes: `terms.arbiter`, or else the network’s arbiter.'),
    terms: a.confidential(a.described(a.freeObject, 'The agreed terms.')),
    salt: a.confidential(a.described(a.text, 'Salt of `termsHash`, hex.')),
    payment: a.nullable(
      {
        ...a.object({}, { totalAmount: a.tokens }),
        additionalProperties: a.confidential(a.anything),
      },
      'What the client pays; null if not stated.',
    ),
    milestones: [
      a.described(a.list(milestoneSchema), 'Parts of the work that are paid separately.'),
      ({ state, context }, seen) =>
        context.milestones.map((each) => milestoneForm.view({ milestone: each, terms: termsOf(each), state }, seen)),
    ],
    termsHash: a.described(
      a.hash,
      'SHA-256 of the RFC 8785 form of `{ milestones: [{ id, title, description, amount, criteria, deadline }], ' +
        'parties, payment, salt, terms }`, with the leaves of texts (getMachineState): what is signed.',
    ),
    signatures: [
      a.described(
        a.list(
          a.object({
            ...party,
            signature: a.described(
              a.signature,
              'Ed25519 over `svc:contract:v2:<network>:<home>:<contractId>:<termsHash>`.',
            ),
            termsHash: a.described(a.hash, 'The `termsHash` that was signed.'),
            signer: a.described(a.did, 'The same as `did`.'),
            signedAt: a.described(a.time, 'When it was signed; epoch milliseconds.'),
          }),
        ),
        'Signatures of the parties.',
      ),
      ({ context }) =>
        context.signatures.map(({ role, signature, signedAt }) => ({
          did: context[role],
          role,
          signature,
          termsHash: context.termsHash,
          signer: context[role],
          signedAt,
        })),
    ],
    signedAt: [
      a.described(optionalTime, 'When the last party signed; null until then.'),
      ({ context }) => signedAtOf(context),
    ],
    completedAt: [
      a.described(optionalTime, 'When it was completed; null until then.'),
      ({ state, updatedAt }) => (topState(state) === 'completed' ? updatedAt : null),
    ],
    deadline: [
      a.described(optionalTime, '`terms.deadline`: from then on the client may terminate.'),
      ({ context }) => deadlineOf(context),
    ],
    amount: a.described(a.tokens, 'Tokens that activation locked; 0 before it.'),
    released: [a.described(a.tokens, 'Of these, Tokens paid to the provider.'), ({ context }) => context.paid],
    refunded: a.described(a.tokens, 'Of these, Tokens returned to the client.'),
    remaining: [
      a.described(a.tokens, 'Still locked: `amount` - `released` - `refunded`.'),
      ({ context }) => rest(context),
    ],
    escrowId: a.nullable(a.text, 'The escrow that holds its Tokens; null before it is active.'),
    disputeId: a.nullable(a.text, 'The open dispute.'),
    consented: a.described(a.flag, 'Whether the provider allows the client to terminate.'),
    ...versionFields,
  },
  {
    substate: [
      a.described(a.oneOf(...substates), 'While `active`: ongoing, or the provider lets the client terminate.'),
      ({ state }) => substateOf(state),
    ],
    title: [
      a.confidential(
        a.erasable(
          a.text,
          'What is agreed, in a line: `terms.title`, else the title of the only milestone; absent if there is neither.',
        ),
      ),
      ({ context: { terms, milestones } }) =>
        terms.title ?? (milestones.length === 1 ? milestones[0]!.title : undefined),
    ],
  },
);

export const { view } = form;
export const viewSchema = a.named('Contract', form.schema);
