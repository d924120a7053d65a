/** The reputation records that real contracts make about their parties (docs/reference/reputation.md#records). */
import { expect } from 'chai';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Body, Reply } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

const hourMs = 3_600_000;
const path = '/api/v1/contracts';

describe('The reputation that contracts give', () => {
  const node = nodeForSuite();
  let client: Person;
  let provider: Person;
  let arbiter: Person;
  beforeEach(async () => {
    [client, provider, arbiter] = [await node().rich(), await node().person(), await node().person()];
  });

  const act = (who: Person, { contractId }: Body, action: string, body: Body = {}): Promise<Reply> =>
    who.write(`${path}/${contractId}/actions/${action}`, body);
  const acts = async (who: Person, contract: Body, action: string, body: Body = {}): Promise<Body> =>
    expectStatus(await act(who, contract, action, body));
  const onStage = async (who: Person, { contractId }: Body, action: string): Promise<Body> =>
    expectStatus(await who.write(`${path}/${contractId}/milestones/all/actions/${action}`, {}));

  /** A contract that both have signed and funded, with one milestone of 60. */
  async function active(terms: Body = {}): Promise<Body> {
    const asked = {
      provider: provider.did,
      terms: { arbiter: arbiter.did, ...terms },
      payment: { totalAmount: 60 },
      milestones: [{ id: 'all', title: 'All of it', amount: 60 }],
    };
    const contract = expectStatus(await client.write(path, asked), 201);
    for (const who of [client, provider]) await acts(who, contract, 'sign');
    return acts(client, contract, 'activate', { amount: 60 });
  }
  async function completed(terms: Body = {}, afterMs = 0): Promise<Body> {
    const contract = await active(terms);
    node().world.skip(afterMs);
    await onStage(provider, contract, 'submit');
    await onStage(client, contract, 'approve');
    return acts(client, contract, 'complete');
  }
  async function ruled(resolution: string, by: Person): Promise<Body> {
    const contract = await active();
    await acts(client, contract, 'dispute', { reason: 'quality' });
    await acts(by, contract, 'resolve', { resolution });
    return contract;
  }
  async function reputation({ did }: Person): Promise<Body> {
    const [stored, logged] = await Promise.all(
      ['store', 'log'].map((source) => node().client.get(`/api/v1/reputations/${did}?source=${source}`)),
    );
    expect(expectStatus(logged!)).to.deep.equal(expectStatus(stored!));
    return stored!.body;
  }
  const expectNone = async ({ did }: Person) =>
    expectProblem(await node().client.get(`/api/v1/reputations/${did}`), 'REPUTATION_NOT_FOUND');
  const review = (who: Person, of: Person, { contractId }: Body) =>
    who.write(`/api/v1/reputations/${of.did}/reviews`, {
      ...{ target: of.did, dimension: 'quality', score: 700, ref: contractId },
    });

  it('is nothing while it runs, and then a transaction of both and the fulfillment of the provider', async () => {
    const contract = await active();
    expectProblem(await review(client, provider, contract), 'UNPROCESSABLE');
    for (const each of [client, provider]) await expectNone(each);
    const done = await completed();
    expect((await reputation(provider)).dimensions).to.have.all.keys('transaction', 'fulfillment');
    expect(await reputation(provider)).to.include({ score: 1000, totalTransactions: 1, successRate: 1 });
    expect((await reputation(client)).dimensions).to.have.all.keys('transaction');
    for (const [who, of] of [
      [client, provider],
      [provider, client],
    ] as const) {
      expectStatus(await review(who, of, done), 201);
      expectProblem(await review(who, of, done), 'CONFLICT');
      expect(await reputation(of)).to.include({ averageRating: 3.5 });
    }
    expectProblem(await review(arbiter, provider, done), 'UNPROCESSABLE');
  });

  it('is 500 for what came late', async () => {
    await completed({ deadline: node().world.now() + hourMs }, 2 * hourMs);
    expect((await reputation(provider)).dimensions.fulfillment).to.include({ score: 500 });
  });

  it('is 200 for whom an arbiter decided against', async () => {
    await ruled('refund', arbiter);
    expect((await reputation(provider)).dimensions.fulfillment).to.include({ score: 200 });
    expect(await reputation(provider)).to.include({ successRate: 0 });
    expect(await reputation(client)).to.include({ score: 1000, successRate: 1 });
    await ruled('release', arbiter);
    expect((await reputation(client)).dimensions.fulfillment).to.include({ score: 200 });
    expect(await reputation(client)).to.include({ totalTransactions: 2, successRate: 0.5 });
  });

  it('is nothing of what was given up', async () => {
    const contract = await active();
    await acts(provider, contract, 'terminate');
    for (const each of [client, provider]) await expectNone(each);
    const draft = expectStatus(await client.write(path, { provider: provider.did, terms: {} }), 201);
    await acts(client, draft, 'terminate');
    expectProblem(await review(client, provider, draft), 'UNPROCESSABLE');
    expectProblem(await review(client, provider, contract), 'UNPROCESSABLE');
  });

  it('is no review where all was refunded, and one of each party where a part was paid', async () => {
    for (const [providerPayment, status] of [
      [0, 422],
      [1, 201],
    ] as const) {
      const contract = await active();
      await acts(client, contract, 'dispute', { reason: 'other' });
      const split = { resolution: 'split', providerPayment, clientRefund: 60 - providerPayment };
      for (const who of [client, provider]) await acts(who, contract, 'resolve', split);
      expectStatus(await review(client, provider, contract), status);
      expectStatus(await review(provider, client, contract), status);
    }
  });
});
