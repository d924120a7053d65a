/** The node about itself (interface, Node). */
import type { ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type { NodeActivity, NodeConfig, NodeStatus, Pagination, Paging, PeerInfo } from '../views.js';
import type { Writes } from '../writes.js';

export class Node {
  constructor(private readonly writes: Writes) {}

  status(options?: ReadOptions): Promise<NodeStatus> {
    return this.writes.http.get('/node', undefined, options);
  }

  peers(
    query?: Paging,
    options?: ReadOptions,
  ): Paged<{ readonly peers: readonly PeerInfo[]; readonly total: number; readonly pagination: Pagination }, PeerInfo> {
    return paged((asked) => this.writes.http.get('/node/peers', asked, options), { ...query }, 'peers');
  }

  config(options?: ReadOptions): Promise<NodeConfig> {
    return this.writes.http.get('/node/config', undefined, options);
  }

  /** The last quarter of an hour, a point every few seconds. */
  activity(options?: ReadOptions): Promise<NodeActivity> {
    return this.writes.http.get('/node/activity', undefined, options);
  }
}
