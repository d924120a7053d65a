/** The refusal of an unknown member names the one that is meant (docs/reference/requests.md#unknown-members). */
import { expect } from 'chai';
import { everyRoute } from '../../scripts/generate/routes.js';
import type { Scalar } from '../../src/core/schema/scalar.js';
import { refusalOfMembers, settling } from '../../src/http/server/body-members.js';
import { parametersOf } from '../../src/http/server/paths.js';
import type { Route } from '../../src/http/server/route.js';

const writes = everyRoute().filter(({ method, body }) => method !== 'GET' && body);
const bodyOf = (name: string) => writes.find((each) => each.name === name)!;

const replyTo = ({ body, path }: Route, misnaming: string): string => {
  const found = settling(body as Scalar<unknown>, parametersOf(path))({ [misnaming]: 1 });
  return (found && refusalOfMembers(found, false)?.detail) ?? 'accepted';
};

/** The reply to a misnamed member of an object inside the body. */
function replyInside({ body, path }: Route, outer: string, misnaming: string): string {
  const found = settling(body as Scalar<unknown>, parametersOf(path))({ [outer]: { [misnaming]: 1 } });
  return (found && refusalOfMembers(found, false)?.detail) ?? 'accepted';
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** By operation: what callers write, and what they mean. */
const likely: { readonly [operation: string]: { readonly [misnaming: string]: string } } = {
  createEscrow: {
    ...{ arbitrator: 'arbiter', recipient: 'beneficiary', payee: 'beneficiary', to: 'beneficiary', value: 'amount' },
    ...{ expiry: 'expiresAt', deadline: 'expiresAt', expires: 'expiresAt', conditions: 'releaseRules' },
    ...{ rules: 'releaseRules', depositor: 'did', password: 'passphrase', id: 'escrowId', colour: '' },
  },
  releaseEscrow: {
    proof: 'evidence',
    preimage: 'evidence.preimage',
    value: 'amount',
    memo: 'reason',
    comment: 'reason',
  },
  refundEscrow: { note: 'reason', message: 'reason', value: 'amount', version: 'resourcePrev', seq: 'nonce' },
  transfer: {
    ...{ recipient: 'to', beneficiary: 'to', destination: 'to', value: 'amount', from: 'did', note: 'memo' },
    ...{ message: 'memo', tokens: 'amount', sender: 'did', description: 'memo' },
  },
  createContract: {
    ...{ contractor: 'provider', seller: 'provider', deadline: 'terms.deadline', total: 'payment.totalAmount' },
    ...{ amount: 'payment.totalAmount', totalAmount: 'payment.totalAmount', stages: 'milestones', client: 'did' },
    ...{ agreement: 'terms', fallback: 'terms.fallback', scope: 'terms' },
  },
  activateContract: { budget: 'amount', value: 'amount', total: 'amount', totalAmount: 'amount' },
  submitContract: { comment: 'notes', files: 'deliverables', envelope: 'delivery.envelope', digest: 'envelopeDigest' },
  approveContract: { stars: 'rating', score: 'rating', comment: 'feedback', notes: 'feedback', review: 'feedback' },
  disputeContract: { cause: 'reason', details: 'description', proof: 'evidence', attachments: 'evidence' },
  resolveContract: { outcome: 'resolution', ruling: 'resolution', refund: 'clientRefund', payment: 'providerPayment' },
  createTaskListing: {
    ...{ price: 'pricing.price', budget: 'pricing.budget', deadline: 'timeline.deadline', name: 'title' },
    ...{ bidDeadline: 'timeline.bidDeadline', maxBids: 'bidding.maxBids', requiredSkills: 'skills', type: 'taskType' },
    ...{ expiry: 'expiresAt', summary: 'description', keywords: 'tags' },
  },
  createInfoListing: {
    ...{ price: 'pricing.price', data: 'content.data', format: 'content.format', licence: 'license', type: 'infoType' },
    ...{ headline: 'title', quantity: 'stock', validUntil: 'expiresAt', access: 'accessMethod', public: 'visibility' },
  },
  createCapabilityListing: {
    ...{ price: 'pricing.price', limits: 'quota.limits', maxCalls: 'quota.maxCalls', endpoint: 'access' },
    ...{ type: 'capabilityType', service: 'capability', name: 'title', usagePrice: 'pricing.usagePrice' },
  },
  createBid: { value: 'price', cost: 'price', deadline: 'timeline', eta: 'timeline' },
  deliverTaskOrder: {
    ...{ files: 'deliverables', result: 'deliverables', envelope: 'delivery.envelope', comment: 'notes' },
    ...{ order: 'orderId', work: 'deliverables', text: 'notes', description: 'notes' },
  },
  confirmTaskOrder: { accepted: 'approved', approve: 'approved', comment: 'feedback', reason: 'feedback' },
  reviewTaskOrder: { stars: 'rating', score: 'rating', text: 'comment', feedback: 'comment', order: 'orderId' },
  reviewInfoOrder: { stars: 'rating', score: 'rating', message: 'comment', review: 'comment' },
  createInfoOrder: { count: 'quantity', price: 'expectedPrice', maxPrice: 'expectedPrice', buyer: 'did' },
  createLease: { budget: 'plan.budget', periods: 'plan.periods', duration: 'plan.periods', price: 'expectedPrice' },
  invokeLease: { endpoint: 'resource', durationMs: 'latency', ok: 'success', count: 'units', method: 'resource' },
  createReview: {
    ...{ rating: 'score', stars: 'score', orderId: 'ref', reference: 'ref', reviewee: 'target', text: 'comment' },
    ...{ category: 'dimension', details: 'aspects' },
  },
  claimFaucet: { to: 'did', recipient: 'did', account: 'did', wallet: 'did', colour: '' },
  registerCapability: { capability: 'credential', vc: 'credential', issuer: 'did' },
  createWebhook: { callback: 'url', endpoint: 'url', events: 'types', topics: 'types' },
};

const inside: readonly (readonly [operation: string, outer: string, misnaming: string, means: string])[] = [
  ['createContract', 'payment', 'total', 'totalAmount'],
  ['createContract', 'payment', 'amount', 'totalAmount'],
  ['createContract', 'terms', 'Arbiter', 'arbiter'],
  ['createContract', 'terms', 'arbitr', 'arbiter'],
  ['createContract', 'terms', 'arbitrator', 'arbiter'],
  ['createContract', 'terms', 'fallbck', 'fallback'],
  ['createContract', 'terms', 'dead_line', 'deadline'],
  ['createLease', 'plan', 'expiresAt', 'endsAt'],
  ['createLease', 'plan', 'duration', 'periods'],
  ['createTaskListing', 'timeline', 'dueDate', 'deadline'],
  ['createTaskListing', 'bidding', 'maxBidders', 'maxBids'],
  ['createTaskListing', 'pricing', 'value', 'amount'],
  ['deliverTaskOrder', 'delivery', 'envelop', 'envelope'],
  ['submitContract', 'delivery', 'envelop', 'envelope'],
];

describe('A misnamed member', () => {
  it('of every write is answered with the member that it resembles', () => {
    let tried = 0;
    // `deliverInfoOrder` ignores unknown members.
    for (const route of writes.filter(({ name }) => name !== 'deliverInfoOrder')) {
      for (const name of Object.keys(route.body!.fields ?? {})) {
        if (name.length < 5) continue;
        for (const misnaming of [snake(name), name.toUpperCase(), `${name.slice(0, 2)}${name.slice(3)}`, `${name}x`]) {
          if (misnaming === name) continue;
          const reply = replyTo(route, misnaming);
          if (reply !== `${misnaming}: is unknown: did you mean ${name}?`) {
            const isOtherName = reply === 'accepted' && route.body!.aliases?.[misnaming] !== undefined;
            expect(isOtherName, `${route.name} ${name}: ${reply}`).to.equal(true);
          }
          tried += 1;
        }
      }
    }
    expect(tried).to.be.above(1_000);
  });

  it('is answered with what callers mean by it, else with what there is', () => {
    for (const [operation, misnamings] of Object.entries(likely)) {
      for (const [misnaming, means] of Object.entries(misnamings)) {
        const reply = replyTo(bodyOf(operation), misnaming);
        const wanted = means === '' ? /: is unknown; known are \w/ : `: is unknown: did you mean ${means}?`;
        if (typeof wanted === 'string') expect(reply, operation).to.equal(`${misnaming}${wanted}`);
        else expect(reply, operation).to.match(wanted);
      }
    }
  });

  it('is found inside of objects, also of those that keep others', () => {
    for (const [operation, outer, misnaming, means] of inside) {
      const reply = replyInside(bodyOf(operation), outer, misnaming);
      expect(reply, operation).to.match(new RegExp(`^${outer}.${misnaming}: .*did you mean ${means}\\?$`));
    }
    for (const own of ['feedback', 'arbitration', 'headline', 'timeline', 'constructor', 'scope', 'title']) {
      expect(replyInside(bodyOf('createContract'), 'terms', own), own).to.equal('accepted');
    }
  });

  it('of any other word is answered with the members that there are', () => {
    for (const route of writes) {
      const reply = replyTo(route, 'qqqqqqqq');
      const own = Object.keys(route.body!.fields ?? {}).filter((name) => reply.includes(name));
      const takesAny = Object.keys(route.body!.fields ?? {}).length > 0;
      if (route.body!.unknown !== 'ignored') expect(own.length > 0, `${route.name}: ${reply}`).to.equal(takesAny);
      for (const parameter of parametersOf(route.path)) {
        const isMember = route.body!.fields?.[parameter] !== undefined;
        if (!isMember) expect(reply, route.name).to.not.match(new RegExp(`known are.*\\b${parameter}\\b`));
      }
    }
  });
});
