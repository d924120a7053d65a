/** Limits that hold across processes: requests, wrong passphrases, the faucet. */
import { expect } from 'chai';
import { bounds, faucetQuotas, rateLimits } from '../../../src/core/bounds.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import { OwnKey } from '../../node/support/independent.js';
import { clusterForSuite, soon } from '../support/cluster.js';
import { describeMongo } from '../support/server.js';

describeMongo('limits of three processes on one database', () => {
  const cluster = clusterForSuite(3, { variables: { SVC_TRUSTED_PROXIES: '127.0.0.1' } });
  let admin: string;
  before(async () => {
    admin = (await cluster().node(0).key({ scope: 'admin' })).key;
  });
  const from = (index: number, address: string) => cluster().node(index).client.with({ 'X-Forwarded-For': address });

  it('requests of one address count wherever they come in, within a second', async () => {
    const perProcess = Math.ceil(rateLimits.originReads / 3);
    for (const index of [0, 1, 2]) {
      for (let n = 0; n < perProcess; n++) expectStatus(await from(index, '203.0.113.1').get('/api/v1/node'));
    }
    for (const index of [0, 1, 2]) {
      await soon(
        () => from(index, '203.0.113.1').get('/api/v1/node'),
        ({ status }) => status === 429,
      );
    }
    expectStatus(await from(1, '203.0.113.2').get('/api/v1/node'));
  });

  it('requests with one key count wherever they come in', async () => {
    const { key } = await cluster()
      .node(0)
      .key({ scope: 'read', limits: { reads: 30 } });
    const keyed = (index: number) => from(index, '203.0.113.3').keyed(key);
    for (let n = 0; n < 30; n++) expectStatus(await keyed(n % 3).get('/api/v1/node'));
    for (const index of [0, 1, 2]) {
      await soon(
        () => keyed(index).get('/api/v1/node'),
        ({ status }) => status === 429,
      );
    }
  });

  it('wrong passphrases count wherever they are tried; right ones do not', async () => {
    const ada = await cluster().person(100, admin);
    const try_ = (index: number, passphrase: string) =>
      ada[index]!.through(from(index, '203.0.113.4').keyed(keys[index]!)).write('/api/v1/transfers', {
        to: OwnKey.fresh().did,
        amount: 1,
        passphrase,
      });
    const { key } = await cluster().node(0).key({ scope: 'write' });
    const keys = [key, key, key];
    for (const index of [0, 1, 2, 0, 1]) {
      expectProblem(await try_(index, `a wrong passphrase ${index}`), 'TRANSFER_NOT_ALLOWED');
    }
    await soon(
      () => try_(2, 'another wrong passphrase'),
      ({ status }) => status === 429,
    );
    const ben = await cluster().person(100, admin);
    for (let n = 0; n < 9; n++) await ben[n % 3]!.wallet();
    for (const [n, index] of [0, 1, 2, 0, 1, 2, 0].entries()) {
      ben[index]!.nonce = n + 1;
      await ben[index]!.pays(ada[0]!.did, 1);
    }
  });

  it('a DID has as many API keys as it may, at any process, also at the same time', async () => {
    const ada = await cluster().person(0, admin);
    const path = `/api/v1/identities/${ada[0]!.did}/api-keys`;
    const make = (index: number) => ada[index]!.client.post(path, { passphrase: ada[index]!.passphrase });
    const replies = await Promise.all(Array.from({ length: bounds.apiKeysPerDid + 7 }, (_, n) => make(n % 3)));
    for (const reply of replies) if (reply.status !== 201) expectProblem(reply, 'CONFLICT');
    for (let reply = await make(0); reply.status === 201; ) reply = await make(1);
    const keys = await cluster().node(0).store.listLocal('api-keys');
    expect(keys.filter(({ value }) => value.did === ada[0]!.did)).to.have.length(bounds.apiKeysPerDid);
  });

  it('the faucet gives each its share once, at any process, also at the same time', async () => {
    const did = OwnKey.fresh().did;
    const claims = await Promise.all(
      Array.from({ length: 9 }, (_, n) => from(n % 3, `203.0.113.${10 + n}`).post('/api/v1/faucet', { did })),
    );
    const given = claims.filter(({ status }) => status === 200);
    expect(given).to.have.length(1);
    for (const claim of claims) if (claim.status !== 200) expectProblem(claim, 'RATE_LIMITED');
    expect(expectStatus(await cluster().node(1).client.keyed(admin).get(`/api/v1/wallets/${did}`)).balance).to.equal(
      100,
    );

    const origin = '203.0.113.77';
    let claimed = 0;
    for (let n = 0; n < faucetQuotas.perOriginDaily + 3; n++) {
      const reply = await from(n % 3, origin).post('/api/v1/faucet', { did: OwnKey.fresh().did });
      if (reply.status === 200) claimed++;
      else expectProblem(reply, 'RATE_LIMITED');
    }
    expect(claimed).to.equal(faucetQuotas.perOriginDaily);
  });
});
