/** A shop that opens and closes, and purchases that depend on the open shop without writing it. */
import { setup } from 'xstate';
import { refuse } from '../../../src/core/refusal.js';
import * as is from '../../../src/core/schema/scalar.js';
import { catalogueOf, catalogue as everyKind } from '../../../src/machines/catalogue.js';
import { type AnyResource, defineResource } from '../../../src/machines/kernel/definition.js';
import type { MachineEvent, Workflow } from '../../../src/machines/kernel/resource.js';

type Nothing = Record<never, never>;
const nothing = { summary: 'x', example: {}, input: is.object({}) };

const plain = (kind: string) => ({
  kind,
  revision: 1,
  route: { path: `/${kind}s`, param: `${kind}Id`, tag: 'Shops', idPrefix: `${kind}-` },
  refusals: { unknown: 'LISTING_NOT_FOUND', state: 'LISTING_NOT_ACTIVE', stale: 'CONFLICT' } as const,
  guards: {},
  effects: {},
  alarm: () => null,
  viewSchema: {},
});

interface Shop {
  readonly owner: string;
}
type ShopEvent = MachineEvent<'open', Nothing> | MachineEvent<'close', Nothing>;

const shop: AnyResource = defineResource({
  ...plain('shop'),
  machine: setup({
    types: { context: {} as Shop, events: {} as ShopEvent, input: {} as Shop },
  }).createMachine({
    id: 'shop',
    context: ({ input }) => ({ ...input }),
    initial: 'opened',
    states: { opened: { on: { close: 'closed' } }, closed: { on: { open: 'opened' } } },
  }),
  roles: { owner: ({ owner }) => [owner] },
  create: {
    ...nothing,
    event: 'shop.founded',
    idField: 'shopId',
    check: () => undefined,
    context: ({ signer }): Shop => ({ owner: signer }),
  },
  actions: {
    open: { ...nothing, event: 'shop.opened', who: ['owner'] },
    close: { ...nothing, event: 'shop.closed', who: ['owner'] },
  },
  labels: ({ owner }) => [`owner:${owner}`],
  list: { name: 'shops', roles: ['owner'], statuses: ['opened', 'closed'] },
  view: ({ id, state }) => ({ shopId: id, status: state }),
});

interface Purchase {
  readonly buyer: string;
  readonly shop: string;
}

const purchase: AnyResource = defineResource({
  ...plain('purchase'),
  machine: setup({
    types: { context: {} as Purchase, events: {} as MachineEvent<'keep', Nothing>, input: {} as Purchase },
  }).createMachine({
    id: 'purchase',
    context: ({ input }) => ({ ...input }),
    initial: 'bought',
    states: { bought: { on: { keep: 'kept' } }, kept: {} },
  }),
  roles: { buyer: ({ buyer }) => [buyer] },
  create: {
    ...nothing,
    event: 'purchase.made',
    idField: 'purchaseId',
    input: is.object({ shop: is.chosenId() }),
    example: { shop: 'shop-1' },
    check: () => undefined,
    context: ({ signer, input }): Purchase => ({ buyer: signer, shop: input.shop }),
  },
  actions: { keep: { ...nothing, event: 'purchase.kept', who: ['buyer'] } },
  labels: ({ buyer }) => [`buyer:${buyer}`],
  list: { name: 'purchases', roles: ['buyer'], statuses: ['bought', 'kept'] },
  view: ({ id, state, context }) => ({ purchaseId: id, status: state, shop: context.shop }),
});

const buying: Workflow = {
  revision: 1,
  subCommands(request, read) {
    const { shop: id } = request.input as { shop: string };
    const found = read('shop', id);
    if (found?.state !== 'opened') return refuse('LISTING_NOT_ACTIVE', `the shop ${id} is not open`);
    return [request];
  },
};

export const withShops = catalogueOf([...Object.values(everyKind.definitions), shop, purchase], {
  ...everyKind.workflows,
  'purchase.create': buying,
});
