/** The text of a contract's view is that of JSON.stringify, whatever stands in it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { told, viewOf } from '../../src/http/render.js';
import type { ContractContext } from '../../src/machines/contract/machine.js';
import type { Milestone } from '../../src/machines/contract/milestone.js';
import { milestoneStates } from '../../src/machines/contract/milestone.js';
import { contract } from '../../src/machines/contract/resource.js';
import { states, view } from '../../src/machines/contract/view.js';
import { viewText } from '../../src/machines/contract/view-text.js';
import { machineVersion } from '../../src/machines/kernel/lineage.js';
import type { Resource } from '../../src/machines/kernel/resource.js';

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\ud800', '\u2028', ''));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const time = fc.integer({ min: 0, max: 2 ** 45 });
const tokens = fc.integer({ min: 0, max: 2 ** 50 });
const object = fc.dictionary(text, fc.jsonValue()) as fc.Arbitrary<never>;

const milestone = fc.record({
  id: text,
  title: maybe(text),
  description: maybe(text),
  amount: tokens,
  criteria: maybe(fc.jsonValue()),
  deadline: maybe(time),
  state: fc.constantFrom(...milestoneStates),
  submission: maybe(
    fc.record({
      at: time,
      deliverables: maybe(fc.array(fc.jsonValue())),
      envelope: maybe(object),
      envelopeDigest: maybe(text),
      notes: maybe(text),
    }),
  ),
  submissions: maybe(fc.nat(9)),
  rating: maybe(fc.integer({ min: 1, max: 5 })),
  feedback: maybe(text),
  answeredAt: maybe(time),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Milestone>;

const context = fc.record({
  client: text,
  provider: text,
  arbiter: fc.option(text),
  networkArbiter: fc.option(text),
  terms: object,
  payment: fc.option(object),
  milestones: fc.array(milestone, { maxLength: 4 }),
  termsHash: fc.constant('a'.repeat(64)),
  signatures: fc.array(
    fc.record({ role: fc.constantFrom('client' as const, 'provider' as const), signature: text, signedAt: time }),
    { maxLength: 2 },
  ),
  amount: tokens,
  paid: tokens,
  refunded: tokens,
  escrowId: fc.option(text),
  disputeId: fc.option(text),
  consented: fc.boolean(),
  notedUntil: time,
}) as fc.Arbitrary<unknown> as fc.Arbitrary<ContractContext>;

const resource = fc.record({
  kind: fc.constant('contract'),
  id: text,
  version: fc.constant(3),
  state: fc.constantFrom(...states),
  context,
  lastHash: fc.constant('b'.repeat(64)),
  machine: fc.constant(machineVersion(contract)),
  createdAt: time,
  updatedAt: time,
}) as fc.Arbitrary<Resource<ContractContext>>;

describe('the text of a contract', () => {
  it('is the JSON of its view, and so is that of each milestone', () => {
    fc.assert(
      fc.property(resource, fc.boolean(), (held, withoutPermitted) => {
        const seen = { time: 1, withoutPermitted };
        const shown = view(held, seen);
        assert.equal(`${viewText(held, seen)}}`, JSON.stringify(shown));
        const milestones = shown.milestones as readonly { id: string }[];
        for (const { id } of milestones) {
          const first = milestones.find((each) => each.id === id);
          assert.equal(`${viewText(held, seen, id)}}`, JSON.stringify(first));
        }
      }),
    );
  });

  it('is told with what every view carries', () => {
    fc.assert(
      fc.property(resource, (held) => {
        const stored = held as unknown as Resource;
        const looking = { time: held.updatedAt };
        assert.deepEqual(
          JSON.parse(told(contract, stored, looking).text),
          JSON.parse(JSON.stringify(viewOf(contract, stored, looking))),
        );
      }),
    );
  });
});
