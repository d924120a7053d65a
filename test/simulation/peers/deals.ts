/**
 * What residents ask for: actions on the resources that they see, of the home that they live at or of another one. Each is one that the
 * resource's state and the resident's role may permit; whether it is accepted is the node's decision.
 */
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../src/core/canonical.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import type { AnyResource } from '../../../src/machines/kernel/resource.js';
import { isWithheld } from '../../../src/machines/kernel/withheld.js';
import type { Tables } from '../../../src/store/memory/tables.js';
import type { Snapshot } from '../../../src/store/store.js';
import { didOf } from '../../world/people.js';
import type { Draws } from './draws.js';
import { accountOf, arbiterOf, fewBody, hotOf, isKnownAccount, residentsOf, taskBody } from './genesis.js';
import type { Asked } from './operations.js';

export interface Deal {
  /** Name of the signer. */
  readonly who: string;
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  readonly ids?: { readonly [part: string]: string };
  readonly resourcePrev?: string | null;
  /** The object of the model of linearizability that it is about, and the operation on it. */
  readonly operation?: { readonly on: string; readonly asked: Asked };
}

export interface DealPlace {
  readonly draws: Draws;
  /** Makes ids unique. */
  readonly number: number;
  /** Name of the home of the signer. */
  readonly from: string;
  /** Name of the home of the resource, and its state as the signer sees it. */
  readonly at: string;
  readonly seen: Tables;
  /** Names of all homes. */
  readonly homes: readonly string[];
  /** `<kind>/<id>` of the resource that it must be about. */
  readonly about?: string;
}

type Made = Omit<Deal, 'who'>;
type Make = (found: Snapshot, place: DealPlace) => Made;
interface Act {
  readonly weight: number;
  readonly kind: string;
  readonly states: RegExp;
  /** Roles that may ask; none: everyone but the listing's owner. */
  readonly roles?: readonly string[];
  readonly make: Make;
}

const buyerPublicKeyHex = '11'.repeat(32);

const on =
  (action: string, input: JsonObject = {}): Make =>
  ({ kind, id }) => ({ kind, id, action, input });

/** About an amount of an escrow. */
const claim =
  (action: 'release' | 'refund'): Make =>
  ({ kind, id, lastHash }, { draws }) => {
    const amount = draws.between(1, 9);
    const input = action === 'refund' ? { amount, reason: 'no' } : { amount };
    const operation = { on: `escrow ${id}`, asked: { do: 'take', amount } } as const;
    return { kind, id, action, input, resourcePrev: lastHash, operation };
  };

const aboutBid =
  (action: 'accept' | 'withdraw', ids?: (number: number) => { readonly [part: string]: string }): Make =>
  ({ kind, id, context }, { number }) => ({
    ...{ kind, id, action, input: {}, ...(ids ? { ids: ids(number) } : {}) },
    operation: { on: `task ${String(context.taskId)}`, asked: { do: action, bid: id } },
  });

const disputing: Make = ({ kind, id }, { number }) => ({
  ...{ kind, id, action: 'dispute', input: { reason: 'quality' }, ids: { dispute: `dsp-${number}` } },
  operation: { on: `dispute dsp-${number}`, asked: { do: 'fill', amount: 1 } },
});

