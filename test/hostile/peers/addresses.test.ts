/** The addresses of peers help attackers, so only admin keys see them. */
import { expect } from 'chai';
import { expectStatus } from '../../node/support/answers.js';
import { discard, Home } from '../../peers/nodes/network.js';
import { transportOf } from '../../peers/transport/pair.js';

const host = '192.0.2.7';

describe('The addresses of peers', () => {
  let node: Home;
  before(async () => {
    node = await Home.start({
      variables: { SVC_PEERS: `/ip4/${host}/tcp/9529/p2p/${transportOf('ada').peerId}` },
    });
  });
  after(() => discard([node]));

  it('are in no reply without an admin key, whatever is read', async () => {
    const { client } = node.node;
    const { paths } = expectStatus(await client.get('/openapi.json'));
    const read = Object.keys(paths).filter((path) => paths[path].get && !path.includes('{') && !/stream/.test(path));
    expect(read).to.include('/api/v1/node/peers');
    const keys = [client, await node.node.keyed({ scope: 'read' }), await node.node.keyed({ scope: 'write' })];
    for (const path of [...read, '/metrics'])
      for (const key of keys) expect(JSON.stringify(await key.get(path)), path).to.not.include(host);
    const admin = await node.node.keyed({ scope: 'admin' });
    expect(expectStatus(await admin.get('/api/v1/node/peers')).peers[0].multiaddrs[0]).to.include(host);
  });
});
