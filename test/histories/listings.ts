/** Listings of every market, through their states. */
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { accepted, type Bench } from '../world/bench.js';

const hourMs = 3_600_000;

export async function listings(bench: Bench): Promise<void> {
  for (const { kind, create } of [infoListing, taskListing, capabilityListing]) {
    const id = `lst-${kind}`;
    const ask = async (action: string, body: object) =>
      accepted(await bench.ask('ada', kind, id, action, body as never));
    await ask('create', { ...create.example, expiresAt: bench.world.now() + hourMs });
    await ask('pause', {});
    await ask('update', { title: 'Another title', stock: 4, expiresAt: bench.world.now() + 2 * hourMs });
    await ask('resume', {});
    await bench.world.advance(2 * hourMs);
    accepted(await bench.operate(kind, id, 'expire'));
    accepted(await bench.ask('ben', kind, `${id}-2`, 'create', { ...create.example, visibility: 'private' } as never));
    accepted(await bench.ask('ben', kind, `${id}-2`, 'remove', {}));
  }
}
