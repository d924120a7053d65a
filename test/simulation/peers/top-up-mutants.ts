/** Planted bugs of what nodes pay onward. The simulation must find each. */
import { ApiError } from '../../../packages/client/src/errors.js';
import type { PayerOptions } from '../../../src/http/context/onward.js';
import type { Planted } from './home.js';
import { replaced } from './replaced.js';

const paying = (change: (options: PayerOptions) => Partial<PayerOptions>): Planted => ({
  payer: (options) => ({ ...options, ...change(options) }),
});

export const topUpMutants: { readonly [bug: string]: () => Planted } = {
  'a payment without an answer counts as refused': () =>
    paying(({ acts }) => ({
      acts: replaced(acts, {
        act: (act) =>
          acts.act(act).catch((error: { readonly write?: unknown }) => {
            if (!error.write) throw error;
            throw new ApiError(422, {
              code: 'UNPROCESSABLE',
              detail: 'refused',
              error: { code: 'VALIDATION' },
            } as never);
          }),
      }),
    })),

  'a payment does not claim what it is for': () =>
    paying(({ execute }) => ({
      execute: (command) => {
        const { onwardOf: _, ...input } = command.input as { readonly onwardOf?: never };
        return execute({ ...command, input });
      },
    })),

  'no limit holds': () =>
    paying(({ limits }) => ({ limits: () => new Map([...limits()].map(([did]) => [did, 1_000])) })),
};
