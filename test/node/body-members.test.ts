/** Body members that are unknown, have another name, or are null (docs/reference/requests.md#unknown-members). */
import { expect } from 'chai';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Body, Reply } from './support/client.js';
import { buys, dataset, infoPath, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, aTask, bid, bids, onOrder, publishesTask, tasksPath } from './support/requester.js';

const api = '/api/v1';
/** A rule of a type that the node does not evaluate. */
const rule = { type: 'inspection', inspector: 'cyd', id: 'look' };
const lenient = { Prefer: 'respond-async, Handling=lenient' };

describe('A body', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let cyd: Person;
  before(async () => {
    [ada, ben, cyd] = [await node().rich(10_000), await node().rich(1_000), await node().person()];
  });
  const escrow = (more: Body = {}): Body => ({
    beneficiary: ben.did,
    amount: 1,
    releaseRules: [{ type: 'manual' }],
    ...more,
  });
  const refused = (reply: Reply, field: string, meant?: string): void => {
    const { errors, detail } = expectProblem(reply, 'INVALID_REQUEST');
    const { message } = errors.find((each: Body) => each.field === field) ?? expect.fail(detail);
    if (meant === undefined)
      expect(message).to.match(/^is unknown; (known are [\w, …]+|the request takes no members)$/);
    else expect(message).to.equal(`is unknown: did you mean ${meant}?`);
    expect(detail).to.include('is unknown');
  };
  const storedInput = async ({ eventHash }: Body, reader = ada): Promise<Body> => {
    const client = await node().keyed({ did: reader.did });
    return expectStatus(await client.get(`${api}/events/${eventHash}`)).payload.input;
  };

  describe('with an unknown member', () => {
    for (const [wrong, meant] of [
      ['arbitrator', 'arbiter'],
      ['release_rules', 'releaseRules'],
      ['amout', 'amount'],
      ['colour', undefined],
      ['toString', undefined],
      ['constructor', undefined],
      ['x'.repeat(5_000), undefined],
    ] as const) {
      it(`${wrong.slice(0, 20)} is refused, and nothing is written`, async () => {
        const before = await node().state();
        refused(await ada.write(`${api}/escrows`, escrow({ [wrong]: ben.did })), wrong.slice(0, 200), meant);
        expect(await node().state()).to.deep.equal(before);
      });
    }

    it('is refused inside of what it holds, in lists, too', async () => {
      const pricing = { price: 3, curency: 'TOKEN' };
      refused(await ben.write(infoPath, dataset({ pricing })), 'pricing.curency', 'currency');
      const draft = { provider: ben.did, terms: {}, milestones: [{ amount: 1 }, { amount: 1, titel: 'x' }] };
      refused(await ada.write(`${api}/contracts`, draft), 'milestones.1.titel', 'title');
      const document = { displayName: 'x', platformLinks: [{ platform: 'a', url: 'https://x.org', urll: 'b' }] };
      const path = `${api}/identities/${ada.did}/actions/update`;
      refused(await ada.write(path, { document, prevDocHash: '0'.repeat(64) }), 'document.platformLinks.0.urll', 'url');
    });

    it('is refused before what is wrong with others, and before anything is looked up', async () => {
      refused(await ada.write(`${api}/escrows`, escrow({ amount: 'x', colour: 1 })), 'colour');
      refused(await ada.write(`${api}/escrows/esc-none/actions/cancel`, { colour: 1 }), 'colour');
      refused(await ada.write(`${api}/escrows`, escrow({ colour: 1, passphrase: 'a wrong passphrase' })), 'colour');
    });

    it('is refused where a body has no members at all, and in unsigned requests', async () => {
      const admin = await node().keyed({ scope: 'admin' });
      refused(await admin.post(`${api}/admin/identities/${ada.did}/actions/lock`, { form: 'full' }), 'form');
      refused(await node().client.post(`${api}/identities`, { passphrase: 'x'.repeat(20), label: 'x' }), 'label');
      const key = expectStatus(await admin.post(`${api}/admin/api-keys`, { label: 'x', scope: 'read' }), 201);
      refused(await admin.post(`${api}/admin/api-keys/${key.id}/revoke`, { at: 1 }), 'at');
      refused(await admin.post(`${api}/admin/api-keys`, { label: 'x', scopes: 'read' }), 'scopes', 'scope');
    });

    it('is refused with DELETE, too, and nothing is deleted', async () => {
      const admin = await node().keyed({ scope: 'admin' });
      const { id } = expectStatus(await admin.post(`${api}/admin/api-keys`, { label: 'x', scope: 'read' }), 201);
      const hook = expectStatus(await admin.post(`${api}/webhooks`, { url: 'https://example.org/hook' }), 201);
      for (const path of [`${api}/admin/api-keys/${id}`, `${api}/webhooks/${hook.id}`]) {
        const remove = (body?: Body, headers: Body = {}) => admin.send({ method: 'DELETE', path, body, headers });
        refused(await remove({ force: true }), 'force');
        expectProblem(await remove('x' as never, { 'Content-Type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE');
        expectStatus(await remove({}), 204);
        expectProblem(await remove(), 'NOT_FOUND');
      }
    });

    it('is refused in what the node acts on: rules, quotas and timelines', async () => {
      const rules = (...releaseRules: Body[]) => ada.write(`${api}/escrows`, escrow({ releaseRules }));
      const typo = { type: 'manual', requireEvidence: true };
      refused(await rules({ type: 'manual' }, typo), 'releaseRules.1.requireEvidence', 'requiresEvidence');
      refused(await rules({ type: 'time', after: 1, colour: 'x' }), 'releaseRules.0.colour');
      refused(await rules({ type: 'time', after: 1, by: ['arbiter'] }), 'releaseRules.0.by');
      refused(await rules({ type: 'manual', by: ['arbiter'], after: 1 }), 'releaseRules.0.after');
      refused(
        await ada.write(`${api}/escrows`, escrow({ refundRules: [typo] })),
        'refundRules.0.requireEvidence',
        'requiresEvidence',
      );
      const task = { ...aTask, timeline: { dedline: 1 } };
      refused(await ada.write(tasksPath, task), 'timeline.dedline', 'deadline');
      const service = { ...capabilityListing.create.example, quota: { maxCalz: 1 } };
      const capabilities = `${api}/markets/capabilities`;
      refused(await ada.write(capabilities, service), 'quota.maxCalz', 'maxCalls');
      const limits = { limits: [{ maxCalls: 1, perMonth: 1 }] };
      refused(await ada.write(capabilities, { ...service, quota: limits }), 'quota.limits.0.perMonth');
    });

    it('is kept in a rule of an unknown type, unless it looks like a known one', async () => {
      const made = await ada.does(`${api}/escrows`, escrow({ releaseRules: [rule] }));
      expect(made.releaseRules).to.deep.equal([rule]);
      const many = Array.from({ length: 101 }, (_, index) => [`zzzzzz${index}`, 1]);
      const crowded = await ada.write(
        `${api}/escrows`,
        escrow({ releaseRules: [{ ...rule, ...Object.fromEntries(many) }] }),
      );
      // `inspector` is one of the hundred.
      expect(expectProblem(crowded, 'INVALID_REQUEST').errors).to.have.length(2);
      refused(crowded, 'releaseRules.0.zzzzzz100');
      const typo = { ...rule, require_evidence: true };
      const reply = await ada.write(`${api}/escrows`, escrow({ releaseRules: [typo] }));
      refused(reply, 'releaseRules.0.require_evidence', 'requiresEvidence');
    });

    it('is no type of a rule where that is nearly a known one, for lenient callers either', async () => {
      for (const [type, meant] of [
        ['Time', 'time'],
        ['signatures', 'signature'],
        ['MANUAL', 'manual'],
        ['hahs', 'hash'],
        [' time', 'time'],
        ['sginatures', 'signature'],
        ['multi_manual', undefined],
        ['sha256', undefined],
        ['cash', undefined],
        ['mutual', undefined],
        ['annual', undefined],
        ['title', undefined],
      ] as const) {
        for (const rules of ['releaseRules', 'refundRules']) {
          for (const headers of [{}, lenient]) {
            const body = escrow({ [rules]: [{ type: 'manual' }, { type, after: 1 }] });
            const reply = await ada.write(`${api}/escrows`, body, headers);
            if (meant === undefined) expectStatus(reply, 201);
            else {
              const error = { field: `${rules}.1.type`, message: `did you mean ${meant}?` };
              expect(expectProblem(reply, 'INVALID_REQUEST').errors).to.deep.include(error);
            }
          }
        }
      }
    });

    it('names twenty of them', async () => {
      const many = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`zz${i}`, i]));
      expect(expectProblem(await ada.write(`${api}/escrows`, escrow(many)), 'INVALID_REQUEST').errors).to.have.length(
        20,
      );
    });

    it('is kept in terms, metadata, deliverables; ignored in a delivery of information, whose reply lists it', async () => {
      const terms = { scope: 'x', colour: { deep: null } };
      const made = await ada.does(`${api}/contracts`, { provider: ben.did, terms });
      expect(made.terms).to.deep.equal(terms);
      expect((await publishes(ben, { metadata: { mine: 1 } })).metadata).to.deep.equal({ mine: 1 });
      const order = await buys(ada, await publishes(ben));
      const path = `${infoPath}/${order.listingId}/actions/deliver`;
      const delivered = await ben.does(path, { orderId: order.orderId, accessUrl: 'https://x.org', courier: 'me' });
      expect(await storedInput(delivered)).not.to.have.property('courier');
      expect(delivered.ignored).to.deep.equal(['courier']);
    });

    it('may say again what the path says', async () => {
      const { escrowId } = await ada.does(`${api}/escrows`, escrow());
      const path = `${api}/escrows/${escrowId}/actions/cancel`;
      expectInvalid(await ada.write(path, { escrowId: 'esc-other' }), 'escrowId');
      expectStatus(await ada.write(path, { escrowId }));
    });
  });

  describe('of a caller that prefers lenient handling', () => {
    it('is refused where members of a rule could not be kept because there are too many others', async () => {
      const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`zz${i}`, i]));
      const reply = await ada.write(`${api}/escrows`, { ...many, ...escrow({ releaseRules: [rule] }) }, lenient);
      refused(reply, 'releaseRules.0.inspector');
    });

    it('is taken without it, and the reply lists it', async () => {
      const reply = await ada.write(`${api}/escrows`, escrow({ colour: 1, 'naïve "x"': 2 }), lenient);
      const made = expectStatus(reply, 201);
      expect(made.ignored).to.deep.equal(['colour', 'naïve "x"']);
      expect(reply.headers['preference-applied']).to.equal('handling=lenient, ignored="colour na%C3%AFve%20%22x%22"');
      expect(await storedInput(made)).to.have.all.keys('beneficiary', 'amount', 'releaseRules');
      const deep = { provider: ben.did, terms: {}, milestones: [{ amount: 1, titel: 'x' }] };
      expect((await ada.does(`${api}/contracts`, deep, lenient)).ignored).to.deep.equal(['milestones.0.titel']);
    });

    it('is answered as ever where there is nothing to ignore, and still refused for what is wrong', async () => {
      const reply = await ada.write(`${api}/escrows`, escrow(), lenient);
      expect(expectStatus(reply, 201)).not.to.have.property('ignored');
      expect(reply.headers).not.to.have.property('preference-applied');
      expectInvalid(await ada.write(`${api}/escrows`, escrow({ amount: 'x', colour: 1 }), lenient), 'amount');
      refused(await ada.write(`${api}/escrows`, escrow({ colour: 1 }), { Prefer: 'handling=strict' }), 'colour');
    });
  });

  describe('with another name', () => {
    it('of a bid’s price and approach', async () => {
      const made = expectStatus(await bid(ben, await publishesTask(ada), { amount: 7, message: 'by hand' }), 201);
      expect(made).to.include({ price: 7, approach: 'by hand' });
      expect(await storedInput(made, ben))
        .to.include({ price: 7, approach: 'by hand' })
        .and.not.to.have.any.keys('amount');
    });

    it('of what a task is delivered with, and rejected for', async () => {
      const order = await accepts(ada, await bids(ben, await publishesTask(ada), { price: 7 }));
      const work = { name: 'x.pdf' };
      const { submissions } = expectStatus(await onOrder(ben, order, 'deliver', { submission: work, message: 'here' }));
      expect(submissions[0]).to.deep.include({ deliverables: [work], notes: 'here' });
      const rejected = expectStatus(await onOrder(ada, order, 'reject', { reason: 'once more' }));
      expect(rejected.submissions[0].feedback).to.equal('once more');
    });

    it('of a contract’s arbiter, of what milestones are for, of words and decisions', async () => {
      const milestones = [{ id: 'one', amount: 5, deliverables: ['a logo'] }];
      const draft = { provider: ben.did, terms: { scope: 'x' }, arbiter: cyd.did, milestones };
      const made = await ada.does(`${api}/contracts`, draft);
      expect(made).to.include({ arbiter: cyd.did });
      expect(made.terms).to.deep.equal({ scope: 'x', arbiter: cyd.did });
      expect(made.milestones[0].criteria).to.deep.equal(['a logo']);
      const path = `${api}/contracts/${made.contractId}`;
      for (const who of [ada, ben]) expectStatus(await who.write(`${path}/actions/sign`));
      expectStatus(await ada.write(`${path}/actions/activate`, { amount: 5 }));
      const stage = (who: Person, action: string, body: Body) =>
        who.write(`${path}/milestones/one/actions/${action}`, body);
      expect(expectStatus(await stage(ben, 'submit', { message: 'here' })).notes).to.equal('here');
      expect(expectStatus(await stage(ada, 'reject', { reason: 'no' })).feedback).to.equal('no');
      const { disputeId } = expectStatus(await ada.write(`${path}/actions/dispute`, { reason: 'quality' }));
      const ruling = await cyd.write(`${api}/disputes/${disputeId}/actions/resolve`, { decision: 'refund' });
      expect(expectStatus(ruling).resolution).to.equal('refund');
    });

    it('of prices, of content, of a task’s window; a task may leave its price to the bids', async () => {
      const pricing = { basePrice: 9, model: 'fixed' };
      const content = { content: 'station,mm', contentFormat: 'text/csv' };
      const { metadata: _, ...info } = expectStatus(await ben.write(infoPath, dataset({ pricing, ...content })), 201);
      expect(info.pricing).to.deep.include({ price: 9, type: 'fixed' });
      expect(info.content).to.include({ format: 'text/csv', size: 10 });
      const closesAt = node().world.now() + 3_600_000;
      const task = { ...aTask, pricing: {}, bidding: { bidDeadline: closesAt } };
      const made = expectStatus(await ada.write(tasksPath, task), 201);
      expect(made.bidding.closesAt).to.equal(closesAt);
      expectInvalid(await ben.write(infoPath, dataset({ pricing: {} })), 'pricing');
    });

    it('of a lease’s end, and of its plan in details', async () => {
      const capability = {
        title: 'x',
        description: 'y',
        category: 'z',
        capabilityType: 'c',
        capability: {},
        quota: {},
        access: {},
      };
      const pricing = { usagePrice: { unit: 'call', pricePerUnit: 2 } };
      const { listingId } = await ben.does(`${api}/markets/capabilities`, { ...capability, pricing });
      const expiresAt = node().world.now() + 86_400_000;
      const asked = { plan: { type: 'pay_per_use', details: { budget: 20, maxUnitsPerCall: 3 } }, expiresAt };
      const lease = expectStatus(await ada.write(`${api}/markets/capabilities/${listingId}/leases`, asked), 201);
      expect(lease.endsAt).to.equal(expiresAt);
      expect(await storedInput(lease)).to.deep.include({
        plan: { type: 'pay_per_use', budget: 20, maxUnitsPerCall: 3, endsAt: expiresAt },
      });
    });

    it('is refused together with the name if they differ, and accepted if they agree', async () => {
      const published = await publishesTask(ada);
      const reply = await bid(ben, published, { amount: 7, price: 8 });
      expect(expectInvalid(reply, 'amount').detail).to.equal(
        'amount: is another name of price, which has a different value',
      );
      expectInvalid(await ada.write(`${api}/contracts`, { provider: ben.did, terms: 'x', arbiter: cyd.did }), 'terms');
      expectStatus(await bid(ben, published, { amount: 7, price: 7 }), 201);
    });

    it('is the same request with an Idempotency-Key', async () => {
      const published = await publishesTask(ada);
      const headers = { 'Idempotency-Key': 'two-names' };
      const path = `${tasksPath}/${published.listingId}/bids`;
      const signed = ben.signed;
      expectStatus(await ben.write(path, { price: 3 }, headers), 201);
      const again = await ben.client.post(path, { ...signed, amount: 3 }, headers);
      expect(again.headers['idempotent-replayed']).to.equal('true');
    });
  });

  it('with null for what may be left out says nothing, at any depth', async () => {
    const none = {
      arbiter: null,
      refundRules: null,
      expiresAt: null,
      autoFund: null,
      resourcePrev: null,
      escrowId: null,
    };
    const made = await ada.does(`${api}/escrows`, escrow({ ...none, prev: null, ts: null }));
    expect(await storedInput(made)).to.have.all.keys('beneficiary', 'amount', 'releaseRules');
    const milestones = [{ amount: 1, title: null, criteria: null, deadline: null }];
    const draft = { provider: ben.did, terms: { arbiter: null, scope: null }, payment: null, milestones };
    const { terms } = await ada.does(`${api}/contracts`, draft);
    expect(terms).to.deep.equal({ scope: null });
    await ada.pays(ben.did, 1, { memo: null, fee: null, prev: null });
    expectInvalid(await ada.write(`${api}/transfers`, { to: null, amount: 1 }), 'to');
  });

  it('with null still says never or without limit where that is what null means', async () => {
    const later = node().world.now() + 86_400_000;
    const { listingId } = await publishes(ben, { stock: 3, expiresAt: later });
    const updated = await ben.does(`${infoPath}/${listingId}/actions/update`, {
      stock: null,
      expiresAt: null,
    });
    expect(updated.expiresAt).to.equal(null);
    expect(updated.stock ?? null).to.equal(null);
  });
});
