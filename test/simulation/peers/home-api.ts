/** The API of a home: what it answers other homes, and the acts of its residents at other homes. Both are the node's own. */
import type { WritePath } from '../../../src/actors/write-path.js';
import { noSettlement } from '../../../src/chain/settlement/settlement.js';
import type { Feed } from '../../../src/core/feed.js';
import { createLog } from '../../../src/core/log.js';
import { newId } from '../../../src/core/new-id.js';
import { ReaderProofs } from '../../../src/http/access/reader-proof.js';
import { createApiContext, ownOnly } from '../../../src/http/context/api-context.js';
import { settlementWait } from '../../../src/http/context/execute.js';
import { OnwardPayer, type PayerOptions } from '../../../src/http/context/onward.js';
import { derivedRoutes } from '../../../src/http/routes/derived.js';
import { eventRoutes } from '../../../src/http/routes/events.js';
import { publicViews } from '../../../src/http/routes/public-views.js';
import { submitRoute } from '../../../src/http/routes/submit.js';
import { walletRoutes } from '../../../src/http/routes/wallets.js';
import type { SeedSigner } from '../../../src/keys/signing.js';
import { escrow } from '../../../src/machines/escrow/resource.js';
import { infoOrder } from '../../../src/machines/info-order/resource.js';
import { noForeignCards } from '../../../src/peers/cards/foreign-cards.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import type { ForeignViews } from '../../../src/peers/views/foreign-views.js';
import { Moderations } from '../../../src/projections/moderations.js';
import { network } from '../../world/bench.js';
import type { Planted } from './home.js';

export interface HomeApiOptions {
  readonly actors: WritePath;
  readonly feed: Feed;
  /** DID of the home. */
  readonly home: string;
  readonly views: ForeignViews;
  /** The home's own key. */
  readonly signer: SeedSigner;
  /** Tokens of other homes that it takes in, by DID. */
  readonly limits: PayerOptions['limits'];
  readonly planted: Planted;
}

/** No key of a keystore is opened here: callers of `acts` have theirs. */
const unused = undefined as never;
const log = createLog();

export function homeApi({ actors, feed, home, views, signer, limits, planted }: HomeApiOptions) {
  const { store, world } = actors.options;
  const api = createApiContext({
    ...{ actors, keystore: unused, kdfQuota: unused, settlement: noSettlement, onChain: undefined, nodeDid: home, log },
    ...{
      fingerprintKey: new Uint8Array(32),
      cards: noForeignCards,
      moderations: new Moderations(store),
      checkpoints: new OwnCheckpoints({ signer, network, world }),
      elsewhere: views,
      networkArbiter: undefined,
      payer: undefined,
    },
    execute: (command) => actors.execute(command),
    settle: settlementWait(noSettlement),
    newId: (prefix) => newId(world, prefix),
  });
  const own = ownOnly(api);
  const routes = () => {
    const reading = { store, environment: world, feed };
    const all = [
      ...walletRoutes(own, { minFee: 0 }),
      ...eventRoutes(own, reading),
      ...[escrow, infoOrder].flatMap((kind) => derivedRoutes(kind, own)),
    ];
    return [...all, submitRoute(own, all)];
  };
  const proofs = new ReaderProofs({ network, home: api.home, now: () => world.now() });
  const payer: PayerOptions = {
    ...{ store, committed: actors.committed, world, log, signer, acts: api.acts!, limits },
    execute: (command) => actors.execute(command),
    isFollowed: (other) => views.followed(other) !== undefined,
  };
  const onward = new OnwardPayer(planted.payer?.(payer) ?? payer);
  return { acts: api.acts!, onward, show: publicViews({ routes, proofs, gate: () => undefined, log }) };
}
