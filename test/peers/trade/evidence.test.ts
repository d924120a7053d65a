/** A home can answer only what a resident of another home has signed for it, once, and under the rules of the action. */
import { expect } from 'chai';
import type { JsonObject } from '../../../src/core/canonical.js';
import { type Code, isRefusal } from '../../../src/core/refusal.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { lawOf } from '../../../src/machines/kernel/other-signer.js';
import { TestNode } from '../../node/support/node.js';
import { evidenceOf, keyNumbered, listing, otherHome, type Sent } from '../../node/support/remote-requests.js';

describe('The evidence of a remote request', () => {
  let node: TestNode;
  let number = 0;
  const signer = keyNumbered(8);

  before(async () => {
    node = await TestNode.start();
  });
  after(() => node?.discard());

  /** A request to publish a listing, with a new id. */
  const publishing = (more: JsonObject = {}) => {
    const resource = `lst-${++number}`;
    return { kind: 'info-listing', resource, action: 'create', input: listing, ...more };
  };
  const sent = (more: Partial<Sent> = {}) => evidenceOf({ signer, home: node.did, asked: publishing(), ...more });
  const lawFor = ({ kind, action }: { kind: string; action: string }) => ({ law: lawOf(catalogue, kind, action) });
  const law = lawFor({ kind: 'info-listing', action: 'create' });

  async function refused(id: string, input: JsonObject, code: Code, says: string): Promise<void> {
    const { seq } = await node.store.head();
    const done = await node.operate('remote-answer', id, 'create', input);
    if (!isRefusal(done)) return expect.fail(`accepted, and should not be: ${says}`);
    expect(done.code, done.detail).to.equal(code);
    expect(done.detail).to.include(says);
    expect((await node.store.head()).seq).to.equal(seq);
  }

  it('lets its signer act in the answer’s entry, once', async () => {
    const { id, input } = sent();
    const done = await node.operate('remote-answer', id, 'create', { ...input, ...law });
    if (isRefusal(done)) return expect.fail(done.detail);
    const made = done.snapshots.find(({ kind }) => kind === 'info-listing');
    expect(made?.context).to.include({ seller: signer.did });
    expect(done.snapshots.find(({ kind }) => kind === 'remote-answer')).to.include({ state: 'accepted' });
    await refused(id, { ...input, ...law }, 'CONFLICT', 'exists already');
    await refused(id, { ...input, code: 'CONFLICT', detail: 'no' }, 'CONFLICT', 'exists already');
    expect(await node.audit()).to.include({ ok: true });
  });

  it('is that of another request, another home or another network', async () => {
    const { id, input } = sent();
    const event = input.event as unknown as JsonObject;
    const payload = input.request as unknown as JsonObject;
    const other = { ...payload, input: { ...(payload.input as JsonObject), money: 5 } };
    for (const [given, says] of [
      [{ ...input, event: { ...event, nonce: 2 } }, 'not the hash of the event'],
      [{ ...input, event: { ...event, sig: keyNumbered(9).sign('x') } }, 'signature of the event does not verify'],
      [{ ...input, request: other }, 'the payload is not that of the event'],
      [{ ...input, salt: '11'.repeat(16) }, 'the payload is not that of the event'],
    ] as const)
      await refused(id, { ...given, ...law } as unknown as JsonObject, 'UNPROCESSABLE', says);
    const elsewhere: readonly (readonly [Partial<Sent>, string])[] = [
      [{ home: keyNumbered(9).did }, 'sent to another home'],
      [{ network: 'testnet' }, 'another network'],
      [{ from: node.did }, 'sent from this home'],
    ];
    for (const [more, says] of elsewhere) {
      const wrong = sent(more);
      await refused(wrong.id, { ...wrong.input, ...law } as unknown as JsonObject, 'UNPROCESSABLE', says);
    }
  });

  it('gives no right to what only the node may do, or to what no route would take', async () => {
    for (const [asked, code, says] of [
      [{ kind: 'escrow', resource: 'esc-1', action: 'lapse', input: {} }, 'UNPROCESSABLE', 'may not ask for'],
      [{ kind: 'remote-request', resource: 'rem-9', action: 'create', input: {} }, 'UNPROCESSABLE', 'may not ask for'],
      [{ kind: 'account', resource: node.did, action: 'freeze', input: {} }, 'UNPROCESSABLE', 'may not ask for'],
      [{ kind: 'reputation', resource: 'rev-1', action: 'note', input: {} }, 'UNPROCESSABLE', 'may not ask for'],
      [{ kind: 'identity', resource: signer.did, action: 'update', input: {} }, 'UNPROCESSABLE', 'may not ask for'],
      [
        { kind: 'account', resource: node.did, action: 'transfer', input: { to: signer.did, amount: 1 } },
        'TRANSFER_NOT_ALLOWED',
        'does not own',
      ],
      [publishing({ input: { ...listing, seller: otherHome } }), 'INVALID_REQUEST', 'seller'],
      [publishing({ input: { ...listing, title: 5 } }), 'INVALID_REQUEST', 'title'],
      [publishing({ resource: 'esc-5' }), 'INVALID_REQUEST', 'id'],
      [publishing({ resourcePrev: 'a'.repeat(64) }), 'CONFLICT', 'resourcePrev'],
      [publishing({ input: { ...listing, package: { ciphertextHash: 'a'.repeat(64) } } }), 'UNPROCESSABLE', 'package'],
      [
        { kind: 'task-order', resource: 'task-ord-1', action: 'dispute', input: { networkArbiter: otherHome } },
        ...(['UNPROCESSABLE', 'networkArbiter'] as const),
      ],
    ] as const) {
      const { id, input } = sent({ asked });
      await refused(id, { ...input, ...lawFor(asked as { kind: string; action: string }) }, code, says);
    }
    const { id, input } = sent();
    await refused(id, { ...input, law: 'info-listing-1-000000000000+1' }, 'UNPROCESSABLE', 'decided by');
  });

  it('moves no more Tokens than the account of the signer’s home has', async () => {
    const { id, input } = sent({ asked: publishing({ money: 30 }) });
    await refused(id, { ...input, ...law }, 'INSUFFICIENT_BALANCE', '30 Tokens are needed and 0 are available');
    await node.fund({ did: otherHome }, 40);
    const done = await node.operate('remote-answer', id, 'create', { ...input, ...law });
    expect(isRefusal(done)).to.equal(false);
    expect((await node.store.account(otherHome))?.available).to.equal(10);
    expect((await node.store.account(signer.did))?.available).to.equal(30);
    expect(await node.audit()).to.include({ ok: true });
  });

  it('lets a home send Tokens home, to their owner only, from its own account', async () => {
    const owner = keyNumbered(11).did;
    const homeward = (more: JsonObject = {}): JsonObject => ({
      ...{ kind: 'account', resource: otherHome, action: 'transfer', input: { to: owner, amount: 6 }, money: 6, owner },
      ...more,
    });
    const right = lawFor({ kind: 'account', action: 'transfer' });
    for (const more of [
      { input: { to: signer.did, amount: 6 } },
      { input: { to: owner, amount: 5 } },
      { input: { to: owner, amount: 6, fee: 1 } },
      { resource: signer.did },
      { action: 'withdraw' },
      { owner: otherHome },
      { owner: node.did },
    ]) {
      const { id, input } = sent({ asked: homeward(more) });
      await refused(id, { ...input, ...right } as unknown as JsonObject, 'UNPROCESSABLE', 'home');
    }
    await node.fund({ did: otherHome }, 20);
    const before = (await node.store.account(otherHome))!.available;
    const { id, input } = sent({ asked: homeward() });
    const done = await node.operate('remote-answer', id, 'create', { ...input, ...right } as unknown as JsonObject);
    if (isRefusal(done)) return expect.fail(done.detail);
    expect(done.entry.core.postings).to.deep.equal([
      [`available/${otherHome}`, -6],
      [`available/${owner}`, 6],
    ]);
    expect((await node.store.account(otherHome))?.available).to.equal(before - 6);
    expect(await node.audit()).to.include({ ok: true });
  });

  it('lets a home withdraw what it holds itself, and its residents nothing', async () => {
    const home = keyNumbered(7);
    await node.fund(signer, 20);
    await node.fund(home, 20);
    const before = (await node.store.account(home.did))!.available;
    const payout = { amount: 4, to: `0x${'22'.repeat(20)}` };
    const withdrawing = (more: JsonObject = {}): JsonObject => ({
      ...{ kind: 'account', resource: home.did, action: 'withdraw', input: payout },
      ...more,
    });
    const right = lawFor({ kind: 'account', action: 'withdraw' });
    for (const [who, more, code, says] of [
      [signer, { resource: signer.did }, 'UNPROCESSABLE', 'only a home itself withdraws'],
      [signer, {}, 'UNPROCESSABLE', 'only a home itself withdraws'],
      [home, { resource: signer.did }, 'TRANSFER_NOT_ALLOWED', 'does not own'],
      [home, { input: { ...payout, amount: before + 1 } }, 'INSUFFICIENT_BALANCE', 'are available'],
      [home, { input: { ...payout, to: `0x${'0'.repeat(40)}` } }, 'UNPROCESSABLE', 'zero address'],
    ] as const) {
      const { id, input } = sent({ signer: who, asked: withdrawing(more) });
      await refused(id, { ...input, ...right } as unknown as JsonObject, code, says);
    }
    const { id, input } = sent({ signer: home, asked: withdrawing() });
    const done = await node.operate('remote-answer', id, 'create', { ...input, ...right } as unknown as JsonObject);
    if (isRefusal(done)) return expect.fail(done.detail);
    expect(done.entry.core.moves).to.deep.equal([{ op: 'withdraw', from: home.did, fee: 0, ...payout }]);
    expect((await node.store.account(home.did))?.available).to.equal(before - 4);
    // A resident’s request can be refused, so that its home closes it.
    const wrong = sent({ asked: withdrawing({ resource: signer.did }) });
    const no = await node.operate('remote-answer', wrong.id, 'create', {
      ...(wrong.input as unknown as JsonObject),
      ...{ code: 'UNPROCESSABLE', detail: 'no' },
    });
    expect(isRefusal(no)).to.equal(false);
    expect(await node.audit()).to.include({ ok: true });
  });

  it('takes Tokens of another DID by the system key only, into an escrow for the home of their owner', async () => {
    const owner = keyNumbered(12).did;
    await node.fund({ did: owner }, 9);
    const asked = { home: otherHome, kind: 'account', resource: node.did, action: 'transfer', money: 9, owner };
    const request = { ...asked, input: { to: owner, amount: 9 } };
    const person = keyNumbered(10);
    const ids = { escrow: 'esc-homeward' };
    const create = { kind: 'remote-request', id: 'rem-homeward', action: 'create', ids } as const;
    const signing = { signer: person.did, unlock: () => person };
    const taken = await node.running.actors.execute({ ...create, input: request, ...signing });
    expect(isRefusal(taken) && taken.code).to.equal('FORBIDDEN');
    const { system } = node.running;
    const astray = await system.execute({ ...create, input: { ...request, input: { to: person.did, amount: 9 } } });
    expect(isRefusal(astray) && astray.code).to.equal('UNPROCESSABLE');
    const done = await system.execute({ ...create, input: request });
    if (isRefusal(done)) return expect.fail(done.detail);
    expect(await node.store.account(owner)).to.include({ available: 0, escrowed: 9 });
    expect((await node.store.load('escrow', ids.escrow))?.context).to.include({
      depositor: owner,
      beneficiary: otherHome,
    });
    const answer = '0'.repeat(64);
    await system.execute({
      ...create,
      action: 'return',
      ids: undefined,
      input: { answer, code: 'CONFLICT', detail: '' },
    });
    expect(await node.store.account(owner)).to.include({ available: 9, escrowed: 0 });
    expect(await node.audit()).to.include({ ok: true });
  });

  it('is answered by the node’s system key only', async () => {
    const { id, input } = sent();
    const person = keyNumbered(10);
    const done = await node.running.actors.execute({
      ...{ kind: 'remote-answer', id, action: 'create', input: { ...input, ...law } as unknown as JsonObject },
      ...{ signer: person.did, unlock: () => person },
    });
    expect(isRefusal(done) && done.code).to.equal('FORBIDDEN');
  });
});
