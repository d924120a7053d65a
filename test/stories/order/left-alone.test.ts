/**
 * Without any requests, the clock ends every order and lease from each of its states, and nothing stays in escrow
 * (docs/reference/markets.md#listings). The states come from the machines, with one resource for each lasting one.
 */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { infoListing } from '../../../src/machines/info-order/listing.js';
import { infoOrder } from '../../../src/machines/info-order/resource.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import { lease } from '../../../src/machines/lease/resource.js';
import { taskListing } from '../../../src/machines/task-order/listing.js';
import { taskOrder } from '../../../src/machines/task-order/resource.js';
import { accepted, Bench, codeOf } from '../../world/bench.js';

/** Ada pays, Ben delivers. */
type Act = readonly [who: 'ada' | 'ben', action: string, body?: object];

const rejected = (times: number): Act[] =>
  Array.from({ length: times }, (_, i): Act[] => [
    ['ben', 'deliver', { deliverables: ['x'], submissionId: `sub-${i}` }],
    ['ada', 'reject', {}],
  ]).flat();
const disputed: Act = ['ben', 'dispute', { reason: 'other' }];
const submits: Act = ['ben', 'deliver', { deliverables: ['x'], submissionId: 'sub-last' }];

interface Left {
  readonly state: string;
  readonly acts: readonly Act[];
  /** The final state, and the part of the price that Ben gets. */
  readonly ends: string;
  readonly paid: number;
}

interface Deal {
  readonly definition: AnyResource;
  readonly price: number;
  /** States that the resource only passes through within one entry. */
  readonly passing: readonly string[];
  begin(bench: Bench, id: string): Promise<void>;
  readonly left: readonly Left[];
}

const ask = async (bench: Bench, ...asked: Parameters<Bench['ask']>) => accepted(await bench.ask(...asked));
const words = { title: 'A title', description: 'Words.', category: 'things' };
/** The delivery of an order of information. */
const handed: JsonObject = { deliveryData: { place: 'shelf 4' } };
const capability = { ...words, capabilityType: 'x', capability: {}, access: {}, quota: {} };

async function leases(bench: Bench, id: string, pricing: object, plan: JsonObject): Promise<void> {
  await ask(bench, 'ben', 'capability-listing', `lst-${id}`, 'create', { ...capability, pricing } as JsonObject);
  const stated = { ids: { escrow: `esc-${id}` } };
  await ask(bench, 'ada', 'lease', id, 'create', { listingId: `lst-${id}`, plan }, stated);
}

const ofLease: readonly Left[] = [
  { state: 'active', acts: [], ends: 'expired', paid: 0 },
  { state: 'active', acts: [['ada', 'invoke', { units: 3 }]], ends: 'expired', paid: 6 },
  {
    state: 'paused',
    acts: [
      ['ada', 'invoke', { units: 3 }],
      ['ben', 'pause'],
    ],
    ends: 'expired',
    paid: 6,
  },
  // The budget is used up, so no Tokens are left to distribute.
  { state: 'exhausted', acts: [['ada', 'invoke', { units: 5 }]], ends: 'exhausted', paid: 10 },
];

