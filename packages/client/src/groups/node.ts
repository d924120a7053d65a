/** The node's own state (docs/reference/node.md#node-status). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type { NodeConfig, NodeStatus, Paging, Queries, Replies, Requests, Statistics } from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

export class Node {
  constructor(private readonly writes: Writes) {}

  status(options?: ReadOptions): Promise<NodeStatus> {
    return this.writes.http.get('/node', undefined, options);
  }

  /** Where a home serves its API: of another home as that home says. @param home its DID */
  home(home: string, options?: ReadOptions): Promise<Replies['getHome']> {
    return this.writes.http.get(pathOf`/homes/${home}`, undefined, options);
  }

  peers(query?: Paging, options?: ReadOptions): Paged<Replies['listPeers'], Replies['listPeers']['peers'][number]> {
    return paged((asked) => this.writes.http.get('/node/peers', asked, options), { ...query }, 'peers');
  }

  /** The evidence because of which a home's feed is no longer followed. */
  evidence(did: string, options?: ReadOptions): Promise<Replies['getPeerEvidence']> {
    return this.writes.http.get(pathOf`/node/peers/${did}/evidence`, undefined, options);
  }

  /** Bounds the Tokens of a peer's home that the node takes in. Needs an admin key. */
  limitPeer(did: string, limit: Requests['limitPeer'], options?: WriteOptions): Promise<Replies['limitPeer']> {
    return this.writes.plain(pathOf`/node/peers/${did}/actions/limit`, limit, options);
  }

  /** Makes a peer a mirror of the node's journal, or ends that. Needs an admin key. */
  mirrorPeer(did: string, mirror?: Requests['mirrorPeer'], options?: WriteOptions): Promise<Replies['mirrorPeer']> {
    return this.writes.plain(pathOf`/node/peers/${did}/actions/mirror`, mirror ?? {}, options);
  }

  config(options?: ReadOptions): Promise<NodeConfig> {
    return this.writes.http.get('/node/config', undefined, options);
  }

  /**
   * Finds what a text names: the number of an entry, a hash, a DID or address, the first characters of an id, or a
   * name.
   */
  lookUp(text: string, options?: ReadOptions): Promise<Replies['lookUp']> {
    return this.writes.http.get('/lookup', { text }, options);
  }

  /** Activity of the last quarter of an hour, as one point every few seconds. */
  activity(options?: ReadOptions): Promise<Replies['getNodeActivity']> {
    return this.writes.http.get('/node/activity', undefined, options);
  }

  /** What the journal adds up to, with points for charts, and the prices of each category. @param query default: the last day */
  statistics(query?: Queries['getStatistics'], options?: ReadOptions): Promise<Statistics> {
    return this.writes.http.get('/statistics', { ...query }, options);
  }
}
