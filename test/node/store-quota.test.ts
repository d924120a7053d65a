/** The bytes stored per day are bounded for each API key and each DID. */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { contract } from '../../src/machines/contract/resource.js';
import { expectProblem, expectStatus } from './support/answers.js';
import type { Reply } from './support/client.js';
import { OwnKey } from './support/independent.js';
import { signedBy } from './support/independent-signing.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const mebibyte = 1024 * 1024;

describe('What a caller may store in a day', () => {
  let node: TestNode;
  let ada: Person;
  let ben: Person;

  before(async () => {
    node = await TestNode.start({ variables: { SVC_RATE_LIMIT_LOOPBACK: 'on', SVC_STORE_QUOTA_MIB: '1' } });
    const admin = await node.keyed({ scope: 'admin' });
    [ada, ben] = [await node.person(admin), await node.person(admin)];
  });
  after(() => node.discard());

  const terms = { scope: 'x'.repeat(60_000) };
  const draft = (who: Person): Promise<Reply> =>
    who.write('/api/v1/contracts', { ...contract.create.example, provider: node.did, terms });
  const key = async () => (await node.key({ scope: 'write' })).key;
  /** Writes with a key until a write is refused. Returns the number of accepted writes, and the refusal. */
  async function fill(who: Person, name: string): Promise<{ writes: number; refused: Reply }> {
    const writer = who.through(node.client.keyed(name));
    writer.nonce = (await writer.wallet()).nextNonce as number;
    for (let writes = 0; ; writes++) {
      const refused = await draft(writer);
      if (refused.status !== 201) return { writes, refused };
    }
  }

  it('is counted for its key and for its DID, through a restart, until the day is over', async () => {
    const [first, second, third] = [await key(), await key(), await key()];
    const { writes, refused } = await fill(ada, first);
    expectProblem(refused, 'RATE_LIMITED');
    expect(writes * JSON.stringify(terms).length).to.be.within(0.8 * mebibyte, mebibyte);
    const left = Math.ceil((dayMs - (node.world.now() % dayMs)) / 1000);
    expect(Number(refused.headers['retry-after'])).to.be.within(left - 5, left + 5);
    expect((await fill(ben, first)).writes, 'another DID, the same key').to.equal(0);
    expect((await fill(ada, second)).writes, 'another key, the same DID').to.be.at.most(2);
    expectStatus(await node.client.keyed(first).get(`/api/v1/wallets/${ada.did}`));

    await node.restart();
    expect((await fill(ada, third)).writes, 'after a restart').to.be.at.most(2);
    expect((await fill(ben, first)).writes, 'after a restart').to.be.at.most(2);
    expect((await fill(ben, third)).writes, 'who has stored nothing').to.be.above(5);

    node.world.skip(dayMs);
    expect((await fill(ada, first)).writes, 'the next day').to.equal(writes);
  });

  it('counts the texts of an event that its issuer has signed once', async () => {
    node.world.skip(dayMs);
    const { writes } = await fill(ben, await key());
    node.world.skip(dayMs);
    const [own, writer] = [OwnKey.fresh(), node.client.keyed(await key())];
    const body = { ...contract.create.example, provider: node.did, terms, did: own.did, prepare: true };
    for (let submitted = 0; ; submitted++) {
      const asked = await writer.post('/api/v1/contracts', body);
      const answer =
        asked.status === 200 ? await writer.post('/api/v1/events', signedBy(own, asked.body.prepared)) : asked;
      if (answer.status === 201) continue;
      expectProblem(answer, 'RATE_LIMITED');
      expect(submitted).to.be.within(writes - 1, writes + 1);
      break;
    }
  });

  it('does not count what is only prepared', async () => {
    node.world.skip(dayMs);
    const body = { ...contract.create.example, provider: node.did, terms, did: ben.did, prepare: true };
    const writer = node.client.keyed(await key());
    for (let bytes = 0; bytes < 1.2 * mebibyte; bytes += terms.scope.length)
      expectStatus(await writer.post('/api/v1/contracts', body));
  });

  it('is not bounded where the quota is 0', async () => {
    const free = await TestNode.start({ variables: { SVC_RATE_LIMIT_LOOPBACK: 'on', SVC_STORE_QUOTA_MIB: '0' } });
    const cyd = await free.person(await free.keyed({ scope: 'admin' }));
    expectStatus(await draft(cyd), 201);
    await free.discard();
  });
});
