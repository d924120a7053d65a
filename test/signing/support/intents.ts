/** What an agent that a test kills wants, by number: each intent takes effect once, or is refused once. */
import type { Client } from '../../../packages/client/src/client.js';
import type { WriteOptions } from '../../../packages/client/src/write-options.js';

/** Whom the agent deals with. */
export interface Dealings {
  readonly to: string;
  readonly listingId: string;
  /** What it publishes itself. */
  readonly example: object;
}

/** Where it may end: in the life of a signed write. */
export const points = ['signed', 'kept', 'sent', 'answered', 'dropped'] as const;
export type Point = (typeof points)[number];

export interface AgentOrders extends Dealings {
  readonly dir: string;
  readonly seed: string;
  readonly url: string;
}

/** Ends it at this point of the next write; unheard: its node is to end before it hears that it has taken effect. */
export type Doom = { readonly at: Point | 'unheard' };

interface Intent {
  readonly does: (agent: Client, with_: Dealings, number: number, options: WriteOptions) => Promise<unknown>;
  /** Its event, and what it takes from the available Tokens and leaves in escrow; or the code of its refusal. */
  readonly ends:
    | { readonly type: string; readonly takes: number; readonly escrows: number }
    | { readonly code: string };
  /** Ms after which it is to be made anew if it has not taken effect. */
  readonly lives?: number;
}

export const price = 2;
const amount = 3;
const escrowOf = (number: number): string => `esc-of-${number}`;

const intents: readonly Intent[] = [
  {
    does: (agent, { to }, number, options) => agent.wallets.transfer({ to, amount: 1, memo: `${number}` }, options),
    ends: { type: 'transfer.sent', takes: 1, escrows: 0 },
  },
  {
    does: (agent, { to }, number, options) =>
      agent.escrows.create(
        {
          ...{ escrowId: escrowOf(number), beneficiary: to, amount },
          releaseRules: [{ type: 'manual' }],
          autoFund: true,
        },
        options,
      ),
    ends: { type: 'escrow.created', takes: amount, escrows: amount },
  },
  {
    does: (agent, _, number, options) => agent.escrows.release(escrowOf(number - 1), { amount: 1 }, options),
    ends: { type: 'escrow.released', takes: 0, escrows: -1 },
  },
  {
    does: (agent, { to }, _, options) => agent.wallets.transfer({ to, amount: 1 }, options),
    ends: { type: 'transfer.sent', takes: 1, escrows: 0 },
    lives: 400,
  },
  {
    does: (agent, { listingId }, _, options) => agent.infoOrders.create({ listingId }, { ...options, most: price }),
    ends: { type: 'order.purchased', takes: price, escrows: price },
  },
  {
    does: (agent, { to }, _, options) => agent.wallets.transfer({ to, amount: 1 }, { ...options, most: 0 }),
    ends: { code: 'CONFLICT' },
  },
  {
    does: (agent, { example }, number, options) => {
      const content = { format: 'text/plain', data: `It rained on day ${number}.` };
      return agent.markets.info.create({ ...example, content } as never, options);
    },
    ends: { type: 'listing.published', takes: 0, escrows: 0 },
  },
  {
    does: (agent, { to }, _, options) => agent.wallets.transfer({ to, amount: 1_000_000_000 }, options),
    ends: { code: 'INSUFFICIENT_BALANCE' },
  },
];

/** Tokens that this many intents take at most. */
export const costOf = (count: number): number => Math.ceil(count / intents.length) * (2 + amount + price);

export const intentOf = (number: number): Intent => intents[number % intents.length]!;
