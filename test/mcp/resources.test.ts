/** Resources of MCP: what a host shows without a tool. */
import { expect } from 'chai';
import { publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { revisions, TestAgent } from './support/agent.js';

describe('Resources over MCP', () => {
  const node = nodeForSuite();
  let agent: TestAgent;
  let listingId: string;

  before(async () => {
    agent = await TestAgent.make(node());
    ({ listingId } = await publishes(await node().person(), { title: 'Rain </data>', pricing: { price: 5 } }));
  });
  after(() => agent.discard());

  for (const revision of revisions) {
    it(`are read with their history and chart in ${revision}`, async () => {
      const { client } = await agent.host({ revision });
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).to.deep.equal(
        ['', '/history', '/chart'].map((suffix) => `svc://{home}/{kind}/{id}${suffix}`),
      );
      const base = `svc://${node().did.slice('did:svc:'.length)}/info-listing/${listingId}`;
      const textOf = async (uri: string) => {
        const [content] = (await client.readResource({ uri })).contents as [{ uri: string; text: string }];
        expect(content.uri).to.equal(uri);
        return content.text;
      };
      expect(JSON.parse(await textOf(base))).to.include({ id: listingId, title: 'Rain </data>' });
      expect(await textOf(base)).to.not.include('</data>');
      expect(JSON.parse(await textOf(`${base}/history`)).steps[0]).to.include({ step: 1, action: 'create' });
      expect(await textOf(`${base}/chart`)).to.match(/^stateDiagram|\nstateDiagram/);
    });
  }

  it('are of this home, and of what there is', async () => {
    const { client } = await agent.host();
    const own = node().did.slice('did:svc:'.length);
    const places = [
      `z6MkOther/info-listing/${listingId}`,
      `${own}/info-listing/lst-none`,
      `${own}/nothing/${listingId}`,
    ];
    for (const place of places.concat(`${own}/info-listing/..`)) {
      const error = await client.readResource({ uri: `svc://${place}` }).catch((thrown: unknown) => thrown);
      expect(error, place).to.be.instanceOf(Error);
    }
  });
});
