/** The smallest resource that owns an escrow: an errand whose workflows create, pay and undo it. */

import type { JsonObject } from '../../src/core/canonical.js';
import * as is from '../../src/core/schema/scalar.js';
import { catalogueOf, catalogue as everyKind } from '../../src/machines/catalogue.js';
import { defineReducer } from '../../src/machines/kernel/resource.js';
import type { Request, SubCommand, Workflow } from '../../src/machines/kernel/step.js';

interface Errand {
  readonly escrowId: string;
  readonly done: readonly string[];
}

const note = (name: string) => ({
  event: `errand.${name}`,
  who: ['anyone'],
  input: is.object({ amount: is.optional(is.amount), action: is.optional(is.text(20)) }),
  reduce: (context: Errand | null) => ({ ...context!, done: [...context!.done, name] }),
});

const errand = defineReducer<Errand>({
  kind: 'errand',
  revision: 1,
  roles: {},
  actions: {
    start: {
      event: 'errand.started',
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

/** Creates the errand's escrow. */
const start: Workflow = {
  revision: 1,
  subCommands(request: Request) {
    const { escrowId, beneficiary, amount, autoFund } = request.input as unknown as {
      escrowId: string;
      beneficiary: string;
      amount: number;
      autoFund: boolean;
    };
    const purpose = { kind: 'errand', id: request.id };
    return [request, escrowPart(escrowId, 'create', { beneficiary, amount, autoFund, purpose, releaseRules: [] })];
  },
};

/** Sends one action to the escrow. */
const drive: Workflow = {
  revision: 1,
  subCommands(request, read) {
    const { action, ...input } = request.input as unknown as { action: string };
    const escrowId = (read('errand', request.id)?.context as unknown as Errand | undefined)?.escrowId ?? '';
    return [request, escrowPart(escrowId, action, input)];
  },
};

export const withErrands = catalogueOf([...Object.values(everyKind.definitions), errand], {
  ...everyKind.workflows,
  'errand.start': start,
  'errand.drive': drive,
});
