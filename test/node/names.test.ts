/** Names of many DIDs at once (docs/reference/identities.md#names). */
import { expect } from 'chai';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { nodeForSuite } from './support/node.js';

describe('Names', () => {
  const node = nodeForSuite();
  const names = (dids: string) => node().client.get(`/api/v1/names?dids=${encodeURIComponent(dids)}`);

  it('answers what each DID calls itself and does for the node, each once, in the order asked', async () => {
    const [ada, ben] = [await node().rich(10), await node().person()];
    const { did: own } = expectStatus(await node().client.get('/api/v1/node'));
    const path = `/api/v1/identities/${ada.did}`;
    const { docHash } = expectStatus(await node().client.get(path));
    await ada.does(`${path}/actions/update`, { document: { displayName: 'Ada' }, prevDocHash: docHash });
    const { events } = expectStatus(await node().client.get('/api/v1/events?type=faucet.claimed'));
    const system = events[0]?.event.issuer ?? '';
    const body = expectStatus(await names([ben.did, ada.did, own, ada.did, system].join(',')));
    expect(body).to.deep.equal({
      names: [
        { did: ben.did, displayName: null, home: null, part: null },
        { did: ada.did, displayName: 'Ada', home: null, part: null },
        { did: own, displayName: null, home: null, part: 'node' },
        { did: system, displayName: null, home: null, part: 'system' },
      ],
    });
  });

  it('refuses what is no DID, none, and more than its bound', async () => {
    const { did } = await node().person();
    expectProblem(await names('did:svc:nobody'), 'DID_INVALID');
    expectInvalid(await names(''), 'dids');
    expectInvalid(await names(Array(51).fill(did).join(',')), 'dids');
  });
});
