/** Agents that keep their keys (docs/signing.md): the node sees what they sign, and no secret of theirs. */
import { expect } from 'chai';
import { Client } from '../../packages/client/src/client.js';
import { type HeldKey, keys } from '../../packages/client/src/signing/key.js';
import { nodeForSuite } from '../node/support/node.js';

describe('Who keeps their key', () => {
  const node = nodeForSuite();
  let [client, ada, ben]: Client[] = [];
  let key: HeldKey;

  beforeEach(async () => {
    client = new Client({ url: node().url });
    key = await keys.fromSeed(crypto.getRandomValues(new Uint8Array(32)));
    ada = client.as({ key });
    ben = client.as({ key: await keys.generate() });
    const rich = await node().rich(1_000);
    await rich.pays(key.did, 500);
    await rich.pays(ben.did!, 100);
  });

  it('pays, and the journal has what they signed', async () => {
    const paid = await ada!.wallets.transfer({ to: ben!.did!, amount: 5, memo: 'thanks' });
    expect(paid).to.include({ from: key.did, amount: 5 });
    const wallet = await client!.wallets.get(key.did);
    expect(wallet).to.include({ available: 495, nextNonce: 2 });
    expect((await node().audit()).entries).to.be.above(2);
  });
});
