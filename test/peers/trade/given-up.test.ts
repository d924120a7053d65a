/** A late answer to a request that was given up is noted once, and pays nothing. */
import { expect } from 'chai';
import { isRefusal } from '../../../src/core/refusal.js';
import { closeAnswered } from '../../../src/peers/trade/closing.js';
import type { Snapshot } from '../../../src/store/store.js';
import { TestNode } from '../../node/support/node.js';
import { otherHome } from '../../node/support/remote-requests.js';

describe('A late answer to a request that was given up', () => {
  let node: TestNode;
  before(async () => {
    node = await TestNode.start();
  });
  after(() => node?.discard());

  it('is noted once, and pays nothing', async () => {
    const ada = await node.rich();
    const before = (await node.store.account(ada.did))!.available;
    const { system, actors } = node.running;
    const asked = {
      home: otherHome,
      kind: 'account',
      resource: node.did,
      action: 'transfer',
      money: 7,
      owner: ada.did,
    };
    const input = { ...asked, input: { to: ada.did, amount: 7 } };
    const request = { kind: 'remote-request', id: 'rem-late' };
    const sent = await system.execute({ ...request, action: 'create', input, ids: { escrow: 'esc-late' } });
    if (isRefusal(sent)) return expect.fail(sent.detail);
    const wrong = await system.execute({ ...request, action: 'give-up', input: { loss: 6, reason: 'gone' } });
    expect(isRefusal(wrong) && wrong.code).to.equal('UNPROCESSABLE');
    const given = await system.execute({ ...request, action: 'give-up', input: { loss: 7, reason: 'gone' } });
    if (isRefusal(given)) return expect.fail(given.detail);
    expect((await node.store.account(ada.did))?.available).to.equal(before);

    const answer = { state: 'accepted', lastHash: '1'.repeat(64), context: { code: null, detail: null } };
    const load = async (kind: string, id: string) =>
      kind === 'remote-answer' && id === sent.entry.core.event.hash ? (answer as unknown as Snapshot) : undefined;
    const home = { home: otherHome, tag: '', store: { load } as never, asOf: () => ({ seq: 1, time: 1 }) };
    const options = {
      own: node.did,
      store: node.store,
      resource: (kind: string, id: string) => actors.committed.resource(kind, id),
      write: (each: Parameters<typeof system.execute>[0]) => system.execute(each),
    };
    await closeAnswered(home, options);
    const { seq } = await node.store.head();
    await closeAnswered(home, options);
    expect((await node.store.head()).seq).to.equal(seq);
    const noted = await node.store.load('remote-request', 'rem-late');
    expect(noted?.state).to.equal('answered-late');
    expect(noted?.context).to.include({ answer: '1'.repeat(64), code: null, loss: 7 });
    expect((await node.store.account(ada.did))?.available).to.equal(before);
    expect(await node.audit()).to.include({ ok: true });
  });

  it('is noted if the request was given up while it was being closed', async () => {
    const { system, actors } = node.running;
    const asked = { home: otherHome, kind: 'escrow', resource: 'esc-1', action: 'expire', input: {}, money: 0 };
    const request = { kind: 'remote-request', id: 'rem-race' };
    const sent = await system.execute({ ...request, action: 'create', input: asked });
    if (isRefusal(sent)) return expect.fail(sent.detail);
    const answer = { state: 'accepted', lastHash: '2'.repeat(64), context: { code: null, detail: null } };
    const load = async (_: string, id: string) =>
      id === sent.entry.core.event.hash ? (answer as unknown as Snapshot) : undefined;
    const home = { home: otherHome, tag: '', store: { load } as never, asOf: () => ({ seq: 1, time: 1 }) };
    const options = {
      own: node.did,
      store: node.store,
      resource: (kind: string, id: string) => actors.committed.resource(kind, id),
      write: async (each: Parameters<typeof system.execute>[0]) => {
        if (each.action === 'complete') {
          await system.execute({ ...request, action: 'give-up', input: { loss: 0, reason: 'gone' } });
        }
        return system.execute(each);
      },
    };
    const first = await closeAnswered(home, options).then(
      () => 'resolved',
      () => 'rejected',
    );
    expect(first, 'so that it is tried again').to.equal('rejected');
    await closeAnswered(home, options);
    expect((await node.store.load('remote-request', 'rem-race'))?.state).to.equal('answered-late');
  });
});
