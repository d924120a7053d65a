import { expect } from 'chai';
import { type ApiError, Client, type Entry, type Escrow } from '../../packages/client/src/index.js';
import { everyRoute, network } from '../../scripts/generate/routes.js';
import { version } from '../../src/core/version.js';
import { openApiOf } from '../../src/http/openapi/openapi.js';
import { nodeForSuite } from '../node/support/node.js';
import { failureOf } from './script.js';

describe('client: against a node', () => {
  const node = nodeForSuite();
  const passphrase = 'correct horse battery staple';
  const client = () => new Client({ url: node().url });

  /** Clients that sign for new DIDs, each with that many Tokens. */
  async function people(...tokens: number[]): Promise<Client[]> {
    const made: Client[] = [];
    for (const amount of tokens) {
      const { did } = await client().identities.create(passphrase);
      if (amount > 0) await node().fund({ did }, amount);
      made.push(client().as({ did, passphrase }));
    }
    return made;
  }

  it('a batch has the outcome of each write, however many are refused', async () => {
    const [ada, ben] = (await people(1_000, 0)) as [Client, Client];
    const amounts = Array.from({ length: 30 }, (_, index) => (index % 2 === 1 ? 1_000_000 : 1));
    const outcomes = await ada.batch([
      ...amounts.map((amount) => (each: Client) => each.wallets.transfer({ to: ben.did!, amount })),
      () => {
        throw new Error('not made');
      },
    ]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal([
      ...amounts.map((amount) => (amount === 1 ? 'fulfilled' : 'rejected')),
      'rejected',
    ]);
    const reasons = outcomes.slice(0, -1).flatMap((each) => (each.status === 'rejected' ? [each.reason.refusal] : []));
    expect(new Set(reasons)).to.deep.equal(new Set(['INSUFFICIENT_BALANCE']));
  });

  it('an escrow goes from hand to hand, each view naming the next version', async () => {
    const [ada, ben] = (await people(100, 0)) as [Client, Client];
    const created = await ada.escrows.create({
      beneficiary: ben.did!,
      amount: 40,
      releaseRules: [{ type: 'manual' }],
      escrowId: 'deal-1',
    });
    expect(created).to.include({ escrowId: 'deal-1', status: 'created', remaining: 0, nonce: 1 });
    const funded = await ada.escrows.fund(created, { amount: 40 });
    expect(funded.escrow.status).to.equal('funded');
    const part = await ada.escrows.release(funded.escrow, { amount: 15 });
    expect(part).to.include({ from: created.escrowId, to: ben.did, amount: 15, status: 'confirmed' });
    expect(await failureOf(ada.escrows.release(funded.escrow, { amount: 25 }))).to.include({ refusal: 'CONFLICT' });
    const back = await ben.escrows.refund(part.escrow, { amount: 25, reason: 'that was enough' });
    const read: Escrow = await client().escrows.get(created.escrowId);
    expect(read).to.deep.include({ status: 'refunded', released: 15, refunded: 25, resourcePrev: back.resourcePrev });
    const mine = { did: ben.did!, role: 'beneficiary', include: 'permittedActions' } as const;
    const { escrows, total } = await client().escrows.list(mine);
    expect([total, escrows[0]]).to.deep.equal([1, read]);
    expect(await client().wallets.get(ben.did!)).to.include({ balance: 15, nextNonce: 2 });
  });

  it('an operator lists the texts of a transfer and erases its memo, which is null from then on', async () => {
    const [ada, ben] = (await people(10, 0)) as [Client, Client];
    const paid = await ada.wallets.transfer({ to: ben.did!, amount: 1, memo: 'a name' });
    const { key } = await node().key({ scope: 'admin' });
    const operator = new Client({ url: node().url, key });
    const asked = { event: paid.eventHash };
    const { leaves } = await operator.admin.leaves(asked);
    expect(leaves).to.deep.equal([
      { ...leaves[0], pointer: '/memo', size: 8, eventHash: paid.eventHash, erased: false },
    ]);
    const { leaf } = leaves[0]!;
    const done = await operator.admin.redact(leaf, { reason: 'asked for by ada', operator: 'ben' });
    expect(done).to.include({ leaf, reason: 'asked for by ada', operator: 'ben' });
    expect((await operator.admin.leaves(asked)).leaves).to.deep.equal([{ ...leaves[0], erased: true }]);
    const entry: Entry = await client().events.get(paid.eventHash);
    expect(entry.payload?.input).to.include({ memo: null, amount: 1 });
    expect(entry.leaves).to.deep.equal({ '/memo': { leaf, size: 8, erased: true } });
    expect(await failureOf(operator.admin.redact(leaf, { reason: 'again' }))).to.include({ refusal: 'CONFLICT' });
    expect(await failureOf(ada.admin.leaves(asked))).to.include({ refusal: 'FORBIDDEN' });
  });

  it('a hundred writes at once get a hundred nonces, refused ones between them', async () => {
    const [ada, ben] = (await people(1_000, 0)) as [Client, Client];
    const transfers = Array.from({ length: 100 }, (_, index) =>
      ada.wallets.transfer({ to: ben.did!, amount: index % 10 === 3 ? 1_000_000 : 1 }),
    );
    const results = await Promise.allSettled(transfers);
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => (reason as ApiError).refusal)).to.deep.equal(
      Array.from({ length: 10 }, () => 'INSUFFICIENT_BALANCE'),
    );
    expect(await client().wallets.get(ada.did!)).to.include({ balance: 910, nextNonce: 91 });
  });

  it('two programs with one DID meet, and both continue', async () => {
    const [ada, ben] = (await people(100, 0)) as [Client, Client];
    const other = client().as({ did: ada.did!, passphrase });
    for (let round = 0; round < 3; round++) {
      await ada.wallets.transfer({ to: ben.did!, amount: 1 });
      await Promise.all([1, 2, 3].map(() => other.wallets.transfer({ to: ben.did!, amount: 1 })));
    }
    expect(await client().wallets.get(ben.did!)).to.include({ balance: 12 });
  });

  it('a write that is sent again with its key and nonce happens once', async () => {
    const [ada, ben] = (await people(10, 0)) as [Client, Client];
    const options = { idempotencyKey: 'once', nonce: 1 };
    const first = await ada.wallets.transfer({ to: ben.did!, amount: 3, memo: 'once' }, options);
    expect(await ada.wallets.transfer({ to: ben.did!, amount: 3, memo: 'once' }, options)).to.deep.equal(first);
    const { transactions, total } = await client().wallets.transactions(ben.did!, { type: 'received' });
    expect([total, transactions[0]?.eventHash, transactions[0]?.memo]).to.deep.equal([1, first.eventHash, 'once']);
  });

  it('identities carry documents and credentials', async () => {
    const [ada] = (await people(0)) as [Client];
    const did = ada.did!;
    const { docHash } = await client().identities.get(did);
    const document = { displayName: 'Ada', platformLinks: [{ platform: 'web', url: 'https://ada.example' }] };
    const updated = await ada.identities.update(did, { document, prevDocHash: docHash });
    expect(updated).to.deep.include(document);
    expect(await failureOf(ada.identities.update(did, { document, prevDocHash: docHash }))).to.include({
      refusal: 'DID_UPDATE_CONFLICT',
    });
    const registered = await ada.identities.registerCapability(did, {
      type: ['VerifiableCredential', 'CapabilityCredential'],
      issuer: did,
      credentialSubject: { capability: 'translation' },
    });
    expect(registered.credential?.proof).to.include({ cryptosuite: 'eddsa-jcs-2022' });
    const { capabilities } = await client().identities.capabilities(did);
    expect(capabilities).to.deep.equal([registered.credential]);
    expect((await client().identities.get(did, { source: 'log' })).docHash).to.equal(updated.docHash);
  });

  it('the stream gives each entry as it comes, the list gives them all', async () => {
    const [ada, ben] = (await people(10, 0)) as [Client, Client];
    const seen: Entry[] = [];
    const abort = new AbortController();
    const { head } = await client().events.list({ limit: 1 });
    const following = (async () => {
      for await (const entry of client().events.stream({ after: head, issuer: ada.did! }, { signal: abort.signal })) {
        seen.push(entry);
        if (seen.length === 3) abort.abort();
      }
    })();
    for (const amount of [1, 2, 3]) await ada.wallets.transfer({ to: ben.did!, amount });
    await following;
    expect(seen.map(({ payload }) => payload?.input.amount)).to.deep.equal([1, 2, 3]);
    const listed: Entry[] = [];
    for await (const entry of client().events.all({ issuer: ada.did! })) listed.push(entry);
    expect(listed).to.deep.equal(seen);
    expect(await client().events.get(seen[0]!.event.hash)).to.deep.equal(seen[0]);
  });

  it('an operator makes keys, freezes and unfreezes', async () => {
    const { key } = await node().key({ scope: 'admin' });
    const operator = new Client({ url: node().url, key });
    const [ada, ben] = (await people(10, 0)) as [Client, Client];
    expect(await operator.admin.freeze(ada.did!)).to.include({ frozen: true });
    const refusal = await failureOf(ada.wallets.transfer({ to: ben.did!, amount: 1 }));
    expect(refusal).to.include({ status: 403, refusal: 'TRANSFER_NOT_ALLOWED' });
    expect(await operator.admin.unfreeze(ada.did!)).to.include({ frozen: false });
    await ada.wallets.transfer({ to: ben.did!, amount: 1 });
    const made = await operator.admin.apiKeys.create({ scope: 'read', label: 'a reader' });
    const reader = new Client({ url: node().url, key: made.key! });
    expect((await reader.node.status()).network).to.equal('devnet');
    expect(
      await failureOf(reader.as({ did: ada.did!, passphrase }).wallets.transfer({ to: ben.did!, amount: 1 })),
    ).to.include({ status: 403, refusal: 'FORBIDDEN' });
    expect((await operator.admin.apiKeys.revoke(made.id)).status).to.equal('revoked');
    await operator.admin.apiKeys.remove(made.id);
    expect(await failureOf(operator.admin.apiKeys.get(made.id))).to.include({ status: 404, code: 'NOT_FOUND' });
    const own = await client().identities.createApiKey(ada.did!, { passphrase, scope: 'write' });
    expect(own).to.include({ did: ada.did, scope: 'write' });
  });

  it('the node serves the OpenAPI document that is in docs/generated', async () => {
    const served = await (await fetch(`${node().url}/openapi.json`)).json();
    expect(served).to.deep.equal(JSON.parse(JSON.stringify(openApiOf(everyRoute(), { version, network }))));
  });
});