const acts: { readonly [name: string]: Act } = {
  purchase: {
    ...{ weight: 24, kind: 'info-listing', states: /./ },
    make: ({ id, context }, { number }) => ({
      ...{ kind: 'info-order', id: `ord-${number}`, action: 'create', input: { listingId: id, buyerPublicKeyHex } },
      ids: { escrow: `esc-${number}` },
      ...(context.stock === null ? {} : { operation: { on: `stock ${id}`, asked: { do: 'buy' } } }),
    }),
  },
  deliver: {
    ...{ weight: 10, kind: 'info-order', states: /^paid/, roles: ['seller'] },
    make: on('deliver', { deliveryData: { box: 1 } }),
  },
  confirm: { weight: 10, kind: 'info-order', states: /^delivered/, roles: ['buyer'], make: on('confirm') },
  review: {
    ...{ weight: 8, kind: 'info-order', states: /^(confirmed|reviewed)/, roles: ['buyer', 'seller'] },
    make: ({ kind, id }, { draws }) => ({ kind, id, action: 'review', input: { rating: draws.between(1, 5) } }),
  },
  lease: {
    ...{ weight: 10, kind: 'capability-listing', states: /./ },
    make: ({ id }, { number, draws }) => {
      const budget = draws.between(2, 12);
      return {
        ...{ kind: 'lease', id: `lease-${number}`, action: 'create', ids: { escrow: `esc-${number}` } },
        input: { listingId: id, plan: { budget } },
        operation: { on: `lease lease-${number}`, asked: { do: 'fill', amount: budget } },
      };
    },
  },
  invoke: {
    ...{ weight: 16, kind: 'lease', states: /^active/, roles: ['meter'] },
    make: ({ kind, id }, { draws }) => {
      const units = draws.between(1, 2);
      const operation = { on: `lease ${id}`, asked: { do: 'use', units } } as const;
      return { kind, id, action: 'invoke', input: { units }, operation };
    },
  },
  endLease: {
    ...{ weight: 4, kind: 'lease', states: /^(active|exhausted)/, roles: ['lessee', 'lessor'] },
    make: ({ kind, id }) => ({
      ...{ kind, id, action: 'terminate', input: {} },
      operation: { on: `lease ${id}`, asked: { do: 'end' } },
    }),
  },
  dispute: { weight: 5, kind: 'info-order', states: /^(paid|delivered)/, roles: ['buyer', 'seller'], make: disputing },
  disputeContract: {
    ...{ weight: 6, kind: 'contract', states: /^active/, roles: ['client', 'provider'], make: disputing },
  },
  rule: {
    ...{ weight: 20, kind: 'dispute', states: /^open/, roles: ['arbiter'] },
    make: ({ kind, id }, { draws }) => ({
      ...{ kind, id, action: 'resolve', input: { resolution: draws.pick(['release', 'refund']) } },
      operation: { on: `dispute ${id}`, asked: { do: 'rule' } },
    }),
  },
  bid: {
    ...{ weight: 8, kind: 'task-listing', states: /open$/ },
    make: ({ id }, { number, draws }) => ({
      ...{ kind: 'bid', id: `bid-${number}`, action: 'create', input: { taskId: id, price: draws.between(5, 40) } },
      operation: { on: `task ${id}`, asked: { do: 'bid', bid: `bid-${number}` } },
    }),
  },
  withdraw: { weight: 6, kind: 'bid', states: /submitted/, roles: ['bidder'], make: aboutBid('withdraw') },
  acceptBid: {
    ...{ weight: 6, kind: 'bid', states: /submitted/, roles: ['requester'] },
    make: aboutBid('accept', (number) => ({ order: `task-ord-${number}`, escrow: `esc-${number}` })),
  },
  submit: {
    ...{ weight: 4, kind: 'task-order', states: /^accepted/, roles: ['provider'] },
    make: ({ kind, id }, { number }) => ({
      ...{ kind, id, action: 'deliver', input: { deliverables: [{ n: 1 }] }, ids: { submission: `sub-${number}` } },
    }),
  },
  approve: {
    ...{ weight: 4, kind: 'task-order', states: /^delivered/, roles: ['requester'] },
    make: on('confirm', { approved: true }),
  },
  sign: { weight: 10, kind: 'contract', states: /^draft/, roles: ['client', 'provider'], make: on('sign') },
  activate: {
    ...{ weight: 6, kind: 'contract', states: /^signed/, roles: ['client'] },
    make: ({ kind, id }, { number }) => ({
      ...{ kind, id, action: 'activate', input: { amount: 20 }, ids: { escrow: `esc-${number}` } },
    }),
  },
  complete: { weight: 3, kind: 'contract', states: /^active/, roles: ['client'], make: on('complete') },
  terminate: { weight: 1, kind: 'contract', states: /./, roles: ['client', 'provider'], make: on('terminate') },
  release: { weight: 8, kind: 'escrow', states: /^funded/, roles: ['claimant', 'depositor'], make: claim('release') },
  refund: { weight: 8, kind: 'escrow', states: /^funded/, roles: ['beneficiary', 'revoker'], make: claim('refund') },
};
type ActName = keyof typeof acts & string;

/** What begins something with a resident of another home, weighed like the acts. */
const beginnings = { escrow: 14, contract: 6, task: 3, offer: 6, pay: 12, topUp: 4 } as const;
const weights = {
  ...(Object.fromEntries(Object.entries(acts).map(([name, { weight }]) => [name, weight])) as Record<ActName, number>),
  ...beginnings,
};

/** How many acts are drawn until one has something that it can be about. */
const mostDraws = 4;

/** @returns undefined if none of the drawn acts has anything that it could be about */
export function drawDeal(place: DealPlace): Deal | undefined {
  const { draws, about } = place;
  if (about !== undefined) {
    const possible = Object.values(acts).filter(({ kind }) => about.startsWith(`${kind}/`));
    return dealOf(draws.pick(possible), place);
  }
  for (let left = mostDraws; left > 0; left--) {
    const name = draws.weighted(weights);
    const act = acts[name];
    const deal = act ? dealOf(act, place) : beginning(name as keyof typeof beginnings, place);
    if (deal) return deal;
  }
  return undefined;
}

/** Acts that begin something. */
const first = new Set(['purchase', 'bid', 'lease']);
const followUps = Object.entries(acts).filter(([name]) => !first.has(name));

