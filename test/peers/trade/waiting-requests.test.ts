/** Requests that waited while there was no trade with their home are answered without further news of it. */
import { expect } from 'chai';
import { peerIdOf } from '../../../src/core/codecs/peer-id.js';
import { peerHandlers } from '../../../src/node/control/peer-handlers.js';
import { didOf } from '../../world/people.js';

describe('Remote requests that wait for the operator', () => {
  it('are looked for once a home is followed again, or a journal is accepted', async () => {
    const did = didOf('dishonest');
    let starts = 0;
    const peering = { accept: async () => undefined, add: async () => ({ did, addresses: [] }) };
    const trade = { start: () => starts++ };
    const adminLog = { around: (_: unknown, run: () => unknown) => run() };
    const handlers = peerHandlers({ peering, trade, answerWaitMs: 1 } as never, { adminLog } as never, 'operator');
    const chosen = { did, chainHash: 'a'.repeat(64) };
    expect(await handlers['peers.accept']!(chosen, () => {})).to.deep.equal(chosen);
    expect(starts).to.equal(1);
    const address = `/ip4/127.0.0.1/tcp/1/p2p/${peerIdOf(did)}`;
    expect(await handlers['peers.add']!({ address }, () => {})).to.include({ did });
    expect(starts).to.equal(2);
  });
});
