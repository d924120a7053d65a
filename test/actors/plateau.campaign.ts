/** Published listings are on disk and leave memory: the heap does not grow with their number. */
import { expect } from 'chai';
import { SystemWriter } from '../../src/actors/system.js';
import { WritePath } from '../../src/actors/write-path.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { realEnvironment } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { deriveSigner, systemKeyInfo } from '../../src/keys/signing.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { Directory } from '../contract/sqlite/support.js';
import { isLong } from '../support/long.js';
import { bytesInUse } from '../support/memory.js';
import { accepted, network } from '../world/bench.js';
import { didOf, signer } from '../world/people.js';

/** Both caches are smaller than the listings published first. */
const cacheBytes = 256 * 1024;
const first = 600;
const more = isLong ? 30_000 : 1_500;
const atOnce = 50;
/** Bound per listing; a listing that stayed in memory would take 1,900 bytes. */
const mostBytesEach = 800;

describe('Listings published one after another', () => {
  const directory = new Directory();

  it('leave the heap as it was', async () => {
    const actors = new WritePath({
      ...{ catalogue, network, store: await directory.open('thread'), world: realEnvironment, node: didOf('node') },
      bounds: {
        registry: { mailbox: 1_000, actors: 20_000, bytes: cacheBytes },
        nonces: { ahead: 64, waitMs: 1_000, waiting: 256 },
        committed: { count: 20_000, bytes: cacheBytes },
        ...{ written: 256, regroupings: 3, losses: 8, tsSlackMs: 600_000 },
      },
      onFault: (fault) => assert(false, `the store failed: ${fault}`),
    });
    await actors.committer.open();
    await new SystemWriter(actors, deriveSigner(signer('node'), systemKeyInfo)).appoint(signer('node'));
    const ada = signer('ada');
    const description = 'what is to be done, in some words; '.repeat(12);
    let published = 0;
    const publish = async (): Promise<void> => {
      const id = `lst-${published++}`;
      const input = { ...taskListing.create.example, description } as JsonObject;
      const create = { kind: 'task-listing', action: 'create', id, input, signer: ada.did, unlock: () => ada };
      accepted(await actors.execute(create));
    };
    const reach = async (count: number): Promise<number> => {
      while (published < count) await Promise.all(Array.from({ length: atOnce }, publish));
      return bytesInUse();
    };
    const before = await reach(first);
    const after = await reach(first + more);
    expect((after - before) / more).to.be.below(mostBytesEach);
  });
});