/** What continues something, so that there are whole stories. @returns undefined if nothing can be continued */
export function drawFollowUp(place: DealPlace): Deal | undefined {
  const found = followUps.flatMap(([name, act]) => (candidates(act, place).length > 0 ? [[name, act.weight]] : []));
  if (found.length === 0) return undefined;
  return dealOf(acts[place.draws.weighted(Object.fromEntries(found))]!, place);
}

function dealOf(act: Act, place: DealPlace): Deal | undefined {
  const found = candidates(act, place);
  if (found.length === 0) return undefined;
  const { who, snapshot } = place.draws.pick(found);
  return { who, ...act.make(snapshot, place) };
}

/** What the act can be about, and who may ask for it. */
function candidates(act: Act, { from, at, seen, about }: DealPlace) {
  // At its own home the hot resident only transfers.
  const people = residentsOf(from).filter((who) => from !== at || who !== hotOf(from));
  return [...seen.snapshots]
    .filter(([key]) => key.startsWith(about ?? `${act.kind}/`))
    .map(([, text]) => parsed(text))
    .filter(({ state, context }) => act.states.test(state) && !isWithheld(context) && !context.purpose)
    .flatMap((snapshot) => people.filter((who) => mayAsk(act, snapshot, didOf(who))).map((who) => ({ who, snapshot })));
}

const snapshots = new LRUCache<string, Snapshot>({ max: 2_000 });

/** Every draw looks at all resources, of which few have changed since the last one. */
function parsed(text: string): Snapshot {
  const known = snapshots.get(text) ?? (JSON.parse(text) as Snapshot);
  snapshots.set(text, known);
  return known;
}

/** Resources that several may want to act on at the same time. */
export const contested = ({ snapshots }: Tables): string[] =>
  [...snapshots]
    .filter(
      ([key, text]) =>
        /^(bid|escrow|info-listing|lease|dispute)\//.test(key) && !/"(purpose":\{|stock":null)/.test(text),
    )
    .map(([key]) => key);

function mayAsk({ roles }: Act, { kind, context }: Snapshot, did: string): boolean {
  if (!roles) return context.seller !== did;
  const definition = catalogue.definitions[kind] as AnyResource;
  return roles.some((role) => definition.roles[role]!(context).includes(did));
}

/** A transfer or an escrow between residents of one home. */
export function drawTransfer({ draws, number, from }: DealPlace): Deal {
  const who = draws.pick(residentsOf(from));
  const to = draws.pick(residentsOf(from).filter((each) => each !== who));
  const amount = draws.between(1, 30);
  const isHot = [who, to].includes(hotOf(from));
  return isHot || draws.chance(0.7) ? transfer(who, to, amount) : escrowBetween({ who, to, amount, number });
}

function escrowBetween({ who, to, amount, number }: { who: string; to: string; amount: number; number: number }): Deal {
  const id = `esc-${number}`;
  const releaseRules = [{ type: 'manual', by: ['depositor', 'beneficiary'] }];
  return {
    ...{ who, kind: 'escrow', id, action: 'create' },
    input: { beneficiary: didOf(to), amount, releaseRules, autoFund: true },
    operation: { on: `escrow ${id}`, asked: { do: 'fill', amount } },
  };
}

export function transfer(who: string, to: string, amount: number): Deal {
  const operation = isKnownAccount(to) ? { on: accountOf(to), asked: { do: 'credit', amount } as const } : undefined;
  const sent = { who, kind: 'account', id: didOf(who), action: 'transfer', input: { to: didOf(to), amount } };
  return { ...sent, ...(operation ? { operation } : {}) };
}

function beginning(what: keyof typeof beginnings, place: DealPlace): Deal {
  const { draws, number, from, at, homes } = place;
  const isOwn = from === at;
  const amount = draws.between(1, 30);
  if (what === 'pay' && !isOwn) {
    return transfer(draws.pick(residentsOf(from)), draws.pick(residentsOf(at)), amount);
  }
  const who = draws.pick(residentsOf(from).filter((each) => !isOwn || each !== hotOf(from)));
  // Of another home, if it happens at the own one.
  const there = isOwn ? draws.pick(homes.filter((each) => each !== from)) : at;
  const to = draws.pick(residentsOf(there).filter((each) => isOwn || each !== hotOf(there)));
  const listed = { who, id: `lst-${number}`, action: 'create' };
  if (isOwn && what === 'task') return { ...listed, kind: 'task-listing', input: taskBody };
  if (isOwn && what === 'offer') return { ...listed, kind: 'info-listing', input: fewBody };
  if (isOwn && what === 'topUp') return transfer(who, there, amount);
  if (isOwn && what === 'contract') {
    const terms = {
      arbiter: didOf(
        arbiterOf(
          there,
          homes.filter((each) => each !== from),
        ),
      ),
    };
    const input = { provider: didOf(to), terms, payment: { totalAmount: 20 }, milestones: [] };
    return { who, kind: 'contract', id: `ctr-${number}`, action: 'create', input };
  }
  return escrowBetween({ who, to, amount, number });
}
