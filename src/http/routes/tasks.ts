/** What is not derived of the task market (interface, Markets: tasks): the bids of one task. */
import { bid } from '../../machines/bid/resource.js';
import { type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { Desk } from '../desk.js';
import type { Call, Route } from '../route.js';
import { listBelow } from './derived-reads.js';

/** LISTING_NOT_FOUND, also where the task is private and another's. */
async function unknownTask({ params, caller }: Call, desk: Desk): Promise<Refusal | undefined> {
  const { visibleTo } = desk.definitionOf('task-listing');
  const found = await desk.options.actors.committed.resource('task-listing', params.taskId!);
  const isShown = found && visibleTo?.(found.context as never, caller.did) !== false;
  return isShown ? undefined : refuse('LISTING_NOT_FOUND', `no listing ${params.taskId} on this network`);
}

export function taskRoutes(desk: Desk): Route[] {
  return [
    {
      ...listBelow(bid, '/api/v1/markets/tasks/:taskId/bids', desk, (call) => unknownTask(call, desk)),
      name: 'listTaskBids',
      summary: 'List the bids on a task, newest first, by party, role and status.',
    },
  ];
}
