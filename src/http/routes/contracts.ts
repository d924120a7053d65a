/**
 * `GET /contracts/{contractId}/disputes` (decisions.md, Contracts): its disputes, newest first.
 */
import { type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { Desk } from '../desk.js';
import type { Call, Route } from '../route.js';
import { listBelow } from './derived-reads.js';

export function disputesOfContract(desk: Desk): Route {
  const { refusals } = desk.definitionOf('contract');
  async function unknown({ params: { contractId = '' } }: Call): Promise<Refusal | undefined> {
    const found = await desk.options.actors.committed.resource('contract', contractId);
    return found ? undefined : refuse(refusals.unknown, `no contract ${contractId} on this network`);
  }
  return {
    ...listBelow(desk.definitionOf('dispute'), '/api/v1/contracts/:contractId/disputes', desk, unknown),
    name: 'listContractDisputes',
    summary: 'List the disputes of a contract, newest first.',
  };
}
