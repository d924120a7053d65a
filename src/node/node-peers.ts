/** The peers of a running node, as its other components use them. */
import type { ContentFetcher } from '../peers/contents/content-fetcher.js';
import type { Peering } from '../peers/peering/peering.js';
import type { RemoteTrading } from '../peers/trade/trade.js';
import type { TradeOptions } from '../peers/trade/trade-options.js';

/** What trade needs of the components. */
export type TradeParts = Pick<
  TradeOptions,
  'own' | 'catalogue' | 'resource' | 'write' | 'writeAsHome' | 'recordedAsHome' | 'refusalOfPayout' | 'holdsKey'
>;

export interface NodePeers {
  readonly peering: Peering;
  /** Reads contents of other homes' resources. */
  readonly contents: Pick<ContentFetcher, 'get'>;
  /** From now on nothing is adopted while the disk is nearly full. */
  watchDisk(freeBytes: () => number | undefined): void;
  /** Trade with the peers, which has to be started. */
  openTrade(parts: TradeParts): RemoteTrading;
  close(): Promise<void>;
}
