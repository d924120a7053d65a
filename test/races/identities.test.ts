/** Many simultaneous updates of one identity document. */
import { expect } from 'chai';
import { expectStatus } from '../node/support/answers.js';
import { accepted, outcomes, racingNode } from './support.js';

describe('Races over one identity', () => {
  const node = racingNode();

  it('updates from one document at once: the first in, the others DID_UPDATE_CONFLICT', async () => {
    const ada = await node().person();
    for (let round = 0; round < 5; round++) {
      const { docHash } = expectStatus(await node().client.get(`/api/v1/identities/${ada.did}`));
      const path = `/api/v1/identities/${ada.did}/actions/update`;
      const update = (bio: string, nonce: number) =>
        node().client.post(path, { ...ada.signed, nonce, document: { bio }, prevDocHash: docHash });
      // A refused request uses no nonce, so later nonces would wait in vain. All requests use the same one.
      const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => update(`round ${round}, ${i}`, ada.nonce)));
      expect(accepted(replies), JSON.stringify(outcomes(replies))).to.have.length(1);
      ada.nonce += 1;
      expect((await update('late', ada.nonce)).body.code).to.equal('DID_UPDATE_CONFLICT');
      const now = expectStatus(await node().client.get(`/api/v1/identities/${ada.did}`));
      expect(now.bio).to.equal(accepted(replies)[0]!.body.bio);
    }
  });
});