const deals: { readonly [name: string]: Deal } = {
  'an order of information': {
    definition: infoOrder as unknown as AnyResource,
    price: 11,
    passing: ['pending'],
    async begin(bench, id) {
      const offer = { ...infoListing.create.example, pricing: { price: 11 } } as JsonObject;
      await ask(bench, 'ben', 'info-listing', `lst-${id}`, 'create', offer);
      const body = { listingId: `lst-${id}`, buyerPublicKeyHex: '11'.repeat(32) };
      await ask(bench, 'ada', 'info-order', id, 'create', body, { ids: { escrow: `esc-${id}` } });
    },
    left: [
      { state: 'paid', acts: [], ends: 'cancelled', paid: 0 },
      { state: 'delivered', acts: [['ben', 'deliver', handed]], ends: 'confirmed', paid: 11 },
      { state: 'disputed', acts: [disputed], ends: 'confirmed', paid: 5 },
      { state: 'disputed', acts: [['ben', 'deliver', handed], disputed], ends: 'confirmed', paid: 5 },
      { state: 'disputed', acts: [disputed, ['ada', 'resolve', { resolution: 'refund' }]], ends: 'confirmed', paid: 5 },
    ],
  },
  'a task order': {
    definition: taskOrder as unknown as AnyResource,
    price: 11,
    passing: ['open'],
    async begin(bench, id) {
      const offer = { ...taskListing.create.example, timeline: {} } as JsonObject;
      await ask(bench, 'ada', 'task-listing', `lst-${id}`, 'create', offer);
      await ask(bench, 'ben', 'bid', `bid-${id}`, 'create', { taskId: `lst-${id}`, price: 11 });
      await ask(bench, 'ada', 'bid', `bid-${id}`, 'accept', {}, { ids: { order: id, escrow: `esc-${id}` } });
    },
    left: [
      { state: 'accepted', acts: [], ends: 'cancelled', paid: 0 },
      { state: 'accepted', acts: rejected(1), ends: 'cancelled', paid: 0 },
      { state: 'accepted', acts: rejected(10), ends: 'cancelled', paid: 0 },
      { state: 'delivered', acts: [submits], ends: 'confirmed', paid: 11 },
      { state: 'delivered', acts: [...rejected(4), submits], ends: 'confirmed', paid: 11 },
      { state: 'disputed', acts: [...rejected(3), disputed], ends: 'confirmed', paid: 5 },
      { state: 'disputed', acts: [...rejected(3), submits, disputed], ends: 'confirmed', paid: 5 },
    ],
  },
  'a lease by use': {
    definition: lease as unknown as AnyResource,
    price: 10,
    passing: [],
    begin: (bench, id) => leases(bench, id, { usagePrice: { unit: 'call', pricePerUnit: 2 } }, { budget: 10 }),
    left: ofLease,
  },
  'a lease by time': {
    definition: lease as unknown as AnyResource,
    price: 12,
    // A plan that is paid by time is never used up.
    passing: ['exhausted'],
    begin: (bench, id) => leases(bench, id, { subscriptionPrice: { period: 'day', price: 4 } }, { periods: 3 }),
    left: [
      { state: 'active', acts: [], ends: 'expired', paid: 12 },
      { state: 'paused', acts: [['ada', 'pause']], ends: 'expired', paid: 12 },
    ],
  },
};

/** Lets deadlines pass, one after the other, until there are none. */
async function wait(bench: Bench): Promise<void> {
  for (;;) {
    const [next] = await bench.store.due(Number.MAX_SAFE_INTEGER, 1);
    if (!next) return;
    await bench.world.advance(Math.max(0, next.at - bench.world.now()));
    expect(codeOf(await bench.operate(next.kind, next.id, next.action)), next.action).to.equal('accepted');
  }
}

/** States that are not final and still hold Tokens. */
const lastingOf = ({ definition: { machine }, passing }: Deal): string[] =>
  Object.keys(machine.states).filter(
    (state) => machine.states[state]!.type !== 'final' && ![...passing, 'confirmed', 'reviewed'].includes(state),
  );

describe('Left alone', () => {
  for (const [name, deal] of Object.entries(deals)) {
    const { definition, price, begin, left } = deal;

    it(`${name}: every state that lasts is looked at`, () => {
      expect([...new Set(left.map(({ state }) => state))]).to.have.members(lastingOf(deal));
    });

    for (const { state, acts, ends, paid } of left) {
      const way = acts.map(([, action]) => action);
      it(`${name} that is ${state} (${[...new Set(way)].join(', ') || 'just begun'}) ends ${ends}`, async () => {
        const bench = await Bench.open({}, { ada: 100 });
        const id = `${definition.route.idPrefix}1`;
        await begin(bench, id);
        for (const [who, action, body = {}] of acts) {
          await ask(bench, who, definition.kind, id, action, body as JsonObject, { ids: { dispute: 'dsp-1' } });
        }
        expect(bench.store.tables.snapshot(definition.kind, id)!.state).to.equal(state);
        await wait(bench);
        expect(bench.store.tables.snapshot(definition.kind, id)!.state).to.equal(ends);
        expect(await bench.store.totals()).to.include({ escrowed: 0, reserved: 0, available: 100 });
        const escrow = bench.store.tables.snapshot('escrow', `esc-${id}`)!.context;
        expect([escrow.released, escrow.refunded]).to.deep.equal([paid, price - paid]);
        expect((await bench.audit()).flaw?.what).to.equal(undefined);
      });
    }
  }
});
