/** The list of bids below a task, which is not among the routes derived for the kind. */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type { Queries, Replies, TaskBid } from '../wire.js';
import type { Writes } from '../writes.js';

export interface TaskBids {
  /** The bids on one task, newest first. */
  ofTask(
    taskId: string,
    query?: Queries['listTaskBids'],
    options?: ReadOptions,
  ): Paged<Replies['listTaskBids'], TaskBid>;
}

export const taskBids = ({ http }: Writes): TaskBids => ({
  ofTask: (taskId, query, options) =>
    paged((asked) => http.get(pathOf`/markets/tasks/${taskId}/bids`, asked, options), { ...query }, 'bids'),
});
