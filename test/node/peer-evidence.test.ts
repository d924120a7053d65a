/** Why a home is no longer followed (docs/reference/node.md#evidence): public, except for the invalid line itself. */
import { expect } from 'chai';
import { equivocationForm, parseForm, violationOfEquivocation } from '../../src/peers/checkpoint.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { leavesProof, leavesStop } from './support/kept-evidence.js';
import { nodeForSuite } from './support/node.js';

describe('GET /node/peers/{did}/evidence', () => {
  const node = nodeForSuite();
  const pathOf = (did: string): string => `/api/v1/node/peers/${did}/evidence`;

  it('names the entry that is not valid, and the home’s signature over it', async () => {
    const { did } = await leavesStop(node().store);
    const found = expectStatus(await node().client.get(pathOf(did)));
    const what = 'payloadHash is not the hash of the payload';
    expect(found).to.include({ did, cause: 'violation', seq: 7, what, at: 1_700_000_000_000 });
    expect(found.checkpoint).to.include({ home: did, seq: 7, network: 'devnet' });
    expect(found).to.not.have.any.keys('proof', 'from');
  });

  it('shows the line that was sent to admin keys alone: it may hold a private payload', async () => {
    const { did, secret } = await leavesStop(node().store);
    const remote = node().client.with({ 'X-Forwarded-For': '203.0.113.9' });
    const others = [
      remote,
      node().client,
      await node().keyed({ scope: 'read' }),
      await node().keyed({ scope: 'write' }),
    ];
    for (const client of others) {
      const reply = await client.get(pathOf(did));
      expect(expectStatus(reply)).to.include({ did }).and.not.have.property('line');
      expect(reply.text).to.not.include(secret);
    }
    const { line } = expectStatus(await (await node().keyed({ scope: 'admin' })).get(pathOf(did)));
    expect(JSON.parse(line)).to.include({ seq: 7, payload: secret });
  });

  it('gives the proof of two journals to all callers', async () => {
    const { did } = await leavesProof(node().store);
    const found = expectStatus(await node().client.get(pathOf(did)));
    expect(found).to.include({ did, cause: 'equivocation', seq: 7, what: 'it has signed two journals', from: did });
    const proof = parseForm(equivocationForm, found.proof);
    if (typeof proof === 'string') expect.fail(proof);
    expect(violationOfEquivocation(proof)).to.equal(undefined);
  });

  it('is 404 where nothing is kept, and DID_INVALID where there is no DID', async () => {
    const { detail } = expectProblem(await node().client.get(pathOf(node().did)), 'NOT_FOUND');
    expect(detail).to.equal(`nothing is kept against ${node().did}`);
    expectProblem(await node().client.get(pathOf('did:svc:nobody')), 'DID_INVALID');
  });
});
