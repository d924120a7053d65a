/** The life of an escrow over HTTP (docs/reference/escrows.md). */
import { expect } from 'chai';
import { until } from '../support/until.js';
import {
  expectInvalid,
  expectPage,
  expectProblem,
  expectSoon,
  expectStatus,
  expectWritten,
} from './support/answers.js';
import type { Body } from './support/client.js';
import { bareDid } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const hour = 3_600_000;

describe('Escrows', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let cyd: Person;

  beforeEach(async () => {
    [ada, ben, cyd] = [await node().rich(100), await node().person(), await node().person()];
  });

  const create = (more: Body = {}) =>
    ada.write('/api/v1/escrows', {
      beneficiary: ben.did,
      arbiter: cyd.did,
      amount: 25,
      releaseRules: [{ type: 'manual' }],
      ...more,
    });
  const created = async (more: Body = {}): Promise<Body> => expectStatus(await create(more), 201);
  const read = async (escrow: Body): Promise<Body> =>
    expectStatus(await node().client.get(`/api/v1/escrows/${escrow.escrowId}`));
  const balances = async (who: Person): Promise<number[]> => {
    const { availableBalance, reserved, escrowed } = await who.wallet();
    return [availableBalance, reserved, escrowed];
  };

  it('is created: 201, Location, the whole view, and its amount reserved', async () => {
    const reply = await create();
    const body = expectStatus(reply, 201);
    expectWritten(body, 1);
    expect(body.escrowId).to.match(/^esc-[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(reply.headers.location).to.equal(`/api/v1/escrows/${body.escrowId}`);
    const { eventHash, nonce, ...view } = body;
    expect(view).to.include.all.keys([
      ...['escrowId', 'id', 'status', 'depositor', 'beneficiary', 'arbiter', 'amount', 'funded', 'released'],
      ...['refunded', 'remaining', 'releaseRules', 'releaseRule', 'refundRules', 'revocable', 'expiresAt'],
      ...['createdAt', 'updatedAt', 'resourcePrev', 'txHash'],
    ]);
    expect(body).to.include({ id: body.escrowId, status: 'created', amount: 25, funded: 0, remaining: 0 });
    expect(body).to.include({ depositor: ada.did, beneficiary: ben.did, arbiter: cyd.did, revocable: true });
    expect(body.resourcePrev).to.equal(eventHash);
    expect(nonce).to.equal(1);
    expect(await read(body)).to.deep.equal(view);
    expect(await balances(ada)).to.deep.equal([75, 25, 0]);
  });

  it('is created under a chosen id once; a second one is CONFLICT for every signer', async () => {
    const escrowId = `Chosen.id_1:${ada.did.slice(-6)}`;
    expect((await created({ escrowId })).escrowId).to.equal(escrowId);
    const eve = await node().rich(100);
    const before = await node().state();
    expectProblem(await create({ escrowId }), 'CONFLICT');
    const body = { beneficiary: ben.did, amount: 1, releaseRules: [{ type: 'manual' }], escrowId };
    expectProblem(await eve.write('/api/v1/escrows', body), 'CONFLICT');
    expect(await node().state()).to.deep.equal(before);
    for (const bad of ['', '-x', '.x', 'a b', 'x'.repeat(129), 'a/b', 'ä', 7]) {
      expectInvalid(await create({ escrowId: bad }), 'escrowId');
    }
  });

  it('refuses parties that coincide, in any spelling, and what no balance covers', async () => {
    expectProblem(await create({ beneficiary: ada.did }), 'UNPROCESSABLE');
    expectProblem(await create({ beneficiary: ada.address }), 'UNPROCESSABLE');
    expectProblem(await create({ arbiter: bareDid(ben.did) }), 'UNPROCESSABLE');
    expectProblem(await create({ arbiter: ada.did }), 'UNPROCESSABLE');
    expectProblem(await create({ expiresAt: node().world.now() - 1 }), 'UNPROCESSABLE');
    expectProblem(await create({ amount: 101 }), 'INSUFFICIENT_BALANCE');
    expectProblem(await create({ amount: 101, autoFund: true }), 'INSUFFICIENT_BALANCE');
  });

  it('refuses what is missing or malformed, and names it', async () => {
    for (const field of ['did', 'passphrase', 'beneficiary', 'amount', 'releaseRules', 'nonce']) {
      expectInvalid(await create({ [field]: undefined }), field);
    }
    const bad: [Body, string][] = [
      [{ releaseRules: [] }, 'releaseRules'],
      [{ releaseRules: { type: 'manual' } }, 'releaseRules'],
      [{ releaseRules: [{}] }, 'releaseRules.0.type'],
      [{ beneficiary: 'ben' }, 'beneficiary'],
      [{ expiresAt: 'soon' }, 'expiresAt'],
      [{ autoFund: 'yes' }, 'autoFund'],
      [{ resourcePrev: 7 }, 'resourcePrev'],
    ];
    for (const [more, field] of bad) expectInvalid(await create(more), field);
    expectInvalid(await create({ arbiter: 'cyd' }), 'arbiter', 'DID_INVALID');
    expectProblem(await create({ resourcePrev: 'f'.repeat(64) }), 'CONFLICT');
    await created({ resourcePrev: null });
  });

  it('is funded by the depositor with its very amount; resourcePrev is required and current', async () => {
    const escrow = await created();
    const { resourcePrev } = escrow;
    expectInvalid(await ada.act(escrow, 'fund', { amount: 25 }), 'resourcePrev');
    expectInvalid(await ada.act(escrow, 'fund', { amount: 25, resourcePrev: null }), 'resourcePrev');
    expectProblem(await ada.act(escrow, 'fund', { amount: 25, resourcePrev: 'f'.repeat(64) }), 'CONFLICT');
    for (const who of [ben, cyd]) {
      expectProblem(await who.act(escrow, 'fund', { amount: 25, resourcePrev }), 'FORBIDDEN');
    }
    for (const amount of [24, 26]) {
      expectProblem(await ada.act(escrow, 'fund', { amount, resourcePrev }), 'UNPROCESSABLE');
    }
    const body = expectStatus(await ada.act(escrow, 'fund', { amount: 25, resourcePrev }));
    expectWritten(body, 2);
    expect(body).to.include({ from: ada.did, to: escrow.escrowId, amount: 25, escrowId: escrow.escrowId });
    expect(body.escrow).to.include({ status: 'funded', funded: 25, remaining: 25 });
    expect(body.resourcePrev).to.equal(body.eventHash);
    expect(await balances(ada)).to.deep.equal([75, 0, 25]);
    const again = { amount: 25, resourcePrev: body.resourcePrev };
    expectProblem(await ada.act(escrow, 'fund', again), 'ESCROW_INVALID_STATE');
  });

  it('is created and funded in one event with autoFund', async () => {
    const escrow = await created({ autoFund: true });
    expect(escrow).to.include({ status: 'funded', funded: 25, nonce: 1 });
    const { versions } = expectStatus(await node().client.get(`/api/v1/events/${escrow.eventHash}`));
    expect(versions[0].path).to.deep.equal(['created.open', 'funded']);
    expect(await balances(ada)).to.deep.equal([75, 0, 25]);
  });

  it('is released in parts and stays funded, until the last part', async () => {
    const escrow = await created({ autoFund: true });
    const part = expectStatus(await ada.act(escrow, 'release', { amount: 10 }));
    expect(part).to.include({ from: escrow.escrowId, to: ben.did, amount: 10 });
    expect(part.escrow).to.include({ status: 'funded', released: 10, remaining: 15 });
    expectProblem(await ada.act(escrow, 'release', { amount: 16 }), 'UNPROCESSABLE');
    const rest = expectStatus(await cyd.act(escrow, 'release', { amount: 15, resourcePrev: part.resourcePrev }));
    expect(rest.escrow).to.include({ status: 'released', released: 25, remaining: 0 });
    expect(await balances(ada)).to.deep.equal([75, 0, 0]);
    expect(await balances(ben)).to.deep.equal([25, 0, 0]);
  });

  it('is refunded by the beneficiary, the arbiter or a depositor who may take back; reason is required', async () => {
    const escrow = await created({ autoFund: true });
    const by = async (who: Person, amount: number, more: Body = {}) => {
      const { resourcePrev } = await read(escrow);
      return who.act(escrow, 'refund', { amount, resourcePrev, reason: 'enough', ...more });
    };
    for (const field of ['reason', 'resourcePrev', 'amount']) {
      expectInvalid(await by(ben, 5, { [field]: undefined }), field);
    }
    expectInvalid(await by(ben, 5, { reason: '' }), 'reason');
    expect(expectStatus(await by(ben, 5)).escrow).to.include({ status: 'funded', refunded: 5, remaining: 20 });
    expect(expectStatus(await by(cyd, 5)).escrow).to.include({ refunded: 10 });
    expect(expectStatus(await by(ada, 5)).escrow).to.include({ refunded: 15 });
    expectProblem(await by(ada, 11), 'UNPROCESSABLE');
    expectStatus(await ada.act(escrow, 'release', { amount: 4 }));
    expect(expectStatus(await by(ben, 6)).escrow).to.include({ status: 'refunded', released: 4, refunded: 21 });
    expect(await balances(ada)).to.deep.equal([96, 0, 0]);
  });

  it('refunds a depositor with refund rules only as they say', async () => {
    const after = node().world.now() + hour;
    const escrow = await created({ autoFund: true, refundRules: [{ type: 'time', after }], expiresAt: after + hour });
    expect(escrow.revocable).to.equal(false);
    const take = async (): Promise<Body> =>
      ada.act(escrow, 'refund', { amount: 1, reason: 'late', resourcePrev: (await read(escrow)).resourcePrev });
    expectProblem(await take(), 'ESCROW_RULE_NOT_MET');
    node().world.skip(hour + 1);
    expectStatus(await take());
  });

  it('refuses any other action in any state as ESCROW_INVALID_STATE', async () => {
    const unfunded = await created();
    const ended = await created({ autoFund: true });
    expectStatus(await ada.act(ended, 'release', { amount: 25 }));
    const { resourcePrev } = await read(ended);
    for (const [escrow, actions] of [
      [unfunded, ['release', 'refund', 'expire']],
      [{ ...ended, resourcePrev }, ['fund', 'release', 'refund', 'expire', 'cancel']],
    ] as [Body, string[]][]) {
      for (const action of actions) {
        const moves = ['fund', 'release', 'refund'].includes(action) ? { amount: 25 } : {};
        const body = { ...moves, ...(action === 'refund' ? { reason: 'x' } : {}), resourcePrev: escrow.resourcePrev };
        const before = await node().state();
        expectProblem(await ada.act(escrow, action, body), 'ESCROW_INVALID_STATE');
        expect(await node().state()).to.deep.equal(before);
      }
    }
  });

  it('is unknown under another id, before any passphrase is checked', async () => {
    expectProblem(await node().client.get('/api/v1/escrows/esc-nothing'), 'ESCROW_NOT_FOUND');
    const body = { amount: 25, passphrase: 'not the passphrase' };
    expectProblem(await ada.act({ escrowId: 'esc-nothing' }, 'release', body), 'ESCROW_NOT_FOUND');
    expectProblem(await ada.act(await created(), 'explode'), 'NOT_FOUND');
    expectProblem(await ada.act(await created(), 'lapse'), 'NOT_FOUND');
  });

  it('is cancelled by the depositor while unfunded: the reservation returns, and fund is over', async () => {
    const escrow = await created();
    expectProblem(await ben.act(escrow, 'cancel'), 'FORBIDDEN');
    const body = expectStatus(await ada.act(escrow, 'cancel'));
    expectWritten(body, 2);
    expect(body).to.include({ from: escrow.escrowId, to: ada.did, amount: 25, status: 'confirmed' });
    expect(body.escrow).to.include({ status: 'created', substate: 'cancelled', lapsed: true });
    const listed = async (query: string) =>
      expectStatus(await node().client.get(`/api/v1/escrows?did=${ada.did}&${query}`)).escrows.map(
        ({ escrowId }: Body) => escrowId,
      );
    expect(await listed('substate=cancelled')).to.include(body.escrowId);
    expect(await listed('status=created')).to.include(body.escrowId);
    expect(await listed('status=created&substate=open')).not.to.include(body.escrowId);
    expect(await listed('status=funded&substate=cancelled')).to.deep.equal([]);
    expectInvalid(await node().client.get('/api/v1/escrows?substate=funded'), 'substate');
    expect(await balances(ada)).to.deep.equal([100, 0, 0]);
    const { resourcePrev } = body;
    expectProblem(await ada.act(escrow, 'fund', { amount: 25, resourcePrev }), 'ESCROW_INVALID_STATE');
    expectProblem(await ada.act(escrow, 'cancel'), 'ESCROW_INVALID_STATE');
  });

  it('carries an ETag, and answers If-None-Match with 304 until something changes', async () => {
    const escrow = await created();
    const path = `/api/v1/escrows/${escrow.escrowId}`;
    const { headers } = await node().client.get(path);
    const unchanged = await node().client.get(path, { 'If-None-Match': headers.etag! });
    expect([unchanged.status, unchanged.text]).to.deep.equal([304, '']);
    expectStatus(await ada.act(escrow, 'cancel'));
    expectStatus(await node().client.get(path, { 'If-None-Match': `"x", ${headers.etag}` }));
  });

  it('is listed by party, role and status, newest first', async () => {
    const [first, second] = [await created(), await created({ autoFund: true })];
    const list = async (query: string): Promise<Body> =>
      expectStatus(await node().client.get(`/api/v1/escrows?${query}`));
    const ids = async (query: string) => (await list(query)).escrows.map((each: Body) => each.escrowId);
    const both = [second.escrowId, first.escrowId];
    for (const who of [ada.did, bareDid(ada.did), ada.address, ben.did, cyd.did]) {
      expect(await ids(`did=${who}`)).to.deep.equal(both);
    }
    expect(await ids(`did=${ada.did}&role=depositor`)).to.deep.equal(both);
    expect(await ids(`did=${ada.did}&role=beneficiary`)).to.deep.equal([]);
    expect(await ids(`did=${cyd.did}&role=arbiter&status=funded`)).to.deep.equal([second.escrowId]);
    const page = await list(`did=${ada.did}&limit=1&include=permittedActions`);
    expect(page.total).to.equal(2);
    expectPage(page.pagination, { total: 2, limit: 1, hasMore: true });
    expect(page.escrows[0]).to.deep.equal(await read(second));
    const { permittedActions: _, ...bare } = page.escrows[0];
    expect((await list(`did=${ada.did}&limit=1`)).escrows[0]).to.deep.equal(bare);
    expectInvalid(await node().client.get('/api/v1/escrows?role=depositor'), 'did');
    expectInvalid(await node().client.get('/api/v1/escrows?role=owner'), 'role');
    expectInvalid(await node().client.get('/api/v1/escrows?status=open'), 'status');
    expectInvalid(await node().client.get('/api/v1/escrows?did=ada'), 'did');
  });

  describe('time', () => {
    it('expires by anyone’s word once its time has passed, and not before', async () => {
      const expiresAt = node().world.now() + hour;
      const escrow = await created({ autoFund: true, expiresAt: new Date(expiresAt).toISOString() });
      expect(escrow.expiresAt).to.equal(expiresAt);
      expectStatus(await ada.act(escrow, 'release', { amount: 5 }));
      const eve = await node().person();
      expectProblem(await eve.act(escrow, 'expire'), 'ESCROW_INVALID_STATE');
      node().world.outrun(hour + 1);
      const { resourcePrev } = await read(escrow);
      expectStatus(await ben.act(escrow, 'refund', { amount: 1, reason: 'still possible', resourcePrev }));
      const body = expectStatus(await eve.act(escrow, 'expire'));
      expect(body).to.include({ from: escrow.escrowId, to: ada.did, amount: 19 });
      expect(body.escrow).to.include({ status: 'expired', released: 5, refunded: 20, remaining: 0 });
      expect(await balances(ada)).to.deep.equal([95, 0, 0]);
      expectProblem(await eve.act(escrow, 'expire'), 'ESCROW_INVALID_STATE');
    });

    it('is expired by the clock soon after its time; release and refund are over then', async () => {
      const escrow = await created({ autoFund: true, expiresAt: node().world.now() + hour });
      expectStatus(await ada.act(escrow, 'release', { amount: 5 }));
      node().world.skip(hour + 1);
      await until('it expires', () => read(escrow), { is: ({ status }) => status === 'expired' });
      expect(await read(escrow)).to.include({ released: 5, refunded: 20, remaining: 0 });
      await expectSoon(() => balances(ada), [95, 0, 0]);
      expectProblem(await ada.act(escrow, 'release', { amount: 1 }), 'ESCROW_INVALID_STATE');
    });

    it('lapses unfunded after 30 days without expiresAt: still created, reservation returned', async () => {
      const escrow = await created();
      const { resourcePrev } = escrow;
      node().world.skip(30 * 24 * hour - 60_000);
      expect(await read(escrow)).not.to.have.property('lapsed');
      node().world.skip(61_000);
      await until('it lapses', () => read(escrow), { is: ({ lapsed }) => lapsed === true });
      expect(await read(escrow)).to.include({ status: 'created' });
      await expectSoon(() => balances(ada), [100, 0, 0]);
      const late = { amount: 25, resourcePrev };
      expectProblem(await ada.act(escrow, 'fund', late), 'CONFLICT');
      const current = { amount: 25, resourcePrev: (await read(escrow)).resourcePrev };
      expectProblem(await ada.act(escrow, 'fund', current), 'ESCROW_INVALID_STATE');
    });
  });
});
