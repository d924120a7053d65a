/**
 * The operator unlocks and locks DIDs, and wrong passphrases are counted (docs/reference/identities.md#unlocked-keys,
 * docs/reference/identities.md#wrong-passphrases).
 */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { rateLimits } from '../../src/core/bounds.js';
import { signerOf } from '../../src/keys/signing.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import type { Client } from './support/client.js';
import { OwnKey } from './support/independent.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';

describe('Unlocking', () => {
  const node = nodeForSuite();
  let admin: Client;
  let ada: Person;

  beforeEach(async () => {
    admin = await node().keyed({ scope: 'admin' });
    ada = await node().rich(100);
  });

  const turn = (did: string, action: string, passphrase?: string, client = admin) =>
    client.post(`/api/v1/admin/identities/${did}/actions/${action}`, passphrase === undefined ? {} : { passphrase });

  it('is an admin’s act, with the passphrase', async () => {
    expect(expectStatus(await turn(ada.did, 'unlock', ada.passphrase))).to.deep.equal({ did: ada.did, unlocked: true });
    expectProblem(await turn(ada.did, 'unlock', 'a wrong passphrase'), 'TRANSFER_NOT_ALLOWED');
    expectProblem(await turn(OwnKey.fresh().did, 'unlock', 'a wrong passphrase'), 'TRANSFER_NOT_ALLOWED');
    expectInvalid(await turn(ada.did, 'unlock'), 'passphrase');
    expectInvalid(await turn('ada', 'unlock', ada.passphrase), 'did', 'DID_INVALID');
    for (const client of [node().client, await node().keyed({ scope: 'write' })]) {
      expectProblem(await turn(ada.did, 'unlock', ada.passphrase, client), 'FORBIDDEN');
      expectProblem(await turn(ada.did, 'lock', undefined, client), 'FORBIDDEN');
    }
  });

  it('lock forgets the key; the node’s own stays', async () => {
    expectStatus(await turn(ada.did, 'unlock', ada.passphrase));
    expect(expectStatus(await turn(ada.did, 'lock'))).to.deep.equal({ did: ada.did, unlocked: false });
    expectStatus(await turn(ada.did, 'lock'));
    expectProblem(await turn(OwnKey.fresh().did, 'lock'), 'DID_NOT_FOUND');
    expectProblem(await turn(node().did, 'lock'), 'UNPROCESSABLE');
    // Locking does not affect a caller who states the passphrase.
    await ada.pays(node().did, 1);
  });

  describe('wrong passphrases', () => {
    const attempt = (who: Person, passphrase: string, client?: Client) =>
      (client ? who.through(client) : who).write('/api/v1/transfers', { to: node().did, amount: 1, passphrase });

    it('give one answer for a wrong passphrase, a missing key and an unknown DID', async () => {
      const unknown = OwnKey.fresh().did;
      const details = new Set<string>();
      for (const did of [ada.did, unknown]) {
        const body = { did, passphrase: 'a wrong passphrase', nonce: 1, to: node().did, amount: 1 };
        const problem = expectProblem(await node().client.post('/api/v1/transfers', body), 'TRANSFER_NOT_ALLOWED');
        details.add(problem.detail);
      }
      expect(details.size).to.equal(1);
      expect([...details][0]).not.to.include('did:svc');
    });

    it('are limited to five a minute from one origin, while a passphrase known to be right goes through', async () => {
      await ada.pays(node().did, 1);
      for (let i = 0; i < 5; i++) expectProblem(await attempt(ada, `wrong passphrase ${i}`), 'TRANSFER_NOT_ALLOWED');
      const sixth = await attempt(ada, 'wrong passphrase 6');
      expectProblem(sixth, 'RATE_LIMITED');
      expect(Number(sixth.headers['retry-after'])).to.be.within(50, 60);
      await ada.pays(node().did, 1);
      const ben = await node().rich(10);
      await ben.pays(node().did, 1);
      node().world.skip(61_000);
      expectProblem(await attempt(ada, 'wrong passphrase 7'), 'TRANSFER_NOT_ALLOWED');
    });

    it('are counted for the key that asks, and all together for the DID', async () => {
      const keys = await Promise.all(Array.from({ length: 13 }, () => node().keyed({ scope: 'write' })));
      let refused = 0;
      for (const client of keys) {
        for (let i = 0; i < 5; i++) {
          const reply = await attempt(ada, `wrong passphrase ${i}`, client);
          if (reply.body.code === 'RATE_LIMITED') refused += 1;
          else expectProblem(reply, 'TRANSFER_NOT_ALLOWED');
        }
      }
      expect(refused, '65 guesses, 60 a minute for one DID').to.equal(5);
    });

    it('cannot be tried in parallel beyond the limit', async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => attempt(ada, `wrong passphrase ${i}`)));
      const codes = replies.map(({ body }) => body.code);
      expect(codes.filter((code) => code === 'TRANSFER_NOT_ALLOWED')).to.have.length(5);
      expect(codes.filter((code) => code === 'RATE_LIMITED')).to.have.length(15);
    });

    it('of one local caller do not keep out the right one of a key', async () => {
      for (let i = 0; i < 6; i++) await attempt(ada, `wrong passphrase ${i}`);
      expectProblem(await attempt(ada, ada.passphrase), 'RATE_LIMITED');
      expectStatus(await attempt(ada, ada.passphrase, await node().keyed({ scope: 'write' })));
    });
  });
});

describe('Passphrases to check', () => {
  const node = nodeForSuite({ variables: { SVC_RATE_LIMIT_LOOPBACK: 'on' } });

  it('are limited per minute for one key, also for unknown DIDs; others have their own limit', async () => {
    const admin = await node().keyed({ scope: 'admin' });
    const ada = await node().person(admin);
    const passphrase = 'a passphrase of nobody';
    const check = (client: Client, did: string, said = passphrase) =>
      client.post(`/api/v1/identities/${did}/api-keys`, { passphrase: said });
    const reader = await node().keyed();
    const codes: unknown[] = [];
    for (let at = 0; at <= rateLimits.kdfRuns; at += 50) {
      const batch = Array.from({ length: Math.min(50, rateLimits.kdfRuns + 1 - at) }, () =>
        check(reader, signerOf(randomBytes(32)).did),
      );
      for (const { body } of await Promise.all(batch)) codes.push(body.code);
    }
    expect(codes.filter((code) => code === 'TRANSFER_NOT_ALLOWED')).to.have.length(rateLimits.kdfRuns);
    expectProblem(await check(reader, ada.did, ada.passphrase), 'RATE_LIMITED');
    expectStatus(await check(await node().keyed(), ada.did, ada.passphrase), 201);
    // The key is unlocked now, so checks don't count as wrong attempts.
    expectStatus(await check(reader, ada.did, ada.passphrase), 201);
  });
});
