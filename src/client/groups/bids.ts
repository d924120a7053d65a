/** Bids on tasks (interface, Markets: tasks): what is not derived of them. */
import { pathOf, type ReadOptions } from '../http.js';
import type { Listed, ListQuery } from '../kind.js';
import type { Bid, bidKind } from '../kinds/task.js';
import { type Paged, paged } from '../pages.js';
import type { Writes } from '../writes.js';

export interface TaskBids {
  /** The bids on one task, newest first. */
  ofTask(
    taskId: string,
    query?: ListQuery<'bidder' | 'requester'>,
    options?: ReadOptions,
  ): Paged<Listed<typeof bidKind, Bid>, Bid>;
}

export const taskBids = ({ http }: Writes): TaskBids => ({
  ofTask: (taskId, query, options) =>
    paged((asked) => http.get(pathOf`/markets/tasks/${taskId}/bids`, asked, options), { ...query }, 'bids'),
});
