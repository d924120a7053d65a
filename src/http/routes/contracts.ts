/**
 * `GET /contracts/{contractId}/disputes` (decisions.md, Contracts): its disputes, newest first.
 */
import { isRefusal, refuse } from '../../machines/kernel/refusal.js';
import type { Desk } from '../desk.js';
import { pageOf } from '../pagination.js';
import type { Route } from '../route.js';
import { listBelow } from './derived-reads.js';

export function disputesOfContract(desk: Desk): Route {
  const list = listBelow(desk.definitionOf('dispute'), '/api/v1/contracts/:contractId/disputes', desk);
  const { refusals } = desk.definitionOf('contract');
  return {
    ...list,
    name: 'listContractDisputes',
    summary: 'List the disputes of a contract, newest first.',
    async handle(call) {
      const { contractId = '' } = call.params;
      const page = pageOf(call.query);
      if (isRefusal(page)) return page;
      const found = await desk.options.actors.committed.resource('contract', contractId);
      return found ? list.handle(call) : refuse(refusals.unknown, `no contract ${contractId} on this network`);
    },
  };
}
