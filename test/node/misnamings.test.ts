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

/** By operation: what callers write, and what they mean; empty where no name is near. */
const likely: { readonly [operation: string]: { readonly [misnaming: string]: string } } = {
  createEscrow: {
    ...{ arbitrator: 'arbiter', expires: 'expiresAt', rules: 'releaseRules', id: 'escrowId' },
    ...{ payee: '', to: '', value: '', colour: '' },
  },
  releaseEscrow: { preimage: 'evidence.preimage' },
  createContract: {
    deadline: 'terms.deadline',
    totalAmount: 'payment.totalAmount',
    fallback: 'terms.fallback',
    scope: '',
  },
  submitContract: { envelope: 'delivery.envelope', digest: 'envelopeDigest' },
  resolveContract: { refund: 'clientRefund', payment: 'providerPayment' },
  createTaskListing: {
    ...{ price: 'pricing.price', budget: 'pricing.budget', deadline: 'timeline.deadline', type: 'taskType' },
    ...{ bidDeadline: 'timeline.bidDeadline', maxBids: 'bidding.maxBids' },
  },
  createInfoListing: {
    ...{ price: 'pricing.price', data: 'content.data', format: 'content.format', licence: 'license', type: 'infoType' },
  },
  createCapabilityListing: {
    ...{ price: 'pricing.price', limits: 'quota.limits', maxCalls: 'quota.maxCalls', usagePrice: 'pricing.usagePrice' },
  },
  deliverTaskOrder: { envelope: 'delivery.envelope', order: 'orderId' },
  confirmTaskOrder: { approve: 'approved' },
  createLease: { budget: 'plan.budget', periods: 'plan.periods', price: 'expectedPrice' },
};

const inside: readonly (readonly [operation: string, outer: string, misnaming: string, means: string])[] = [
  ['createContract', 'payment', 'total', 'totalAmount'],
  ['createContract', 'payment', 'amount', 'totalAmount'],
  ['createContract', 'terms', 'Arbiter', 'arbiter'],
  ['createContract', 'terms', 'arbitr', 'arbiter'],
  ['createContract', 'terms', 'arbitrator', 'arbiter'],
  ['createContract', 'terms', 'fallbck', 'fallback'],
  ['createContract', 'terms', 'dead_line', 'deadline'],
  ['createTaskListing', 'bidding', 'maxBidders', 'maxBids'],
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

  it('is answered with the name that is near, else with what there is', () => {
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
