/** Requests to another home, and answers to those of its residents, with and without Tokens. */
import type { JsonObject } from '../../src/core/canonical.js';
import { catalogue } from '../../src/machines/catalogue.js';
import { lawOf } from '../../src/machines/kernel/other-signer.js';
import { evidenceOf, keyNumbered, listing, otherHome } from '../node/support/remote-requests.js';
import { accepted, type Bench, network } from '../world/bench.js';
import { didOf } from '../world/people.js';

export async function remoteRequests(bench: Bench): Promise<void> {
  const answer = '0'.repeat(64);
  const send = async (id: string, money: number) => {
    const input = { home: otherHome, kind: 'escrow', resource: 'esc-there', action: 'fund', input: {}, money };
    await bench.world.advance(1_000);
    accepted(await bench.ask('ada', 'remote-request', id, 'create', input, { ids: { escrow: `esc-${id}` } }));
  };
  const close = async (id: string, action: string, input: JsonObject) =>
    accepted(await bench.operate('remote-request', id, action, { answer, ...input }));
  for (const [index, money] of [0, 7].entries()) {
    await send(`rem-done-${index}`, money);
    await close(`rem-done-${index}`, 'complete', {});
    await send(`rem-back-${index}`, money);
    await close(`rem-back-${index}`, 'return', { code: 'ESCROW_NOT_FOUND', detail: 'no escrow esc-there' });
  }

  const giveUp = (id: string, loss: number) => bench.operate('remote-request', id, 'give-up', { loss, reason: 'gone' });
  await send('rem-gone', 7);
  accepted(await giveUp('rem-gone', 7));
  await send('rem-late', 0);
  accepted(await giveUp('rem-late', 0));
  await close('rem-late', 'note', {});

  accepted(await bench.operate('account', otherHome, 'mint', { amount: 20 }));
  const receive = async (who: number, asked: JsonObject & { kind: string; action: string }, code?: string) => {
    const { id, input } = evidenceOf({ signer: keyNumbered(who), home: didOf(bench.node), asked, network });
    const outcome = code === undefined ? { law: lawOf(catalogue, asked.kind, asked.action) } : { code, detail: 'sold' };
    await bench.world.advance(1_000);
    accepted(await bench.operate('remote-answer', id, 'create', { ...input, ...outcome } as unknown as JsonObject));
  };
  await receive(8, { kind: 'info-listing', resource: 'lst-remote', action: 'create', input: listing });
  const order = { kind: 'info-order', action: 'create', input: { listingId: 'lst-remote' }, money: 4 };
  await receive(9, { ...order, resource: 'ord-remote', ids: { escrow: 'esc-remote' } });
  await receive(9, { ...order, resource: 'ord-late', ids: { escrow: 'esc-late' } }, 'LISTING_UNAVAILABLE');
}

/** Dan moves to another home, comes back, and says again that he lives here. */
export async function moves(bench: Bench): Promise<void> {
  const dan = didOf('dan');
  for (const [index, to] of [otherHome, didOf(bench.node), didOf(bench.node)].entries())
    accepted(await bench.ask('dan', 'residence', dan, index === 0 ? 'create' : 'move', { to, epoch: index + 1 }));
}
