/** Random histories within what the port allows: no balance below zero, because the store would rightly refuse to go on. */
import fc from 'fast-check';
import { type Move, postingsOf } from '../../../src/machines/kernel/posting.js';
import type { Tables } from '../../../src/store/memory/tables.js';
import { firstDay, type ResourceChange } from '../entries.js';
import { listing, stats } from '../shelf.js';

export const dids = ['did:svc:a', 'did:svc:b', 'did:svc:c'];
export const labels = ['l1', 'l2', 'l3'];
export const states = ['open', 'paid', 'gone'];
export const kinds = ['order', 'escrow'];
export const types = ['made', 'moved'];
export const keys = ['k1', 'k2', 'k3'];
export const ids = ['r1', 'r2', 'r3', 'r4'];

const amount = fc.nat(20);
const did = fc.constantFrom(...dids);
const escrow = fc.constant('e');
const some = (of: readonly string[]) => fc.subarray([...of]);

const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('mint'), to: did, amount }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('transfer'), from: did, to: did, amount, fee: fc.nat(2) }) },
  fc.record({ op: fc.constantFrom('reserve', 'lock', 'release'), escrow, from: did, to: did, amount }),
  fc.record({ op: fc.constantFrom('unreserve', 'refund', 'expire'), escrow, from: did, amount }),
  fc.record({ op: fc.constant('collect'), to: did, amount: fc.nat(2) }),
  fc.record({ op: fc.constant('deposit'), to: did, amount, ref: fc.nat(9) }),
  fc.record({ op: fc.constant('withdraw'), from: did, to: fc.constant('0x'), amount, fee: fc.nat(2) }),
  fc.record({ op: fc.constantFrom('freeze', 'unfreeze'), did }),
) as fc.Arbitrary<Move>;

const change: fc.Arbitrary<ResourceChange> = fc.record(
  {
    kind: fc.constantFrom(...kinds),
    id: fc.constantFrom(...ids),
    state: fc.constantFrom(...states),
    context: fc.dictionary(fc.constantFrom('x', 'y', 'ü'), fc.oneof(fc.nat(), fc.string(), fc.constant(null))),
    add: some(labels),
    drop: some(labels),
    alarm: fc.option(fc.record({ at: fc.nat(50), action: fc.constantFrom('expire', 'confirm') })),
  },
  { requiredKeys: ['kind', 'id'] },
);

/** Words in listings and searches: few, so that searches find many listings. */
export const vocabulary = ['map', 'maps', 'rain', 'räin', '地图', 'x'];
export const tags = ['t1', 't2', '$t'];
export const owners = dids.slice(0, 2);
export const listings = ['l1', 'l2', 'l3', 'l4', 'l5'];

const text = fc.array(fc.constantFrom(...vocabulary), { maxLength: 3 }).map((words) => words.join(' '));
const goods = fc.record({
  title: text,
  description: text,
  category: fc.constantFrom('map', 'rain'),
  tags: some(tags),
  market: fc.constantFrom('info', 'task'),
  owner: fc.constantFrom(...owners),
  visibility: fc.constantFrom('public', 'public', 'private') as fc.Arbitrary<'public' | 'private'>,
  expiresAt: fc.option(fc.nat(9).map((hours) => firstDay + hours * 3_600_000)),
  price: fc.option(fc.nat(3)),
});

const listed: fc.Arbitrary<ResourceChange> = fc
  .tuple(fc.constantFrom(...listings), goods, fc.constantFrom('active', 'active', 'paused'))
  .map(([id, each, state]) => listing(id, each, state));
const ranked: fc.Arbitrary<ResourceChange> = fc
  .tuple(fc.constantFrom(...listings), fc.option(fc.integer({ min: 1, max: 5 })), fc.nat(3))
  .map(([id, rating, popularity]) => stats(id, rating, popularity));

const draft = fc.record({
  issuer: did,
  type: fc.constantFrom(...types),
  moves: fc.array(move, { maxLength: 3 }),
  resources: fc.uniqueArray(fc.oneof(change, listed, ranked), {
    maxLength: 3,
    selector: ({ kind, id }) => `${kind === 'stats' ? 'listing' : kind}/${id}`,
  }),
  idem: fc.option(fc.record({ principal: did, key: fc.constantFrom(...keys) }), { nil: undefined }),
  hours: fc.nat(14),
  /** Whether the commit builds on an older state, so that it is refused if another commit came between. */
  stale: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

export type RandomDraft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** Calls of append, each with several drafts. */
export const histories = fc.array(fc.array(draft, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 });

/** The moves, in order, that the ledger's balances can pay. */
export function affordable(moves: readonly Move[], { accounts, house }: Tables): Move[] {
  const changed = new Map<string, number>([['fees', house.fees]]);
  const balance = (name: string): number => {
    const known = changed.get(name);
    if (known !== undefined) return known;
    const slash = name.indexOf('/');
    const account = accounts.get(name.slice(slash + 1));
    return account?.[name.slice(0, slash) as 'available' | 'reserved' | 'escrowed'] ?? 0;
  };
  return moves.filter((one) => {
    const postings = postingsOf(one);
    if (!postings.every(([name, delta]) => name === 'supply' || balance(name) + delta >= 0)) return false;
    for (const [name, delta] of postings) changed.set(name, balance(name) + delta);
    return true;
  });
}
