/** Creates Tokens where no action can, on mainnet; for tests. */

import * as is from '../../src/core/schema/scalar.js';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { defineLedger } from '../../src/machines/kernel/definition.js';

const gift = defineLedger({
  kind: 'gift',
  revision: 1,
  roles: {},
  actions: {
    give: {
      event: 'gift.given',
      who: ['operator'],
      input: is.object({ amount: is.amount }),
      moves: ({ id, input }) => [{ op: 'mint', to: id, amount: input.amount }],
    },
  },
});

export const withGifts = catalogueOf([...Object.values(everyKind.definitions), gift], everyKind.workflows);
