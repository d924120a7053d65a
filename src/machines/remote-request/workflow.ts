/** Workflows of remote requests: their Tokens wait in an escrow until the other home has answered. */
import { refuse } from '../../core/refusal.js';
import { locked, paidOut } from '../escrow/parts.js';
import type { Request, SubCommand, Workflow } from '../kernel/step.js';
import type { RemoteRequestContext } from './machine.js';
import type { RemoteRequestInput } from './resource.js';

const kind = 'remote-request';

const sending: Workflow['subCommands'] = (request) => {
  const { home, money, owner } = request.input as unknown as RemoteRequestInput;
  const escrowId = money > 0 ? (request.ids?.escrow ?? '') : null;
  const purpose = { kind, id: request.id };
  const sent = { ...request, input: { ...request.input, escrowId } };
  if (escrowId === null) return [sent];
  const escrow = locked({ id: escrowId, beneficiary: home, amount: money, purpose });
  return [sent, owner === undefined ? escrow : { ...escrow, onBehalfOf: owner }];
};

const closing =
  (paid: (money: number) => Parameters<typeof paidOut>[1]): Workflow['subCommands'] =>
  (request: Request, read) => {
    const found = read(kind, request.id)?.context as unknown as RemoteRequestContext | undefined;
    if (!found) return refuse('NOT_FOUND', `no remote request ${request.id} on this network`);
    const parts: readonly SubCommand[] = [request, ...paidOut(found.escrowId, paid(found.money))];
    return parts;
  };

export const remoteRequestWorkflows: { readonly [action: string]: Workflow } = {
  // The first revision knew no owner; without one, both return the same.
  'remote-request.create': { revision: 2, subCommands: sending, past: [{ revision: 1, subCommands: sending }] },
  'remote-request.complete': { revision: 1, subCommands: closing((release) => ({ release })) },
  'remote-request.return': { revision: 1, subCommands: closing((refund) => ({ refund })) },
  'remote-request.give-up': { revision: 1, subCommands: closing((refund) => ({ refund })) },
};
