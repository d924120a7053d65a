/**
 * The table of states (docs/reference/escrows.md#states): an action that is not in it is ESCROW_INVALID_STATE, and
 * changes nothing.
 */

import { dayMs } from '../../../src/core/bounds.js';
import { EscrowStory } from '../../world/escrow-story.js';

/** How to reach each state. Every escrow has an expiry that has passed when the action is tried. */
const given: { readonly [state: string]: (story: EscrowStory) => Promise<unknown> } = {
  created: async () => {},
  lapsed: (story) => story.accepts('ada', 'cancel'),
  funded: (story) => story.accepts('ada', 'fund', { amount: 100 }),
  released: async (story) => {
    await story.accepts('ada', 'fund', { amount: 100 });
    await story.accepts('ada', 'release', { amount: 100 });
  },
  refunded: async (story) => {
    await story.accepts('ada', 'fund', { amount: 100 });
    await story.accepts('ben', 'refund', { amount: 100 });
  },
  expired: async (story) => {
    await story.accepts('ada', 'fund', { amount: 100 });
    await story.bench.world.advance(dayMs);
    await story.accepts('dan', 'expire');
  },
};

/** For each action its signer and body; the amounts fit a full escrow. */
const asked: { readonly [action: string]: readonly [who: string, body: { amount?: number }] } = {
  fund: ['ada', { amount: 100 }],
  release: ['ada', { amount: 100 }],
  refund: ['ben', { amount: 100 }],
  expire: ['dan', {}],
  cancel: ['ada', {}],
};

/** The table: the actions that each state accepts, before and after the expiry. */
const accepts: { readonly [state: string]: { readonly inTime: readonly string[]; readonly late: readonly string[] } } =
  {
    created: { inTime: ['fund', 'cancel'], late: ['cancel'] },
    lapsed: { inTime: [], late: [] },
    funded: { inTime: ['release', 'refund'], late: ['release', 'refund', 'expire'] },
    released: { inTime: [], late: [] },
    refunded: { inTime: [], late: [] },
    expired: { inTime: [], late: [] },
  };

describe('escrow: states and actions', () => {
  for (const [state, reach] of Object.entries(given)) {
    for (const when of ['inTime', 'late'] as const) {
      if (state === 'expired' && when === 'inTime') continue;
      for (const [action, [who, body]] of Object.entries(asked)) {
        const possible = accepts[state]![when].includes(action);
        it(`${state}${when === 'late' ? ', past the expiry' : ''}: ${action} is ${possible ? 'accepted' : 'ESCROW_INVALID_STATE'}`, async () => {
          const story = await EscrowStory.open();
          await story.accepts('ada', 'create', { expiresAt: story.now + dayMs });
          await reach(story);
          if (when === 'late') await story.bench.world.advance(2 * dayMs);
          if (possible) await story.accepts(who, action, body);
          else await story.refuses(who, action, body, 'ESCROW_INVALID_STATE');
        });
      }
    }
  }

  for (const action of Object.keys(asked)) {
    it(`${action} of an escrow that there is not is ESCROW_NOT_FOUND`, async () => {
      const story = await EscrowStory.open();
      const [who, body] = asked[action]!;
      await story.refuses(who, action, body, 'ESCROW_NOT_FOUND', { resourcePrev: 'ab'.repeat(32) });
    });
  }
});
