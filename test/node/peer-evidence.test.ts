/** Why a home is no longer followed (docs/reference/node.md#evidence). */
import { expect } from 'chai';
import { equivocationForm, parseForm, violationOfEquivocation } from '../../src/peers/checkpoint.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { leavesProof, leavesStop } from './support/kept-evidence.js';
import { nodeForSuite } from './support/node.js';

describe('GET /node/peers/{did}/evidence', () => {
  const node = nodeForSuite();
  const pathOf = (did: string): string => `/api/v1/node/peers/${did}/evidence`;

  it('has the line that is not of the journal, and the home’s newest signature, for all callers', async () => {
    const { did, line } = await leavesStop(node().store);
    for (const client of [node().client, await node().keyed({ scope: 'read' })]) {
      const found = expectStatus(await client.get(pathOf(did)));
      const what = 'a line has other members than an entry';
      expect(found).to.include({ did, cause: 'bad-line', seq: 7, what, detectedAt: 1_700_000_000_000, line });
      expect(found.checkpoint).to.include({ home: did, seq: 7, network: 'devnet' });
      expect(found).to.not.have.any.keys('proof', 'from');
    }
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
