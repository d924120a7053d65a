/** A minimal deal that reviews can refer to: opened by a client with a provider, and finished. */

import { refuse } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { type Catalogue, defineReducer } from '../../src/machines/kernel/definition.js';
import type { Workflow } from '../../src/machines/kernel/resource.js';
import { finishedParts } from '../../src/machines/reputation/trade.js';

const terms = is.object({ provider: is.did, price: is.integer(0) });
const ending = is.object({ inTime: is.boolean, loser: is.optional(is.did) });

interface ToyDeal extends is.TypeOf<typeof terms> {
  readonly client: string;
  readonly finished: boolean;
}

export const toyDeal = defineReducer<ToyDeal>({
  kind: 'toy-deal',
  revision: 1,
  roles: { client: (_, context) => (context ? [context.client] : []) },
  trade: {
    idPrefix: 'toy-',
    parties: ({ client, provider }) => ({ client, provider }),
    isFinished: (_, { finished }) => finished,
  },
  actions: {
    open: {
      event: 'toy.opened',
      who: ['anyone'],
      input: terms,
      reduce: (context, { input, signer }) =>
        context ? refuse('CONFLICT', 'open already') : { ...input, client: signer, finished: false },
    },
    finish: {
      event: 'toy.finished',
      who: ['client'],
      input: ending,
      reduce: (context) => (context ? { ...context, finished: true } : refuse('NOT_FOUND', 'no such deal')),
    },
  },
});

const finishing: Workflow = {
  revision: 1,
  subCommands(request, read) {
    const deal = read('toy-deal', request.id)?.context as unknown as ToyDeal | undefined;
    if (!deal) return refuse('NOT_FOUND', 'no such deal');
    const { client, provider, price } = deal;
    const { inTime, loser } = request.input as unknown as is.TypeOf<typeof ending>;
    return [request, ...finishedParts({ ref: request.id, client, provider, price, inTime, loser })];
  },
};

/** The whole catalogue, and toy deals. */
export const withToyDeals: Catalogue = catalogueOf([...Object.values(everyKind.definitions), toyDeal], {
  ...everyKind.workflows,
  'toy-deal.finish': finishing,
});
