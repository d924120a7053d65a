/** The lines that a home sends to another home, and the copy that the other one makes of them. */
import { expect } from 'chai';
import { realEnvironment } from '../../../src/core/environment.js';
import { Feed } from '../../../src/core/feed.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { FeedBatches } from '../../../src/peers/feed/feed-batch.js';
import { FeedServer } from '../../../src/peers/feed/feed-server.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import { type FeedEntry, Replica } from '../../../src/peers/replica/replica.js';
import type { PeerReply } from '../../../src/peers/transport/transport.js';
import { noHash } from '../../../src/store/entry.js';
import type { Store, StoreReader } from '../../../src/store/store.js';
import { network } from '../../world/bench.js';
import { signer } from '../../world/people.js';

/** @param residents the DIDs whose home is the reader */
export async function linesFor(store: StoreReader, residents: readonly string[]): Promise<readonly string[]> {
  const { seq } = await store.head();
  const feed = new Feed(seq);
  const server = new FeedServer({
    ...{ store, feed, catalogue, world: realEnvironment },
    checkpoints: new OwnCheckpoints({ signer: signer('node'), network, world: realEnvironment }),
    resource: (kind, id) => store.load(kind, id),
    isResident: async (_home, did) => residents.includes(did),
  });
  const lines: string[] = [];
  const reply: PeerReply = {
    async send(status, body) {
      expect.fail(`${status}: ${body}`);
    },
    open: () => ({
      async write(more) {
        lines.push(...more);
        return !lines.at(-1)!.includes(`"seq":${seq},`);
      },
      end() {},
    }),
  };
  const asked = {
    did: signer('other').did,
    query: new URLSearchParams({ after: '0' }),
    signal: new AbortController().signal,
  };
  await server.serve(asked, reply);
  return lines;
}

/** Adopts the lines as a follower does. */
export async function adoptLines(lines: readonly string[], home: string, store: Store): Promise<void> {
  const batches = new FeedBatches({ seq: 0, chainHash: noHash });
  const replica = await Replica.open({ store, home, network, catalogue });
  const entries: FeedEntry[] = [];
  for (const line of lines) {
    const batch = batches.take(line);
    if (!batch) continue;
    if ('flaw' in batch) expect.fail(batch.flaw);
    entries.push(...batch.entries);
  }
  expect(await replica.adopt(entries)).to.deep.equal({ adopted: entries.length });
}
