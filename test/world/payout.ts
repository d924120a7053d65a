/** The smallest resource that owns an escrow: a payout whose workflows create, pay and undo it. */

import type { JsonObject } from '../../src/core/canonical.js';
import * as is from '../../src/core/schema/scalar.js';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { defineReducer } from '../../src/machines/kernel/definition.js';
import type { Request, SubCommand, Workflow } from '../../src/machines/kernel/resource.js';

interface Payout {
  readonly escrowId: string;
  readonly done: readonly string[];
}

const note = (name: string) => ({
  event: `payout.${name}`,
  who: ['anyone'],
  input: is.object({ amount: is.optional(is.amount), action: is.optional(is.text(20)) }),
  reduce: (context: Payout | null) => ({ ...context!, done: [...context!.done, name] }),
});

const payout = defineReducer<Payout>({
  kind: 'payout',
  revision: 1,
  roles: {},
  actions: {
    start: {
      event: 'payout.started',
      who: ['anyone'],
      input: is.object({ escrowId: is.chosenId(), beneficiary: is.did, amount: is.amount, autoFund: is.boolean }),
      reduce: (_, { input }) => ({ escrowId: input.escrowId, done: [] }),
    },
    drive: note('driven'),
  },
});

const escrowPart = (id: string, action: string, input: JsonObject): SubCommand => ({
  kind: 'escrow',
  id,
  action,
  input,
  asWorkflow: true,
});

/** Creates the payout's escrow. */
const start: Workflow = {
  revision: 1,
  subCommands(request: Request) {
    const { escrowId, beneficiary, amount, autoFund } = request.input as unknown as {
      escrowId: string;
      beneficiary: string;
      amount: number;
      autoFund: boolean;
    };
    const purpose = { kind: 'payout', id: request.id };
    return [request, escrowPart(escrowId, 'create', { beneficiary, amount, autoFund, purpose, releaseRules: [] })];
  },
};

/** Sends one action to the escrow. */
const drive: Workflow = {
  revision: 1,
  subCommands(request, read) {
    const { action, ...input } = request.input as unknown as { action: string };
    const escrowId = (read('payout', request.id)?.context as unknown as Payout | undefined)?.escrowId ?? '';
    return [request, escrowPart(escrowId, action, input)];
  },
};

export const withPayouts = catalogueOf([...Object.values(everyKind.definitions), payout], {
  ...everyKind.workflows,
  'payout.start': start,
  'payout.drive': drive,
});
